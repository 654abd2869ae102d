/** Defines the options of the verbs as `main` hands them over. */
import { resolve } from "node:path";
import type { ExportLanguage, PlanOptions, StoreOptions, VariableArgument } from "../engine";
import { usage } from "../problems";
import type { DocumentFlags } from "./documents";
import type { Io } from "./io";

export interface CommonFlags {
  /** False with `--no-color`. */
  readonly color: boolean;
}

/** Options of the verbs that read the project. */
export interface ProjectFlags extends CommonFlags {
  /** Use the stacks already synthesized, without running the app. */
  readonly skipSynth?: boolean;
  /** Run the app first, in a verb that otherwise reads the output of an earlier run. */
  readonly synth?: boolean;
}

export interface VariableFlag {
  readonly option: "var" | "var-file";
  readonly text: string;
}

/** Options of the verbs that evaluate a stack. */
interface StackFlags extends ProjectFlags {
  /** `--var` and `--var-file` in the order in which they were typed. */
  readonly variables?: readonly VariableFlag[];
  readonly store?: string;
  readonly credentialHelper?: string;
  /** Of the verbs that plan or change tokens. */
  readonly encryptStore?: boolean;
  readonly allowFiles?: readonly string[];
}

export interface ApprovalFlags {
  /** As it was typed. */
  readonly requireApproval?: string;
}

/** Flags of the verbs that plan which the engine takes by the same names. */
const HANDED_ON = [
  ...(["only", "exclude", "parallelism"] as const),
  ...(["initStore", "verifyTokens", "resetPasswords", "sendUnseen"] as const),
  ...(["maxDeletes", "allowAccountDeletion", "allowNonempty", "allowSelfChange", "retireEarly"] as const),
] satisfies readonly (keyof PlanOptions)[];

/** Options of the verbs that plan. */
interface PlanningFlags extends StackFlags, ApprovalFlags, Pick<PlanOptions, (typeof HANDED_ON)[number]> {
  /** False with `--no-prune`. */
  readonly prune?: boolean;
}

/** Options of the verbs that can read a snapshot in place of the service. */
export interface LiveFlags {
  readonly live?: string;
  readonly maxAge?: string;
}

export interface PlanFlags extends PlanningFlags, DocumentFlags, LiveFlags {
  readonly destroy?: boolean;
  readonly out?: string;
  readonly json?: boolean;
  readonly detailedExitcode?: boolean;
}

export interface ShowFlags extends CommonFlags, DocumentFlags, ApprovalFlags {
  readonly json?: boolean;
}

export interface DriftFlags extends StackFlags, DocumentFlags {
  readonly json?: boolean;
  readonly ignore?: readonly string[];
  /** File for the metrics. */
  readonly metrics?: string;
  readonly parallelism?: number;
}

export interface ApplyFlags extends PlanningFlags {
  /** Not for these verbs: it is known here so that the error can say why. */
  readonly live?: string | true;
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export interface ApproveFlags extends CommonFlags, ApprovalFlags {
  /** Last day of the entry. */
  readonly until?: string;
  readonly yes?: boolean;
}

export interface OutputFlags extends StackFlags {
  readonly json?: boolean;
  readonly raw?: boolean;
}

export interface ValidateFlags extends StackFlags {
  readonly json?: boolean;
}

export interface DoctorFlags extends StackFlags {
  readonly json?: boolean;
}

export interface ExportFlags extends StackFlags, LiveFlags {
  readonly out?: string;
  /** Names of accounts, or patterns. */
  readonly account?: readonly string[];
  readonly language?: ExportLanguage;
  readonly strict?: boolean;
  readonly check?: boolean;
}

export interface TokenListFlags extends StackFlags {
  readonly json?: boolean;
}

export interface RevokeTokenFlags extends StackFlags {
  readonly yes?: boolean;
  readonly allowSelfChange?: boolean;
}

export interface RotateTokenFlags extends RevokeTokenFlags {
  readonly compromised?: boolean;
  readonly retireEarly?: boolean;
}

export interface SnapshotFlags extends StackFlags {
  readonly out: string;
  readonly full?: boolean;
  readonly usage?: boolean;
}

export interface ReportFlags extends StackFlags, DocumentFlags, LiveFlags {
  readonly whoCan?: string;
  readonly user?: string;
  readonly account?: string;
  readonly baseline?: string;
  readonly usage?: boolean;
  readonly maxTokenAge?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

export interface WriteTokenFlags extends StackFlags {
  readonly as?: string;
  readonly template?: string;
  readonly to?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly driver?: string;
  /** False with `--no-ssl-verify-peer`. */
  readonly sslVerifyPeer?: boolean;
}

export interface SimulatorFlags extends CommonFlags, LiveFlags {
  readonly port?: number;
  readonly data?: string;
}

export interface InitFlags extends CommonFlags {
  readonly owner?: string;
  readonly baseUrl?: string;
  /** Each as `staging=https://storage.example`. */
  readonly environment?: readonly string[];
  readonly ci?: string;
  readonly codeOwners?: string;
}

// Engine options from the command line.

/** The engine options of every verb that evaluates a stack. The working folder is the project's folder, if there is a project. */
export function stackOptions(flags: StackFlags, io: Io): PlanOptions {
  return {
    environment: io.environment,
    projectFolder: io.folder,
    variables: (flags.variables ?? []).map((flag) => variableArgument(flag, io)),
    store: storeOptions(flags, io),
    allowFiles: (flags.allowFiles ?? []).map((folder) => resolve(io.folder, folder)),
  };
}

/** What the verbs that plan tell. */
export function planOptions(flags: PlanningFlags, io: Io): PlanOptions {
  const given = HANDED_ON.filter((name) => flags[name] !== undefined).map((name) => [name, flags[name]]);
  return {
    ...stackOptions(flags, io),
    noPrune: flags.prune === false,
    ...(Object.fromEntries(given) as Pick<PlanningFlags, (typeof HANDED_ON)[number]>),
  };
}

/** The snapshot that `--live` names, as an engine option. */
export function liveOptions({ live, maxAge }: LiveFlags, io: Io): Pick<PlanOptions, "live"> {
  if (live === undefined) {
    if (maxAge === undefined) return {};
    throw usage.error({
      problem: "--max-age says how old a snapshot may be, and there is none",
      advice: "Add --live FILE.",
    });
  }
  return { live: { file: resolve(io.folder, live), ...(maxAge !== undefined && { maxAge }) } };
}

function variableArgument({ option, text }: VariableFlag, io: Io): VariableArgument {
  if (option === "var-file") return { file: resolve(io.folder, text) };
  const equals = text.indexOf("=");
  if (equals < 1)
    throw usage.error({
      problem: `--var ${text} is not of the form NAME=VALUE`,
      advice: "Write --var 'region=eu'.",
    });
  return { name: text.slice(0, equals).trim(), value: text.slice(equals + 1) };
}

function storeOptions({ store, credentialHelper, encryptStore }: StackFlags, io: Io): StoreOptions {
  if (store !== undefined && credentialHelper !== undefined) {
    throw usage.error({
      problem: "--store and --credential-helper exclude each other",
      advice: "Use one of them.",
    });
  }
  return {
    ...(store !== undefined && { path: resolve(io.folder, store) }),
    ...(credentialHelper !== undefined && { helper: credentialHelper }),
    ...(encryptStore === true && { encryptPlain: true }),
  };
}
