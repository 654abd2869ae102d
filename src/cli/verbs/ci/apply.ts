/** `tenancy ci apply`: applies one stack after a merge, and nothing that the default branch does not say any more. */
import { apply as applyPlan, close, plan as makePlan, stateStatus, unlockState } from "../../../engine";
import { type Approval, type Plan, strictest, unapprovedDescent } from "../../../plan";
import { ApprovalNeeded, unfitPipeline } from "../../../problems";
import { approvalsAt, pipelineOf } from "../../../pipeline";
import { requiredLevel } from "../../approvals";
import { EXIT, type ExitCode, type Io } from "../../io";
import { screenOf } from "../../terminal";
import { reporterForPeople } from "../reporter";
import type { Verb } from "../verb";
import { inTrustedJob } from "./job";
import { jobName, keepSnapshot, type StackJob, standingOf, withStack } from "./stack-job";

/** Runs of one stack wait for each other so long, since no rule of the host makes them. */
const LOCK_TIMEOUT = "30m";

export const applyInPipeline: Verb<"ci apply"> = async ({ operands, flags }, terminal) => {
  const [stack = ""] = operands;
  const isEnded = flags.ended === true;
  const { TENANCY_USERNAME: user = "", TENANCY_TOKEN: token = "" } = terminal.io.environment;
  if (isEnded && user === "" && token === "") {
    terminal.screen.tell("No user is set here: the next apply will remove expired access.");
    return EXIT.ok;
  }
  return inTrustedJob(terminal, (trusted) =>
    withStack(trusted, stack, async (job) => {
      if ((await currentTip(job)) === undefined) return EXIT.ok;
      if (!isEnded) await requireEarlierStacks(job);
      await endRunThatIsOver(job);
      const { code, log } = await applyStack(job, isEnded);
      if (isEnded) return code;
      // After a failure, too: reviews plan from the live records.
      const isKept = flags.out === undefined || (await leftSnapshot(job, flags.out));
      await tellMergedPullRequest(job, code, log);
      return isKept ? code : EXIT.failed;
    }),
  );
};

/** The tip of the default branch; undefined, with a message, if a later commit concerns the project: the run of that commit applies. */
async function currentTip(job: StackJob): Promise<string | undefined> {
  const { tip, later } = await standingOf(job);
  if (later !== undefined)
    job.terminal.screen.tell(`Superseded by ${later}. Nothing was sent: the run of that commit applies.`);
  return later === undefined ? tip : undefined;
}

/** Hosts promise no order in which the jobs of a run end. */
async function requireEarlierStacks(job: StackJob): Promise<void> {
  const { stacks, source, host } = job;
  const earlier = stacks.slice(0, stacks.indexOf(source.name));
  if (earlier.length === 0) return;
  const outcomes = await host.jobs();
  const open = earlier.find((stack) => outcomes.get(jobName(job, "apply", stack)) !== "success");
  if (open !== undefined)
    throw unfitPipeline.error({
      problem: `${open} comes before ${source.name}, and its job in this run has not succeeded`,
      advice: "Nothing was sent. Run the failed jobs again.",
    });
}

/** A runner that died left its run open in the state. Its tokens count as possibly created from then on. */
async function endRunThatIsOver({ source, options, host, terminal }: StackJob): Promise<void> {
  const { holder } = await stateStatus(source, options);
  const [kind, run, attempt] = holder?.pipeline?.split(" ") ?? [];
  if (holder?.run === undefined || kind !== host.kind || run === undefined) return;
  const own = pipelineOf(terminal.io.environment)?.split(" ") ?? [];
  // An attempt of this very run begins when the one before is over.
  const isOver = run === own[1] ? Number(attempt) < Number(own[2]) : await host.isRunOver(run);
  if (!isOver) return;
  await unlockState(source, holder.run, options);
  terminal.screen.tell(
    `Ended the run ${holder.run} of the state: its pipeline's run ${run} is over. The plan lists the tokens that it may have created.`,
  );
}

