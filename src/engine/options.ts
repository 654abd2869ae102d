/** Defines the options of the embedded engine. The engine takes nothing from the process: no environment, no console. */
import type { ApplyEvent, Approval, ApprovalLevel, Permits } from "../plan";
import { type Reader, usage } from "../problems";
import type { ManifestEntry } from "../stack";
import type { LiveOptions } from "./snapshot/file";

/** A synthesized stack. */
export interface StackSource {
  /** Name of the stack. */
  readonly name: string;
  /** Folder that holds `manifest.json`: the app's `cdktf.out`. */
  readonly outdir: string;
  /**
   * All stacks of the app, as `listStacks` read them. Runs that share them work with one synthesis, even if another command writes to the folder meanwhile.
   * @default they are read from the folder
   */
  readonly stacks?: readonly ManifestEntry[];
}

/** A value of a variable, as `--var` gives it, or a file of values, as `--var-file` does. */
export type VariableArgument = { readonly name: string; readonly value: string } | { readonly file: string };

/** In order, the later ones winning; or values by name, where there is no more to say. */
export type VariableArguments = Readonly<Record<string, string>> | readonly VariableArgument[];

/** Options of a plan; all are optional. Without a permission, guards refuse the change. */
export interface PlanOptions extends Permits {
  /** Environment for provider configuration (`TENANCY_…`), proxies and `TF_VAR_…`. @default empty */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * Values of variables by name, or, as `--var` and `--var-file` give them, values and files in order, the later ones winning. They beat
   * the environment, and the `terraform.tfvars` and `*.auto.tfvars` of {@link projectFolder}. @default none
   */
  readonly variables?: VariableArguments;
  /**
   * Folder whose `terraform.tfvars` and `*.auto.tfvars` are read (each also as `.json`), and which contains the state.
   * @default no such files are read; the state is in the working folder
   */
  readonly projectFolder?: string;
  /**
   * Further folders whose regular files `file` and similar functions may read. By default they read {@link projectFolder}, or the folder of the stack
   * without it. A symbolic link counts as its target. @default none
   */
  readonly allowFiles?: readonly string[];
  /**
   * Addresses to plan alone, with their dependencies. A resource's address means all of its instances. A login, an account's name, or `login/name` of a
   * token is also accepted. @default all
   */
  readonly only?: readonly string[];
  /** Addresses, or such names, to omit, with their dependents. @default none */
  readonly exclude?: readonly string[];
  /** Delete nothing for not being declared: it is listed as retained. `new Deletion(…)` still holds. @default false */
  readonly noPrune?: boolean;
  /**
   * Take away access whose end has passed, and change nothing else. The apply needs no approval: an end was approved with the access.
   * @default false
   */
  readonly onlyEnded?: boolean;
  /** Record the declared objects that are live and have no record in the state, and change nothing. @default false */
  readonly recover?: boolean;
  /** Plan the deletion of everything that is managed. @default false */
  readonly destroy?: boolean;
  /**
   * Locks the state before the service is read, until the plan is applied or closed: a plan that is applied should be made so, since
   * then no other run of this state writes in between. @default false: the apply alone locks
   */
  readonly lockState?: boolean;
  /** The longest wait for the state's lock while another run holds it. @default "20s" */
  readonly lockTimeout?: string;
  /** Place of the state. @default `.tenancy/state.json` in the project's folder */
  readonly state?: StateOptions;
  /**
   * A snapshot to plan from, in place of the services: nothing is sent, and neither credentials nor the state are read. Of the environment,
   * only `TENANCY_BASE_URL`, `TENANCY_OWNER`, `TENANCY_SNAPSHOT_KEY` and `TF_VAR_…` count. Such a plan cannot be applied.
   * @default the services themselves are asked
   */
  readonly fromSnapshot?: LiveOptions;
  /** Send passwords that no apply has sent, also passwords that an earlier apply only recorded. @default false */
  readonly resetPasswords?: boolean;
  /**
   * Plan without the state if it exists and cannot be opened. The plan then marks unknown values, and can be neither saved nor applied.
   * @default false: that is an error
   */
  readonly mayLackState?: boolean;
  /** An absent state is a new one, although tokens are declared for users that are live. @default false */
  readonly initState?: boolean;
  /** Check each token of the state with the service. @default false */
  readonly verifyTokens?: boolean;
  /** Requests, and writes, at once; for requests it beats the provider's. @default the provider's `max_concurrency`; 10 writes */
  readonly parallelism?: number;
  /** Stops the run. @default it runs to its end */
  readonly signal?: AbortSignal;
  /** Called during long work, with a short text and the known progress. @default no call */
  readonly onProgress?: (message: string, share?: ProgressShare) => void;
  /** Called before the run waits to repeat a request: the reason, and the time in milliseconds. @default no call */
  readonly onWait?: (reason: string, milliseconds: number) => void;
  /** Who reads the advice of plan and result: `"library"` names options of these functions, `"command"` flags and verbs. @default "command" */
  readonly reader?: Reader;
}

