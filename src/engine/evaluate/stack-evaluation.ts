/** One evaluation of a stack: its options, the values of its blocks so far, and its findings. */
import { setImmediate } from "node:timers/promises";
import type { Scope } from "../../lib/language";
import type { EvaluatedObject, OutputChange } from "../../plan";
import {
  brokenStack,
  cancelled,
  declaredTwice,
  type Finding,
  duplicateImport,
  incompleteProvider,
  isError,
  notYetKnown,
  placed,
  type Reader,
  TenancyError,
  unknownTarget,
  type Location,
} from "../../problems";
import type { Snapshot } from "../../service";
import type { Block, Stack } from "../../stack";
import {
  bare,
  type Environment,
  isKnownText,
  isNumber,
  isUnknown,
  type Marked,
  FROM_SNAPSHOT,
  marksOf,
  NO_MARKS,
  type ObjectValue,
  Unknown,
  UNKNOWN_TEXT,
  type Value,
} from "../../lib/values";
import { tokenKey } from "../tokens/identity";
import type { Selection } from "../load/selection";
import type { GivenValue } from "../load/stack";
import type {
  DeclaredObject,
  OfflineObject,
  PlannedObject,
  Rotation,
  ConflictingObject,
} from "../planned-object";
import type { ReadTarget } from "../target";
import type { Configuration } from "./configuration";
import { instancesOf } from "./instances";
import { SecretNames } from "./secrets";
import { stateValue, type Workspace } from "./workspace";

interface EvaluationOptions {
  readonly workspace: Workspace;
  readonly variables: ReadonlyMap<string, GivenValue>;
  /** Undefined if the service is not asked: its values are unknown then, and so are variables without a value. */
  readonly open: Open | undefined;
  /** True if a sensitive variable may lack its value, which is unknown then. */
  readonly lacksSecrets: boolean;
  /** True if a snapshot replaces the services, so credentials are not needed. */
  readonly isRecorded: boolean;
  /** Description of the state, for messages. */
  readonly state: string;
  /** Outputs of another stack of the app, evaluated from that stack. */
  readonly outputsOf: (stack: string) => Promise<Marked>;
  /** The stacks of the app. */
  readonly siblings: ReadonlySet<string>;
  /** The blocks and objects that the run is about (`--only`, `--exclude`). */
  readonly selection: Selection;
  readonly destroy: boolean;
  readonly plannedAt: Date;
  readonly resetPasswords: boolean;
  readonly recovers: boolean;
  readonly reader: Reader | undefined;
  /** A token to rotate, independent of its keepers. */
  readonly rotation: Rotation | undefined;
  /** Takes declared objects that cannot be planned because another record is in their place. @default they are errors */
  readonly strays: ConflictingObject[] | undefined;
  /** Environment of the run: an ephemeral resource finds its identities there. */
  readonly environment: Environment;
  /** Stops the evaluation. */
  readonly signal: AbortSignal | undefined;
}

/** Evaluating goes on for so long before the network and Ctrl-C have their turn, in milliseconds. */
const TURN_MS = 50;

export class StackEvaluation {
  readonly secretNames = new SecretNames();
  readonly findings = new Findings();
  readonly targets = new Targets(this.findings);
  readonly objects: PlannedObject[] = [];
  readonly offlineObjects: OfflineObject[] = [];
  readonly unread: string[] = [];
  readonly evaluated: EvaluatedObject[] = [];
  readonly outputs: OutputChange[] = [];
  readonly deferred = new Set<string>();
  readonly changing = new Set<string>();
  /** Configurations of resources, checked as far as they needed no evaluation while the lists of the service were on their way. */
  readonly configurations = new Map<Block, (scope: Scope) => Configuration>();
  /** For each id or login that is known after apply, the key of its object. */
  readonly keysOfUnknowns = new Map<Unknown, string>();
  /** Users that the run creates: origin and login. */
  readonly usersToCreate = new Set<string>();
  /** Addresses of the declared objects, by service, type and key. */
  readonly addresses = new Map<string, string>();
  imports: ImportTargets | undefined;
  #turnBegan = performance.now();

