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

/**
 * What went wrong, and what was left undone because of it; empty where nothing was.
 * @param reasonOf why something was not tried
 */
export function troubleText(
  { failed, notTried, diagnostics }: ApplyResult,
  paint: Paint,
  reasonOf: (change: Change) => string | undefined = () => undefined,
): string {
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
    notTriedText(notTried, paint, reasonOf),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** How many objects that were not tried for one reason are named, of those that would have had the same done to them. */
const NAMED = 3;

function notTriedText(
  changes: readonly Change[],
  paint: Paint,
  reasonOf: (change: Change) => string | undefined,
): string {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const reason = reasonOf(change);
    const title = reason === undefined ? "Not tried" : `Not tried: ${plainText(reason)}`;
    groups.set(title, [...(groups.get(title) ?? []), change]);
  }
  return [...groups]
    .map(([title, group]) => {
      const named = group.filter((change) => isNamed(change, group));
      const more = (Object.keys(SYMBOLS) as Action[]).flatMap((action) => {
        const left = group.filter((change) => change.action === action && !named.includes(change)).length;
        return left === 0 ? [] : [`${" ".repeat(4)}and ${left} more to ${action}`];
      });
      return [listText(title, named, paint), ...more].join("\n");
    })
    .join("\n\n");
}

/** Where one more would be left out, it is named instead. */
function isNamed(change: Change, group: readonly Change[]): boolean {
  const alike = group.filter(({ action }) => action === change.action);
  return alike.length <= NAMED + 1 || alike.indexOf(change) < NAMED;
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
