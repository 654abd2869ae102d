/** What the visitors of a walk share: where it has come to, and what it has found. */
import type { Diagnostic, TenancyError } from "../../errors";
import type { Marked, Scope } from "../../expressions";
import type { EvaluatedObject, OutputChange } from "../../plan";
import type { Block, Stack } from "../../stack";
import type { Unknown } from "../../values";
import type { GivenValue } from "../inputs/variable-values";
import type { Configuration } from "../planning/configuration";
import type { PlannedObject } from "../planning/planned-object";
import type { Rotation } from "../planning/rotation";
import type { Selection } from "../planning/selection";
import type { Target } from "../planning/target";
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
  /** Outputs of another stack of the app, evaluated from that stack. */
  readonly outputsOf: (stack: string) => Promise<Marked>;
  /** What the run is about (`--only`, `--exclude`). */
  readonly selection: Selection;
  readonly destroy: boolean;
  readonly plannedAt: Date;
  readonly resetPasswords: boolean;
  /** A token that is to be rotated, whatever its keepers say. */
  readonly rotation: Rotation | undefined;
}

/** A declared object of a service that nobody asked. */
export interface ForeseenObject {
  readonly type: string;
  /** What is unknown in it reads `(known after apply)`. */
  readonly key: string;
  readonly address: string;
}

/** A stack, evaluated against its services. */
export interface Walked {
  /** Every declared object, also those that the run is not about. */
  readonly objects: readonly PlannedObject[];
  /** Where nobody is to be asked, what stands in for them. */
  readonly foreseen: readonly ForeseenObject[];
  /** Blocks that the run is not about, and of which it can therefore not be told what they declare. */
  readonly unread: readonly string[];
  readonly evaluated: readonly EvaluatedObject[];
  readonly outputs: readonly OutputChange[];
  readonly targets: readonly Target[];
  readonly diagnostics: readonly Diagnostic[];
  /** Addresses of data sources that are read during apply. */
  readonly deferred: ReadonlySet<string>;
  /** Addresses of what changes, and of what depends on that. */
  readonly changing: ReadonlySet<string>;
}

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

  constructor(
    readonly stack: Stack,
    readonly options: WalkOptions,
  ) {}

  /** Errors that are none of the configuration's: a service that is down, a wrong password. */
  get failures(): readonly TenancyError[] {
    return this.targets.failures;
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
