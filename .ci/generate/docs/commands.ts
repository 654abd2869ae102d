/**
 * Writes usage, operands, options, environment and example into the pages of the commands, from the table of `src/cli/program.ts`. Two marks enclose
 * the generated text. All other text of a page is written by hand.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command, Option } from "commander";
import { makeProgram, SYNTAX } from "../../../src/cli/program";
import type { Generator } from "../generator";
import details from "./option-details.json";

const root = resolve(__dirname, "../../..");
const FOLDER = "docs/manual/reference/cli";

/** More than the help has room for, in Markdown: by the flag, or by command and flag. */
const DETAILS: Readonly<Record<string, string>> = details;

export const commandPages: Generator = {
  name: "pages of the commands",
  async generate() {
    const program = makeProgram(
      async () => undefined,
      () => undefined,
    );
    const commands = program.commands.filter((command) => command.summary() !== "");
    const flags = commands.flatMap((command) => [command, ...command.commands]).flatMap(keysOf);
    const unknown = Object.keys(DETAILS).filter((key) => !flags.includes(key));
    if (unknown.length > 0) throw new Error(`There is no such option: ${unknown.join(", ")}`);
    return Object.fromEntries(commands.map((command) => [`${FOLDER}/${command.name()}.md`, pageOf(command)]));
  },
};

/** The page as it is, with its generated parts as they have to be. */
function pageOf(command: Command): string {
  const file = join(root, FOLDER, `${command.name()}.md`);
  let page = existsSync(file)
    ? readFileSync(file, "utf8")
    : `# tenancy ${command.name()}\n\n${partOf(command, command.name())}\n`;
  const verbs = command.commands.map((verb) => [verb, `${command.name()} ${verb.name()}`] as const);
  for (const [verb, name] of [[command, command.name()] as const, ...verbs]) {
    const part = partOf(verb, name);
    const [mark = ""] = part.split("\n");
    const start = page.indexOf(`${mark}\n`);
    if (start < 0) page += `\n## tenancy ${name}\n\n${part}\n`;
    else page = page.slice(0, start) + part + page.slice(page.indexOf(END, start) + END.length);
  }
  return page;
}

const END = "<!-- end -->";

/** @param name such as `token list` */
function partOf(command: Command, name: string): string {
  const { example, environment } = SYNTAX[name as keyof typeof SYNTAX] as {
    readonly example?: string;
    readonly environment?: readonly string[];
  };
  const isGroup = command.commands.length > 0;
  const options = command.options.filter((option) => !option.hidden);
  const headings = [...new Set(options.map(headingOf))];
  const parts = [
    `<!-- generated: ${name} -->`,
    command.description(),
    `\`\`\`text\ntenancy ${name} ${command.usage()}\n\`\`\``,
    list(
      command.registeredArguments.map((argument) => {
        const { required, variadic, description } = argument;
        const word = `${argument.name()}${variadic ? "..." : ""}`;
        return `\`${required ? `<${word}>` : `[${word}]`}\`: ${escaped(description)}`;
      }),
    ),
    ...headings.map((heading) => {
      const lines = options.filter((one) => headingOf(one) === heading).map((one) => optionLine(one, name));
      return `**${heading.replace(":", "")}**\n\n${list(lines)}`;
    }),
    environment === undefined || environment.length === 0 || isGroup
      ? ""
      : `**Environment:** ${environment
          .flatMap((names) => names.split(", "))
          .map((one) => `\`${one}\``)
          .join(", ")}. See [Environment](environment.md).`,
    example === undefined ? "" : `**Example**\n\n\`\`\`sh\n${example}\n\`\`\``,
    END,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function optionLine(option: Option, command: string): string {
  const text =
    DETAILS[`${command} ${option.long}`] ?? DETAILS[String(option.long)] ?? escaped(option.description);
  return `\`${option.flags}\`: ${text}`;
}

const keysOf = (command: Command) =>
  command.options.flatMap(({ long }) => [String(long), `${nameOf(command)} ${long}`]);

const headingOf = (option: Option) => option.helpGroupHeading ?? "Options:";

/** With its parent's name before it: `token list`. */
function nameOf(command: Command): string {
  const parent = command.parent?.name();
  return parent === undefined || parent === "tenancy" ? command.name() : `${parent} ${command.name()}`;
}

const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join("\n");

/** Text of the help as Markdown. */
const escaped = (text: string) => text.replaceAll(/[*<]/g, "\\$&");
