/** The chapters of the tutorial, docs/manual/learn, in their order: their commands are run one after the other, and have to print what the pages show. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { built } from "../../support/built-command";
import { LocalRegistry } from "../../support/local-registry";
import { blocksOf, isShownAs, Shell, stepsOf } from "../../support/pages";
import { describeWith } from "../../support/programs";
import { temporaryFolder } from "../../support/temp-folder";

const CHAPTERS = ["docs/manual/learn/tutorial.md", "docs/manual/learn/tutorial-team.md"];

describeWith(["curl"], "whoever follows the tutorial", () => {
  const folder = temporaryFolder();
  let registry: LocalRegistry;
  let simulator: ChildProcess | undefined;

  beforeAll(async () => {
    await built();
    registry = await LocalRegistry.start();
  });
  afterAll(() => registry.close());
  afterEach(() => simulator?.kill());

  test("sees what it shows, from nothing to a team whose pipeline applies what was approved", async () => {
    const port = await freePort();
    const here = (text: string) => text.replaceAll("8080", String(port));
    const shell = new Shell(folder(), registry.environment);
    await shell.run("git config --global user.name jane\ngit config --global user.email jane@acme.example");
    const project = join(folder(), "platform");
    for (const { language, text } of CHAPTERS.flatMap((page) => blocksOf(page))) {
      if (language === "diff") edit(project, text);
      else if (language === "sh") await shell.run(text);
      else
        for (const { command, output } of stepsOf(here(text))) {
          const isService = command.startsWith("npx tenancy simulator ");
          if (command.startsWith("rm -rf ")) await shell.run("(cd platform && npm test)");
          const printed = isService ? await serve(command, project) : await shell.run(`set +e\n${command}`);
          const seen = withoutProgress(printed);
          if (!isShownAs(seen, output)) expect({ command, seen }).toEqual({ command, seen: output });
        }
    }
    expect(existsSync(project)).toBe(false);
  });

  test("finds no block whose language is not run", () => {
    const languages = CHAPTERS.map((page) =>
      [...new Set(blocksOf(page).map(({ language }) => language))].sort(),
    );
    expect(languages).toEqual([
      ["console", "diff"],
      ["console", "diff", "sh"],
    ]);
  });

  /** Starts what goes on in a terminal of its own. @returns what it printed until it was ready */
  async function serve(command: string, project: string): Promise<string> {
    const words = command.replace("npx tenancy ", "").split(" ");
    const program = join(project, "node_modules/.bin/tenancy");
    simulator = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
    const lines: string[] = [];
    for await (const line of createInterface({ input: simulator.stdout as NodeJS.ReadableStream })) {
      lines.push(line);
      if (line.startsWith("TENANCY_PASSWORD=")) break;
    }
    return lines.join("\n");
  }
});

/** Leaves out lines about progress, and the blanks with which Git fills the lines of a hook. */
function withoutProgress(printed: string): string {
  return printed
    .replaceAll(/ +$/gm, "")
    .replaceAll(/^(remote: )?(synthesizing|reading http.*|\[\d+\/\d+\] .*)\n/gm, "");
}

/** Makes the changes of a block of `diff`, whose parts a line of `@@` divides, in the one file of the project that has their lines. */
function edit(project: string, diff: string): void {
  for (const part of diff.split(/^@@\n/m)) {
    const [before, after] = [sideOf(part, "-"), sideOf(part, "+")];
    const places = ["platform.ts", "cdktf.json"].flatMap((name) => {
      const file = join(project, name);
      const pieces = readFileSync(file, "utf8").split(before);
      return pieces.slice(1).map(() => ({ file, text: pieces.join(after) }));
    });
    const [place, another] = places;
    if (place === undefined || another !== undefined)
      throw new Error(`these lines stand in ${places.length} places:\n${before}`);
    writeFileSync(place.file, place.text);
  }
}

/** The lines before a change (`-`), or after it (`+`). */
function sideOf(diff: string, sign: "-" | "+"): string {
  const lines = diff.trimEnd().split("\n");
  return lines
    .filter((line) => line.startsWith(" ") || line.startsWith(sign))
    .map((line) => `${line.slice(1)}\n`)
    .join("");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
