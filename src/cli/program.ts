/** Declares every verb with its operands and options, as the help shows them. It loads nothing that only a verb's work needs. */
import { Command, Option } from "commander";
import { version } from "../../package.json";
import { collect, portNumber, positiveNumber } from "./arguments";
import {
  APPLYING,
  CONFIRMING,
  DOCUMENTING,
  EVALUATING,
  type FlagsOf,
  JSON_PLAN,
  LEVELS,
  MAX_AGE,
  type Options,
  PLANNING,
  WITH_SYNTHESIZED_STACKS,
  RETIRE_EARLY,
  REVOKING,
  type HelpSection,
  SHOWING_ALL,
  type VariableFlag,
} from "./options";

/** How a verb is called. */
interface Syntax {
  readonly summary: string;
  /** Only for a word that verbs begin with. A verb is described by its summary. */
  readonly description?: string;
  /** Replaces what the help derives from operands and options. */
  readonly usage?: string;
  /** Descriptions, by the text that the help shows: `[stacks...]`. */
  readonly operands?: Readonly<Record<string, string>>;
  /** Options that have to be given. */
  readonly mandatory?: Options;
  readonly options?: Options;
}

const PATTERNS = "names of stacks, or patterns such as 'prod-*'";
const STACKS = `${PATTERNS}; optional if there is only one stack`;
const ALL_STACKS = `${PATTERNS}; default: all`;
const PROVIDERS_STACK = "stack whose provider configuration to use; needed if there are several";

const TOKEN = "name of the token, login/name, or serial number";
const STACK_BEFORE = "before it the stack, if there are several";

