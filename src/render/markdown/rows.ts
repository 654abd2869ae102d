/** Writes the rows of a view as lines of Markdown: each in full, and in brief for where there is little room. */
import type { Diagnostic } from "../../problems";
import {
  findingPlace,
  joined,
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

/** One row. */
export interface Line {
  readonly full: string;
  readonly brief: string;
  /** How many objects it stands for, and what is done to them. */
  readonly count: number;
  readonly action: Row["action"];
}

const BRIEF: TextPlace = { cell: true, limit: 80 };
const BREAK = "<br>";

/** What stands above the rows of a section, if they are those of a table. */
export function tableHead({ form, columns = [] }: Section): readonly string[] {
  switch (form) {
    case "facts":
      return table(["", "who", "what"]);
    case "objects":
      return table(["", "object", "what"]);
    case "table":
      return table(columns);
    case "rows":
    case "names":
    case "values":
      return [];
  }
}

function table(columns: readonly string[]): readonly string[] {
  return [tableRow(columns.map((title) => inline([word(title)], CELL))), tableRow(columns.map(() => "---"))];
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

export function lineOf(form: Section["form"], row: Row): Line {
  const { count, action } = row;
  return { ...texts(form, row), count, action };
}

function texts(form: Section["form"], row: Row): Pick<Line, "full" | "brief"> {
  switch (form) {
    case "facts":
    case "objects":
      return {
        full: tableRow([symbol(row), inline(row.name, CELL), contents(form, row).join(BREAK)]),
        brief: tableRow([symbol(row), inline(row.name, BRIEF), inBrief(form, row)]),
      };
    case "table": {
      const cells = [row.name, ...(row.cells ?? [])];
      return {
        full: tableRow(cells.map((cell) => inline(cell, CELL))),
        brief: tableRow(cells.map((cell) => inline(cell, BRIEF))),
      };
    }
    case "rows":
    case "values":
    case "names": {
      const between = word(form === "values" ? " = " : ": ");
      const text = row.about.length === 0 ? row.name : [...row.name, between, ...row.about];
      return {
        full: `- ${inline(text, LINE)}`,
        brief: `- ${inline(row.name, { ...LINE, limit: 80 })}`,
      };
    }
  }
}

function symbol({ action }: Row): string {
  return action === undefined ? "" : code(SYMBOLS[action], CELL);
}

function contents(form: Section["form"], { about, facts, members, notes }: Row): readonly string[] {
  const between = word(form === "facts" ? " " : " = ");
  const lines: readonly Text[] = [
    ...(about.length === 0 ? [] : [about]),
    ...(form === "objects" && members !== undefined ? [membersText(members)] : []),
    ...facts.map(({ label, items }): Text => [label, between, ...joined(items, ", ")]),
    ...(form === "facts" && members !== undefined ? [membersText(members)] : []),
    ...notes,
  ];
  return lines.map((line) => inline(line, CELL));
}

/** `gains 3, loses 1 (destructive)`, or what stands beside the name of an object. */
function inBrief(form: Section["form"], { about, facts, members }: Row): string {
  if (form === "objects")
    return inline(members === undefined ? about : membersText(members), { ...BRIEF, limit: 60 });
  const counts = facts.map(({ label, items }): Text =>
    /^\d/.test(label.text) ? [label] : [label, word(` ${items.length}`)],
  );
  const marks = new Set(
    facts.flatMap(({ items }) => items.flat().flatMap(({ kind, text }) => (kind === "mark" ? [text] : []))),
  );
  return [inline(joined(counts, ", "), BRIEF), ...[...marks].map((text) => `**${text}**`)].join(" ");
}

/** An error or a warning: its code, where, what, and what to do. */
export function findingLine(finding: Diagnostic): Line {
  const { severity, code: id, summary, detail, advice } = finding;
  const place = findingPlace(finding);
  const head: Text = [
    word(severity === "error" ? "Error " : "Warning "),
    name(id),
    ...(place.length === 0 ? [] : [word(" at "), ...place]),
  ];
  const lines = [summary, detail ?? "", advice ?? ""].flatMap((text) => text.split(/\r?\n/));
  const said = lines.filter((text) => text.trim() !== "").map((text) => inline([sentence(text)], LINE));
  return {
    full: [`- ${inline(head, LINE)}`, ...said].join(BREAK),
    brief: `- ${inline([name(id), word(": "), sentence(summary)], { ...LINE, limit: 160 })}`,
    count: 1,
    action: undefined,
  };
}
