/** Approval on the command line: the demanded level, the files of `approvals/`, and the question at a terminal. */
import { lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Approval,
  type ApprovalFile,
  type ApprovalLevel,
  approvalLevel,
  type ApprovalNeeds,
  APPROVALS_FOLDER,
  approvalsIn,
  dayAhead,
  isApproved,
  judgeApproval,
  missingApprovals,
  noApprovalsFolder,
  strictest,
} from "../plan";
import { compareText } from "../lib/values";
import { noProject } from "../problems";
import { viewText } from "../render/text";
import { approvalView, type JudgedApproval } from "../render/view";
import type { Io } from "./io";
import { unreadable, unwritable } from "./named-files";
import type { Flags } from "./program";
import { readProject } from "./project/project";
import { confirm, type Terminal } from "./terminal";

/** The level of approval that a run demands, and the approvals that exist. */
export interface Demand {
  readonly level: ApprovalLevel;
  /** Of the files in `approvals/`; not read if nothing is demanded. */
  readonly approvals: readonly Approval[];
  readonly now: Date;
}

type ApprovalFlags = Pick<Flags<"show">, "requireApproval">;

/** @throws unfitApprovalLevel, unfitApprovals, fileUnusable */
export async function demandOf(flags: ApprovalFlags, io: Io): Promise<Demand> {
  const level = await requiredLevel(flags, io);
  const now = new Date();
  const approvals = level === "never" ? [] : await approvalsOf(io, now);
  return { level, approvals, now };
}

const VARIABLE = "TENANCY_REQUIRE_APPROVAL";

/** The strictest level that the flag, the environment or the project sets. */
export async function requiredLevel({ requireApproval }: ApprovalFlags, io: Io): Promise<ApprovalLevel> {
  const environment = io.environment[VARIABLE] ?? "";
  const project = await projectLevel(io);
  return strictest([
    ...(requireApproval === undefined ? [] : [approvalLevel(requireApproval, "--require-approval")]),
    ...(environment === "" ? [] : [approvalLevel(environment, VARIABLE)]),
    ...(project === undefined ? [] : [approvalLevel(project, "requireApproval in cdktf.json")]),
  ]);
}

/** Undefined without a project: a saved plan can be approved without one. */
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
 * @param needs asked only where any are: the pairs of a large plan take a while to make
 */
export function judgedBy(demand: Demand, needs: () => readonly ApprovalNeeds[]): JudgedApproval {
  const { level } = demand;
  return { level, verdicts: level === "never" ? [] : judgeApproval(needs(), demand) };
}

/**
 * Asks at a terminal for approval of every pair without one. Values that only the apply will know are not asked for.
 * @param needs see {@link judgedBy}
 * @returns the demand with the new approvals; undefined if the answer was no
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
  const question = `Approve ${count === 1 ? "this pair" : `these ${count} pairs`}?`;
  if (!(await confirm(question, io, signal))) return undefined;
  const newApprovals = missingApprovals(verdicts, dayAhead(demand.now, 1));
  return { ...demand, approvals: [...demand.approvals, ...newApprovals] };
}

// The folder.

/** @throws unfitApprovals, fileUnusable */
async function approvalsOf({ folder }: Io, now: Date): Promise<readonly Approval[]> {
  const place = join(folder, APPROVALS_FOLDER);
  const stats = await lstat(place).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unreadable(APPROVALS_FOLDER, error);
  });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) throw noApprovalsFolder();
  const entries = await readdir(place, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadable(APPROVALS_FOLDER, error);
  });
  const files: ApprovalFile[] = [];
  for (const entry of entries.toSorted((a, b) => compareText(a.name, b.name))) {
    const read = () =>
      readFile(join(place, entry.name)).catch((error: unknown) => {
        throw unreadable(`${APPROVALS_FOLDER}/${entry.name}`, error);
      });
    files.push({ name: entry.name, bytes: entry.isFile() ? await read() : undefined });
  }
  return approvalsIn(files, now);
}

/** @param files text of each approval, by the path of its file */
export async function writeApprovals(files: Readonly<Record<string, string>>, { folder }: Io): Promise<void> {
  for (const [path, text] of Object.entries(files))
    try {
      await mkdir(join(folder, APPROVALS_FOLDER), { recursive: true });
      await writeFile(join(folder, path), text, { flag: "wx" });
    } catch (error) {
      throw unwritable(path, error, "Make the folder writable.");
    }
}

/** Files as they are shown to a person who may copy them: each below its path. */
export function filesText(files: Readonly<Record<string, string>>): string {
  return Object.entries(files)
    .map(([path, text]) => `${path}:\n\n${text}`)
    .join("\n");
}