  constructor(
    readonly stack: Stack,
    readonly options: EvaluationOptions,
  ) {}

  /** Errors that are none of the configuration's: a service that is down, a wrong password. */
  get failures(): readonly TenancyError[] {
    return this.targets.failures;
  }

  /**
   * Lets other work run, if it is time for that.
   * @throws cancelled where the run was stopped
   */
  pause(): Promise<void> | undefined {
    if (performance.now() - this.#turnBegan < TURN_MS) return undefined;
    return setImmediate().then(() => {
      this.#turnBegan = performance.now();
      if (this.options.signal?.aborted === true) throw cancelled.error("evaluating the stack");
    });
  }

  define(block: Block, make: () => Marked): void {
    if (block.dependencies.some((address) => this.changing.has(address))) this.changing.add(block.address);
    this.options.workspace.define(block.address, make);
  }

  isSelected(block: Block): boolean {
    return this.options.selection.hasBlock(block.address);
  }

  /** Findings of a block count only if the block is selected. */
  findingsFor(block: Block): Findings {
    return this.isSelected(block) ? this.findings : new Findings();
  }
}

/** Collects the findings of a stack, so that the user can fix all of them at once. */
export class Findings {
  /** Unredacted: their hidden values are known only at the end of the evaluation. */
  readonly all: Finding[] = [];

  get errors(): readonly Finding[] {
    return this.all.filter(isError);
  }

  /** Notes findings; false where one of them is an error. */
  accept(findings: readonly Finding[], where: Location): boolean {
    this.all.push(...placed(findings, where));
    return !findings.some(isError);
  }

  /** An error of the user's is noted with its place. Anything else is an error of this program, or the end of the run, and is thrown. */
  report(error: unknown, where: Location): void {
    if (!(error instanceof TenancyError) || cancelled.is(error)) throw error;
    this.all.push(...error.toFindings(where));
  }
}

// Services of the stack's provider configurations: asked as soon as they are known, and awaited when first needed.

/** Opens the service of a provider configuration. The reading of its lists begins at once. */
type Open = (provider: string, config: ObjectValue) => Promise<ReadTarget>;

class Targets {
  readonly #findings: Findings;
  readonly #opening = new Map<string, Promise<ReadTarget | undefined>>();
  readonly #settled = new Map<string, ReadTarget | undefined>();
  /** Rights that a provider configuration adds to the known ones, by its name. */
  readonly extraRights = new Map<string, readonly string[]>();
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
    // An error of this program is thrown where the result is awaited.
    opening.catch(() => undefined);
    this.#settled.delete(provider);
    this.#opening.set(provider, opening);
  }

  /** There is no service to ask: its configuration has reported errors, or the service is not to be asked. */
  skip(provider: string): void {
    this.#settled.set(provider, undefined);
  }

  /** Returns at once if the lists have arrived; undefined if there is no service to ask. */
  of(provider: string): ReadTarget | undefined | Promise<ReadTarget | undefined> {
    return this.#settled.has(provider) ? this.#settled.get(provider) : this.#awaited(provider);
  }

  /** Every service that could be read. */
  async all(): Promise<readonly ReadTarget[]> {
    const targets: ReadTarget[] = [];
    for (const provider of new Set([...this.#opening.keys(), ...this.#settled.keys()])) {
      const target = await this.of(provider);
      if (target !== undefined) targets.push(target);
    }
    return targets;
  }

  async #awaited(provider: string): Promise<ReadTarget | undefined> {
    const opening = this.#opening.get(provider);
    if (opening === undefined)
      throw incompleteProvider.error({
        lacks: "no configuration",
        advice: `Declare the provider ${provider}.`,
      });
    const target = await opening;
    this.#settled.set(provider, target);
    return target;
  }
}

/** Import blocks, evaluated: which instance takes which object in. */
export class ImportTargets {
  readonly #ids = new Map<string, string>();
  readonly #unused = new Set<string>();

