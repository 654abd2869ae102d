/** Every verb with its options, as the help shows them. Loads nothing that only a verb's work needs. */
import { Command, InvalidArgumentError, Option } from "commander";
import { version } from "../../package.json";

/** Called with what was typed: the verb, its operands, its options. */
export type Dispatch = (verb: VerbName, operands: readonly string[], flags: object) => Promise<void>;

export type VerbName =
  | "init"
  | "plan"
  | "apply"
  | "destroy"
  | "output"
  | "validate"
  | "doctor"
  | "token list"
  | "token rotate"
  | "token revoke"
  | "plugin install"
  | "simulator"
  | "explain";

const PATTERNS = "names of stacks, or patterns such as 'prod-*'";
const STACKS = `${PATTERNS}; may be left out where there is only one`;

const TOKEN = "name of the token, login/name, or serial number";

/** What commander is told of a bare `--allow-account-deletion`, which takes no name from the arguments behind it. */
const EVERY_ACCOUNT = "\u0000";

/** @param write takes help, on stdout, and what is asked of commander besides */
export function makeProgram(dispatch: Dispatch, write: (text: string) => void): Command {
  const program = new Command("tenancy")
    .description("Declare the tenants of a multi-tenant storage service in TypeScript, and make it so.")
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

  verb("init", "make a project to start from, in this folder or another one")
    .argument("[folder]", "where to make it", ".")
    .option("--owner <name>", "name under which records are yours; chosen once and kept")
    .option("--base-url <url>", "address of the service, without /api");

  planning(
    verb("plan", "show what would change; changes nothing")
      .argument("[stacks...]", STACKS)
      .option("--out <file>", "save the plan for `tenancy apply FILE`")
      .option("--json", "print the plan as JSON (Terraform's plan representation)")
      .option("--detailed-exitcode", "exit code 0: nothing to change, 1: error, 2: changes")
      .option("--destroy", "plan the end of everything that is ours"),
  );

  planning(
    applying(verb("apply", "plan, ask, and make the changes")).argument(
      "[stacks or file...]",
      `${STACKS}; or one file that \`plan --out\` saved`,
    ),
  );

  planning(
    applying(verb("destroy", "delete what is ours; adopted objects stay")).argument("[stacks...]", STACKS),
  );

  evaluating(
    verb("output", "print outputs of a stack")
      .argument("[name]", "print the value of this output alone")
      .option("--stack <name>", "stack to print outputs of, where there are several")
      .option("--json", "print JSON")
      .option("--raw", "print a text or number without quotation marks"),
  );

  evaluating(
    verb("validate", "check the configuration; needs no network")
      .argument("[stacks...]", `${PATTERNS}; all where left out`)
      .option("--json", "print JSON"),
  );

  evaluating(
    verb("doctor", "check the service, the credentials, their rights and the store")
      .argument("[stack]", "stack whose provider configuration is used; needed only where there are several")
      .option("--json", "print JSON"),
  );

  const tokens = program
    .command("token")
    .summary("list, rotate and revoke the tokens of the credential store")
    .description("The tokens that the credential store keeps, apart from an apply.")
    .usage("<list|rotate|revoke> [options]");

  aboutTokens(
    verb("token list", "show what the store keeps, without secrets; contacts nobody", tokens).option(
      "--json",
      "print JSON",
    ),
  );

  aboutTokens(
    changingTokens(
      verb("token rotate", "mint a new token now, in place of a declared one", tokens)
        .argument("<name>", TOKEN)
        .option("--compromised", "revoke the old one and those before it at once, and prove it"),
    ),
  );

  aboutTokens(
    changingTokens(
      verb(
        "token revoke",
        "revoke a token, and forget it; or forget an interrupted minting",
        tokens,
      ).argument("<name>", `${TOKEN}, or id of an interrupted minting`),
    ),
  );

  const plugin = program
    .command("plugin")
    .summary("the provider for Terraform and OpenTofu")
    .description("The provider for Terraform and OpenTofu that comes with this command.")
    .usage("install");

  verb("plugin install", "put it where `terraform init` and `tofu init` find it", plugin);

  verb("simulator", "serve a simulated storage service on this machine")
    .option("--port <number>", "port to listen on; any free one where left out", portNumber)
    .option("--data <file>", "keep all records in this file");

  verb("explain", "say more about an error code").argument(
    "[code]",
    "such as TENANCY_FOREIGN; all where left out",
  );

  return program;
}

/** The arguments as commander is to see them. */
export function prepared(argv: readonly string[]): string[] {
  const flag = "--allow-account-deletion";
  const end = argv.indexOf("--");
  return argv.map((argument, index) =>
    argument === flag && (end < 0 || index < end) ? `${flag}=${EVERY_ACCOUNT}` : argument,
  );
}

function evaluating(command: Command): Command {
  return command
    .optionsGroup("Input:")
    .option("--var <name=value>", "value of a variable; not for sensitive ones", collect)
    .option("--var-file <file>", "file with values of variables", collect)
    .option("--skip-synth", "use the synthesized stacks as they lie")
    .optionsGroup("Credential store:")
    .option("--store <file>", "where it is (default: .tenancy/credentials.json)")
    .option("--credential-helper <program>", "program that keeps credentials in place of a file");
}

function planning(command: Command): Command {
  return evaluating(command)
    .option("--init-store", "it may be absent although tokens are declared: it is a new one")
    .option("--verify-tokens", "ask the service whether each token in it is still good")
    .option("--reset-passwords", "send passwords of which nothing is remembered")
    .optionsGroup("Selection:")
    .option("--target, --only <address>", "this object alone, with what it depends on", collect)
    .option("--exclude <address>", "not this object, nor what depends on it", collect)
    .option("--parallelism <number>", "requests and writes at once", positiveNumber)
    .optionsGroup("Guards:")
    .option("--max-deletes <number>", "so many records may be deleted", wholeNumber)
    .addOption(
      new Option(
        "--allow-account-deletion [names]",
        "accounts may be deleted: all, or with =NAME,… those named",
      ).argParser(names),
    )
    .option("--allow-nonempty", "also accounts that hold storage, or users of others")
    .option("--allow-self-change", "the credential in use may be deleted or weakened");
}

function applying(command: Command): Command {
  return command
    .option("--auto-approve, --yes", "do not ask")
    .option("--json", "print events as JSON, one a line (Terraform's machine-readable interface)");
}

function aboutTokens(command: Command): Command {
  return evaluating(
    command.option("--stack <name>", "stack whose service and owner are meant, where there are several"),
  );
}

function changingTokens(command: Command): Command {
  return command
    .option("--auto-approve, --yes", "do not ask")
    .option("--allow-self-change", "it may be the token that the run works with");
}

function collect(value: string, earlier: unknown): string[] {
  return [...((earlier as string[] | undefined) ?? []), value];
}

function names(value: string): true | readonly string[] {
  if (value === EVERY_ACCOUNT) return true;
  const given = value.split(",").map((name) => name.trim());
  if (given.includes("")) throw new InvalidArgumentError("A name in it is empty.");
  return given;
}

function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError("It must be a whole number, zero or more.");
  return Number(value);
}

function portNumber(value: string): number {
  const number = wholeNumber(value);
  if (number > 65_535) throw new InvalidArgumentError("It must be at most 65535.");
  return number;
}

function positiveNumber(value: string): number {
  const number = wholeNumber(value);
  if (number === 0) throw new InvalidArgumentError("It must be at least 1.");
  return number;
}
