/** Approval: the required level, and the comparison of files of `approvals/` with the pairs of a plan. No I/O (docs/manual/how-to/require-approvals.md). */
import { unfitApprovalLevel } from "../problems";
import { dividedPairs, pairText } from "./approval-pairs";
import type { Pair } from "./plan";
import { DAY_MS } from "../schema";

/** The changes that have to be approved: none; each change that grants access; each change of access. */
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

/** The stack and service of an approval. */
interface ApprovalScope {
  /** Name of the stack. */
  readonly stack: string;
  /** Scheme, host and port of the service. */
  readonly service: string;
}

/** The pairs of a plan that bear on approval, at one service. */
export interface ApprovalNeeds extends ApprovalScope {
  /** Access that users gain and lose by the plan. */
  readonly pairs: readonly NeededPair[];
  /** Changes that cannot be approved, because only the apply will know them: each in a few words. */
  readonly unknown: readonly string[];
}

/** A pair of a plan that may need an approval. */
export interface NeededPair {
  readonly pair: Pair;
  /** True if the pair lets its user do more. The others need approval only at the level `access`. */
  readonly broadening: boolean;
}

/** A file of `approvals/`. */
export interface Approval extends ApprovalScope {
  /** Last day on which it holds, in UTC: `2026-12-20`. */
  readonly until: string;
  /** The last applied commit, from which the stack goes on after the default branch was rewritten. @default the branch was not rewritten */
  readonly continues?: string;
  /** The pairs that it approves: {@link Pair}. */
  readonly pairs: readonly Pair[];
}

/** Represents a service that a plan of Terraform's does not name. No approval matches it. */
export const NOT_IN_PLAN = "(not in the plan)";

/** The approved and missing pairs of a plan, at one service. */
export interface ApprovalVerdict extends ApprovalScope {
  /** Pairs that approvals cover. */
  readonly approved: readonly Pair[];
  readonly missing: readonly Pair[];
  /** See {@link ApprovalNeeds.unknown}. */
  readonly unknown: readonly string[];
}

/** @returns a verdict for each service that the plan needs any approval at */
export function judgeApproval(
  needs: readonly ApprovalNeeds[],
  options: { readonly level: ApprovalLevel; readonly approvals: readonly Approval[]; readonly now: Date },
): readonly ApprovalVerdict[] {
  const { level, approvals, now } = options;
  if (level === "never") return [];
  return needs.flatMap(({ stack, service, pairs, unknown }): readonly ApprovalVerdict[] => {
    const levelPairs = pairs.flatMap(({ pair, broadening }) =>
      level === "access" || broadening ? [pair] : [],
    );
    if (levelPairs.length === 0 && unknown.length === 0) return [];
    if (service === NOT_IN_PLAN)
      return [
        { stack, service, approved: [], missing: [], unknown: [...levelPairs.map(pairText), ...unknown] },
      ];
    const approved = approvals
      .filter((one) => one.stack === stack && one.service === service && now < endOfApproval(one))
      .flatMap((one) => one.pairs);
    return [{ stack, service, ...dividedPairs(levelPairs, approved), unknown }];
  });
}

export function isApproved({ missing, unknown }: ApprovalVerdict): boolean {
  return missing.length === 0 && unknown.length === 0;
}

/** Approvals hold for at most so many days. */
export const LONGEST_APPROVAL_DAYS = 30;

/** The time at which the last day of an approval is over. */
export function endOfApproval({ until }: Pick<Approval, "until">): Date {
  return new Date(Date.parse(`${until}T00:00:00Z`) + DAY_MS);
}

/** The day so many days ahead, in UTC, as an approval says it. */
export function dayAhead(now: Date, days: number): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}
