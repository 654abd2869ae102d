/** Declares every verb with its options, as the help shows them. It loads nothing that only a verb's work needs. */
import { Command, Option } from "commander";
import { version } from "../../package.json";
import { collect, portNumber, positiveNumber } from "./arguments";
import {
  applying,
  changingTokens,
  documenting,
  encrypting,
  evaluating,
  fromSnapshot,
  LEVELS,
  planning,
  readingWhatLies,
  REQUIRE_APPROVAL,
  RETIRE_EARLY,
  showingAll,
} from "./options";

/** Called with what was typed: the verb, its operands, its options. */
type Dispatch = (verb: VerbName, operands: readonly string[], flags: object) => Promise<void>;

export type VerbName =
  | "init"
  | "plan"
  | "apply"
  | "destroy"
  | "approve"
  | "output"
  | "validate"
  | "drift"
  | "doctor"
  | "token list"
  | "token rotate"
  | "token revoke"
  | "token write"
  | "plugin install"
  | "export"
  | "snapshot"
  | "report"
  | "simulator"
  | "explain"
  | "show";

const PATTERNS = "names of stacks, or patterns such as 'prod-*'";
const STACKS = `${PATTERNS}; optional if there is only one stack`;

const TOKEN = "name of the token, login/name, or serial number";

