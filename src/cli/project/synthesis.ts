/** Runs the project's app, which writes its stacks to the output folder. */
import { spawn, type ChildProcess } from "node:child_process";
import { access, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Cancelled, SynthesisFailed } from "../../errors";
import type { Io } from "../io";
import { appOutput } from "./app-output";
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
 * @throws SynthesisFailed, Cancelled
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
  const { code, output } = await run(project, io, signal);
  if (signal.aborted) throw new Cancelled("synthesis");
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

interface Ended {
  /** 0, or how it ended. */
  readonly code: 0 | string;
  readonly output: string;
}

function run(project: Project, io: Io, signal: AbortSignal): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(project.app, {
      shell: true,
      cwd: project.folder,
      env: appEnvironment(project, io.environment),
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
