/** Import blocks, evaluated: which instance takes which object in. */
import { BrokenStack, DuplicateImport, NotYetKnown, UnknownTarget } from "../../errors";
import { bare } from "../../expressions";
import type { Stack } from "../../stack";
import { isNumber, isUnknown } from "../../values";
import { instancesOf } from "../instances";
import type { Workspace } from "../workspace";
import type { Findings } from "./findings";

export class ImportTargets {
  readonly #ids = new Map<string, string>();
  readonly #unused = new Set<string>();

  constructor(stack: Stack, workspace: Workspace, findings: Findings) {
    for (const { to, id, forEach } of stack.imports) {
      try {
        for (const { surroundings } of instancesOf(
          "import",
          { count: undefined, forEach },
          workspace.scope(),
        )) {
          const scope = workspace.scope(surroundings);
          this.#add(bare(to.evaluate(scope)), bare(id.evaluate(scope)));
        }
      } catch (error) {
        findings.report(error, { address: typeof to.constant === "string" ? to.constant : "import" });
      }
    }
  }

  /** The id, serial or key that an import block names for the instance. */
  idFor(address: string): string | undefined {
    this.#unused.delete(address);
    return this.#ids.get(address);
  }

  /** Reports blocks whose instance is not declared. */
  reportUnused(findings: Findings, declared: Iterable<string>): void {
    if (this.#unused.size === 0) return;
    const addresses = [...declared];
    for (const address of this.#unused) findings.report(new UnknownTarget(address, addresses), { address });
  }

  #add(to: unknown, id: unknown): void {
    if (isUnknown(to) || isUnknown(id)) throw new NotYetKnown(typeof to === "string" ? to : "import");
    const text = isNumber(id) ? String(id) : id;
    if (typeof to !== "string" || typeof text !== "string" || text === "")
      throw new BrokenStack("an import block needs the id, serial or name of a live object");
    if (this.#ids.has(to)) throw new DuplicateImport(to);
    this.#ids.set(to, text);
    this.#unused.add(to);
  }
}
