/** The services of a stack's provider configurations: asked as soon as they are known, and waited for when first needed. */
import { IncompleteProvider, TenancyError } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Target } from "../planning/target";
import type { Findings } from "./findings";

/** Opens the service of a provider configuration. The reading of its lists begins at once. */
export type Open = (provider: string, config: ObjectValue) => Promise<Target>;

export class Targets {
  readonly #findings: Findings;
  readonly #opening = new Map<string, Promise<Target | undefined>>();
  readonly #settled = new Map<string, Target | undefined>();
  /** Why services could not be read: reported once for each, not for everything that is declared there. */
  readonly failures: TenancyError[] = [];

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  begin(provider: string, config: ObjectValue, open: Open): void {
    const opening = open(provider, config).then(
      (target) => target,
      (error: unknown) => {
        this.#findings.report(error, { address: `provider.${provider}` });
        if (error instanceof TenancyError) this.failures.push(error);
        return undefined;
      },
    );
    // A mistake of ours goes up where it is waited for.
    opening.catch(() => undefined);
    this.#settled.delete(provider);
    this.#opening.set(provider, opening);
  }

  /** There is no service to ask: its configuration is unfit, which was reported, or nobody is to be asked. */
  skip(provider: string): void {
    this.#settled.set(provider, undefined);
  }

  /** Answers at once where the lists have arrived; undefined where there is no service to ask. */
  of(provider: string): Target | undefined | Promise<Target | undefined> {
    return this.#settled.has(provider) ? this.#settled.get(provider) : this.#awaited(provider);
  }

  /** Every service that could be read. */
  async all(): Promise<readonly Target[]> {
    const targets: Target[] = [];
    for (const provider of new Set([...this.#opening.keys(), ...this.#settled.keys()])) {
      const target = await this.of(provider);
      if (target !== undefined) targets.push(target);
    }
    return targets;
  }

  async #awaited(provider: string): Promise<Target | undefined> {
    const opening = this.#opening.get(provider);
    if (opening === undefined)
      throw new IncompleteProvider("no configuration", `Add a provider block for ${provider}.`);
    const target = await opening;
    this.#settled.set(provider, target);
    return target;
  }
}
