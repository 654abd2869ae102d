/** Declares every verb with its operands and options, as the help shows them. It loads nothing that only a verb's work needs. */
import { Command } from "commander";
import { version } from "../../package.json";
import type { ExportLanguage } from "../engine";
import { portNumber, positiveNumber } from "./arguments";
import { addOptions, furtherHelp, noteVariables } from "./commander";
import { IN_PIPELINES, PIPED, PLANNED, STORED, TALKING, WITH_SNAPSHOT } from "./help-variables";
import {
  APPLYING,
  CONFIRMING,
  DOCUMENTING,
  DRIFTING,
  ENDED_ACCESS_FLAG,
  EVALUATING,
  flag,
  type FlagsOf,
  JSON_PLAN,
  LEVELS,
  noFlag,
  number,
  oneOf,
  PLANNING,
  RETIRE_EARLY,
  REVOKING,
  SHOWING_ALL,
  snapshotFlags,
  type Syntax,
  text,
  texts,
  type VariableFlag,
} from "./options";

const PATTERNS = "names of stacks, or patterns such as 'prod-*'";
const STACKS = `${PATTERNS}; optional if there is only one stack`;
const ALL_STACKS = `${PATTERNS}; default: all`;
const PROVIDERS_STACK = "stack whose provider configuration to use; needed if there are several";

const TOKEN = "name of the token, login/name, or serial number";
const STACK_BEFORE = "before it the stack, if several have such a token";

