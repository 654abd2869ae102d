/** Approval on the command line: what is demanded, what `tenancy.approvals` allows, and the question at a terminal. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Approval,
  type ApprovalLevel,
  approvalLevel,
  type ApprovalNeeds,
  APPROVALS_FILE,
  dayAhead,
  isApproved,
  judgeApproval,
  missingApprovals,
  readApprovals,
  strictest,
  withApprovals,
} from "../plan";
import { noProject, unfitApprovals } from "../problems";
import { viewText } from "../render/text";
import { approvalView, type JudgedApproval } from "../render/view";
import type { Io } from "./io";
import { unreadable, unwritable } from "./named-files";
import type { Flags } from "./program";
import { readProject } from "./project/project";
import { confirm, type Terminal } from "./terminal";

/** What a run demands, and what it was given. */
export interface Demand {
  readonly level: ApprovalLevel;
  /** Entries of the file; not read where nothing is demanded. */
  readonly approvals: readonly Approval[];
  readonly now: Date;
}

type ApprovalFlags = Pick<Flags<"show">, "requireApproval">;

/** @throws unfitApprovalLevel, unfitApprovals, fileUnusable */
export async function demandOf(flags: ApprovalFlags, io: Io): Promise<Demand> {
  const level = await requiredLevel(flags, io);
  const now = new Date();
  const approvals = level === "never" ? [] : readApprovals(await textOfFile(io), now);
  return { level, approvals, now };
}

const VARIABLE = "TENANCY_REQUIRE_APPROVAL";

/** The strictest of what the flag, the environment and the project say. */
async function requiredLevel({ requireApproval }: ApprovalFlags, io: Io): Promise<ApprovalLevel> {
  const environment = io.environment[VARIABLE] ?? "";
  const project = await projectLevel(io);
  return strictest([
    ...(requireApproval === undefined ? [] : [approvalLevel(requireApproval, "--require-approval")]),
    ...(environment === "" ? [] : [approvalLevel(environment, VARIABLE)]),
    ...(project === undefined ? [] : [approvalLevel(project, "requireApproval in cdktf.json")]),
  ]);
}

/** Where there is no project, whoever needs one says so; a saved plan can be approved without. */
async function projectLevel(io: Io): Promise<unknown> {
  try {
    return (await readProject(io.folder)).requireApproval;
  } catch (error) {
    if (noProject.is(error)) return undefined;
    throw error;
  }
}

/**
 * Judges the changes of a plan by the approvals that are demanded.
 * @param needs asked only where any are: the lines of a large plan take a while to make
 */
export function judgedBy(demand: Demand, needs: () => readonly ApprovalNeeds[]): JudgedApproval {
  const { level } = demand;
  return { level, verdicts: level === "never" ? [] : judgeApproval(needs(), demand) };
}

/**
 * Asks at a terminal for what no entry covers. What only the apply will know is not asked for.
 * @param needs see {@link judgedBy}
 * @returns the demand, with what was approved; undefined where the answer was no
 */
export async function askedFor(
  needs: () => readonly ApprovalNeeds[],
  demand: Demand,
  { io, screen }: Terminal,
  signal: AbortSignal,
): Promise<Demand | undefined> {
  const { level, verdicts } = judgedBy(demand, needs);
  if (verdicts.every(isApproved) || verdicts.some(({ unknown }) => unknown.length > 0)) return demand;
  const count = verdicts.reduce((sum, { missing }) => sum + missing.length, 0);
  const open = verdicts
    .filter((verdict) => !isApproved(verdict))
    .map((verdict) => ({ ...verdict, approved: [] }));
  screen.tell(`\n${viewText(approvalView({ level, verdicts: open }), screen.talk)}\n`);
  const question = `Approve ${count === 1 ? "this line" : `these ${count} lines`}?`;
  if (!(await confirm(question, io, signal))) return undefined;
  const granted = missingApprovals(verdicts, dayAhead(demand.now, 1));
  return { ...demand, approvals: [...demand.approvals, ...granted] };
}

// The file.

/** Empty where there is none. */
async function textOfFile({ folder }: Io): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(join(folder, APPROVALS_FILE)));
  } catch (error) {
    if (error instanceof TypeError)
      throw unfitApprovals.error({
        file: APPROVALS_FILE,
        problem: "the file is not UTF-8",
        advice: "Nothing was written.",
      });
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw unreadable(APPROVALS_FILE, error);
  }
}

/** Adds entries to the file, or makes it. */
export async function addApprovals(approvals: readonly Approval[], io: Io): Promise<void> {
  const text = withApprovals(await textOfFile(io), approvals);
  await writeFile(join(io.folder, APPROVALS_FILE), text).catch((error: unknown) => {
    throw unwritable(APPROVALS_FILE, error, "Make it writable.");
  });
}
