/** How an apply ended: what was done, what failed, what was not tried. */
import type { ApplyResult } from "../../apply";
import { isError } from "../../errors";
import type { Action, Change } from "../../plan";
import { plainText } from "../../values";
import { diagnosticsText } from "./diagnostic";
import { columnFor, rowText, type Row } from "./layout";
import type { Paint } from "./paint";
import { phrases } from "./summary";
import { SYMBOLS } from "./symbol";

/** What went wrong, and what was left undone because of it; empty where nothing was. */
export function troubleText({ failed, notTried, diagnostics }: ApplyResult, paint: Paint): string {
  const all = [...diagnostics, ...failed.flatMap(({ diagnostics: found }) => found)];
  return [
    diagnosticsText(
      all.filter((one) => !isError(one)),
      paint,
    ),
    diagnosticsText(all.filter(isError), paint),
    listText(
      "Failed",
      failed.map(({ change }) => change),
      paint,
    ),
    listText("Not tried", notTried, paint),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

function listText(title: string, changes: readonly Change[], { bold }: Paint): string {
  if (changes.length === 0) return "";
  const rows = changes.map(({ action, address, title }): Row => ({
    symbol: SYMBOLS[action],
    left: plainText(address),
    right: plainText(title),
  }));
  const column = columnFor(rows);
  return [bold(title), ...rows.map((row) => rowText(row, column))].join("\n");
}

/** How many objects were changed, in one sentence. */
export function appliedText({ applied, failed, notTried, ok }: ApplyResult): string {
  const done = (action: Action): number => applied.filter((change) => change.action === action).length;
  const counts = phrases([
    [done("create"), "created"],
    [done("update"), "updated"],
    [done("replace"), "replaced"],
    [done("delete"), "deleted"],
    [failed.length, "failed"],
    [notTried.length, "not tried"],
  ]);
  if (counts.length === 0) return ok ? "Applied. There was nothing to change." : "Nothing was applied.";
  return `${ok ? "Applied" : "Not all was applied"}: ${counts.join(", ")}.`;
}
