/** Runs the project's app, which writes its stacks to a folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { cancelled, type Diagnostic, InvalidConfiguration, synthesisFailed } from "../../problems";
import {
  type Environment,
  isList,
  isObject,
  parseJson,
  textOf,
  type Value,
  withoutCredentials,
} from "../../lib/values";
import { exists } from "../named-files";
import type { Terminal } from "../terminal";
import type { Project } from "./project";

/** At most so many characters of the app's output are kept. */
const MOST_KEPT = 64_000;

/**
 * @param outdir the folder to write to
 * @throws InvalidConfiguration with the mistake that a construct found; synthesisFailed, cancelled
 */
export async function synthesize(
  project: Project,
  outdir: string,
  { io, folders }: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const manifest = join(outdir, "manifest.json");
  // The output of an earlier run must not pass for the output of this one.
  await rm(manifest, { force: true });
  const failureFile = join(folders.make(), "failure");
  const environment = appEnvironment(project, io.environment);
  const { code, output } = await runApp(
    project,
    { ...environment, CDKTF_OUTDIR: outdir, [FAILURE_FILE]: failureFile },
    signal,
  );
  const mistake = code === 0 ? undefined : await mistakeIn(failureFile, project.folder);
  if (signal.aborted) throw cancelled.error("synthesis");
  if (mistake !== undefined) throw mistake;
  if (code !== 0) {
    throw synthesisFailed.error({
      problem: `the app ended with ${code}`,
      app: project.app,
      advice: LACKS_PACKAGE.test(output)
        ? "Run npm install in the folder of the project: the app needs a package that is not installed."
        : "Fix the app; run by itself, it prints more.",
      output,
    });
  }
  if (!(await exists(manifest))) {
    throw synthesisFailed.error({
      problem: "the app wrote no stacks to the folder that CDKTF_OUTDIR names",
      app: project.app,
      advice: "Let it end with app.synth(), and give `new App()` no `outdir`.",
      output,
    });
  }
}

/** Node's words for a package of every app that is not installed. */
const LACKS_PACKAGE = /Cannot find (?:module|package) '(?:tenancy|cdktf|cdktn|constructs)\b/;

/** The mistake by which a construct ended the app, in the construct's words; undefined if the app failed for another reason. */
async function mistakeIn(file: string, folder: string): Promise<InvalidConfiguration | undefined> {
  const [line = ""] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  let note: Value;
  try {
    note = parseJson(line);
  } catch {
    return undefined;
  }
  // Apps can write any content into this file.
  const members = isObject(note) && isList(note["findings"]) ? note["findings"].filter(isObject) : [];
  const stack = isObject(note) ? textOf(note["stack"]) : undefined;
  const place = stack === undefined ? undefined : ownPlaceIn(stack, folder);
  const findings = members.flatMap((finding): Diagnostic[] => {
    const [code, summary, detail, advice, constructPath] = [
      "code",
      "summary",
      "detail",
      "advice",
      "constructPath",
    ].map((name) => textOf(finding[name]));
    if (code === undefined || summary === undefined || !/^TENANCY_[A-Z_]+$/.test(code)) return [];
    return [
      {
        severity: "error",
        code,
        summary,
        ...(detail !== undefined && { detail }),
        ...(advice !== undefined && { advice }),
        ...(constructPath !== undefined && { constructPath }),
        ...(place !== undefined && { file: place }),
      },
    ];
  });
  return findings.length === 0 ? undefined : new InvalidConfiguration(findings);
}

function runApp(
  project: Project,
  environment: Record<string, string>,
  signal: AbortSignal,
): Promise<{
  /** 0, or how it ended. */
  readonly code: 0 | string;
  readonly output: string;
}> {
  return new Promise((resolve, reject) => {
    const child = spawn(project.app, {
      shell: true,
      cwd: project.folder,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own, so that all that the shell starts can be stopped.
      detached: process.platform !== "win32",
    });
    let output = "";
    const keep = (chunk: string): void => {
      output = (output + chunk).slice(-MOST_KEPT);
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    const stop = (): void => stopGroup(child);
    signal.addEventListener("abort", stop, { once: true });
    child.once("error", (error) =>
      reject(
        synthesisFailed.error({
          problem: `the app cannot be started: ${error.message}`,
          app: project.app,
          advice: "Fix `app` in cdktf.json.",
        }),
      ),
    );
    child.once("close", (code, killedBy) => {
      signal.removeEventListener("abort", stop);
      const end = code === null ? `signal ${killedBy ?? "unknown"}` : `exit code ${code}`;
      resolve({ code: code === 0 ? 0 : end, output: appOutput(output, project.folder) });
    });
  });
}

function stopGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill();
    else process.kill(-child.pid, "SIGTERM");
  } catch {
    // It has ended by itself.
  }
}

