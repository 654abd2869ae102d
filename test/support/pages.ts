/** Pages of the documentation whose commands are run: their blocks of code by section, and a shell in which they follow each other. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Ended, run } from "./built-command";

const root = resolve(__dirname, "../..");

/** A block of code in a page. */
export interface Block {
  /** The heading above it. */
  readonly section: string;
  /** As the fence says: `sh`, `console`, `ts`, `diff` … */
  readonly language: string;
  /** Without the fence, and without the fence's indentation. */
  readonly text: string;
}

/**
 * @param path from the top of the project
 * @throws Error for a fence that it does not understand: nobody would run what stands in it
 */
export function blocksOf(path: string): readonly Block[] {
  const blocks: Block[] = [];
  let section = "";
  let open: { readonly indent: number; readonly language: string; readonly lines: string[] } | undefined;
  for (const line of readFileSync(resolve(root, path), "utf8").split("\n")) {
    const isFence = line.trim().startsWith("```");
    const [fence, indent = "", language = ""] = /^( *)```(\w*)$/.exec(line) ?? [];
    if (isFence && fence === undefined)
      throw new Error(`${path}: no fence of a block with commands: ${line}`);
    if (open !== undefined && isFence) {
      blocks.push({ section, language: open.language, text: `${open.lines.join("\n")}\n` });
      open = undefined;
    } else if (open !== undefined) open.lines.push(line.slice(open.indent));
    else if (isFence) open = { indent: indent.length, language, lines: [] };
    else section = /^#+ (.*)$/.exec(line)?.[1] ?? section;
  }
  if (open !== undefined) throw new Error(`${path}: the last block has no end`);
  return blocks;
}

/** One user's shell: what one script changes of folder and environment, the next one finds. */
export class Shell {
  readonly #state: string;

  /** @param folder an empty one, which is the home as well as the place to begin */
  constructor(
    readonly folder: string,
    readonly environment: Readonly<Record<string, string | undefined>>,
  ) {
    this.#state = join(folder, ".shell");
  }

  /**
   * Runs a script up to its first failure.
   * @returns all that it printed, in the order in which it was printed
   * @throws Error where a command of it fails
   */
  async run(script: string): Promise<string> {
    const before = existsSync(this.#state) ? `. ${quoted(this.#state)}\n` : "";
    const after = `\ncode=$?\nexport -p > ${quoted(this.#state)}\nprintf 'cd %q\\n' "$PWD" >> ${quoted(this.#state)}\nexit $code\n`;
    const words = ["--noprofile", "--norc", "-eo", "pipefail", "-c", `exec 2>&1\n${before}${script}${after}`];
    const environment = { HOME: this.folder, ...this.environment };
    const ended: Ended = await run("bash", words, { folder: this.folder, environment });
    if (ended.code !== 0)
      throw new Error(`this ended with ${ended.code}:\n${script}\nIt printed:\n${ended.stdout}`);
    return ended.stdout;
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A command of a block of `console`, and what the page shows of its output. */
export interface Step {
  readonly command: string;
  readonly output: string;
}

/** @param text of a block in which commands stand behind `$ `, and go on where a line ends with a backslash */
export function stepsOf(text: string): readonly Step[] {
  return text.split(/^\$ /m).flatMap((part) => {
    const [, command = "", output = ""] = /^((?:.*\\\n)*.*)\n([^]*)$/.exec(part) ?? [];
    return command === "" ? [] : [{ command, output }];
  });
}

/**
 * True if a page shows this output, blank lines around it apart.
 * @param shown a line of nothing but `…` stands for any lines, or none; `…` inside a line for the rest of what is in it
 */
export function isShownAs(printed: string, shown: string): boolean {
  const anyLines = "(?:.*\\n)*";
  const lines = shown
    .trim()
    .split("\n")
    .map((line) => (line === "…" ? anyLines : `${line.split("…").map(escaped).join(".*")}\\n`));
  return new RegExp(`^${lines.join("")}$`).test(`${printed.trim()}\n`);
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
