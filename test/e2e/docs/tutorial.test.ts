/** The tutorial, docs/manual/learn/tutorial.md, as it stands there: its commands are run in their order, and have to print what it shows. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { built } from "../../support/built-command";
import { LocalRegistry } from "../../support/local-registry";
import { blocksOf, isShownAs, Shell, stepsOf } from "../../support/pages";
import { describeWith } from "../../support/programs";
import { temporaryFolder } from "../../support/temp-folder";

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

  test("sees what it shows, from nothing to a tenant that has left", async () => {
    const port = await freePort();
    const here = (text: string) => text.replaceAll("8080", String(port));
    const shell = new Shell(folder(), registry.environment);
    const project = join(folder(), "platform");
    const languages = new Set<string>();
    for (const { language, text } of blocksOf("docs/manual/learn/tutorial.md")) {
      languages.add(language);
      if (language === "diff") {
        const file = join(project, "platform.ts");
        writeFileSync(file, edited(readFileSync(file, "utf8"), text));
      } else
        for (const { command, output } of stepsOf(here(text))) {
          const isService = command.startsWith("npx tenancy simulator ");
          const printed = isService ? await serve(command, project) : await shell.run(`set +e\n${command}`);
          const seen = withoutProgress(printed);
          if (!isShownAs(seen, output)) expect({ command, seen }).toEqual({ command, seen: output });
        }
    }
    expect([...languages]).toEqual(["console", "diff"]);
    await shell.run("npm test");
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

/** What a terminal shows only for as long as it lasts. */
function withoutProgress(printed: string): string {
  return printed.replaceAll(/^(synthesizing|reading http.*|\[\d+\/\d+\] .*)\n/gm, "");
}

/** A text with the lines of a block of `diff` changed in the one place where they stand. */
function edited(text: string, diff: string): string {
  const lines = diff.trimEnd().split("\n");
  const side = (sign: string) =>
    lines
      .filter((line) => line.startsWith(" ") || line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  const parts = text.split(side("-"));
  if (parts.length !== 2) throw new Error(`these lines stand in ${parts.length - 1} places:\n${side("-")}`);
  return parts.join(side("+"));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
