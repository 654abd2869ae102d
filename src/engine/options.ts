/** What the embedded engine may be told. Nothing is taken from the process: no environment, no console, no working folder. */
import type { ApplyEvent } from "../apply";
import type { VariableArguments } from "./inputs/variable-arguments";

export type { VariableArgument, VariableArguments } from "./inputs/variable-arguments";

/** A synthesized stack. */
export interface StackSource {
  /** Name of the stack. */
  readonly name: string;
  /** Folder that holds `manifest.json`: the app's `cdktf.out`. */
  readonly outdir: string;
}

export interface PlanOptions {
  /** Environment for provider configuration (`TENANCY_…`), proxies and `TF_VAR_…`. Default: empty. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * Values of variables by name, or, as `--var` and `--var-file` give them, values and files in order, the later ones winning. They beat
   * the environment, and the `terraform.tfvars` and `*.auto.tfvars` of the project's folder.
   */
  readonly variables?: VariableArguments;
  /** Folder in which `terraform.tfvars` and `*.auto.tfvars` are looked for. Default: none is. */
  readonly projectFolder?: string;
  /** Addresses to plan alone, with what they depend on. A resource's address means all of its instances. */
  readonly only?: readonly string[];
  /** Addresses to leave out, with what depends on them. */
  readonly exclude?: readonly string[];
  /** Plan the end of everything that is ours. */
  readonly destroy?: boolean;
  /** The credential store. Default: `.tenancy/credentials.json` in the project folder. */
  readonly store?: StoreOptions;
  /** Names of accounts that may be deleted; `true` for all. */
  readonly allowAccountDeletion?: boolean | readonly string[];
  /** Accounts that hold storage, or users of others, may be deleted. */
  readonly allowNonempty?: boolean;
  /** The run's own credential may be deleted, disabled or weakened. */
  readonly allowSelfChange?: boolean;
  /** Upper bound for records that cease. Default: see docs/design.md, "Limit". */
  readonly maxDeletes?: number;
  /** Send passwords of which nothing is remembered. */
  readonly resetPasswords?: boolean;
  /** An absent store is a new one, although tokens are declared for users that are live. */
  readonly initStore?: boolean;
  /** Check each token of the store with the service. */
  readonly verifyTokens?: boolean;
  /** Requests and writes at once; beats `max_concurrency`. */
  readonly parallelism?: number;
  readonly signal?: AbortSignal;
  /** Called for long work: what is being done, in a few words. */
  readonly onProgress?: (message: string) => void;
}

export interface StoreOptions {
  /** File of the store; given explicitly, it counts as durable in CI. */
  readonly path?: string;
  /** Program that speaks get, store, erase, lock and unlock. */
  readonly helper?: string;
  /** Key that the file is encrypted with (`TENANCY_STORE_KEY`). */
  readonly key?: string;
}

export interface ApplyOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ApplyEvent) => void;
}
