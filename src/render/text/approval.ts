/** What a plan needs approved: which lines are approved, which are missing, and which cannot be approved. Lines are safe to show as they are. */
import { type ApprovalLevel, type ApprovalVerdict, isApproved } from "../../plan";
import { plainText } from "../../values";
import type { Paint } from "./paint";

/** Width of the words before the lines. */
const WORD_WIDTH = 10;

/** @param verdicts empty where nothing needs approval */
export function approvalText(
  verdicts: readonly ApprovalVerdict[],
  level: ApprovalLevel,
  paint: Paint,
): string {
  const title = paint.bold("Approval");
  if (verdicts.length === 0) return `${title}\n    Nothing needs approval (${level}).`;
  const rows = verdicts.flatMap((verdict) => [
    `    ${placeOf(verdict)}`,
    ...verdict.approved.map((line) => row("approved", line)),
    ...verdict.missing.map((line) => paint.warned(row("missing", line))),
    ...verdict.unknown.map((line) =>
      paint.warned(`${row("refused", line)}; what only the apply will know cannot be approved`),
    ),
  ]);
  const end = verdicts.every(isApproved)
    ? `All that needs approval (${level}) is approved.`
    : `Not all that needs approval (${level}) is approved: an apply without a terminal ends with exit code 3.`;
  return [title, ...rows, "", end].join("\n");
}

/** The lines that nobody has approved, for the question at a terminal. */
export function unapprovedText(verdicts: readonly ApprovalVerdict[], paint: Paint): string {
  const open = verdicts.filter(({ missing }) => missing.length > 0);
  return [
    paint.bold("Nobody has approved"),
    ...open.flatMap((verdict) => [
      `    ${placeOf(verdict)}`,
      ...verdict.missing.map((line) => `      ${line}`),
    ]),
  ].join("\n");
}

function placeOf({ stack, origin, owner }: ApprovalVerdict): string {
  return plainText(`${stack} · ${origin} · owner ${owner}`);
}

function row(word: string, line: string): string {
  return `      ${word.padEnd(WORD_WIDTH)}${line}`;
}