/** @returns the exit code, and the output */
async function applyStack(job: StackJob, isEnded: boolean): Promise<{ code: ExitCode; log: string }> {
  const { io } = job.terminal;
  let log = "";
  const both = {
    write(text: string) {
      log += text;
      io.stdout.write(text);
    },
  };
  const noting = Object.create(io, { stdout: { value: both }, stderr: { value: both } }) as Io;
  const code = await applyShown(
    { ...job, terminal: { ...job.terminal, io: noting, screen: screenOf(noting, false) } },
    isEnded,
  );
  return { code, log };
}

async function applyShown(job: StackJob, isEnded: boolean): Promise<ExitCode> {
  const { terminal, host, source, options, repository, place, signal } = job;
  const reporter = reporterForPeople(terminal);
  let plan: Plan | undefined;
  try {
    const locked = { lockState: true, lockTimeout: LOCK_TIMEOUT, verifyTokens: true };
    // A run that only ends expired access does not count as an apply of the commit.
    const state = { ...options.state, ...(!isEnded && { commit: host.run.commit }) };
    plan = await makePlan(source, { ...options, ...locked, state, onlyEnded: isEnded, ...reporter.progress });
    reporter.planned(plan);
    // The branch may have moved on while this run waited for the state.
    const tip = await currentTip(job);
    if (tip === undefined) return EXIT.ok;
    const approvals = await approvalsAt(repository, tip, place, new Date());
    await requireDescent(job, plan, approvals);
    const result = await applyPlan(plan, {
      signal,
      onEvent: reporter.event,
      requireApproval: isEnded ? "never" : strictest(["broadening", await requiredLevel({}, terminal.io)]),
      approvals,
    });
    reporter.applied({ result, destroy: false, next: "run this job again" });
    return result.ok ? EXIT.ok : EXIT.failed;
  } catch (error) {
    if (error instanceof ApprovalNeeded) {
      reporter.unapproved(error);
      return EXIT.unapproved;
    }
    reporter.failed(error);
    return EXIT.failed;
  } finally {
    if (plan !== undefined) await close(plan);
  }
}

/**
 * The second guard after the check of the tip: if the default branch was rewritten, the last applied commit is not an ancestor of this commit.
 * @throws ApprovalNeeded unless an approval says `continues: COMMIT`
 */
async function requireDescent(
  { source, options, repository, host }: StackJob,
  plan: Plan,
  approvals: readonly Approval[],
): Promise<void> {
  const { commit } = await stateStatus(source, options);
  if (commit === null || (await repository.isAncestor(commit, host.run.commit))) return;
  const target = plan.targets.find(
    ({ origin }) =>
      !approvals.some(
        (one) => one.stack === source.name && one.service === origin && one.continues === commit,
      ),
  );
  if (target !== undefined)
    throw unapprovedDescent({ stack: source.name, service: target.origin }, commit, new Date());
}

/** @returns false, after a message, if the snapshot could not be taken or kept */
async function leftSnapshot(job: StackJob, folder: string): Promise<boolean> {
  try {
    await keepSnapshot(job, folder);
    return true;
  } catch (error) {
    reporterForPeople(job.terminal).failed(error);
    return false;
  }
}

const MOST_LINES = 200;
const MOST_CHARACTERS = 30_000;

/** The apply stays valid even if the host refuses the comment: the result is in the log. */
async function tellMergedPullRequest(
  { host, source, terminal }: StackJob,
  code: ExitCode,
  log: string,
): Promise<void> {
  const outcome =
    code === EXIT.ok ? "success" : code === EXIT.unapproved ? "an approval is missing" : "failure";
  // A block that is indented has no end that a name could bring about. The end of the text has the summary.
  const lines = log.trimEnd().split("\n").slice(-MOST_LINES).join("\n").slice(-MOST_CHARACTERS).split("\n");
  const text = [
    `Apply of \`${source.name}\`: ${outcome} ([run](${host.run.url}))`,
    "",
    ...lines.map((line) => `    ${line}`),
  ];
  try {
    const number = await host.mergedPullRequest(host.run.commit);
    if (number !== undefined) await host.addComment(number, `${text.join("\n")}\n`);
  } catch (error) {
    reporterForPeople(terminal).failed(error);
    terminal.screen.tell("The merged pull request got no comment; the result above is valid.");
  }
}
