/** Demands approval before anything is written: the level that a run needs, and the error where approvals do not cover its pairs. */
import {
  type ApprovalLevel,
  approvalLevel,
  type ApprovalNeeds,
  judgeApproval,
  strictest,
  unapproved,
} from "../plan";
import type { ApplyOptions, PlanOptions } from "./options";

/** The stricter level of the caller and the environment. */
export function requiredApproval(
  requireApproval: ApprovalLevel | undefined,
  environment: PlanOptions["environment"],
): ApprovalLevel {
  const variable = "TENANCY_REQUIRE_APPROVAL";
  const level = environment?.[variable] ?? "";
  return strictest([
    approvalLevel(requireApproval ?? "never", "requireApproval"),
    ...(level === "" ? [] : [approvalLevel(level, variable)]),
  ]);
}

/** @throws ApprovalNeeded */
export function demandApproval(
  stack: string,
  needs: () => readonly ApprovalNeeds[],
  level: ApprovalLevel,
  { approvals = [] }: Pick<ApplyOptions, "approvals">,
): void {
  if (level === "never") return;
  const now = new Date();
  const error = unapproved(judgeApproval(needs(), { level, approvals, now }), now, stack);
  if (error !== undefined) throw error;
}