/** The verbs in the order of the help. The types of their flags follow from their options. */
export const SYNTAX = {
  init: {
    summary: "create a project to start from, in this folder or another one",
    example: "tenancy init storage --environment staging=https://staging.storage.example",
    environment: [],
    operands: { "[folder]": 'where to create it (default: ".")' },
    options: {
      baseUrl: text("<url>", "address of the service, without /api"),
      environment: texts(
        "<name=url>",
        "a stack of this name for the service there, in the order of promotion",
      ),
      ci: text("<host>", "host of the pipelines: github, gitlab or none (default: github)"),
      codeOwners: text("<names>", "code owners of the files that decide about access, such as @acme/storage"),
    },
  },
  plan: {
    summary: "show what would change, without changing anything",
    example: "tenancy plan production --out production.plan",
    environment: PLANNED,
    operands: { "[stacks...]": STACKS },
    options: {
      ...DOCUMENTING,
      out: text("<file>", "save the plan, for `tenancy apply FILE`"),
      json: flag(JSON_PLAN),
      detailedExitcode: flag(
        "exit with 0 if there is nothing to change, 1 on an error, 2 if there are changes, 3 if an approval is missing",
      ),
      destroy: flag("plan a `tenancy destroy`"),
      ...snapshotFlags("plan from this snapshot, without a request, a credential or the state"),
      ...PLANNING,
      ...ENDED_ACCESS_FLAG,
    },
  },
  apply: {
    summary: "plan, ask for confirmation, and make the changes",
    example: "tenancy apply production.plan",
    environment: PLANNED,
    operands: { "[stacks or file...]": `${STACKS}; or one file saved by \`plan --out\`` },
    options: { ...APPLYING, ...ENDED_ACCESS_FLAG },
  },
  destroy: {
    summary: "delete everything that this stack manages, imports included",
    example: "tenancy destroy staging --allow-account-deletion=acme",
    environment: PLANNED,
    operands: { "[stacks...]": STACKS },
    options: APPLYING,
  },
  recover: {
    summary: "record the declared objects that are live, after the state was lost; nothing is changed",
    example: "tenancy recover staging",
    environment: PLANNED,
    operands: { "[stacks...]": STACKS },
    options: APPLYING,
  },
  approve: {
    summary: "approve the pairs of a saved plan: write a file to approvals/",
    example: "tenancy approve production.plan",
    environment: ["TENANCY_REQUIRE_APPROVAL"],
    operands: { "<plan>": "file that `tenancy plan --out` wrote" },
    options: {
      until: text("<day>", "last day of the approval, at most 30 days ahead; default: in 7 days"),
      requireApproval: text(
        "<level>",
        `changes to approve: ${LEVELS}; default: broadening, or the project's setting`,
      ),
      ...CONFIRMING,
    },
  },
  output: {
    summary: "print the outputs of a stack",
    example: "tenancy output production api_url --raw",
    operands: {
      "[stack]": "stack to print the outputs of; needed if there are several",
      "[name]": "print only the value of this output",
    },
    options: {
      json: flag("print JSON"),
      raw: flag("print a string or number without quotation marks"),
      ...EVALUATING,
    },
  },
  synth: {
    summary: "run the app, and write its stacks to cdktf.out, as `cdktf synth` does",
    example: "tenancy synth",
    environment: [],
    options: SHOWING_ALL,
  },
  validate: {
    summary: "check the configuration, without using the network",
    example: "tenancy validate 'prod-*'",
    environment: [],
    operands: { "[stacks...]": ALL_STACKS },
    options: { json: flag("print JSON"), ...EVALUATING },
  },
  drift: {
    summary: "show changes made outside Tenancy since the last apply, and changes that are not applied yet",
    example: "tenancy drift production --ignore 'tenancy_user_profile.acme_jane.email'",
    environment: [...TALKING, "TENANCY_REQUIRE_APPROVAL"],
    operands: { "[stacks...]": STACKS },
    options: {
      json: flag("print JSON"),
      ...DRIFTING,
      metrics: text("<file>", "write metrics for the textfile collector of node_exporter"),
      parallelism: number("maximum number of requests at the same time", positiveNumber),
      ...DOCUMENTING,
      ...EVALUATING,
    },
  },
  snapshot: {
    summary: "write the live records to a file, for reviews without credentials",
    example: "tenancy snapshot production --out production.snapshot",
    environment: WITH_SNAPSHOT,
    operands: { "[stacks...]": ALL_STACKS },
    mandatory: { out: text("<file>", "file to write; TENANCY_SNAPSHOT_KEY encrypts it") },
    options: {
      full: flag("take contacts, addresses, sessions and metadata of all records, not only of managed ones"),
      usage: flag("take the usage counters of each account (one request each)"),
      ...EVALUATING,
    },
  },
  report: {
    summary: "show all access, and possible problems",
    example: "tenancy report production --who-can vss.format_disks",
    environment: WITH_SNAPSHOT,
    operands: { "[stacks...]": ALL_STACKS },
    options: {
      ...DOCUMENTING,
      whoCan: text(
        "<right>",
        "only who can use this right; also access.web, access.api, account_admin, destructive, privileged",
      ),
      user: text("<login>", "only this user"),
      account: text("<name>", "only this account"),
      baseline: text("<file>", "only the differences from this earlier --json; exit code 2 if there are any"),
      usage: flag("find quotas that are nearly used up (one request for each account)"),
      maxTokenAge: text("<duration>", "from which age on a token is a finding; default: 90d"),
      json: flag("print JSON"),
      csv: flag("print CSV: a row for each user, a column for each right"),
      ...snapshotFlags("report on this snapshot, without a request, a credential or the state"),
      ...EVALUATING,
    },
  },
  doctor: {
    summary: "check the service, the credentials, their rights and the state",
    example: "tenancy doctor production",
    operands: { "[stack]": PROVIDERS_STACK },
    options: { json: flag("print JSON"), ...EVALUATING },
  },
  token: {
    summary: "list, rotate, revoke and deliver the tokens of the state",
    description: "Work on the tokens in the state, outside of an apply.",
    usage: "<list|rotate|revoke|write> [options]",
  },
  "token list": {
    summary: "list the tokens in the state, without secrets or network access",
    example: "tenancy token list production",
    environment: STORED,
    operands: { "[stacks...]": ALL_STACKS },
    options: { json: flag("print JSON"), ...EVALUATING },
  },
  "token rotate": {
    summary: "create a new token now, to replace a declared one",
    example: "tenancy token rotate production csi@acme/csi-prod --compromised",
    usage: "[options] [stack] <name>",
    operands: { "[name...]": `${TOKEN}; ${STACK_BEFORE}` },
    options: {
      exposed: flag("replace and revoke every token that an earlier key of the state shows"),
      compromised: flag("revoke the old token and its predecessors at once, and verify it"),
      retireEarly: flag(RETIRE_EARLY),
      ...REVOKING,
    },
  },
  "token revoke": {
    summary: "revoke and forget a token, or forget an interrupted token creation",
    example: "tenancy token revoke production csi@acme/csi-prod",
    usage: "[options] [stack] <name>",
    operands: { "[name...]": `${TOKEN}; or the id of an interrupted token creation; ${STACK_BEFORE}` },
    options: {
      allUnknown: flag("forget all interrupted creations, after a look at the service; operands are stacks"),
      ...REVOKING,
    },
  },
  "token write": {
    summary: "write a token in the format of the program that uses it",
    example:
      "tenancy token write csi-prod --as kubernetes --namespace storage | kubectl apply --server-side -f -",
    environment: [...STORED, "TENANCY_IDENTITY"],
    usage: "[options] [stack] <name>",
    operands: { "<name...>": `${TOKEN}; ${STACK_BEFORE}` },
    options: {
      as: text("<format>", "kubernetes, proxmox, cinder, docker, env or json"),
      template: text("<file>", "fill in the placeholders of this file instead"),
      to: text("<file>", "write a separate file that only you can read; default: standard output"),
      name: text("<name>", "name of the Secret, storage or backend; default: the token's name"),
      namespace: text("<name>", "namespace of the Secret"),
      driver: text("<name>", "name of the service's driver in Proxmox or Cinder; default: storage"),
      sslVerifyPeer: noFlag("have the consumer trust any certificate"),
      ...EVALUATING,
    },
  },
  state: {
    summary: "manage the state: its place, its key, unfinished runs",
    description: "Manage the state.",
    usage: "<status|init|accept|rekey|unlock|rm|copy> [options]",
  },
  "state status": {
    summary: "show where the state is, how old, and which run holds it; proves that the key opens it",
    example: "tenancy state status",
    environment: STORED,
    operands: { "[stacks...]": ALL_STACKS },
    options: { json: flag("print JSON"), ...EVALUATING },
  },
  "state init": {
    summary: "make the branch of the state",
    example: "tenancy state init production",
    environment: STORED,
    operands: { "[stacks...]": ALL_STACKS },
    options: EVALUATING,
  },
  "state accept": {
    summary: "take over a version of the state that was restored on purpose",
    example: "tenancy state accept production",
    environment: STORED,
    operands: { "[stack]": "stack whose state it is; needed if there are several" },
    options: EVALUATING,
  },
  "state rekey": {
    summary: "seal the state with a new key, and list the tokens that the earlier key shows",
    example: "tenancy state rekey production",
    environment: [...STORED, "TENANCY_PREVIOUS_STATE_KEY"],
    operands: { "[stacks...]": ALL_STACKS },
    options: EVALUATING,
  },
  "state unlock": {
    summary: "end a run that stopped while it held the state",
    example: "tenancy state unlock production 7f3a91c2",
    environment: STORED,
    usage: "[options] [stack] <run>",
    operands: {
      "<run...>": "id of the run, as `state status` shows it; with several stacks, name the stack before it",
    },
    options: { ...CONFIRMING, ...EVALUATING },
  },
  "state rm": {
    summary: "take out a retired stack, so that other stacks may delete its objects",
    example: "tenancy state rm --stack staging",
    environment: STORED,
    mandatory: { stack: text("<name>", "the stack, which the app does not make any more") },
    options: { ...CONFIRMING, ...EVALUATING },
  },
  "state mv": {
    summary: "move entries of the state from one stack to another",
    example: "tenancy state mv acme --from staging --to production",
    environment: STORED,
    usage: "[options] <names...>",
    operands: { "<names...>": "accounts, users and tokens: acme, jane@acme, jane@acme/ci" },
    mandatory: {
      from: text("<stack>", "the stack that declared them"),
      to: text("<stack>", "the stack that declares them now"),
    },
    options: { ...CONFIRMING, ...EVALUATING },
  },
  "state copy": {
    summary: "copy the state to another place",
    example: "tenancy state copy .tenancy/state.json git:origin/tenancy-state",
    environment: STORED,
    usage: "[options] <from> <to>",
    operands: { "<places...>": "path of a file, or git:REMOTE/BRANCH" },
    options: EVALUATING,
  },
  key: { summary: "make keys", description: "Make keys for the state and for snapshots.", usage: "<new>" },
  "key new": { summary: "print a new random key", example: "tenancy key new", environment: [] },
  ci: {
    summary: "write pipelines, and run their jobs",
    description: "Pipelines: their files, and the work of their jobs.",
    usage: "<init|pack|review|apply|nightly> [options]",
  },
  "ci pack": {
    summary: "run the app, check its stacks, and write tenancy-stacks.json for a job that holds secrets",
    example: "tenancy ci pack",
    environment: IN_PIPELINES,
  },
  "ci review": {
    summary: "plan a pull request from the newest snapshots, comment on it, and set its status",
    example: "tenancy ci review --pages pages",
    environment: [...IN_PIPELINES, "TENANCY_SNAPSHOT_KEY", "TENANCY_REQUIRE_APPROVAL", "TENANCY_PUBLIC"],
    options: { pages: text("<folder>", "write a page for each stack into this folder") },
  },
  "ci apply": {
    summary: "apply one stack after a merge, in a job of its own",
    example: "tenancy ci apply production --out out",
    environment: PIPED,
    operands: { "<stack>": "name of the stack" },
    options: {
      out: text("<folder>", "leave the next snapshot there"),
      ended: flag(
        "only take away access whose end has passed; without a user in the environment, do nothing",
      ),
    },
  },
  "ci nightly": {
    summary: "look for drift in one stack, and open, update or close an issue",
    example: "tenancy ci nightly production --out out",
    environment: PIPED,
    operands: { "<stack>": "name of the stack" },
    options: { out: text("<folder>", "leave metrics and the next snapshot there") },
  },
  "ci init": {
    summary: "write the pipelines of this project, or bring them up to this version",
    example: "tenancy ci init github",
    environment: [],
    operands: { "[host]": "github or gitlab; default: by the repository's files and remote" },
    options: EVALUATING,
  },
  plugin: {
    summary: "install the provider for Terraform and OpenTofu",
    description: "The provider for Terraform and OpenTofu that comes with this command.",
    usage: "install",
  },
  "plugin install": {
    summary: "install the provider where `terraform init` and `tofu init` find it",
    example: "tenancy plugin install",
    environment: [],
  },
  export: {
    summary: "write code that declares the live objects, to import them",
    example: "tenancy export production --out tenants --account 'acme*'",
    environment: WITH_SNAPSHOT,
    operands: { "[stack]": PROVIDERS_STACK },
    options: {
      out: text("<folder>", "folder to write to; no file that exists is overwritten"),
      account: texts(
        "<pattern>",
        "export only accounts of this name, or pattern; repeat for more accounts; ! excludes",
      ),
      language: oneOf<ExportLanguage>("<language>", "language of the code; default: typescript", [
        "typescript",
        "hcl",
      ]),
      strict: flag("export nothing if something live cannot be exported"),
      check: flag("write nothing; exit with 2 if the folder's files differ from what is live"),
      ...snapshotFlags("export from this snapshot, without a request or a credential"),
      ...EVALUATING,
    },
  },
  simulator: {
    summary: "run a simulated storage service on this machine",
    example: "tenancy simulator --port 8080",
    environment: ["TENANCY_SNAPSHOT_KEY"],
    options: {
      port: number("port to listen on; default: any free port", portNumber),
      ...snapshotFlags("begin with the records of this snapshot"),
    },
  },
  completion: {
    summary: "print a completion script for verbs, options, stacks and addresses",
    example: "source <(tenancy completion bash)",
    environment: [],
    operands: { "<shell>": "bash, zsh or fish" },
  },
  complete: {
    summary: "",
    environment: [],
    operands: { "[words...]": "words of the command line, of which the last is to be completed" },
  },
  explain: {
    summary: "explain an error code",
    example: "tenancy explain TENANCY_UNMANAGED",
    environment: [],
    operands: { "[code]": "such as TENANCY_UNMANAGED; default: all of them" },
  },
  show: {
    summary: "show a saved plan, or a Terraform plan, without using the network",
    example: "terraform show -json tfplan | tenancy show -",
    environment: ["TENANCY_REQUIRE_APPROVAL"],
    operands: {
      "<file>":
        "saved by `plan --out`, or printed by `terraform show -json` or `tofu show -json`; - for stdin",
    },
    options: {
      ...DOCUMENTING,
      ...SHOWING_ALL,
      json: flag(JSON_PLAN),
      requireApproval: text(
        "<level>",
        `exit with 3 where a pair lacks the approval that is demanded: never, ${LEVELS}`,
      ),
    },
  },
} satisfies Readonly<Record<string, Syntax>>;

