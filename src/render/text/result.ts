/** Renders the result of an apply: applied, failed and remaining changes. */
import {
  type Action,
  type ApplyEvent,
  type ApplyResult,
  type Change,
  isNewImport,
  type Operation,
} from "../../plan";
import { isError } from "../../problems";
import { plainText, shownName } from "../../lib/values";
import { phrases, SYMBOLS } from "../view";
import { diagnosticsText } from "./diagnostics";
import { columnFor, type TextRow, rowText } from "./layout";
import type { Paint } from "./paint";

/**
 * Failures, and changes that were not tried because of them; empty if there were none.
 * @param reasonOf why something was not tried
 * @param all whether alike findings are shown one by one
 */
export function troubleText(
  { failed, notTried, diagnostics }: ApplyResult,
  paint: Paint,
  reasonOf: (change: Change) => string | undefined = () => undefined,
  all = false,
): string {
  const findings = [...diagnostics, ...failed.flatMap((one) => one.diagnostics)];
  return [
    // The errors come last: a terminal shows the end of a long text.
    diagnosticsText(
      findings.filter((one) => !isError(one)),
      paint,
      all,
    ),
    diagnosticsText(findings.filter(isError), paint, all),
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

/** Of objects with the same action that were not tried for the same reason, so many are named. */
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
      const examples = group.filter((change) => isNamed(change, group));
      const more = (Object.keys(SYMBOLS) as Action[]).flatMap((action) => {
        const count = group.filter((change) => change.action === action && !examples.includes(change)).length;
        return count === 0 ? [] : [`${" ".repeat(4)}and ${count} more to ${action}`];
      });
      return [listText(title, examples, paint), ...more].join("\n");
    })
    .join("\n\n");
}

/** If only one more would be left out, it is named instead. */
function isNamed(change: Change, group: readonly Change[]): boolean {
  const alike = group.filter(({ action }) => action === change.action);
  return alike.length <= NAMED + 1 || alike.indexOf(change) < NAMED;
}

function listText(title: string, changes: readonly Change[], { bold }: Paint): string {
  if (changes.length === 0) return "";
  const rows = changes.map(({ action, address, title }): TextRow => ({
    symbol: SYMBOLS[action],
    left: shownName(address),
    right: shownName(title),
  }));
  const column = columnFor(rows);
  return [bold(title), ...rows.map((row) => rowText(row, column))].join("\n");
}

/**
 * Counts the changed objects in one sentence.
 * @param unended number of errors that may leave ended access in place
 */
export function appliedText({ applied, failed, notTried, ok }: ApplyResult, unended = 0): string {
  const countOf = (action: Action): number => applied.filter((change) => change.action === action).length;
  const counts = phrases([
    [applied.filter(isNewImport).length, "imported"],
    [countOf("create"), "created"],
    [countOf("update"), "updated"],
    [countOf("replace"), "replaced"],
    [countOf("delete"), "deleted"],
    [failed.length, "failed"],
    [notTried.length, "not tried"],
    [unended, "with ended access that may stay"],
  ]);
  if (counts.length === 0) return ok ? "Applied. There was nothing to change." : "Nothing was applied.";
  // A state that could not be written is an error of the run, and of no object.
  const isWhole = ok || failed.length + notTried.length + unended === 0;
  return `${isWhole ? "Applied" : "Not all was applied"}: ${counts.join(", ")}.`;
}

// Progress: a line for each event.

const OPERATION_WORDS: Readonly<
  Record<Operation, { readonly begun: string; readonly ending: string; readonly noun: string }>
> = {
  create: { begun: "creating", ending: "created", noun: "create" },
  update: { begun: "updating", ending: "updated", noun: "update" },
  delete: { begun: "deleting", ending: "deleted", noun: "delete" },
};

/** @returns undefined for events that the end of the apply reports */
export function eventLine(event: ApplyEvent, { removed, faint }: Paint): string | undefined {
  switch (event.kind) {
    case "started":
      return `${of(event)}: ${OPERATION_WORDS[event.operation].begun} ${shownName(event.change.title)}`;
    case "finished": {
      const id = event.id === undefined ? "" : faint(` (${plainText(event.id)})`);
      return `${of(event)}: ${OPERATION_WORDS[event.operation].ending} in ${seconds(event.milliseconds)}${id}`;
    }
    case "failed":
      return removed(
        `${of(event)}: ${OPERATION_WORDS[event.operation].noun} failed after ${seconds(event.milliseconds)}`,
      );
    case "skipped":
    case "diagnostic":
    case "outputs":
      return undefined;
  }
}

/** The work in progress, for one line that is overwritten again and again. */
export function underWayText(
  running: readonly { readonly change: { readonly title: string }; readonly operation: Operation }[],
): string {
  return running
    .map(({ change, operation }) => `${OPERATION_WORDS[operation].begun} ${shownName(change.title)}`)
    .join(", ");
}

function of({ change }: { readonly change: { readonly address: string } }): string {
  return shownName(change.address);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