/** Names the file in which the app's constructs note the mistake that ends the app. */
const FAILURE_FILE = "TENANCY_APP_FAILURE";

/**
 * The environment of the app command: the run's environment and the variables that CDKTF apps read. It has no credentials, which would end
 * up in the app's output.
 */
function appEnvironment({ context }: Project, environment: Environment): Record<string, string> {
  return {
    // cdktn captures a stack trace for each reference unless it is asked not to, and shows it only where a reference cannot be resolved.
    CDKTN_DISABLE_CREATION_STACK: "1",
    ...withoutCredentials(environment),
    // Errors of annotations are read from the manifest, where they have a place; the app would die of them.
    CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: "true",
    ...(context !== undefined && { CDKTF_CONTEXT_JSON: context }),
  };
}

// The output of a failed app: the place in its author's own code, instead of a stack trace through libraries.

/** The output is shown up to this many lines, and each line up to this many characters. */
const MOST_LINES = 25;
const LONGEST_LINE = 1_000;

const FRAME = /^\s+at (?:.*\()?(?<location>[^()]+?)\)?(?: \{)?$/;
/** The mark below a line of code. Node prints no more than blanks if the mark would be far to the right. */
const CARET_LINE = /^(?:\s*\^+\s*|\s{500,})$/;

/** Lines that npm and Node print around the app's own. */
const NOISE = /^(?:npm (?:warn|notice|error|ERR!)\b|Node\.js v\d)/i;

/** The line of the project's own code that a stack trace leads to; undefined if it leads to none. */
function ownPlaceIn(stack: string, folder: string): string | undefined {
  for (const line of stack.split("\n")) {
    const location = FRAME.exec(line)?.groups?.["location"];
    const own = location === undefined ? undefined : withinProject(location, folder);
    if (own !== undefined) return own;
  }
  return undefined;
}

/** @param folder the project's; places of failures are relative to it */
export function appOutput(printedText: string, folder: string): string {
  const lines: string[] = [];
  let isReported = false;
  for (const line of withoutSourceOfLibraries(printedText.trim().split("\n"))) {
    const location = FRAME.exec(line)?.groups?.["location"];
    if (location === undefined) {
      lines.push(line);
      isReported = false;
      continue;
    }
    const own = isReported ? undefined : withinProject(location, folder);
    if (own !== undefined) {
      lines.push(`in ${own}`);
      isReported = true;
    }
    // Node opens the members of an error behind its last frame.
    if (line.endsWith(" {")) lines.push("{");
  }
  const messages = lines.filter((line) => !NOISE.test(line));
  return messages
    .slice(-MOST_LINES)
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line))
    .join("\n")
    .trim();
}

/** Node prints the line of code that threw. Lines of a library and generated lines do not help users. */
function withoutSourceOfLibraries(lines: readonly string[]): readonly string[] {
  const chunks: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const code = lines[at + 1] ?? "";
    if (CARET_LINE.test(lines[at + 2] ?? "") && (isLibrary(line) || code.length > LONGEST_LINE)) at += 2;
    // A line of a bundle may be longer than the output that is kept: then only its end, or the mark below it, is the beginning.
    else if (CARET_LINE.test(code) && line.length > LONGEST_LINE) at++;
    else if (at === 0 && CARET_LINE.test(line)) continue;
    else chunks.push(line);
  }
  return chunks;
}

function withinProject(location: string, folder: string): string | undefined {
  if (isLibrary(location)) return undefined;
  const file = location.startsWith("file:") ? pathOfUrl(location) : location;
  if (file === undefined || !isAbsolute(file)) return undefined;
  const path = relative(folder, file);
  return path.startsWith("..") || isAbsolute(path) ? undefined : path;
}

function pathOfUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

function isLibrary(location: string): boolean {
  return (
    location.startsWith("node:") ||
    location.split(/[\\/]/).includes("node_modules") ||
    !/[\\/]/.test(location)
  );
}
