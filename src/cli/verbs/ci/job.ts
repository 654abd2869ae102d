/** The beginning of every verb of `tenancy ci`: guarded output and, in a trusted job, the host, the clone and the default branch's tip. */
import { name, version } from "../../../../package.json";
import {
  type Host,
  hostOf,
  type Place,
  Repository,
  repositoryOf,
  requireLockedVersion,
  withGuardedOutput,
} from "../../../pipeline";
import { unfitPipeline } from "../../../problems";
import { failureText } from "../../failure";
import { EXIT, type ExitCode, type Io } from "../../io";
import { interruptible, screenOf, type Terminal } from "../../terminal";

/**
 * Runs a verb of a pipeline. Everything that it prints goes to standard output, between marks that switch the host's commands off; so
 * do the errors that it throws.
 */
export async function inPipeline(
  { io, folders }: Terminal,
  work: (terminal: Terminal, signal: AbortSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withGuardedOutput(io.stdout, io.environment, async (sink) => {
    // The log is read later: the job has no terminal and cannot ask questions.
    const guardedIo: Io = Object.create(io, { stdout: { value: sink }, stderr: { value: sink } }) as Io;
    const terminal = { io: guardedIo, screen: screenOf(guardedIo, false), folders };
    try {
      return await interruptible(terminal, async (signal) => work(terminal, signal));
    } catch (error) {
      terminal.screen.tell(failureText(error, guardedIo, terminal.screen.talk));
      return EXIT.failed;
    }
  });
}

/** A job that holds secrets, in a clone of the default branch. */
export interface TrustedJob {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly host: Host;
  readonly repository: Repository;
  /** The project's place in the repository. */
  readonly place: Place;
  readonly defaultBranch: string;
  /** The newest commit of the default branch. */
  readonly tip: string;
}

/**
 * Runs a verb of a trusted job.
 * @throws unfitPipeline in a public repository, unless TENANCY_PUBLIC allows it; where the lock file of the default branch names another
 * version of this command
 */
export async function inTrustedJob(
  terminal: Terminal,
  work: (job: TrustedJob) => Promise<ExitCode>,
): Promise<ExitCode> {
  return inPipeline(terminal, async (jobTerminal, signal) => {
    const { folder, environment } = jobTerminal.io;
    const { place } = await repositoryOf(folder);
    const host = hostOf(environment, place, signal);
    try {
      const { defaultBranch, isPublic } = await host.project();
      if (isPublic && environment["TENANCY_PUBLIC"] !== "true")
        throw unfitPipeline.error({
          problem:
            "this repository is public, or hides its visibility, and the artifacts of a public one are public, too",
          advice: "To allow that, set TENANCY_PUBLIC to true in the pipeline.",
        });
      const repository = new Repository(folder, environment, host);
      const tip = await repository.fetch(`refs/heads/${defaultBranch}`);
      await requireLockedVersion(repository, tip, place, { name, version });
      return await work({ terminal: jobTerminal, signal, host, repository, place, defaultBranch, tip });
    } finally {
      await host.close();
    }
  });
}

/**
 * The stacks that the workflow names, in the order in which it applies them. The workflow is protected; the output of an app has no influence.
 * @throws unfitPipeline
 */
export function workflowStacks({ environment }: Io): readonly string[] {
  const names = (environment["TENANCY_STACKS"] ?? "").split(/[\s,]+/).filter((one) => one !== "");
  if (names.length === 0)
    throw unfitPipeline.error({
      problem: "TENANCY_STACKS is not set: it lists the stacks of this pipeline, in their order",
      advice: "Write it into the workflow, such as `TENANCY_STACKS: staging production`.",
    });
  return names;
}