/** The verbs in the order of the help. The types of their flags follow from their options. */
const SYNTAX = {
  init: {
    summary: "create a project to start from, in this folder or another one",
    operands: { "[folder]": 'where to create it (default: ".")' },
    options: {
      "--owner <name>": "name that marks records as yours; choose it once and keep it",
      "--base-url <url>": "address of the service, without /api",
      "--environment <name=url>": [
        "a stack of this name for the service there, in the order of promotion",
        collect,
      ],
      "--ci <host>": "whose pipelines to write: github, gitlab or none (default: github)",
      "--code-owners <names>":
        "who has to approve changes of what decides about access, such as @acme/storage",
    },
  },
  plan: {
    summary: "show what would change, without changing anything",
    operands: { "[stacks...]": STACKS },
    options: {
      ...DOCUMENTING,
      "--out <file>": "save the plan, for `tenancy apply FILE`",
      "--json": JSON_PLAN,
      "--detailed-exitcode":
        "exit with 0 if there is nothing to change, 1 on an error, 2 if there are changes, 3 if an approval is missing",
      "--destroy": "plan what `tenancy destroy` would do",
      "--from-snapshot <file>": "plan from this snapshot, without a request, a credential or the store",
      ...MAX_AGE,
      ...PLANNING,
    },
  },
  apply: {
    summary: "plan, ask for confirmation, and make the changes",
    operands: { "[stacks or file...]": `${STACKS}; or one file saved by \`plan --out\`` },
    options: APPLYING,
  },
  destroy: {
    summary: "delete everything that this owner manages; imported objects stay",
    operands: { "[stacks...]": STACKS },
    options: APPLYING,
  },
  approve: {
    summary: "approve the lines of a saved plan: write an entry to approvals/",
    operands: { "<plan>": "file that `tenancy plan --out` wrote" },
    options: {
      "--until <day>": "last day of the approval, at most 30 days ahead; default: in 7 days",
      "--require-approval <level>": `what to approve: ${LEVELS}; default: broadening, or what the project demands`,
      ...CONFIRMING,
    },
  },
  output: {
    summary: "print the outputs of a stack",
    operands: {
      "[stack]": "stack to print the outputs of; needed if there are several",
      "[name]": "print only the value of this output",
    },
    options: {
      "--json": "print JSON",
      "--raw": "print a string or number without quotation marks",
      ...WITH_SYNTHESIZED_STACKS,
    },
  },
  validate: {
    summary: "check the configuration, without using the network",
    operands: { "[stacks...]": ALL_STACKS },
    options: { "--json": "print JSON", ...EVALUATING },
  },
  drift: {
    summary: "show what somebody changed outside since the last apply, and what is not applied yet",
    operands: { "[stacks...]": STACKS },
    options: {
      "--json": "print JSON",
      "--all": "show everything: nothing is cut",
      "--ignore <address>": [
        "keep this object, or with .ATTRIBUTE this attribute of it, quiet; * stands for any characters",
        collect,
      ],
      "--metrics <file>": "write metrics for the textfile collector of node_exporter",
      "--parallelism <number>": ["maximum number of requests at the same time", positiveNumber],
      ...DOCUMENTING,
      ...EVALUATING,
    },
  },
  snapshot: {
    summary: "write what is live to a file, for reviews without credentials",
    operands: { "[stacks...]": ALL_STACKS },
    mandatory: { "--out <file>": "file to write; TENANCY_SNAPSHOT_KEY encrypts it" },
    options: {
      "--full": "take contacts, addresses, sessions and metadata of all records, not only of managed ones",
      "--usage": "take the usage counters of each account (one request each)",
      ...EVALUATING,
    },
  },
  report: {
    summary: "show who may do what, and what deserves a look",
    operands: { "[stacks...]": ALL_STACKS },
    options: {
      ...DOCUMENTING,
      "--who-can <right>":
        "only who can use this right; also access.web, access.api, account_admin, destructive, privileged",
      "--user <login>": "only this user",
      "--account <name>": "only this account",
      "--baseline <file>": "only what is new or gone since this earlier --json; exit code 2 if anything is",
      "--usage": "find quotas that are nearly used up (one request for each account)",
      "--max-token-age <duration>": "from which age on a token is a finding; default: 90d",
      "--all": "show everybody by themselves: nobody is grouped",
      "--json": "print JSON",
      "--csv": "print CSV: a row for each user, a column for each right",
      "--from-snapshot <file>": "report on this snapshot, without a request, a credential or the store",
      ...MAX_AGE,
      ...EVALUATING,
    },
  },
  doctor: {
    summary: "check the service, the credentials, their rights and the credential store",
    operands: { "[stack]": PROVIDERS_STACK },
    options: { "--json": "print JSON", ...EVALUATING },
  },
  token: {
    summary: "list, rotate, revoke and hand over the tokens of the credential store",
    description: "Work on the tokens in the credential store, outside of an apply.",
    usage: "<list|rotate|revoke|write> [options]",
  },
  "token list": {
    summary: "list the tokens in the store, without secrets or network access",
    operands: { "[stacks...]": ALL_STACKS },
    options: { "--json": "print JSON", ...WITH_SYNTHESIZED_STACKS },
  },
  "token rotate": {
    summary: "create a new token now, to replace a declared one",
    usage: "[options] [stack] <name>",
    operands: { "<name...>": `${TOKEN}; ${STACK_BEFORE}` },
    options: {
      "--compromised": "revoke the old token and its predecessors at once, and verify it",
      "--retire-early": RETIRE_EARLY,
      ...REVOKING,
    },
  },
  "token revoke": {
    summary: "revoke and forget a token, or forget an interrupted token creation",
    usage: "[options] [stack] <name>",
    operands: { "<name...>": `${TOKEN}; or the id of an interrupted token creation; ${STACK_BEFORE}` },
    options: REVOKING,
  },
  "token write": {
    summary: "write a token as the program reads it that works with it",
    usage: "[options] [stack] <name>",
    operands: { "<name...>": `${TOKEN}; ${STACK_BEFORE}` },
    options: {
      "--as <format>": "kubernetes, proxmox, cinder, docker, env or json",
      "--template <file>": "fill in the placeholders of this file instead",
      "--to <file>": "write a file of its own, readable by you alone; default: standard output",
      "--name <name>": "name of the Secret, storage or backend; default: the token's name",
      "--namespace <name>": "namespace of the Secret",
      "--driver <name>": "what Proxmox or Cinder calls the service's driver; default: storage",
      "--no-ssl-verify-peer": "have the consumer trust any certificate",
      ...WITH_SYNTHESIZED_STACKS,
    },
  },
  plugin: {
    summary: "install the provider for Terraform and OpenTofu",
    description: "The provider for Terraform and OpenTofu that comes with this command.",
    usage: "install",
  },
  "plugin install": { summary: "install the provider where `terraform init` and `tofu init` find it" },
  export: {
    summary: "write code that declares what is live, to take it over",
    operands: { "[stack]": PROVIDERS_STACK },
    options: {
      "--out <folder>": "folder to write to; no file that exists is overwritten",
      "--account <pattern>": [
        "export only accounts of this name, or pattern; one with ! takes away; may be given several times",
        collect,
      ],
      "--language <language>": ["language of the code; default: typescript", ["typescript", "hcl"]],
      "--strict": "export nothing if something live cannot be exported",
      "--check": "write nothing; exit with 2 if the folder's files differ from what is live",
      "--from-snapshot <file>": "export from this snapshot, without a request or a credential",
      ...MAX_AGE,
      ...EVALUATING,
    },
  },
  simulator: {
    summary: "run a simulated storage service on this machine",
    options: {
      "--port <number>": ["port to listen on; default: any free port", portNumber],
      "--data <file>": "keep all records in this file",
      "--from-snapshot <file>": "begin with the records of this snapshot",
      ...MAX_AGE,
    },
  },
  explain: {
    summary: "explain an error code",
    operands: { "[code]": "such as TENANCY_UNMANAGED; default: all of them" },
  },
  show: {
    summary: "show a saved plan, or a plan of Terraform's, without using the network",
    operands: {
      "<file>":
        "saved by `plan --out`, or printed by `terraform show -json` or `tofu show -json`; - for stdin",
    },
    options: {
      ...DOCUMENTING,
      ...SHOWING_ALL,
      "--json": JSON_PLAN,
      "--require-approval <level>": `exit with 3 where a line lacks the approval that is demanded: never, ${LEVELS}`,
    },
  },
} as const satisfies Readonly<Record<string, Syntax>>;

