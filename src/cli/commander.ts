/** Hands options and further help to commander, which reads the command line. */
import { type Command, Option as CommanderOption } from "commander";
import { type Variable, VARIABLES } from "./help-variables";
import type { Options, VariableFlag } from "./options";

/** The environment variables and the example, which follow the options in a verb's help. */
export function furtherHelp(environment: readonly Variable[], example = ""): string {
  const width = Math.max(0, ...environment.map((variable) => variable.length));
  const lines = environment.map((variable) => `  ${variable.padEnd(width)}  ${VARIABLES[variable]}`);
  return [...(lines.length === 0 ? [] : ["", "Environment:", ...lines]), "", "Example:", `  ${example}`].join(
    "\n",
  );
}

/** Notes values and files in one list. */
export function noteVariables(verb: Command): void {
  for (const option of ["var", "var-file"] as const)
    verb.on(`option:${option}`, (text: string) => {
      const earlier = verb.getOptionValue("variables") as readonly VariableFlag[] | undefined;
      verb.setOptionValue("variables", [...(earlier ?? []), { option, text }]);
    });
}

export function addOptions(verb: Command, options: Options, isMandatory = false): void {
  for (const [name, { argument, about, read, choices, alias, isNegated = false, group }] of Object.entries(
    options,
  )) {
    const flag = `--${isNegated ? "no-" : ""}${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const words = [alias === undefined ? flag : `${alias}, ${flag}`, argument];
    const option = new CommanderOption(words.filter((word) => word !== undefined).join(" "), about);
    if (read !== undefined) option.argParser(read);
    if (choices !== undefined) option.choices(choices);
    if (group !== undefined) option.helpGroup(group);
    verb.addOption(option.makeOptionMandatory(isMandatory).hideHelp(about === ""));
  }
}
