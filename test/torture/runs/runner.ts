/** Runners carry out the runs of histories: the engine through its facade, the built command, or Terraform. */
import type { Outcome, RunVerb, Witness } from "../invariants/invariant";
import type { DemandedApproval } from "../model/approval";
import type { Declaration } from "../model/declaration";
import type { Flags, Reader } from "../model/history";
import type { SynthesisOptions } from "../model/synthesize";
import type { KeptState } from "../world/kept-state";
import type { World } from "../world/world";

export interface Runner {
  readonly engine: Witness["engine"];
  /** Most steps of a history: processes take their time. */
  readonly maxSteps: number;
  /** Gives a world a project. It ends with the world's folder. */
  open(world: World): Promise<Project>;
}

export interface Project {
  /** The state that the runs have left on disk for the next ones. */
  readonly remembered: KeptState | undefined;
  /** Somebody takes that away. */
  forget(): void;
  start(job: Job): Running;
}

export interface Job {
  readonly verb: RunVerb;
  readonly declaration: Declaration;
  readonly flags: Flags;
  readonly parallelism: number;
  /** The plan to apply, for `apply FILE`. */
  readonly file: string | undefined;
  /** Address of the service, for this run alone. */
  readonly baseUrl: string;
  readonly provider: SynthesisOptions;
  readonly approval?: DemandedApproval | undefined;
  /** Who stops reading; undefined: it is all read. */
  readonly reader?: Reader | undefined;
  /** True if a kill is drawn. */
  readonly mayBeKilled: boolean;
  /** Told of long work; the engine's facade alone tells. */
  readonly onProgress?: (message: string) => void;
}

export interface Running {
  /** Ends it as SIGKILL does: what is on disk at this moment is what the next run finds. */
  readonly kill: () => void;
  /** Its end, once nothing of it runs any more. */
  readonly ended: Promise<Outcome>;
}