const STACK_BEFORE = "before it the stack, if there are several";

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

  const verb = (name: VerbName, summary: string, parent = program): Command =>
    parent
      .command(name.slice(name.lastIndexOf(" ") + 1))
      .summary(summary)
      .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
      .action(async (...parts: unknown[]) => {
        const command = parts.at(-1) as Command;
        await dispatch(name, command.args, command.optsWithGlobals());
      });

  verb("init", "create a project to start from, in this folder or another one")
    .argument("[folder]", "where to create it", ".")
    .option("--owner <name>", "name that marks records as yours; choose it once and keep it")
    .option("--base-url <url>", "address of the service, without /api")
    .option(
      "--environment <name=url>",
      "a stack of this name for the service there, in the order of promotion",
      collect,
    )
    .option("--ci <host>", "whose pipelines to write: github, gitlab or none (default: github)")
    .option(
      "--code-owners <names>",
      "who has to approve changes of what decides about access, such as @acme/storage",
    );

  planning(
    fromSnapshot(
      "plan from this snapshot, without a request, a credential or the store",
      documenting(verb("plan", "show what would change, without changing anything"))
        .argument("[stacks...]", STACKS)
        .option("--out <file>", "save the plan, for `tenancy apply FILE`")
        .option("--json", "print the plan as JSON (Terraform's plan representation)")
        .option(
          "--detailed-exitcode",
          "exit with 0 if there is nothing to change, 1 on an error, 2 if there are changes, 3 if an approval is missing",
        )
        .option("--destroy", "plan what `tenancy destroy` would do"),
    ),
  );

  planning(
    applying(verb("apply", "plan, ask for confirmation, and make the changes")).argument(
      "[stacks or file...]",
      `${STACKS}; or one file saved by \`plan --out\``,
    ),
  );

  planning(
    applying(verb("destroy", "delete everything that is ours; adopted objects stay")).argument(
      "[stacks...]",
      STACKS,
    ),
  );

  verb("approve", "write what a saved plan needs approved into tenancy.approvals")
    .argument("<plan>", "file that `tenancy plan --out` wrote")
    .option("--until <day>", "last day of the approval, at most 30 days ahead; default: in 7 days")
    .option(REQUIRE_APPROVAL, `what to approve: ${LEVELS}; default: broadening, or what the project demands`)
    .option("--auto-approve, --yes", "do not ask");

  readingWhatLies(
    verb("output", "print the outputs of a stack")
      .argument("[stack]", "stack to print the outputs of; needed if there are several")
      .argument("[name]", "print only the value of this output")
      .option("--json", "print JSON")
      .option("--raw", "print a string or number without quotation marks"),
  );

  evaluating(
    verb("validate", "check the configuration, without using the network")
      .argument("[stacks...]", `${PATTERNS}; default: all`)
      .option("--json", "print JSON"),
  );

  evaluating(
    documenting(
      verb("drift", "show what somebody changed outside since the last apply, and what is not applied yet")
        .argument("[stacks...]", STACKS)
        .option("--json", "print JSON")
        .option("--all", "show everything: nothing is cut")
        .option(
          "--ignore <address>",
          "keep this object, or with .ATTRIBUTE this attribute of it, quiet; * stands for any characters",
          collect,
        )
        .option("--metrics <file>", "write metrics for the textfile collector of node_exporter")
        .option("--parallelism <number>", "maximum number of requests at the same time", positiveNumber),
    ),
  );

  evaluating(
    verb("snapshot", "write what is live to a file, for reviews without credentials")
      .argument("[stacks...]", `${PATTERNS}; default: all`)
      .requiredOption("--out <file>", "file to write; TENANCY_SNAPSHOT_KEY encrypts it")
      .option(
        "--full",
        "take contacts, addresses, sessions and metadata of all records, not only of managed ones",
      )
      .option("--usage", "take the usage counters of each account (one request each)"),
  );

  evaluating(
    fromSnapshot(
      "report on this snapshot, without a request, a credential or the store",
      documenting(verb("report", "show who may do what, and what deserves a look"))
        .argument("[stacks...]", `${PATTERNS}; default: all`)
        .option(
          "--who-can <right>",
          "only who can use this right; also access.web, access.api, account_admin, destructive, powerful",
        )
        .option("--user <login>", "only this user")
        .option("--account <name>", "only this account")
        .option(
          "--baseline <file>",
          "only what is new or gone since this earlier --json; exit code 2 if anything is",
        )
        .option("--usage", "find quotas that are nearly used up (one request for each account)")
        .option("--max-token-age <duration>", "from which age on a token is a finding; default: 90d")
        .option("--all", "show everybody by themselves: nobody is grouped")
        .option("--json", "print JSON")
        .option("--csv", "print CSV: a row for each user, a column for each right"),
    ),
  );

  evaluating(
    verb("doctor", "check the service, the credentials, their rights and the credential store")
      .argument("[stack]", "stack whose provider configuration to use; needed if there are several")
      .option("--json", "print JSON"),
  );

  const tokens = program
    .command("token")
    .summary("list, rotate, revoke and hand over the tokens of the credential store")
    .description("Work on the tokens in the credential store, outside of an apply.")
    .usage("<list|rotate|revoke|write> [options]")
    .commandsGroup("Verbs:");

  readingWhatLies(
    verb("token list", "list the tokens in the store, without secrets or network access", tokens)
      .argument("[stacks...]", `${PATTERNS}; default: all`)
      .option("--json", "print JSON"),
  );

  encrypting(
    readingWhatLies(
      changingTokens(
        verb("token rotate", "mint a new token now, to replace a declared one", tokens)
          .argument("<name...>", `${TOKEN}; ${STACK_BEFORE}`)
          .usage("[options] [stack] <name>")
          .option("--compromised", "revoke the old token and its predecessors at once, and verify it")
          .option("--retire-early", RETIRE_EARLY),
      ),
    ),
  );

  encrypting(
    readingWhatLies(
      changingTokens(
        verb("token revoke", "revoke and forget a token, or forget an interrupted minting", tokens)
          .argument("<name...>", `${TOKEN}; or the id of an interrupted minting; ${STACK_BEFORE}`)
          .usage("[options] [stack] <name>"),
      ),
    ),
  );

  readingWhatLies(
    verb("token write", "write a token as the program reads it that works with it", tokens)
      .argument("<name...>", `${TOKEN}; ${STACK_BEFORE}`)
      .usage("[options] [stack] <name>")
      .option("--as <format>", "kubernetes, proxmox, cinder, docker, env or json")
      .option("--template <file>", "fill in the placeholders of this file instead")
      .option("--to <file>", "write a file of its own, readable by you alone; default: standard output")
      .option("--name <name>", "name of the Secret, storage or backend; default: the token's name")
      .option("--namespace <name>", "namespace of the Secret")
      .option("--driver <name>", "what Proxmox or Cinder calls the service's driver; default: storage")
      .option("--no-ssl-verify-peer", "have the consumer trust any certificate"),
  );

  const plugin = program
    .command("plugin")
    .summary("install the provider for Terraform and OpenTofu")
    .description("The provider for Terraform and OpenTofu that comes with this command.")
    .usage("install")
    .commandsGroup("Verbs:");

  verb("plugin install", "install the provider where `terraform init` and `tofu init` find it", plugin);

  evaluating(
    fromSnapshot(
      "export from this snapshot, without a request or a credential",
      verb("export", "write code that declares what is live, to take it over")
        .argument("[stack]", "stack whose provider configuration to use; needed if there are several")
        .option("--out <folder>", "folder to write to; no file that exists is overwritten")
        .option(
          "--account <pattern>",
          "export only accounts of this name, or pattern; one with ! takes away; may be given several times",
          collect,
        )
        .addOption(
          new Option("--language <language>", "language of the code; default: typescript").choices([
            "typescript",
            "hcl",
          ]),
        )
        .option("--strict", "export nothing if something live cannot be exported")
        .option("--check", "write nothing; exit with 2 if the folder's files differ from what is live"),
    ),
  );

  fromSnapshot(
    "begin with the records of this snapshot",
    verb("simulator", "run a simulated storage service on this machine")
      .option("--port <number>", "port to listen on; default: any free port", portNumber)
      .option("--data <file>", "keep all records in this file"),
  );

  verb("explain", "explain an error code").argument(
    "[code]",
    "such as TENANCY_FOREIGN; default: all of them",
  );

  showingAll(
    documenting(verb("show", "show a saved plan, or a plan of Terraform's, without using the network")),
  )
    .argument(
      "<file>",
      "saved by `plan --out`, or printed by `terraform show -json` or `tofu show -json`; - for stdin",
    )
    .option("--json", "print the plan as JSON (Terraform's plan representation)")
    .option(
      REQUIRE_APPROVAL,
      `exit with 3 where a line lacks the approval that is demanded: never, ${LEVELS}`,
    );

  return program;
}
