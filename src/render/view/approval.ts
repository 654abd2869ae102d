/** Says what is shown of approval: which lines of a plan are approved, which are missing, and which cannot be approved. */
import { type ApprovalLevel, type ApprovalVerdict, isApproved, NOT_IN_PLAN } from "../../plan";
import { name, type Row, row, type Section, section, type Text, type View, view, word } from "./document";

/** The approvals that a plan needs, and the existing ones. */
export interface JudgedApproval {
  readonly level: ApprovalLevel;
  readonly verdicts: readonly ApprovalVerdict[];
}

export function approvalSection({ verdicts }: JudgedApproval): Section | undefined {
  const several = verdicts.length > 1;
  return section(
    { id: "approval", title: "Approval", form: "rows" },
    ...verdicts.map((verdict) => {
      const isNamed = verdict.origin !== NOT_IN_PLAN && verdict.owner !== NOT_IN_PLAN;
      const why = isNamed
        ? "refused: a value that only the apply will know cannot be approved"
        : "refused: the plan does not contain its service and owner, so no approval is for it";
      const place = several ? [word(" · "), ...serviceAndOwner(verdict)] : [];
      return [
        ...verdict.missing.map((line) => lineRow(line, [word("missing"), ...place], "vital")),
        ...verdict.unknown.map((line) => lineRow(line, [word(why), ...place], "vital")),
        ...verdict.approved.map((line) => lineRow(line, [word("approved"), ...place], "aside")),
      ];
    }),
  );
}

function lineRow(line: string, about: Text, weight: Row["weight"]): Row {
  return row({ name: [name(line)], about, weight });
}

function serviceAndOwner({ origin, owner }: ApprovalVerdict): Text {
  return [name(origin), word(" · owner "), name(owner)];
}

/** `2 lines are not approved yet (level: broadening).`; empty where nothing is demanded. */
export function approvalSummary({ level, verdicts }: JudgedApproval): string {
  if (level === "never") return "";
  if (verdicts.length === 0) return `Nothing needs approval (level: ${level}).`;
  if (verdicts.every(isApproved)) return `Every line that needs approval is approved (level: ${level}).`;
  const count = verdicts.reduce((sum, { missing, unknown }) => sum + missing.length + unknown.length, 0);
  return `${count} ${count === 1 ? "line is" : "lines are"} not approved yet (level: ${level}).`;
}

/** The lines of one stack alone, without its plan. */
export function approvalView(approval: JudgedApproval): View {
  const { verdicts } = approval;
  return view({
    title: verdicts.slice(0, 1).map(({ stack }) => name(stack)),
    lines: verdicts.map(serviceAndOwner),
    summary: [word(approvalSummary(approval))],
    sections: [approvalSection(approval)],
  });
}
