/** A job of a pipeline that holds the credentials of one stack: its checks before the first request, and its artifacts. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type PlanOptions, snapshotRecords, type StackSource, takeSnapshot } from "../../../engine";
import { projectPaths, readArchive, snapshotFile } from "../../../pipeline";
import { brokenSnapshot, snapshotKeyUnfit, unfitPipeline } from "../../../problems";
import { stackOptions } from "../../flags";
import type { Io } from "../../io";
import { replaceNamedFile, unwritable } from "../../named-files";
import { shownOn } from "../../terminal";
import { type TrustedJob, workflowStacks } from "./job";
import { layOut } from "./lay-out";

export interface StackJob extends TrustedJob {
  /** The stack, as the job without secrets has synthesized it. */
  readonly source: StackSource;
  /** Names of all stacks of the pipeline, in their order. */
  readonly stacks: readonly string[];
  readonly options: PlanOptions;
}

/**
 * Makes every check that must pass before the first request to a service, takes the stacks, and does the work.
 * @throws unfitPipeline, hostFailed, unfitArchive, pipelineGitFailed
 */
export async function withStack<T>(
  trusted: TrustedJob,
  stack: string,
  work: (job: StackJob) => Promise<T>,
): Promise<T> {
  const { terminal, host, repository, signal } = trusted;
  const { environment } = terminal.io;
  for (const variable of ["TENANCY_ALLOWED_ORIGINS", "TENANCY_STATE_KEY", "TENANCY_SNAPSHOT_KEY"])
    if ((environment[variable] ?? "") === "")
      throw unfitPipeline.error({
        problem: `${variable} is not set`,
        advice: `Set it in the environment of the job that the host has for ${stack}.`,
      });
  if (environment["TENANCY_STATE"]?.startsWith("git:") !== true)
    throw unfitPipeline.error({
      problem: "TENANCY_STATE is no branch, and a file would be lost with this job",
      advice: "`tenancy ci init` writes it into the pipeline.",
    });
  const stacks = workflowStacks(terminal.io);
  if (!stacks.includes(stack))
    throw unfitPipeline.error({
      problem: `TENANCY_STACKS does not contain the stack ${stack}`,
      advice: "`tenancy ci init` writes all stacks into the pipeline.",
    });
  await repository.requireWhole();
  const folder = terminal.folders.make();
  const archive = readArchive(await host.ownArchive(), "the archive of this run");
  const project = join(folder, "project");
  await layOut(trusted, archive, host.run.commit, project);
  const options = stackOptions({}, terminal.io);
  // The clone of a pipeline has seen no version of the state: the newest snapshot says which ones there were.
  const snapshot = await readableSnapshot(trusted, stack, folder);
  return await work({
    ...{ ...trusted, stacks },
    source: { name: stack, outdir: join(project, archive.output) },
    options: {
      ...options,
      ...(snapshot !== undefined && { state: { ...options.state, seenIn: { file: snapshot } } }),
      allowFiles: [project],
      environment: repository.environment,
      signal,
      ...shownOn(terminal.screen),
    },
  });
}

/**
 * The file of the newest snapshot.
 * @returns undefined where there is none, or it cannot be read: a new key or a new release must not keep the stack from its next snapshot
 */
async function readableSnapshot(
  { host, terminal: { io, screen } }: TrustedJob,
  stack: string,
  folder: string,
): Promise<string | undefined> {
  const snapshot = await host.newestSnapshot(stack);
  if (snapshot === undefined) return undefined;
  const file = join(folder, "newest", snapshotFile(stack));
  await mkdir(dirname(file));
  await writeFile(file, snapshot, { mode: 0o600 });
  try {
    // A state has the versions that it had then, however long ago that was.
    await snapshotRecords({ file, maxAge: "36500d" }, { environment: io.environment });
    return file;
  } catch (error) {
    if (!snapshotKeyUnfit.is(error) && !brokenSnapshot.is(error)) throw error;
    screen.tell(
      `The newest snapshot of ${stack} does not show whether the state is an earlier version: ${error.message} This run leaves a new snapshot.`,
    );
    return undefined;
  }
}

/**
 * The tip of the default branch as it is now.
 * @returns `later`: a commit after the job's own that concerns the project; undefined if there is none
 * @throws unfitPipeline if the job's own commit is not on the branch any more
 */
export async function standingOf({ repository, host, defaultBranch, place }: StackJob) {
  const { commit } = host.run;
  const tip = await repository.fetch(`refs/heads/${defaultBranch}`);
  if (!(await repository.isAncestor(commit, tip)))
    throw unfitPipeline.error({
      problem: `the commit ${commit} is not on the branch ${defaultBranch} any more`,
      advice: "Nothing was sent. The run of the branch's newest commit will apply.",
    });
  return { tip, later: await repository.laterCommit(commit, tip, projectPaths(place)) };
}

/** Takes the snapshot that reviews plan from, and leaves it in the folder. */
export async function keepSnapshot({ source, options, terminal }: StackJob, folder: string): Promise<void> {
  const text = await takeSnapshot([source], options);
  await makeFolder(folder, terminal.io);
  await replaceNamedFile(join(folder, snapshotFile(source.name)), text, terminal.io, 0o600);
}

/** @throws fileUnusable */
export async function makeFolder(folder: string, io: Io): Promise<void> {
  await mkdir(resolve(io.folder, folder), { recursive: true }).catch((error: unknown) => {
    throw unwritable(folder, error);
  });
}

/** The host's name for the job of a stack. */
export function jobName({ host, place }: StackJob, verb: "apply" | "ended", stack: string): string {
  return host.kind === "github" ? `${verb} (${stack})` : `${place.prefix}tenancy-${verb}-${stack}`;
}