/** Parts of the work that are done, of all. */
export interface ProgressShare {
  readonly done: number;
  readonly total: number;
}

/** Variables of the environment that count where a snapshot is read: where the service is, and whose records are managed; no credential. */
const HARMLESS = ["TENANCY_BASE_URL", "TENANCY_OWNER", "TENANCY_SNAPSHOT_KEY"];

/** The options of a run; one that reads a snapshot does not see credentials at all. */
export function withoutCredentialsIfFromSnapshot<T extends PlanOptions>(options: T): T {
  const { fromSnapshot, environment = {} } = options;
  if (fromSnapshot === undefined) return options;
  const harmlessVariables = Object.entries(environment).filter(
    ([name]) => HARMLESS.includes(name) || name.startsWith("TF_VAR_"),
  );
  return { ...options, environment: Object.fromEntries(harmlessVariables) };
}

/** An option that needs the service cannot be combined with a snapshot. @throws usage */
export function refuseIfFromSnapshot(
  { fromSnapshot, verifyTokens = false }: PlanOptions,
  isRotation: boolean,
): void {
  if (fromSnapshot === undefined) return;
  if (isRotation)
    throw usage.error({
      problem: "a token is not rotated from a snapshot",
      advice: (say) => `Leave out ${say.flag("from_snapshot")}: the service has to be asked.`,
    });
  if (verifyTokens)
    throw usage.error({
      problem: "--verify-tokens sends requests, and --from-snapshot sends none",
      advice: "Leave out one of them.",
    });
}

/** Place of the state. */
export interface StateOptions {
  /**
   * File of the state, or `git:REMOTE/BRANCH`: a branch of a remote of {@link PlanOptions.projectFolder}, on which each stack has a state of its own.
   * Named explicitly, it counts as durable in CI. @default `TENANCY_STATE` of the environment; else `.tenancy/state.json` in the project's folder
   */
  readonly path?: string;
  /** Program that keeps the state instead of a file: it speaks get, store, erase, lock and unlock. @default none */
  readonly helper?: string;
  /**
   * Key that the state is encrypted with; one that `tenancy key new` printed. @default on a branch `TENANCY_STATE_KEY__STACK` of the environment, with
   * the stack's name in capitals; else its `TENANCY_STATE_KEY`; without it, not encrypted
   */
  readonly key?: string;
  /** Id of the project, which the state keeps: the state of another project is refused. @default not compared; needed for a branch */
  readonly project?: string;
  /** The commit that is applied: a successful apply notes it in an encrypted state. @default the one noted before stays */
  readonly commit?: string;
  /**
   * The newest snapshot, for a run on a machine without an earlier version of the state, such as a pipeline's. A state on a branch that is older than the
   * snapshot is refused. `maxAge` does not count. @default only the versions that the clone has seen count
   */
  readonly seenIn?: LiveOptions;
  /** Accept a state that is plain although there is a key; the apply encrypts it. @default false: it is refused */
  readonly encryptPlain?: boolean;
}

/** Options of an apply. */
export interface ApplyOptions {
  /** Stops the run: nothing new begins, and work in progress ends. @default the signal that the plan was made with */
  readonly signal?: AbortSignal;
  /** @default no call */
  readonly onEvent?: (event: ApplyEvent) => void;
  /**
   * The changes that need approval. The stricter of this level and `TENANCY_REQUIRE_APPROVAL` in the plan's environment
   * applies. @default that of the environment; without it "never"
   */
  readonly requireApproval?: ApprovalLevel;
  /** Approvals, as `readApprovals` reads it. @default nothing */
  readonly approvals?: readonly Approval[];
}
