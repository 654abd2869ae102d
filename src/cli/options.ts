/**
 * Declares the options that several verbs share. An option is a row of a table: its name is that of the flag in camel case, and its type is
 * that of the value. Options of a single verb are in src/cli/program.ts.
 */
import type { Permits } from "../plan";
import { collect, names, positiveNumber, wholeNumber } from "./arguments";
import type { Variable } from "./help-variables";

/** An option without an argument is true or false. `Value` is the type of the parsed value. */
export interface Option<Value = unknown> {
  /** As the help shows it: `<file>`, or `[file]` where it may be left out. */
  readonly argument?: string;
  /** The help hides an option without a description. */
  readonly about: string;
  /** Reads the argument. @default the text itself */
  readonly read?: (text: string, earlier: unknown) => Value;
  /** The arguments that are allowed. */
  readonly choices?: readonly string[];
  /** An earlier name of the flag, with its dashes. */
  readonly alias?: string;
  /** The flag begins with `--no-`, and says false. */
  readonly isNegated?: boolean;
  /** Its heading in the help. @default "Options:" */
  readonly group?: string;
}

/** A verb, as the help shows it. */
export interface Syntax {
  readonly summary: string;
  /** A command line to start from; several are lines. */
  readonly example?: string;
  /** Variables of the environment that it reads. @default those of the verbs that talk to a service; `[]`: none */
  readonly environment?: readonly Variable[];
  /** Only for a word that verbs begin with. A verb is described by its summary. */
  readonly description?: string;
  /** Replaces the line that the help derives from operands and options. */
  readonly usage?: string;
  /** Descriptions, by the text that the help shows: `[stacks...]`. */
  readonly operands?: Readonly<Record<string, string>>;
  /** Options that have to be given. */
  readonly mandatory?: Options;
  readonly options?: Options;
}

export type Options = Readonly<Record<string, Option>>;

/** The values of options; options that the user left out are absent. */
export type FlagsOf<Table> = {
  readonly [Name in keyof Table]?: Table[Name] extends Option<infer Value> ? Value : never;
};

export function flag(about: string): Option<boolean> {
  return { about };
}

/** A flag `--no-…` that turns off a default. */
export function noFlag(about: string): Option<boolean> {
  return { about, isNegated: true };
}

export function text(argument: string, about: string): Option<string> {
  return { argument, about };
}

/** May be given several times. */
export function texts(argument: string, about: string): Option<readonly string[]> {
  return { argument, about, read: collect };
}

/** @param read throws InvalidArgumentError where it is no such number */
export function number(about: string, read: (text: string) => number = wholeNumber): Option<number> {
  return { argument: "<number>", about, read };
}

/** @param choices all texts that are allowed */
export function oneOf<Value extends string>(
  argument: string,
  about: string,
  choices: readonly Value[],
): Option<Value> {
  return { argument, about, choices };
}

function under<Table extends Options>(group: string, options: Table): Table {
  const grouped = Object.entries(options).map(([name, option]) => [name, { ...option, group }]);
  return Object.fromEntries(grouped) as Table;
}

export const LEVELS =
  "broadening (changes that grant access) or access (every change of access, and every delete)";

export const RETIRE_EARLY =
  "allow rotations that revoke an earlier token before its retain_previous_for is over";

export const JSON_PLAN = "print the plan as JSON (Terraform's plan representation)";

/** A verb that writes the state. */
export const LOCKING = under("State:", {
  lockTimeout: text(
    "<duration>",
    "how long to wait while another run holds the state, such as 5m (default: 20s)",
  ),
});

/** Also findings are grouped, so every verb that reads a stack has it. */
export const SHOWING_ALL = { all: flag("show each item separately: nothing is grouped or cut") };

export const CONFIRMING = { yes: { ...flag("do not ask"), alias: "--auto-approve" } };

/** A variable, or a file of variables. A verb gets all of them in one list, since the later one wins. */
export interface VariableFlag {
  readonly option: "var" | "var-file";
  readonly text: string;
}

const INPUT = {
  var: text("<name=value>", "set a variable; not allowed for sensitive ones"),
  varFile: text("<file>", "read variables from this file"),
  allowFiles: texts("<dir>", "let stacks read files in this folder, outside of the project"),
};