  constructor(stack: Stack, workspace: Workspace, findings: Findings) {
    for (const { to, id, forEach } of stack.imports) {
      try {
        for (const { surroundings } of instancesOf(
          "import",
          { count: undefined, forEach, enabled: undefined },
          workspace.scope(),
        )) {
          const scope = workspace.scope(surroundings);
          this.#add(bare(to.evaluate(scope)), id.evaluate(scope));
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
  reportUnused(findings: Findings, declaredAddresses: Iterable<string>): void {
    if (this.#unused.size === 0) return;
    const addresses = [...declaredAddresses];
    for (const address of this.#unused)
      findings.report(unknownTarget.error({ address, known: addresses }), { address });
  }

  #add(to: unknown, value: Marked): void {
    // As Terraform.
    if ((marksOf(value) & ~FROM_SNAPSHOT) !== NO_MARKS)
      throw brokenStack.error("the id of an import block is sensitive, and the plan would show it", {
        advice: "Use an id that may be shown; nonsensitive(…) says that a value may be.",
      });
    const id = bare(value);
    if (isUnknown(to) || isUnknown(id)) throw notYetKnown.error(typeof to === "string" ? to : "import");
    const text = isNumber(id) ? String(id) : id;
    if (typeof to !== "string" || typeof text !== "string" || text === "")
      throw brokenStack.error("an import block needs the id, serial or name of a live object");
    if (this.#ids.has(to)) throw duplicateImport.error(to);
    this.#ids.set(to, text);
    this.#unused.add(to);
  }
}

// Natural keys of declared objects, as far as they are known without the service.

type DraftObject = Pick<DeclaredObject, "resource" | "config" | "sensitive" | "instance">;

/**
 * The future key of an object; unknown parts are `(known after apply)`.
 * @param snapshot undefined without a service
 */
export function foreseenKey(
  { resource, config }: DraftObject,
  { keysOfUnknowns }: StackEvaluation,
  snapshot: Snapshot | undefined,
): string {
  const known = (name: string) => {
    const value = config[name] ?? null;
    if (typeof value === "string") return value;
    return (value instanceof Unknown ? keysOfUnknowns.get(value) : undefined) ?? UNKNOWN_TEXT;
  };
  const token = () => tokenKey({ login: known("login"), name: known("name") });
  return resource.inventory?.foreseen(known, snapshot) ?? token();
}

/** @throws declaredTwice where another declaration means the same object */
export function refuseTwice(
  key: string,
  origin: string,
  { resource, instance }: DraftObject,
  evaluation: StackEvaluation,
): void {
  if (!isKnownText(key)) return;
  const identity = `${origin} ${resource.description.type} ${key}`;
  const other = evaluation.addresses.get(identity);
  if (other !== undefined)
    throw declaredTwice.error({
      key: evaluation.secretNames.titleOf(key),
      first: other,
      second: instance.address,
    });
  evaluation.addresses.set(identity, instance.address);
}

/**
 * The value of a reference to the object. The login of a new user is its key, where that is known. Other unknown ids and logins remember whose they will be.
 */
export function referencedValue(
  planned: ObjectValue,
  key: string,
  { resource, sensitive }: DraftObject,
  { keysOfUnknowns }: StackEvaluation,
): () => Marked {
  const after: Record<string, Value> = { ...planned };
  // A login that is made of a sensitive name must not be shown.
  const isSecret = sensitive.some(([first]) => first === "username" || first === "account_id");
  const isLogin = resource.kind === "record" && isKnownText(key) && !isSecret;
  for (const name of ["id", "login"]) {
    if (!isUnknown(after[name])) continue;
    if (name === "login" && isLogin) {
      after[name] = key;
      continue;
    }
    const promise = new Unknown({ notNull: true });
    after[name] = promise;
    keysOfUnknowns.set(promise, key);
  }
  const { description } = resource;
  return () => stateValue(after, { description, sensitive });
}
