/** Runs the project's app, which writes its stacks to the output folder. */
import { spawn, type ChildProcess } from "node:child_process";
import { access, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Cancelled, InvalidConfiguration, SynthesisFailed, type Diagnostic } from "../../errors";
import { isList, isObject, parseJson, type Value } from "../../values";
import type { Io } from "../io";
import { appOutput, ownPlaceIn } from "./app-output";
import { appEnvironment } from "./app-environment";
import type { Project } from "./project";

/** As much of what the app printed is kept, in characters. */
const MOST_KEPT = 64_000;

export interface SynthesisOptions {
  /** Use what is there already. */
  readonly skip: boolean;
  readonly signal: AbortSignal;
}

/** Whether an earlier run of the app left stacks. */
export function isSynthesized(project: Project): Promise<boolean> {
  return exists(join(resolve(project.folder, project.output), "manifest.json"));
}

/**
 * @returns the output folder
 * @throws InvalidConfiguration with the mistake that a construct found; SynthesisFailed, Cancelled
 */
export async function synthesize(
  project: Project,
  io: Io,
  { skip, signal }: SynthesisOptions,
): Promise<string> {
  const folder = resolve(project.folder, project.output);
  const manifest = join(folder, "manifest.json");
  if (skip) {
    if (!(await exists(manifest))) {
      throw new SynthesisFailed(
        `there is nothing in ${project.output} yet`,
        project.app,
        "Leave out --skip-synth.",
      );
    }
    return folder;
  }
  // What an earlier run wrote must not pass for what this one did.
  await rm(manifest, { force: true });
  const notes = await mkdtemp(join(tmpdir(), "tenancy-app-"));
  const failureFile = join(notes, "failure");
  const { code, output } = await run(project, io, signal, failureFile);
  const mistake = code === 0 ? undefined : await mistakeIn(failureFile, project.folder);
  await rm(notes, { recursive: true, force: true });
  if (signal.aborted) throw new Cancelled("synthesis");
  if (mistake !== undefined) throw mistake;
  if (code !== 0) {
    throw new SynthesisFailed(
      `the app ended with ${code}`,
      project.app,
      "Fix the app; run by itself, it prints more.",
      output,
    );
  }
  if (!(await exists(manifest))) {
    throw new SynthesisFailed(
      `the app wrote no stacks to ${project.output}`,
      project.app,
      "Let it end with app.synth().",
      output,
    );
  }
  return folder;
}

/** The mistake that a construct found and that ended the app, as the construct tells it; undefined where it was something else. */
async function mistakeIn(file: string, folder: string): Promise<InvalidConfiguration | undefined> {
  const [line = ""] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  let note: Value;
  try {
    note = parseJson(line);
  } catch {
    return undefined;
  }
  // An app may write there what it likes.
  const found = isObject(note) && isList(note["findings"]) ? note["findings"].filter(isObject) : [];
  const stack = isObject(note) ? text(note["stack"]) : undefined;
  const place = stack === undefined ? undefined : ownPlaceIn(stack, folder);
  const findings = found.flatMap((finding): Diagnostic[] => {
    const [code, summary, detail, advice, constructPath] = [
      "code",
      "summary",
      "detail",
      "advice",
      "constructPath",
    ].map((name) => text(finding[name]));
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

function text(value: Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

interface Ended {
  /** 0, or how it ended. */
  readonly code: 0 | string;
  readonly output: string;
}

function run(project: Project, io: Io, signal: AbortSignal, failureFile: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(project.app, {
      shell: true,
      cwd: project.folder,
      env: appEnvironment(project, io.environment, failureFile),
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
        new SynthesisFailed(
          `the app cannot be started: ${error.message}`,
          project.app,
          "Fix `app` in cdktf.json.",
        ),
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

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
