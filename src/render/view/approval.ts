/** Shows approval: the approved and missing pairs of a plan, and changes that cannot be approved. */
import {
  type ApprovalLevel,
  type ApprovalVerdict,
  isApproved,
  NOT_IN_PLAN,
  type Pair,
  pairText,
  remarkOn,
} from "../../plan";
import { name, type Row, row, type Section, section, type View, view, word } from "./document";

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
      const why =
        verdict.service === NOT_IN_PLAN
          ? "refused: the plan does not contain its service, so no approval is for it"
          : "refused: a value that only the apply will know cannot be approved";
      const place = several ? [word(" · "), name(verdict.service)] : [];
      const pairRow = (pair: Pair, state: string, weight: Row["weight"]) => {
        const remark = remarkOn(pair);
        const about = [word(remark === "" ? state : `${state} · ${remark}`), ...place];
        return row({ name: [name(pairText(pair))], about, weight });
      };
      return [
        ...verdict.missing.map((pair) => pairRow(pair, "missing", "vital")),
        ...verdict.unknown.map((text) =>
          row({ name: [name(text)], about: [word(why), ...place], weight: "vital" }),
        ),
        ...verdict.approved.map((pair) => pairRow(pair, "approved", "aside")),
      ];
    }),
  );
}

/** `2 pairs are not approved yet (level: broadening).`; empty where nothing is demanded. */
export function approvalSummary({ level, verdicts }: JudgedApproval): string {
  if (level === "never") return "";
  if (verdicts.length === 0) return `Nothing needs approval (level: ${level}).`;
  if (verdicts.every(isApproved)) return `Every pair that needs approval is approved (level: ${level}).`;
  const count = verdicts.reduce((sum, { missing, unknown }) => sum + missing.length + unknown.length, 0);
  return `${count} ${count === 1 ? "pair is" : "pairs are"} not approved yet (level: ${level}).`;
}

/** The pairs of one stack alone, without its plan. */
export function approvalView(approval: JudgedApproval): View {
  const { verdicts } = approval;
  return view({
    title: verdicts.slice(0, 1).map(({ stack }) => name(stack)),
    lines: verdicts.map(({ service }) => [name(service)]),
    summary: [word(approvalSummary(approval))],
    sections: [approvalSection(approval)],
  });
}