type Table = typeof SYNTAX;

export type VerbName = {
  [Name in keyof Table]: Table[Name] extends { readonly description: string } ? never : Name;
}[keyof Table];

/** The values of a verb's options. */
export type Flags<Name extends VerbName> = FlagsOf<Part<Table[Name], "options">> &
  Required<FlagsOf<Part<Table[Name], "mandatory">>> & {
    readonly color: boolean;
    /** `--var` and `--var-file`, in the order in which they were typed. */
    readonly variables?: readonly VariableFlag[];
  };

type Part<Of, Name extends keyof Syntax> = Of extends Readonly<Record<Name, infer Some>> ? Some : unknown;

/** Called with what was typed: the verb, its operands, its options. */
type Dispatch = (verb: VerbName, operands: readonly string[], flags: object) => Promise<void>;

/** @param write takes help, on stdout, and what is asked of commander besides */
export function makeProgram(dispatch: Dispatch, write: (text: string) => void): Command {
  const program = new Command("tenancy")
    .description(
      "Declare the tenants of a multi-tenant storage service in TypeScript, and make the service match.",
    )
    .version(version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .usage("<verb> [options]")
    .commandsGroup("Verbs:")
    .helpCommand("help [verb]", "print the help of a verb")
    .option("--no-color", "no colours (also: NO_COLOR in the environment)")
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .configureOutput({ writeOut: write, writeErr: () => undefined, outputError: () => undefined })
    .showSuggestionAfterError(true)
    .exitOverride();
  for (const [name, syntax] of Object.entries<Syntax>(SYNTAX)) {
    const { summary, description, usage, operands = {}, mandatory = {}, options = {} } = syntax;
    const [first = "", second] = name.split(" ");
    const parent = second === undefined ? program : program.commands.find((one) => one.name() === first);
    const verb = (parent ?? program)
      .command(second ?? first)
      .summary(summary)
      .description(description ?? `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
    if (usage !== undefined) verb.usage(usage);
    for (const [text, about] of Object.entries(operands)) verb.argument(text, about);
    if ("Input:" in options) noteVariables(verb);
    addOptions(verb, mandatory, true);
    addOptions(verb, options);
    if (description !== undefined) verb.commandsGroup("Verbs:");
    else verb.action(() => dispatch(name as VerbName, verb.args, verb.optsWithGlobals()));
  }
  return program;
}

/** Notes values and files in one list. */
function noteVariables(verb: Command): void {
  for (const option of ["var", "var-file"] as const)
    verb.on(`option:${option}`, (text: string) => {
      const earlier = verb.getOptionValue("variables") as readonly VariableFlag[] | undefined;
      verb.setOptionValue("variables", [...(earlier ?? []), { option, text }]);
    });
}

function addOptions(verb: Command, options: Options, isMandatory = false): void {
  for (const [text, described] of Object.entries(options)) {
    if (isSection(described)) {
      addOptions(verb.optionsGroup(text), described);
      continue;
    }
    const [description, accepted] = typeof described === "string" ? [described] : described;
    const option = new Option(text, description).makeOptionMandatory(isMandatory);
    if (typeof accepted === "function") option.argParser(accepted);
    else if (accepted !== undefined) option.choices(accepted);
    verb.addOption(option.hideHelp(description === ""));
  }
}

function isSection(one: Options[string]): one is HelpSection {
  return typeof one === "object" && !Array.isArray(one);
}