type SyntaxTable = typeof SYNTAX;

export type VerbName = {
  [Name in keyof SyntaxTable]: SyntaxTable[Name] extends { readonly description: string } ? never : Name;
}[keyof SyntaxTable];

/** The values of a verb's options. */
export type Flags<Name extends VerbName> = FlagsOf<SyntaxPart<SyntaxTable[Name], "options">> &
  Required<FlagsOf<SyntaxPart<SyntaxTable[Name], "mandatory">>> & {
    readonly color: boolean;
    /** `--var` and `--var-file`, in the order in which they were typed. */
    readonly variables?: readonly VariableFlag[];
  };

type SyntaxPart<Of, Name extends keyof Syntax> =
  Of extends Readonly<Record<Name, infer Some>> ? Some : unknown;

/** @param write takes commander's output on stdout, such as help and the version */
export function makeProgram(
  dispatch: (verb: VerbName, operands: readonly string[], flags: object) => Promise<void>,
  write: (text: string) => void,
): Command {
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
    const { example, environment = TALKING } = syntax;
    const [first = "", second] = name.split(" ");
    const parent = second === undefined ? program : program.commands.find((one) => one.name() === first);
    const verb = (parent ?? program)
      // A verb without a summary is for shells, and no help lists it.
      .command(second ?? first, { hidden: summary === "" })
      .summary(summary)
      .description(description ?? `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
    if (usage !== undefined) verb.usage(usage);
    for (const [text, about] of Object.entries(operands)) verb.argument(text, about);
    if ("varFile" in options) noteVariables(verb);
    addOptions(verb, mandatory, true);
    addOptions(verb, options);
    if (description === undefined && summary !== "")
      verb.addHelpText("after", furtherHelp(environment, example));
    if (description !== undefined) verb.commandsGroup("Verbs:");
    else verb.action(() => dispatch(name as VerbName, verb.args, verb.optsWithGlobals()));
  }
  return program;
}
