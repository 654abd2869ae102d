/** What the visitors of a walk share: where it has come to, and what it has found. */
import { setImmediate } from "node:timers/promises";
import { Cancelled, type TenancyError } from "../../errors";
import type { Marked, Scope } from "../../expressions";
import type { EvaluatedObject, OutputChange } from "../../plan";
import type { Block, Stack } from "../../stack";
import type { Unknown } from "../../values";
import type { GivenValue } from "../inputs/variable-values";
import type { Configuration } from "../planning/configuration";
import type { PlannedObject } from "../planning/planned-object";
import type { Rotation } from "../planning/rotation";
import type { Selection } from "../planning/selection";
import type { ForeseenObject } from "../planning/walked";
import type { Workspace } from "../workspace";
import { Findings } from "./findings";
import type { ImportTargets } from "./import-targets";
import { SecretNames } from "./secret-names";
import { Targets, type Open } from "./targets";

/** What a walk is given by the run. */
export interface WalkOptions {
  readonly workspace: Workspace;
  readonly variables: ReadonlyMap<string, GivenValue>;
  /** Undefined where nobody is to be asked: what only the service tells is unknown then, and so are variables without a value. */
  readonly open: Open | undefined;
  /** Description of the credential store, for messages. */
  readonly store: string;
  /** Outputs of another stack of the app, evaluated from that stack. */
  readonly outputsOf: (stack: string) => Promise<Marked>;
  /** What the run is about (`--only`, `--exclude`). */
  readonly selection: Selection;
  readonly destroy: boolean;
  readonly plannedAt: Date;
  readonly resetPasswords: boolean;
  /** A token that is to be rotated, whatever its keepers say. */
  readonly rotation: Rotation | undefined;
  /** Stops the walk. */
  readonly signal: AbortSignal | undefined;
}

/** Evaluating goes on for so long before the network and Ctrl-C have their turn, in milliseconds. */
const TURN_MS = 50;

export class Walking {
  readonly findings = new Findings();
  readonly targets = new Targets(this.findings);
  readonly objects: PlannedObject[] = [];
  readonly foreseen: ForeseenObject[] = [];
  readonly unread: string[] = [];
  readonly evaluated: EvaluatedObject[] = [];
  readonly outputs: OutputChange[] = [];
  readonly deferred = new Set<string>();
  readonly changing = new Set<string>();
  /** Configurations of resources, checked as far as they needed no evaluation while the lists of the service were on their way. */
  readonly configurations = new Map<Block, (scope: Scope) => Configuration>();
  /** Keys of the objects that an id or login, known after apply, will belong to. */
  readonly promises = new Map<Unknown, string>();
  /** Logins, with the origin before each, of users that the run makes. */
  readonly newUsers = new Set<string>();
  readonly secretNames = new SecretNames();
  /** Address of each object by its kind and key. */
  readonly declared = new Map<string, string>();
  imports: ImportTargets | undefined;
  #turnBegan = performance.now();

  constructor(
    readonly stack: Stack,
    readonly options: WalkOptions,
  ) {}

  /** Errors that are none of the configuration's: a service that is down, a wrong password. */
  get failures(): readonly TenancyError[] {
    return this.targets.failures;
  }

  /**
   * Lets others have their turn, where it is time for that.
   * @throws Cancelled where the run was stopped
   */
  pause(): Promise<void> | undefined {
    if (performance.now() - this.#turnBegan < TURN_MS) return undefined;
    return setImmediate().then(() => {
      this.#turnBegan = performance.now();
      if (this.options.signal?.aborted === true) throw new Cancelled("evaluating the stack");
    });
  }

  define(block: Block, make: () => Marked): void {
    if (block.dependencies.some((address) => this.changing.has(address))) this.changing.add(block.address);
    this.options.workspace.define(block.address, make);
  }

  isSelected(block: Block): boolean {
    return this.options.selection.hasBlock(block.address);
  }

  /** Findings of a block count only where the run is about it. */
  findingsFor(block: Block): Findings {
    return this.isSelected(block) ? this.findings : new Findings();
  }
}
