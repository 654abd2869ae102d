/** Approval on the command line: the demanded level, the entries of `approvals/`, and the question at a terminal. */
import { lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Approval,
  type ApprovalLevel,
  approvalLevel,
  type ApprovalNeeds,
  APPROVALS_FOLDER,
  dayAhead,
  isApproved,
  judgeApproval,
  missingApprovals,
  readApprovals,
  strictest,
  unendedApprovals,
} from "../plan";
import { noProject, unfitApprovals } from "../problems";
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
  /** Entries of `approvals/`; not read if nothing is demanded. */
  readonly approvals: readonly Approval[];
  readonly now: Date;
}

type ApprovalFlags = Pick<Flags<"show">, "requireApproval">;

/** @throws unfitApprovalLevel, unfitApprovals, fileUnusable */
export async function demandOf(flags: ApprovalFlags, io: Io): Promise<Demand> {
  const level = await requiredLevel(flags, io);
  const now = new Date();
  const approvals = level === "never" ? [] : await approvalsIn(io, now);
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
 * @param needs asked only where any are: the lines of a large plan take a while to make
 */
export function judgedBy(demand: Demand, needs: () => readonly ApprovalNeeds[]): JudgedApproval {
  const { level } = demand;
  return { level, verdicts: level === "never" ? [] : judgeApproval(needs(), demand) };
}

/**
 * Asks at a terminal for approval of every change without an entry. Values that only the apply will know are not asked for.
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
  const question = `Approve ${count === 1 ? "this line" : `these ${count} lines`}?`;
  if (!(await confirm(question, io, signal))) return undefined;
  const newApprovals = missingApprovals(verdicts, dayAhead(demand.now, 1));
  return { ...demand, approvals: [...demand.approvals, ...newApprovals] };
}

// The folder.

/** @throws unfitApprovals, fileUnusable */
async function approvalsIn({ folder }: Io, now: Date): Promise<readonly Approval[]> {
  const place = join(folder, APPROVALS_FOLDER);
  const stats = await lstat(place).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unreadable(APPROVALS_FOLDER, error);
  });
  if (stats === undefined) return [];
  if (!stats.isDirectory())
    throw unfitApprovals.error({
      file: APPROVALS_FOLDER,
      problem: "this is not a folder",
      advice: "Nothing was written. Replace it by a folder that holds the entries.",
    });
  const entries = await readdir(place, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadable(APPROVALS_FOLDER, error);
  });
  const files = entries.map((file) => ({ name: file.name, isRegular: file.isFile() }));
  const texts: Record<string, string> = {};
  for (const name of unendedApprovals(files, now).toSorted()) texts[name] = await textOfEntry(folder, name);
  return readApprovals(texts, now);
}

async function textOfEntry(folder: string, name: string): Promise<string> {
  const file = `${APPROVALS_FOLDER}/${name}`;
  const bytes = await readFile(join(folder, file)).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unfitApprovals.error({ file, problem: "the file is not UTF-8", advice: "Nothing was written." });
  }
}

/** @param files text of each entry, by the path of its file */
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
