/** Writes the rows of a view as lines of Markdown: each in full, and in brief for where there is little room. */
import type { Diagnostic } from "../../problems";
import {
  findingPlace,
  joinTexts,
  membersText,
  name,
  type Row,
  type Section,
  sentence,
  SYMBOLS,
  type Text,
  word,
} from "../view";
import { CELL, code, inline, LINE, type TextPlace } from "./inline";

/** One row. Its brief form is never longer than its full one. */
export interface Line {
  readonly full: string;
  readonly brief: string;
  /** Number of objects in the row. */
  readonly count: number;
  readonly action: Row["action"] | undefined;
}

const BRIEF: TextPlace = { cell: true, limit: 80 };
const BREAK = "<br>";

/** The rows of a section, and the head of a table. */
export function sectionLines(
  { form, columns = [] }: Pick<Section, "form" | "columns">,
  rows: readonly Row[],
): { readonly tableHead: readonly string[]; readonly lines: readonly Line[] } {
  switch (form) {
    case "facts":
      return {
        tableHead: tableHead(["", "name", "details"]),
        lines: rows.map((row) => {
          const members = row.members === undefined ? [] : [membersText(row.members)];
          return objectLine(
            row,
            [row.about, ...factTexts(row, " "), ...members, ...row.notes],
            countsOfFacts(row),
          );
        }),
      };
    case "objects":
      return {
        tableHead: tableHead(["", "object", "details"]),
        lines: rows.map((row) => {
          const members = row.members === undefined ? [] : [membersText(row.members)];
          const brief = inline(members[0] ?? row.about, { ...BRIEF, limit: 60 });
          return objectLine(row, [row.about, ...members, ...factTexts(row, " = "), ...row.notes], brief);
        }),
      };
    case "table":
      return {
        tableHead: tableHead(columns),
        lines: rows.map((row) => {
          const cells = [row.name, ...(row.cells ?? [])];
          const rowIn = (place: TextPlace) => tableRow(cells.map((cell) => inline(cell, place)));
          return line(row, rowIn(CELL), rowIn(BRIEF));
        }),
      };
    case "rows":
    case "values":
    case "names":
      return {
        tableHead: [],
        lines: rows.map((row) => {
          const between = word(form === "values" ? " = " : ": ");
          const text = row.about.length === 0 ? row.name : [...row.name, between, ...row.about];
          return line(row, `- ${inline(text, LINE)}`, `- ${inline(row.name, { ...LINE, limit: 80 })}`);
        }),
      };
  }
}

function tableHead(columns: readonly string[]): readonly string[] {
  return [tableRow(columns.map((title) => inline([word(title)], CELL))), tableRow(columns.map(() => "---"))];
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function line({ count, action }: Pick<Row, "count" | "action">, full: string, brief: string): Line {
  return { full, brief: brief.length < full.length ? brief : full, count, action };
}

function objectLine(row: Row, contents: readonly Text[], brief: string): Line {
  const symbol = row.action === undefined ? "" : code(SYMBOLS[row.action], CELL);
  const texts = contents.filter((text) => text.length > 0).map((text) => inline(text, CELL));
  return line(
    row,
    tableRow([symbol, inline(row.name, CELL), texts.join(BREAK)]),
    tableRow([symbol, inline(row.name, BRIEF), brief]),
  );
}

function factTexts({ facts }: Row, between: string): readonly Text[] {
  return facts.map(({ label, items }) => [label, word(between), ...joinTexts(items, ", ")]);
}

/** `gains 3, loses 1 (destructive)` */
function countsOfFacts({ facts }: Row): string {
  const counts = facts.map(({ label, items }): Text =>
    /^\d/.test(label.text) ? [label] : [label, word(` ${items.length}`)],
  );
  const marks = new Set(
    facts.flatMap(({ items }) => items.flat().flatMap(({ kind, text }) => (kind === "mark" ? [text] : []))),
  );
  return [inline(joinTexts(counts, ", "), BRIEF), ...[...marks].map((text) => `**${text}**`)].join(" ");
}

/** An error or a warning: its code, place, problem and advice. */
export function findingLine(finding: Diagnostic): Line {
  const { severity, code: id, summary, detail, advice } = finding;
  const place = findingPlace(finding);
  const head: Text = [
    word(severity === "error" ? "Error " : "Warning "),
    name(id),
    ...(place.length === 0 ? [] : [word(" at "), ...place]),
  ];
  const lines = [summary, detail ?? "", advice ?? ""].flatMap((text) => text.split(/\r?\n/));
  const sentences = lines.filter((text) => text.trim() !== "").map((text) => inline([sentence(text)], LINE));
  return line(
    { count: 1 },
    [`- ${inline(head, LINE)}`, ...sentences].join(BREAK),
    `- ${inline([name(id), word(": "), sentence(summary)], { ...LINE, limit: 160 })}`,
  );
}
