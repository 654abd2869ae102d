/** A recording of a plan and an apply at a terminal: the built command, the example, and a simulated service. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { startSimulator } from "../../src/lib/simulator";
import { built, COMMAND } from "../../test/support/built-command";
import { machineEnvironment } from "../../test/support/machine-environment";
import { findProgram } from "../../test/support/programs";
import { animation, type Frame } from "./animation";
import { Terminal } from "./terminal";

/** The example that is shown: a folder of examples. */
export const EXAMPLE = "03-machine-and-token";

const ROOT = resolve(__dirname, "../..");
const COLUMNS = 116;

const QUESTION = 'Type "yes" to confirm: ';

export async function recordedRun(): Promise<string> {
  await built();
  // Inside of the clone, so that the example finds its packages.
  const folder = join(ROOT, ".tenancy", "recording");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(join(ROOT, "examples", EXAMPLE), folder, { recursive: true });
  const service = await startSimulator();
  try {
    const environment = {
      TENANCY_BASE_URL: service.baseUrl,
      TENANCY_USERNAME: service.username,
      TENANCY_PASSWORD: service.password,
    };
    const terminal = new Terminal(COLUMNS);
    const frames: Frame[] = [];
    let lastPrompt = 0;
    for (const verb of ["plan", "apply"]) {
      lastPrompt = terminal.rows.length - 1;
      frames.push(
        ...typed(terminal, `npx tenancy ${verb}`),
        ...printed(terminal, await outputOf(verb, folder, environment)),
      );
      // The first frame is the finished plan: a reader who does not wait sees it.
      if (verb === "plan") frames.splice(0, Infinity, { rows: terminal.rows, seconds: SECONDS_OF_THE_END });
    }
    frames.push({ rows: terminal.rows, seconds: SECONDS_OF_THE_END });
    return animation(frames, {
      title: "A terminal recording of tenancy plan and tenancy apply",
      description:
        "The plan of a tenant with a machine user and a token begins with the access that it grants, and ends with the number of objects to create. The apply shows the plan again, asks, and creates them.",
      columns: COLUMNS,
      // So that the last frame shows the whole apply.
      height: terminal.rows.length - lastPrompt,
    });
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the command in a pseudo terminal, and confirms its question. @returns all that the terminal was sent */
async function outputOf(
  verb: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const script = findProgram("script");
  if (script === undefined) throw new Error("There is no script: it is part of util-linux.");
  const line = `stty cols ${COLUMNS}; exec "${process.execPath}" "${COMMAND}" ${verb}`;
  const child = spawn(script, ["--quiet", "--flush", "--return", "--command", line, "/dev/null"], {
    cwd: folder,
    env: { ...machineEnvironment(), TERM: "xterm-256color", ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (text.endsWith(QUESTION)) child.stdin.write("yes\n");
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`tenancy ${verb} ended with ${code}:\n${output}`);
  return output;
}

/** A prompt, and a command that is typed word by word. */
function typed(terminal: Terminal, command: string): readonly Frame[] {
  terminal.write("\x1b[36m$\x1b[39m");
  const frames = [{ rows: terminal.rows, seconds: 1 }];
  for (const word of command.split(" ")) {
    terminal.write(` ${word}`);
    frames.push({ rows: terminal.rows, seconds: 0.3 });
  }
  terminal.write("\n");
  return frames;
}

const SECONDS_OF_A_STEP = 0.3;
const SECONDS_OF_A_LINE = 0.03;
const SECONDS_OF_THE_END = 3;

/** Frames of an output: one for each state of the line of progress, with time to read what else was printed. */
function printed(terminal: Terminal, output: string): readonly Frame[] {
  const steps = withoutChance(output).split(/(?=\r +\r)|(?<=confirm: )|(?<=confirm: yes)/);
  return steps.map((step) => {
    terminal.write(step);
    return { rows: terminal.rows, seconds: SECONDS_OF_A_STEP + SECONDS_OF_A_LINE * step.split("\n").length };
  });
}

/** Takes away what differs between two runs: the port, and times. */
function withoutChance(output: string): string {
  return output
    .replaceAll(/\r +\r(synthesizing|reading \S+) · \d+ s(?=\r)/g, "")
    .replaceAll(/^((?:\r +\r)?\[\d+\/\d+\]) [^·]*· /gm, "$1 · ")
    .replaceAll(/in \d+\.\d s/g, "in 0.1 s")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "https://storage.example");
}
