/** Defines the model of a synthesized stack: blocks are read and templates compiled, but nothing is evaluated. */
import type { Compiled } from "../lib/language";
import type { Path, Type, Value } from "../lib/values";
import type { ManifestEntry } from "./manifest";

export interface Stack {
  /** Folder from which paths of the stack count: `file` and `path.cwd`. */
  readonly folder: string;
  /** Folder of the stack's JSON. It holds the files of {@link folder}. */
  readonly contents: string;
  /** Every block. Blocks that it refers to or names in `depends_on` come before it. */
  readonly blocks: readonly Block[];
  /** `import` blocks. */
  readonly imports: readonly StackImport[];
  /** Tenants and users that are declared to be deleted. */
  readonly removals: readonly StackRemoval[];
  readonly releases: readonly StackRelease[];
}

export type Block =
  | ProviderBlock
  | VariableBlock
  | LocalBlock
  | ResourceBlock
  | ValueBlock
  | DataBlock
  | RemoteStateBlock
  | EphemeralBlock
  | OutputBlock;

interface Common {
  /**
   * The block's address, to which others refer: `tenancy_account.acme`, `data.tenancy_status.s`, `var.region`, `local.x`, `output.o`, `provider.tenancy.eu`.
   */
  readonly address: string;
  /** Addresses that it needs before it can be evaluated. */
  readonly dependencies: readonly string[];
}

/** The parts of a block outside its body. */
interface Placed extends Common {
  /** `tenancy_account`, `null_resource`. */
  readonly type: string;
  readonly name: string;
  /** Path of the construct, from `"//".metadata.path`. */
  readonly constructPath: string | undefined;
  /** The member `suspended` of our constructs, from `"//".tenancy.suspended`; undefined if nothing is said. */
  readonly suspended: boolean | undefined;
  readonly count: Compiled | undefined;
  readonly forEach: Compiled | undefined;
  /** `enabled` in `lifecycle`: whether there is an object at all. Excludes `count` and `for_each`. */
  readonly enabled: Compiled | undefined;
  /** Attributes, without meta-arguments and metadata. */
  readonly body: Compiled;
  readonly lifecycle: Lifecycle;
}

export interface Lifecycle {
  /** False if the object outlives its declaration. */
  readonly destroy: boolean;
  readonly preventDestroy: boolean;
  /** Paths; an empty path means `all`. */
  readonly ignoreChanges: readonly Path[];
  readonly preconditions: readonly Condition[];
  readonly postconditions: readonly Condition[];
}

export interface Condition {
  readonly condition: Compiled;
  readonly errorMessage: Compiled;
}

/** A configuration of our provider. */
export interface ProviderBlock extends Common {
  readonly kind: "provider";
  /** `tenancy` or `tenancy.alias`. */
  readonly name: string;
  readonly body: Compiled;
}

export interface VariableBlock extends Common {
  readonly kind: "variable";
  readonly name: string;
  readonly type: Type | undefined;
  readonly default: Value | undefined;
  readonly sensitive: boolean;
  readonly nullable: boolean;
  readonly ephemeral: boolean;
  readonly validations: readonly Condition[];
}

export interface LocalBlock extends Common {
  readonly kind: "local";
  readonly name: string;
  readonly value: Compiled;
}

/** One of our resources. */
export interface ResourceBlock extends Placed {
  readonly kind: "resource";
  /** `tenancy` or `tenancy.alias`. */
  readonly provider: string;
}

/** `null_resource` and `terraform_data`: values, never changes. */
export interface ValueBlock extends Placed {
  readonly kind: "value";
}

/** One of our data sources. */
export interface DataBlock extends Placed {
  readonly kind: "data";
  readonly provider: string;
}

/** `data.terraform_remote_state` of another stack of the same app. */
export interface RemoteStateBlock extends Placed {
  readonly kind: "remote-state";
  /** Name of the other stack. */
  readonly stack: string;
}

export interface EphemeralBlock extends Placed {
  readonly kind: "ephemeral";
  readonly provider: string;
}

export interface OutputBlock extends Common {
  readonly kind: "output";
  readonly name: string;
  readonly value: Compiled;
  readonly sensitive: boolean;
  readonly ephemeral: boolean;
  readonly description: string | undefined;
  readonly preconditions: readonly Condition[];
}

export interface StackImport {
  /** Address of the instance that takes the object in; with `forEach`, a template of it. */
  readonly to: Compiled;
  readonly id: Compiled;
  readonly forEach: Compiled | undefined;
}

/** As our construct `Deletion` writes it into the stack's metadata: one of `account` and `login`. */
export interface StackRemoval {
  readonly account: string | undefined;
  readonly login: string | undefined;
  readonly id: string | undefined;
  readonly serial: string | undefined;
  /** Path of the construct. */
  readonly path: string | undefined;
  /** `tenancy` where absent. */
  readonly provider: string | undefined;
}

/** As our construct `Release` writes it: one of `account` and `login`. */
export type StackRelease = Pick<StackRemoval, "account" | "login" | "path" | "provider">;

/** Any map or set by name. */
export type NameSet = Pick<ReadonlyMap<string, unknown>, "has" | "keys">;

export interface ReadOptions {
  /** Folder of the stack's JSON: `file` and `path.module` are relative to it. */
  readonly folder: string;
  /** Types of our resources, data sources and ephemeral resources. */
  readonly types: {
    readonly resources: NameSet;
    readonly dataSources: NameSet;
    readonly ephemerals: NameSet;
  };
  /** Full names of our provider's functions, such as `provider::tenancy::permissions_preset`. */
  readonly functions: NameSet;
  /** Stacks of the same app, which cross-stack references may name. Default: not checked. */
  readonly siblings?: readonly ManifestEntry[];
  /** File that the text came from, for messages. */
  readonly file?: string;
}
