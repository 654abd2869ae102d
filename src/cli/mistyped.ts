/** Explains the mistake in a command line, and suggests a correct one. */
import type { Command, CommanderError } from "commander";
import { type TenancyError, usage } from "../problems";
import { nearest } from "../lib/values";

/**
 * Terraform's options have one dash. Commander would read `-var` as `-v` with a value, and just print the version.
 * @throws usage
 */
export function refuseSingleDash(argv: readonly string[], program: Command): void {
  const end = argv.indexOf("--");
  for (const argument of end < 0 ? argv : argv.slice(0, end)) {
    const [, name = ""] = /^-([a-z][a-z-]+)(?:=|$)/.exec(argument) ?? [];
    if (name === "" || name === "help" || name === "version") continue;
    const isKnown = optionsOf(program).has(`--${name}`);
    throw usage.error({
      problem: `unknown option '${argument}'`,
      advice: isKnown ? `Write -${argument}.` : seeHelp(argv, program),
    });
  }
}

export function usageError(
  { code, message }: CommanderError,
  argv: readonly string[],
  program: Command,
): TenancyError {
  const [verb = "", topic] = argv;
  if (code === "commander.help") {
    if (verb === "help" && topic !== undefined) return unknownVerb(topic, program);
    return usage.error({
      problem: `a word is missing after \`tenancy ${verb}\``,
      advice: `See tenancy ${verb} --help.`,
    });
  }
  const [problem = "", ...suggestion] = message.replace(/^error: /, "").split("\n");
  const verbProgram = program.commands.find((command) => command.name() === verb);
  // Commander suggests no aliases, such as --auto-approve.
  const [, option = ""] = /^unknown option '(--[^=']+)/.exec(problem) ?? [];
  const near = nearest(option, verbProgram ? optionsOf(verbProgram) : []);
  const suggested =
    near === undefined ? suggestion.join(" ").replace(/^\((.*)\)$/, "$1") : `Did you mean ${near}?`;
  // A verb of other programs means more than a verb of this command that is spelt nearly alike.
  if (code === "commander.unknownCommand" && (suggested === "" || Object.hasOwn(ELSEWHERE, verb)))
    return unknownVerb(verb, program, problem);
  const isEarly = code === "commander.unknownOption" && optionsOf(program).has(verb.replace(/=.*$/s, ""));
  return usage.error({
    problem,
    advice: suggested || (isEarly ? "Write the verb first." : seeHelp(argv, program)),
  });
}

/** Verbs that users of Terraform and CDKTF may look for. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  deploy: "Write tenancy apply.",
  diff: "Write tenancy plan.",
  import: 'Say in the code that it exists already: account.importFrom("<name, id or serial>").',
  refresh: "Nothing is to be refreshed: every plan reads the live service.",
  version: "Write tenancy --version.",
};

function unknownVerb(verb: string, program: Command, problem = `unknown command '${verb}'`): TenancyError {
  const near = nearest(verb, verbsOf(program));
  const elsewhere = Object.hasOwn(ELSEWHERE, verb) ? ELSEWHERE[verb] : undefined;
  const advice = near === undefined ? elsewhere : `Did you mean ${near}?`;
  return usage.error({ problem, advice: advice ?? "See tenancy --help." });
}

function seeHelp([verb = ""]: readonly string[], program: Command): string {
  return verbsOf(program).includes(verb) ? `See tenancy ${verb} --help.` : "See tenancy --help.";
}

function verbsOf(program: Command): readonly string[] {
  return program.commands.map((command) => command.name());
}

/** Long names of the options of all verbs. */
function optionsOf(command: Command): ReadonlySet<string> {
  const own = command.options.flatMap(({ long, short }) =>
    [long, short].filter((name) => name !== undefined),
  );
  return new Set([...own, ...command.commands.flatMap((verb) => [...optionsOf(verb)])]);
}
