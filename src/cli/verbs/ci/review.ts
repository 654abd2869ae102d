/**
 * `tenancy ci review`: plans a pull request from the newest snapshots, comments on it, and sets the status that the default branch requires. Nothing
 * of the pull request is installed or run: its stacks come as one document of texts, everything else from Git. No state and no service is asked.
 */
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { close, plan as makePlan, refusedPlan } from "../../../engine";
import { approvalNeeds, isApproved } from "../../../plan";
import {
  approvalsAt,
  type HostStatus,
  type PackedStacks,
  type PullRequestBuild,
  readArchive,
  snapshotFile,
} from "../../../pipeline";
import { unfitArchive } from "../../../problems";
import { html } from "../../../render/html";
import { hiddenMarker, markdown } from "../../../render/markdown";
import { failureView, planView, type View } from "../../../render/view";
import { type Demand, judgedBy, requiredLevel } from "../../approvals";
import { diagnosticsOf, failureText } from "../../failure";
import { EXIT } from "../../io";
import { unwritable } from "../../named-files";
import { shownOn } from "../../terminal";
import type { Verb } from "../verb";
import { inTrustedJob, type TrustedJob, workflowStacks } from "./job";
import { layOut } from "./lay-out";

/** Characters of a comment; the text below the plans has room, too. */
const COMMENT_LIMIT = 60_000;
/** A host makes the merge commit in the background: how often it is looked for, and the time between, in milliseconds. */
const MERGE_LOOKS = 5;
const MERGE_PAUSE_MS = 2_000;

const CLAIM =
  "This plan is only as reliable as the job that ran the pull request's code: an author of that code can forge its output. The apply plans again, and demands the same approvals.";

export const review: Verb<"ci review"> = ({ flags }, terminal) =>
  inTrustedJob(terminal, async (job) => {
    const { io, screen } = job.terminal;
    workflowStacks(io);
    let isWhole = true;
    for (const build of await job.host.builds()) {
      try {
        await reviewBuild(job, build, flags.pages);
      } catch (error) {
        isWhole = false;
        screen.tell(failureText(error, io, screen.talk));
        // The commit must not keep an earlier green status after any failure.
        await job.host
          .setStatus(build, { state: "failure", text: "The review itself has failed" })
          .catch((failure: unknown) => screen.tell(failureText(failure, io, screen.talk)));
      }
    }
    return isWhole ? EXIT.ok : EXIT.failed;
  });

async function reviewBuild(
  job: TrustedJob,
  build: PullRequestBuild,
  pages: string | undefined,
): Promise<void> {
  const { host, repository, place, defaultBranch, terminal } = job;
  const { screen } = terminal;
  const red = (text: string) => host.setStatus(build, { state: "failure", text });

  // Another pull request with the same last commit has the same head, and its own workflow run. The two archives cannot be distinguished.
  const pulls = await host.pullRequestsOf(build);
  const [pull, second] = pulls.filter((one) => one.isOpen && one.baseBranch === defaultBranch);
  if (pull === undefined) {
    screen.print(
      `No open pull request into ${defaultBranch} ends with ${build.head}: there is nothing to review.`,
    );
    return;
  }
  if (second !== undefined || pulls.some(({ baseBranch }) => baseBranch !== defaultBranch))
    return red("Another pull request has the same last commit; push a new one");

  const merge = await mergeCommit(job, build, pull.number);
  if (merge === undefined) return red(`It cannot be merged into ${defaultBranch} at present`);
  const [base = "", head] = await repository.parents(merge);
  if (head !== build.head) {
    screen.print(`#${pull.number} has moved on from ${build.head}: its next run is reviewed.`);
    return;
  }
  if (place.path !== "." && !(await repository.differ(base, merge, jobPaths(job))))
    return host.setStatus(build, { state: "success", text: "Nothing of this project is changed" });

  const { status, comment, views } = await judged(job, build, merge);
  if (pages !== undefined) await writePages(views, pages, job, pull.number);

  // A push may have come in during the review: then the next run decides.
  const now = await host.pullRequest(pull.number);
  if (now.head !== build.head || !now.isOpen || now.baseBranch !== defaultBranch) {
    screen.print(`#${pull.number} has changed during the review: nothing is said of ${build.head}.`);
    return;
  }
  await host.keepComment(pull.number, hiddenMarker(place.path), comment);
  await host.setStatus(build, status);
  await addToSummary(comment, job);
  screen.print(`#${pull.number}: ${status.text} (${status.state}).`);
}

/** Paths of files that belong to the project. */
function jobPaths({ place, host }: TrustedJob): readonly string[] {
  const files =
    host.kind === "github"
      ? ["tenancy-pull-request.yml", "tenancy.yml"].map((file) => `.github/workflows/${place.prefix}${file}`)
      : [`.gitlab/${place.prefix}tenancy.yml`, ".gitlab-ci.yml"];
  return [place.path, ...files];
}

/** @returns the commit that the pull request would be merged as, by its head; undefined if it cannot be merged */
async function mergeCommit(
  { host, repository, signal }: TrustedJob,
  build: PullRequestBuild,
  number: number,
): Promise<string | undefined> {
  for (let look = 1; ; look++) {
    const ref = await host.mergeRef(number);
    if (ref === undefined) return undefined;
    const commit = await repository.fetch(ref);
    if (look === MERGE_LOOKS || (await repository.parents(commit))[1] === build.head) return commit;
    if ((await host.pullRequest(number)).head !== build.head) return commit;
    await pause(MERGE_PAUSE_MS, undefined, { signal });
  }
}

