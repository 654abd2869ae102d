/** Runs the project's app, which writes its stacks to the output folder. */
import { spawn, type ChildProcess } from "node:child_process";
import { access, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Cancelled, SynthesisFailed } from "../../errors";
import type { Io } from "../io";
import { appEnvironment } from "./app-environment";
import type { Project } from "./project";

/** As much of what the app printed is shown when it fails. */
const TAIL = { characters: 8_000, lines: 25 };

export interface SynthesisOptions {
  /** Use what is there already. */
  readonly skip: boolean;
  readonly signal: AbortSignal;
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
        `there is nothing in ${project.output} yet; leave out --skip-synth`,
        project.app,
      );
    }
    return folder;
  }
  // What an earlier run wrote must not pass for what this one did.
  await rm(manifest, { force: true });
  const { code, output } = await run(project, io, signal);
  if (signal.aborted) throw new Cancelled("synthesis");
  if (code !== 0) throw new SynthesisFailed(`the app ended with ${code}`, project.app, output);
  if (!(await exists(manifest))) {
    throw new SynthesisFailed(
      `the app wrote no stacks to ${project.output}; does it call app.synth()?`,
      project.app,
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
      output = (output + chunk).slice(-TAIL.characters);
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    const stop = (): void => stopGroup(child);
    signal.addEventListener("abort", stop, { once: true });
    child.once("error", (error) =>
      reject(new SynthesisFailed(`the app cannot be started: ${error.message}`, project.app)),
    );
    child.once("close", (code, killedBy) => {
      signal.removeEventListener("abort", stop);
      const end = code === null ? `signal ${killedBy ?? "unknown"}` : `exit code ${code}`;
      resolve({ code: code === 0 ? 0 : end, output: tail(output) });
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

function tail(output: string): string {
  return output.trim().split("\n").slice(-TAIL.lines).join("\n");
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