const STATE = under("State:", {
  state: text(
    "<place>",
    "path of the state, git:REMOTE/BRANCH for one on a branch, or none (default: .tenancy/state.json)",
  ),
  credentialHelper: text("<program>", "program that keeps the credentials instead of a file"),
});

export const ENCRYPTED_STATE = under("State:", {
  ...STATE,
  encryptState: flag("encrypt a state that is plain, after TENANCY_STATE_KEY was set"),
});

/** A verb that evaluates the app's current declarations. */
export const EVALUATING = {
  ...SHOWING_ALL,
  ...under("Input:", {
    ...INPUT,
    skipSynth: flag("use the stacks already synthesized, without running the app"),
  }),
  ...STATE,
};

/** Permissions that guards ask for. The engine takes all of them by the same names. */
export const PERMITTING = under("Guards:", {
  maxDeletes: number("maximum number of records to delete"),
  allowAccountDeletion: {
    argument: "[names]",
    about: "allow accounts to be deleted: all, or with =NAME,… only these names",
    read: names,
  },
  allowNonempty: flag("also delete accounts that hold storage or unmanaged users"),
  allowSelfChange: flag("allow changes that delete or weaken the credential in use"),
  retireEarly: flag(RETIRE_EARLY),
} satisfies Readonly<Record<keyof Permits, Option>>);

/** A verb that plans. `FORWARDED_FLAGS` (src/cli/flags.ts) names the options that the engine takes by the same names. */
export const PLANNING = {
  ...EVALUATING,
  ...ENCRYPTED_STATE,
  ...under("State:", {
    initState: flag("create tokens that a lost state may know: their users exist already"),
    verifyTokens: flag("ask the service whether each token in the state is still valid"),
    resetPasswords: flag("send passwords that no apply has sent"),
  }),
  ...under("Selection:", {
    only: {
      ...texts(
        "<address>",
        "plan only this object and what it depends on; a login or an account's name is also accepted",
      ),
      alias: "--target",
    },
    exclude: texts("<address>", "leave out this object and everything that depends on it"),
    prune: noFlag("do not delete objects that were removed from the code: list them"),
    parallelism: number("maximum number of requests, and of writes, at the same time", positiveNumber),
  }),
  ...PERMITTING,
  ...under("Guards:", {
    requireApproval: text("<level>", `demand approval of never, ${LEVELS}`),
  }),
};

/** A verb that can be only about access whose end has passed. */
export const ENDED_ACCESS_FLAG = under("Selection:", {
  ended: flag("remove expired access, and change nothing else; this needs no approval"),
});

export const APPLYING = {
  ...CONFIRMING,
  json: flag("print events as JSON, one per line (Terraform's machine-readable UI)"),
  // Refused, with the reason.
  fromSnapshot: { argument: "[file]", about: "" } as Option<string | true>,
  ...PLANNING,
  ...LOCKING,
};

/** A verb that can read a snapshot in place of the service, which each verb describes itself. */
export const snapshotFlags = (description: string) => ({
  fromSnapshot: text("<file>", description),
  maxAge: text("<duration>", "how old the snapshot may be, such as 30m or 7d (default: 48h)"),
});

/** A verb that can write its output into files (src/cli/documents.ts). */
export const DOCUMENTING = {
  markdown: text("<file>", "write Markdown for a comment on a pull request; - for stdout"),
  markdownLimit: number("most characters of the Markdown; default: 65000"),
  markdownMarker: text(
    "<path>",
    "path in the hidden marker that it begins with; default: this folder's in the repository",
  ),
  html: text("<file>", "write a self-contained HTML page; - for stdout"),
};

/** Differences that drift detection ignores, and privileges that it accepts first. */
export const DRIFTING = {
  ignore: texts(
    "<address>",
    "keep this object, or with .ATTRIBUTE this attribute of it, quiet; * matches any characters",
  ),
  accept: texts(
    "<privilege>",
    "accept this undeclared privilege, such as jane@acme.level; * matches any characters",
  ),
  requireApproval: text("<level>", `demand approval of the accepted privileges: never, ${LEVELS}`),
  ...LOCKING,
};

/** A verb that revokes tokens of the state. */
export const REVOKING = {
  ...CONFIRMING,
  allowSelfChange: flag("allow this even for the token that the run itself uses"),
  ...EVALUATING,
  ...ENCRYPTED_STATE,
  ...LOCKING,
};
