/** Options that several verbs share. Each function adds a group of them to a verb. */
import { type Command, Option } from "commander";
import { collect, names, positiveNumber, wholeNumber } from "./arguments";
import type { VariableFlag } from "./flags";

export const REQUIRE_APPROVAL = "--require-approval <level>";
export const LEVELS =
  "broadening (what lets somebody do more) or access (all that bears on access, and every delete)";

export const RETIRE_EARLY =
  "allow rotations that revoke an earlier token before its retain_previous_for is over";

/** A verb that evaluates what the app declares now. */
export function evaluating(command: Command): Command {
  return input(command, ["--skip-synth", "use the stacks already synthesized, without running the app"]);
}

/** A verb that can use a stack which was synthesized earlier, as Terraform's verbs of this kind read its state. */
export function readingWhatLies(command: Command): Command {
  return input(command, ["--synth", "run the app first; default: only if there are no stacks yet"]);
}

function input(command: Command, [synthesis, description]: readonly [string, string]): Command {
  // Values and files are noted in one list, since the later one wins.
  const note = (option: VariableFlag["option"]) => (text: string) => {
    const earlier = command.getOptionValue("variables") as readonly VariableFlag[] | undefined;
    command.setOptionValue("variables", [...(earlier ?? []), { option, text }]);
  };
  return command
    .on("option:var", note("var"))
    .on("option:var-file", note("var-file"))
    .optionsGroup("Input:")
    .option("--var <name=value>", "set a variable; not allowed for sensitive ones")
    .option("--var-file <file>", "read variables from this file")
    .option("--allow-files <dir>", "let stacks read files in this folder, outside of the project", collect)
    .option(synthesis, description)
    .optionsGroup("Credential store:")
    .option("--store <file>", "path of the store (default: .tenancy/credentials.json)")
    .option("--credential-helper <program>", "program that keeps the credentials instead of a file");
}

/** A verb that plans. What is added here, and the engine takes by the same name, is named in `HANDED_ON` (src/cli/flags.ts). */
export function planning(command: Command): Command {
  return encrypting(evaluating(showingAll(command)))
    .option("--init-store", "mint tokens that a lost store may know: their users exist already")
    .option("--verify-tokens", "ask the service whether each token in the store is still valid")
    .option("--reset-passwords", "send passwords that the store has no record of")
    .option("--send-unseen", "send values that the service does not show and the store has no record of")
    .optionsGroup("Selection:")
    .option(
      "--target, --only <address>",
      "plan only this object and what it depends on; a login or an account's name will do",
      collect,
    )
    .option("--exclude <address>", "leave out this object and everything that depends on it", collect)
    .option("--no-prune", "delete nothing that is only no longer declared: list it")
    .option(
      "--parallelism <number>",
      "maximum number of requests, and of writes, at the same time",
      positiveNumber,
    )
    .optionsGroup("Guards:")
    .option("--max-deletes <number>", "maximum number of records to delete", wholeNumber)
    .addOption(
      new Option(
        "--allow-account-deletion [names]",
        "allow accounts to be deleted: all, or with =NAME,… only those named",
      ).argParser(names),
    )
    .option("--allow-nonempty", "also delete accounts that hold storage or other owners' users")
    .option("--allow-self-change", "allow changes that delete or weaken the credential in use")
    .option("--retire-early", RETIRE_EARLY)
    .option(REQUIRE_APPROVAL, `demand approval of never, ${LEVELS}`);
}

export function showingAll(command: Command): Command {
  return command.option("--all", "show everything by itself: nothing is grouped or cut");
}

export function applying(command: Command): Command {
  return command
    .option("--auto-approve, --yes", "do not ask")
    .option("--json", "print events as JSON, one per line (Terraform's machine-readable UI)")
    .addOption(new Option("--live [file]").hideHelp()); // Refused, with the reason.
}

/** A verb that can read a snapshot in place of the service. */
export function fromSnapshot(description: string, command: Command): Command {
  return command
    .option("--live <file>", description)
    .option("--max-age <duration>", "how old the snapshot may be, such as 30m or 7d (default: 48h)");
}

/** A verb that can write what it shows into files (src/cli/documents.ts). */
export function documenting(command: Command): Command {
  return command
    .option("--markdown <file>", "write Markdown for a comment on a pull request; - for stdout")
    .option("--markdown-limit <number>", "most characters of the Markdown; default: 65000", wholeNumber)
    .option(
      "--markdown-marker <path>",
      "path in the hidden marker that it begins with; default: this folder's in the repository",
    )
    .option("--html <file>", "write a page for a browser, which asks nobody for anything; - for stdout");
}

export function encrypting(command: Command): Command {
  return command.option("--encrypt-store", "encrypt a store that is plain, after TENANCY_STORE_KEY was set");
}

export function changingTokens(command: Command): Command {
  return command
    .option("--auto-approve, --yes", "do not ask")
    .option("--allow-self-change", "allow this even for the token that the run itself uses");
}