// The plan of each stack, and its result.

interface StackReview {
  readonly stack: string;
  readonly view: View;
  readonly page: View;
  readonly outcome: "planned" | "unapproved" | "refused";
}

async function judged(
  job: TrustedJob,
  build: PullRequestBuild,
  merge: string,
): Promise<{
  readonly status: HostStatus;
  readonly comment: string;
  readonly views: readonly StackReview[];
}> {
  const { host, place, terminal } = job;
  const marker = hiddenMarker(place.path);
  if (!build.hasSucceeded) {
    const text = "The pull request's own job has not succeeded";
    return { status: { state: "failure", text }, comment: `${marker}\n\n${text}.\n`, views: [] };
  }
  const archive = readArchive(await host.archiveOf(build), "the archive of the pull request's job");
  const folder = terminal.folders.make();
  const views: StackReview[] = [];
  const stacks = workflowStacks(terminal.io);
  const demand: Demand = {
    level: await requiredLevel({ requireApproval: "broadening" }, terminal.io),
    approvals: await approvalsAt(job.repository, merge, place, new Date()),
    now: new Date(),
  };
  await layOut(job, archive, merge, join(folder, "project"));
  for (const stack of stacks) views.push(await planned(job, archive, stack, folder, demand));

  const lines = archive.stacks
    .filter((name) => !stacks.includes(name))
    .map(
      (name) =>
        `\`${name.replace(/[^\w.-]/g, "?")}\` is not planned: the workflow of the default branch does not list it.`,
    );
  const comment = [
    markdown(
      views.map(({ view }) => view),
      { marker: place.path, limit: COMMENT_LIMIT },
    ).trimEnd(),
    ...lines,
    `[Pages to search in](${host.run.url})`,
    CLAIM,
  ].join("\n\n");
  const is = (outcome: StackReview["outcome"]) => views.some((one) => one.outcome === outcome);
  const status: HostStatus = is("refused")
    ? { state: "failure", text: "There is no plan, or it is refused" }
    : is("unapproved")
      ? { state: "failure", text: "An approval is missing" }
      : { state: "success", text: "Planned" };
  return { status, comment: `${comment}\n`, views };
}

async function planned(
  job: TrustedJob,
  archive: PackedStacks,
  stack: string,
  folder: string,
  demand: Demand,
): Promise<StackReview> {
  const { host, terminal, signal } = job;
  const { io, screen } = terminal;
  try {
    if (!archive.stacks.includes(stack))
      throw unfitArchive.error({
        archive: "the archive of the pull request's job",
        problem: `it lacks the stack ${stack}`,
      });
    const snapshot = await host.newestSnapshot(stack);
    if (snapshot === undefined)
      throw unfitArchive.error({
        archive: `the snapshot of ${stack}`,
        problem: "there is none yet",
        advice: "Run the nightly job, or apply: each leaves one.",
      });
    const file = join(folder, snapshotFile(stack));
    await writeFile(file, snapshot, { mode: 0o600 });
    const projectFolder = join(folder, "project");
    const source = { name: stack, outdir: join(projectFolder, archive.output) };
    const stackPlan = await makePlan(source, {
      environment: io.environment,
      projectFolder,
      fromSnapshot: { file },
      signal,
      ...shownOn(screen),
    });
    try {
      const approval = judgedBy(demand, () => approvalNeeds(stackPlan));
      const planOutcome = approval.verdicts.every(isApproved) ? "planned" : "unapproved";
      const outcome = stackPlan.refused === undefined ? planOutcome : "refused";
      return {
        stack,
        view: planView(stackPlan, { approval }),
        page: planView(stackPlan, { approval, page: true }),
        outcome,
      };
    } finally {
      await close(stackPlan);
    }
  } catch (error) {
    screen.tell(failureText(error, io, screen.talk));
    const refusedStackPlan = refusedPlan(error);
    const refusals = diagnosticsOf(error, io);
    const view =
      refusedStackPlan === undefined
        ? failureView(stack, refusals, "plan", false)
        : planView(refusedStackPlan, { refusals });
    return { stack, view, page: view, outcome: "refused" };
  }
}

// Pages for the job's artifacts.

async function writePages(
  views: readonly StackReview[],
  pages: string,
  { host, terminal }: TrustedJob,
  number: number,
): Promise<void> {
  // One run of GitLab reviews all merge requests.
  const folder = resolve(terminal.io.folder, pages, ...(host.kind === "gitlab" ? [String(number)] : []));
  try {
    await mkdir(folder, { recursive: true });
    for (const { stack, page } of views) await writeFile(join(folder, `${stack}.html`), html([page]));
  } catch (error) {
    throw unwritable(pages, error);
  }
}

async function addToSummary(comment: string, { terminal }: TrustedJob): Promise<void> {
  const file = terminal.io.environment["GITHUB_STEP_SUMMARY"] ?? "";
  if (file !== "") await appendFile(file, `${comment}\n`).catch(() => undefined);
}
