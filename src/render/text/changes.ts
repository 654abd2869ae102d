/** What changes, object by object and attribute by attribute. */
import type { Change, DeleteReason } from "../../plan";
import { plainText } from "../../values";
import { grouped } from "./alike";
import { attributeRows, type AttributeRow, type AttributeRows } from "./attribute-rows";
import { columnFor, namesOf, rowText, type Row } from "./layout";
import type { Paint } from "./paint";
import { painterOf, SYMBOLS } from "./symbol";

const REASONS: Readonly<Record<DeleteReason, string>> = {
  undeclared: "no longer declared",
  removed: "declared as removed",
  destroy: "destroyed",
  cascade: "goes with its account",
};

interface Item extends AttributeRows {
  readonly change: Change;
}

/** The lines of one object, or of a group of alike ones. */
interface Entry {
  readonly change: Change;
  readonly head: Row;
  readonly body: readonly Row[];
  readonly remarks: readonly string[];
}

export function changeLines(changes: readonly Change[], paint: Paint): readonly string[] {
  const items = changes.map((change) => ({ change, ...attributeRows(change) }));
  const entries = grouped(items, likeness).flatMap(entryOf);
  const column = columnFor(entries.flatMap(({ head, body }) => [head, ...body]));
  return entries.flatMap(({ change, head, body, remarks }) => [
    painted(rowText(head, column), change, paint),
    ...body.map((row) => rowText(row, column)),
    ...remarks.map((remark) => paint.faint(`      ${remark}`)),
  ]);
}

/** The symbol in its colour, and the whole row of what is destroyed. */
function painted(text: string, { action }: Change, paint: Paint): string {
  const painter = painterOf(action, paint);
  return action === "delete" ? painter(text) : painter(text.slice(0, 3)) + text.slice(3);
}

function entryOf(group: readonly Item[]): readonly Entry[] {
  const [first] = group;
  if (first === undefined) return [];
  const { change, rows, more } = first;
  const symbol = SYMBOLS[change.action];
  const later = more > 0 ? [`(${more} more known after apply)`] : [];
  const [left, right] =
    group.length === 1
      ? [plainText(change.address), headline(change)]
      : [`${group.length} × ${change.description.type}`, namesOf(group.map((item) => item.change.title))];
  return [
    {
      change,
      head: { symbol, left, right },
      body: (group.length === 1 ? rows : commonRows(group)).map(({ path, value }) => ({
        left: path,
        right: value,
      })),
      remarks: [...later, ...change.notes.map((note) => plainText(note))],
    },
  ];
}

function headline(change: Change): string {
  return [
    plainText(change.title),
    ...(change.action === "replace" ? ["destroyed and created again"] : []),
    ...(change.reason === undefined ? [] : [REASONS[change.reason]]),
    ...(change.importId === undefined ? [] : ["adopted"]),
  ].join(" · ");
}

/** Objects of one type to which the same is done, to the same attributes; never a delete, nor what carries a note. */
function likeness({ change, rows, more }: Item): string | undefined {
  if (change.action === "delete" || change.action === "replace" || change.notes.length > 0) return undefined;
  const paths = rows.map(({ path }) => path);
  return JSON.stringify([change.action, change.description.type, change.importId !== undefined, paths, more]);
}

/** The rows of a group: a value where all have the same. */
function commonRows(group: readonly Item[]): readonly AttributeRow[] {
  return (group[0]?.rows ?? []).map(({ path }, index) => {
    const values = new Set(group.map(({ rows }) => rows[index]?.value ?? ""));
    const [value = ""] = values;
    return { path, value: values.size === 1 ? value : `(${values.size} different values)` };
  });
}
