/** Renders a view for a terminal: a plan or any other view. */
import type { Action, OutputChange, Plan } from "../../plan";
import {
  bareText,
  membersText,
  outputRows,
  planView,
  type PlanViewOptions,
  type Row,
  type Section,
  SYMBOLS,
  type Text,
  type View,
} from "../view";
import { diagnosticsText } from "./diagnostics";
import { columnFor, LEAST_TEXT, rowText, wrappedItems } from "./layout";
import type { Paint, Painter } from "./paint";

export function planText(plan: Plan, paint: Paint, options: PlanViewOptions = {}): string {
  return viewText(planView(plan, options), paint);
}

/** The sections, then errors and warnings, then the summary. */
export function viewText(view: View, paint: Paint): string {
  const text = [
    [headText(view, paint), ...(view.notice === undefined ? [] : [paint.bold(bareText(view.notice))])].join(
      "\n",
    ),
    ...view.sections.map((section) =>
      [
        paint.bold(section.title),
        ...section.groups.flatMap((rows) => groupLines(section, rows, paint)),
        ...(section.omittedCount === 0 ? [] : [indentLine(`… ${section.omittedCount} more`)]),
      ].join("\n"),
    ),
    diagnosticsText(view.findings, paint, true),
    [view.alert, view.summary]
      .filter((line) => line.length > 0)
      .map((line) => paint.bold(bareText(line)))
      .join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
  return paint.fit(text);
}

function headText({ title: [first, ...rest], lines }: View, { bold, faint }: Paint): string {
  const title = bold(first?.text ?? "") + bareText(rest);
  if (lines.length === 0) return title;
  return lines.map((line) => `${title}${faint(` · ${bareText(line)}`)}`).join("\n");
}

function groupLines({ form, columns = [] }: Section, rows: readonly Row[], paint: Paint): readonly string[] {
  switch (form) {
    case "facts":
      return factLines(rows, paint);
    case "objects":
      return objectLines(rows, paint);
    case "rows": {
      const entries = rows.map(({ name, about }) => ({
        symbol: "",
        left: bareText(name),
        right: bareText(about),
      }));
      const column = columnFor(entries);
      return entries.map((row) => rowText(row, column));
    }
    case "names":
      return wrappedItems(
        rows.map(({ name }) => bareText(name)),
        Math.min(WIDTH, paint.columns - indentLine("").length),
      ).map(indentLine);
    case "values":
      return valueLines(rows).map(indentLine);
    case "table":
      return tableLines(columns, rows, paint).map(indentLine);
  }
}

const WIDTH = 100;

function indentLine(line: string): string {
  return `    ${line}`;
}

// Names followed by facts.

const ITEMS_WIDTH = 72;
const WIDEST_NAME = 40;
const WORD_WIDTH = 12;

function factLines(rows: readonly Row[], paint: Paint): readonly string[] {
  const width = Math.min(WIDEST_NAME, Math.max(0, ...rows.map(({ name }) => bareText(name).length)));
  return rows.flatMap(({ action, name, facts, members }) => {
    const symbol = action === undefined ? "   " : painterOf(action, paint)(SYMBOLS[action].padStart(3));
    const start = `${symbol} ${bareText(name).padEnd(width)}    `;
    return [
      ...facts.flatMap(({ label, items }) => phraseLines(label.text, items, width + 8, paint)),
      ...(members === undefined ? [] : [bareText(membersText(members))]),
    ].map((line, index) => (index === 0 ? start : " ".repeat(width + 8)) + line);
  });
}

/** Items behind a label. Rights with a mark are coloured, so that they are seen at once. */
function phraseLines(label: string, items: readonly Text[], before: number, paint: Paint): readonly string[] {
  const width = Math.max(LEAST_TEXT, Math.min(ITEMS_WIDTH, paint.columns - before - WORD_WIDTH));
  return wrappedItems(items.map(bareText), width).map(
    (line, index) =>
      (index === 0 ? label : "").padEnd(WORD_WIDTH) +
      line.replace(/(?<!\S)\S+ \((destructive|privileged|unknown right)[^)]*\)/g, paint.removed),
  );
}

// Objects with their attributes below.

function objectLines(rows: readonly Row[], paint: Paint): readonly string[] {
  const entries = rows.map((row) => ({
    row,
    head: {
      symbol: row.action === undefined ? "" : SYMBOLS[row.action],
      left: bareText(row.name),
      right: bareText(row.members === undefined ? row.about : membersText(row.members)),
    },
    body: row.facts.map(({ label, items }) => ({ left: label.text, right: items.map(bareText).join(", ") })),
  }));
  const column = columnFor(entries.flatMap(({ head, body }) => [head, ...body]));
  return entries.flatMap(({ row, head, body }) => [
    paintRow(rowText(head, column), row, paint),
    ...body.map((one) => rowText(one, column)),
    ...row.notes.map((note) => paint.faint(`      ${bareText(note)}`)),
  ]);
}

/** Colours the symbol, and the whole row of a delete. */
function paintRow(text: string, { action }: Row, paint: Paint): string {
  if (action === undefined) return text;
  const painter = painterOf(action, paint);
  return action === "delete" ? painter(text) : painter(text.slice(0, 3)) + text.slice(3);
}

function painterOf(action: Action, paint: Paint): Painter {
  switch (action) {
    case "create":
      return paint.added;
    case "update":
      return paint.changed;
    case "replace":
    case "delete":
      return paint.removed;
    case "none":
      return paint.faint;
  }
}

// Names with values, and tables.

/** Outputs of a stack, as `name = value`. */
export function outputLines(outputs: readonly OutputChange[]): readonly string[] {
  return valueLines(outputRows(outputs));
}

function valueLines(rows: readonly Row[]): readonly string[] {
  const width = Math.max(0, ...rows.map(({ name }) => bareText(name).length));
  return rows.map(({ name, about }) => `${bareText(name).padEnd(width)} = ${bareText(about)}`);
}

const BETWEEN_CELLS = "  ";

function tableLines(columns: readonly string[], rows: readonly Row[], { faint }: Paint): readonly string[] {
  const lines = rows.map(({ name, cells = [] }) => [name, ...cells].map(bareText));
  const widths = columns.map((title, index) =>
    Math.max(title.length, ...lines.map((cells) => cells[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join(BETWEEN_CELLS)
      .trimEnd();
  return [faint(line(columns)), ...lines.map(line)];
}
