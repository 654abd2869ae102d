/**
 * Declares the options that several verbs share, and derives the types of flags from what the help says of them. The options of one verb alone
 * stand in src/cli/program.ts.
 */
import { collect, names, positiveNumber, wholeNumber } from "./arguments";

/**
 * Descriptions of options, by the text that the help shows: `--target, --only <address>`. After them come sections of the help, by their
 * headings.
 */
export type Options = Readonly<Record<string, Described | HelpSection>>;

export type HelpSection = Readonly<Record<string, Described>>;

/** A description; the help hides an option without one. A function reads the value, or a list says which values are allowed. */
type Described =
  string | readonly [string, ((text: string, earlier: unknown) => unknown) | readonly string[]];

/** The values of options, by the names that Commander gives them: the last one, in camel case, without `no-`. */
export type FlagsOf<Of> = {
  readonly [One in Entry<Of> as NameOf<One[0]>]?: ValueOf<One>;
};

type Entry<Of> = {
  [Text in keyof Of & string]: Of[Text] extends Described ? [Text, Of[Text]] : EntryIn<Of[Text]>;
}[keyof Of & string];

type EntryIn<Part> = { [Text in keyof Part & string]: [Text, Part[Text]] }[keyof Part & string];

type NameOf<Text extends string> = Text extends `${string}, ${infer Last}`
  ? NameOf<Last>
  : Text extends `${infer Name} ${string}`
    ? NameOf<Name>
    : Text extends `--no-${infer Name}` | `--${infer Name}`
      ? CamelCase<Name>
      : never;

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type ValueOf<One> = One extends [string, readonly [string, (...given: never) => infer Value]]
  ? Value
  : One extends [string, readonly [string, readonly (infer Value)[]]]
    ? Value
    : One extends [`${string} <${string}`, unknown]
      ? string
      : One extends [`${string} [${string}`, unknown]
        ? string | true
        : boolean;

export const LEVELS =
  "broadening (what lets somebody do more) or access (all that bears on access, and every delete)";

export const RETIRE_EARLY =
  "allow rotations that revoke an earlier token before its retain_previous_for is over";

export const JSON_PLAN = "print the plan as JSON (Terraform's plan representation)";

export const SHOWING_ALL = { "--all": "show everything by itself: nothing is grouped or cut" } as const;

export const CONFIRMING = { "--auto-approve, --yes": "do not ask" } as const;

/** A variable, or a file of variables. A verb gets all of them in one list, since the later one wins. */
export interface VariableFlag {
  readonly option: "var" | "var-file";
  readonly text: string;
}

const INPUT = {
  "--var <name=value>": "set a variable; not allowed for sensitive ones",
  "--var-file <file>": "read variables from this file",
  "--allow-files <dir>": ["let stacks read files in this folder, outside of the project", collect],
} as const;

const STORE = {
  "--store <file>": "path of the store (default: .tenancy/credentials.json)",
  "--credential-helper <program>": "program that keeps the credentials instead of a file",
} as const;

export const ENCRYPTED_STORE = {
  ...STORE,
  "--encrypt-store": "encrypt a store that is plain, after TENANCY_STORE_KEY was set",
} as const;

/** A verb that evaluates what the app declares now. */
export const EVALUATING = {
  "Input:": { ...INPUT, "--skip-synth": "use the stacks already synthesized, without running the app" },
  "Credential store:": STORE,
} as const;

/** A verb that can use a stack which was synthesized earlier, as Terraform's verbs of this kind read its state. */
export const WITH_SYNTHESIZED_STACKS = {
  "Input:": { ...INPUT, "--synth": "run the app first; default: only if there are no stacks yet" },
  "Credential store:": STORE,
} as const;

/** A verb that plans. `HANDED_ON` (src/cli/flags.ts) names the options that the engine takes by the same names. */
export const PLANNING = {
  ...SHOWING_ALL,
  ...EVALUATING,
  "Credential store:": {
    ...ENCRYPTED_STORE,
    "--init-store": "create tokens that a lost store may know: their users exist already",
    "--verify-tokens": "ask the service whether each token in the store is still valid",
    "--reset-passwords": "send passwords that no apply has sent",
    "--send-unseen": "send values that no apply has sent, as the caller does not see their record",
  },
  "Selection:": {
    "--target, --only <address>": [
      "plan only this object and what it depends on; a login or an account's name will do",
      collect,
    ],
    "--exclude <address>": ["leave out this object and everything that depends on it", collect],
    "--no-prune": "delete nothing that is only no longer declared: list it",
    "--parallelism <number>": ["maximum number of requests, and of writes, at the same time", positiveNumber],
  },
  "Guards:": {
    "--max-deletes <number>": ["maximum number of records to delete", wholeNumber],
    "--allow-account-deletion [names]": [
      "allow accounts to be deleted: all, or with =NAME,… only those named",
      names,
    ],
    "--allow-nonempty": "also delete accounts that hold storage or other owners' users",
    "--allow-self-change": "allow changes that delete or weaken the credential in use",
    "--retire-early": RETIRE_EARLY,
    "--require-approval <level>": `demand approval of never, ${LEVELS}`,
  },
} as const;

export const APPLYING = {
  ...CONFIRMING,
  "--json": "print events as JSON, one per line (Terraform's machine-readable UI)",
  "--from-snapshot [file]": "", // Refused, with the reason.
  ...PLANNING,
} as const;

/** A verb that can read a snapshot in place of the service; what `--from-snapshot <file>` does says each for itself. */
export const MAX_AGE = {
  "--max-age <duration>": "how old the snapshot may be, such as 30m or 7d (default: 48h)",
} as const;

/** A verb that can write what it shows into files (src/cli/documents.ts). */
export const DOCUMENTING = {
  "--markdown <file>": "write Markdown for a comment on a pull request; - for stdout",
  "--markdown-limit <number>": ["most characters of the Markdown; default: 65000", wholeNumber],
  "--markdown-marker <path>":
    "path in the hidden marker that it begins with; default: this folder's in the repository",
  "--html <file>": "write a page for a browser, which asks nobody for anything; - for stdout",
} as const;

/** A verb that revokes tokens of the store. */
export const REVOKING = {
  ...CONFIRMING,
  "--allow-self-change": "allow this even for the token that the run itself uses",
  ...WITH_SYNTHESIZED_STACKS,
  "Credential store:": ENCRYPTED_STORE,
} as const;
