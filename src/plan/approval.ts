/**
 * Approval: the required level, and the comparison of entries of `approvals/` with the lines of a plan. No I/O (docs/manual/how-to/require-approvals.md).
 */
import { unfitApprovalLevel } from "../problems";
import { ApprovedPairs, linesOfPairs, pairsOf } from "./approval-pairs";
import { DAY_MS } from "../schema";

/** The changes that have to be approved: none; each change that grants access; each change of access, and each delete. */
export type ApprovalLevel = "never" | "broadening" | "access";

/** From the laxest to the strictest. */
const APPROVAL_LEVELS: readonly ApprovalLevel[] = ["never", "broadening", "access"];

/**
 * @param source its place, as in "--require-approval"
 * @throws unfitApprovalLevel: a misspelt level must not count as none
 */
export function approvalLevel(text: unknown, source: string): ApprovalLevel {
  const level = APPROVAL_LEVELS.find((one) => one === text);
  if (level === undefined) throw unfitApprovalLevel.error({ value: text, source, levels: APPROVAL_LEVELS });
  return level;
}

export function strictest(levels: readonly ApprovalLevel[]): ApprovalLevel {
  return APPROVAL_LEVELS[Math.max(0, ...levels.map((level) => APPROVAL_LEVELS.indexOf(level)))] ?? "never";
}

/** The stack, service and owner of an approval. */
interface ApprovalScope {
  /** Name of the stack. */
  readonly stack: string;
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** Owner of the records. */
  readonly owner: string;
}

/** The lines of a plan that bear on approval, at one service for one owner. */
export interface ApprovalNeeds extends ApprovalScope {
  /** Access that users gain and lose by the plan. */
  readonly lines: readonly ApprovalLine[];
  /** Changes that cannot be approved, because only the apply will know them: each in a few words. */
  readonly unknown: readonly ApprovalLine[];
}

/** A line of a plan that may need an approval. */
export interface ApprovalLine {
  /** As plans print it, and as an entry of `approvals/` names it. */
  readonly line: string;
  /** True if the line grants access. The others need approval only at the level `access`. */
  readonly broadening: boolean;
}

/** An entry: a file of `approvals/`. */
export interface Approval extends ApprovalScope {
  /** Last day on which it holds, in UTC: `2026-12-20`. */
  readonly until: string;
  /** The lines that it approves, as plans print them: `jane@acme gains vss.format_disks (destructive)`. */
  readonly allows: readonly string[];
}

/** Represents a service or an owner that a plan of Terraform's does not name. No approval matches it. */
export const NOT_IN_PLAN = "(not in the plan)";

/** The approved and missing lines of a plan, at one service for one owner. */
export interface ApprovalVerdict extends ApprovalScope {
  /** Lines that entries cover. */
  readonly approved: readonly string[];
  readonly missing: readonly string[];
  /** See {@link ApprovalNeeds.unknown}. */
  readonly unknown: readonly string[];
}

/** @returns a verdict for each service and owner that the plan needs any approval at */
export function judgeApproval(
  needs: readonly ApprovalNeeds[],
  options: { readonly level: ApprovalLevel; readonly approvals: readonly Approval[]; readonly now: Date },
): readonly ApprovalVerdict[] {
  const { level, approvals, now } = options;
  const counts = ({ broadening }: ApprovalLine) =>
    level === "access" || (level === "broadening" && broadening);
  return needs.flatMap(({ stack, origin, owner, ...need }) => {
    const isNamed = origin !== NOT_IN_PLAN && owner !== NOT_IN_PLAN;
    const lines = isNamed ? need.lines : [];
    const unknown = isNamed ? need.unknown : [...need.lines, ...need.unknown];
    const validApprovals = approvals.filter(
      (one) =>
        one.stack === stack && one.origin === origin && one.owner === owner && now < endOfApproval(one),
    );
    const approvedPairs = new ApprovedPairs(validApprovals.flatMap(({ allows }) => allows.flatMap(pairsOf)));
    const neededPairs = lines.filter(counts).flatMap(({ line }) => pairsOf(line));
    const open = unknown.filter(counts).map(({ line }) => line);
    if (neededPairs.length === 0 && open.length === 0) return [];
    return [
      {
        stack,
        origin,
        owner,
        approved: linesOfPairs(neededPairs.filter((pair) => approvedPairs.covers(pair))),
        missing: linesOfPairs(neededPairs.filter((pair) => !approvedPairs.covers(pair))),
        unknown: open,
      },
    ];
  });
}

export function isApproved({ missing, unknown }: ApprovalVerdict): boolean {
  return missing.length === 0 && unknown.length === 0;
}

/** Entries hold for at most so many days. */
export const LONGEST_APPROVAL_DAYS = 30;

/** The time at which the last day of an entry is over. */
export function endOfApproval({ until }: Pick<Approval, "until">): Date {
  return new Date(Date.parse(`${until}T00:00:00Z`) + DAY_MS);
}

/** The day so many days ahead, in UTC, as an entry says it. */
export function dayAhead(now: Date, days: number): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}
