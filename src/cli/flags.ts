/** The options of the verbs, as `main` hands them over. */

export interface CommonFlags {
  /** False with `--no-color`. */
  readonly color: boolean;
}

/** Options of the verbs that read the project. */
export interface ProjectFlags extends CommonFlags {
  /** Use the stacks already synthesized, without running the app. */
  readonly skipSynth?: boolean;
  /** Run the app first, in a verb that reads what an earlier run of it left. */
  readonly synth?: boolean;
}

export interface VariableFlag {
  readonly option: "var" | "var-file";
  readonly text: string;
}

/** Options of the verbs that evaluate a stack. */
export interface StackFlags extends ProjectFlags {
  /** `--var` and `--var-file` in the order in which they were typed. */
  readonly variables?: readonly VariableFlag[];
  readonly store?: string;
  readonly credentialHelper?: string;
  /** Of the verbs that plan or change tokens. */
  readonly encryptStore?: boolean;
  readonly allowFiles?: readonly string[];
}

/** Options of the verbs that plan. */
export interface PlanningFlags extends StackFlags {
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  /** False with `--no-prune`. */
  readonly prune?: boolean;
  readonly parallelism?: number;
  readonly initStore?: boolean;
  /** `true`: all accounts. */
  readonly allowAccountDeletion?: true | readonly string[];
  readonly allowNonempty?: boolean;
  readonly allowSelfChange?: boolean;
  readonly maxDeletes?: number;
  readonly resetPasswords?: boolean;
  readonly verifyTokens?: boolean;
}

export interface PlanFlags extends PlanningFlags {
  readonly destroy?: boolean;
  readonly out?: string;
  readonly json?: boolean;
  readonly detailedExitcode?: boolean;
}

export interface ApplyFlags extends PlanningFlags {
  readonly yes?: boolean;
  readonly json?: boolean;
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

export interface TokenListFlags extends StackFlags {
  readonly json?: boolean;
}

export interface RevokeTokenFlags extends StackFlags {
  readonly yes?: boolean;
  readonly allowSelfChange?: boolean;
}

export interface RotateTokenFlags extends RevokeTokenFlags {
  readonly compromised?: boolean;
}

export interface SimulatorFlags extends CommonFlags {
  readonly port?: number;
  readonly data?: string;
}

export interface InitFlags extends CommonFlags {
  readonly owner?: string;
  readonly baseUrl?: string;
}
