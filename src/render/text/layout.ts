/** Lays out rows and columns: a symbol, a title, and a remark. */
import type * as StringWidth from "string-width" with { "resolution-mode": "import" };
import type * as WrapAnsi from "wrap-ansi" with { "resolution-mode": "import" };
import { plainText } from "../../lib/values";

const LEAST_COLUMN = 42;
const MOST_COLUMN = 64;
/** Columns that a text needs to be read. */
export const LEAST_TEXT = 16;

/** A row's parts. The symbol comes before the left part, which is indented without one. */
export interface TextRow {
  readonly symbol?: string;
  readonly left: string;
  readonly right: string;
}

/** The column at which the right parts of rows begin, so that as many as possible begin at the same place. */
export function columnFor(rows: readonly TextRow[]): number {
  const ends = rows.map(({ symbol, left }) => left.length + (symbol === undefined ? 8 : 6));
  const widest = Math.max(LEAST_COLUMN, ...ends);
  return Math.min(widest, MOST_COLUMN);
}

export function rowText(row: TextRow, column: number): string {
  const { symbol, left, right } = row;
  const start = symbol === undefined ? `${" ".repeat(6)}${left}` : `${symbol.padStart(3)} ${left}`;
  return right === "" ? start : `${start.padEnd(column - 2)}  ${right}`;
}

/** Items in lines of at most so many columns, separated by commas; a line ends between two items. */
export function wrappedItems(items: readonly string[], columns: number): readonly string[] {
  const lines: string[] = [];
  for (const [index, item] of items.entries()) {
    const piece = index < items.length - 1 ? `${item},` : item;
    const longer = `${lines.at(-1)} ${piece}`;
    if (lines.length === 0 || displayWidth(longer) > columns) lines.push(piece);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** A line that is wider than the terminal ends between two words, and goes on below its last column, or else below its beginning. */
export function fitted(text: string, columns: number): string {
  const fit = (line: string): string => {
    if (displayWidth(line) <= columns) return line;
    const starts = [/^.* {2}(?=\S)/, /^ */].map((start) => start.exec(line)?.[0] ?? "");
    const start = starts.find((one) => columns - displayWidth(one) >= LEAST_TEXT) ?? "";
    const indent = displayWidth(start);
    const rest = wrapped(line.slice(start.length), columns - indent).split("\n");
    return start + rest.join(`\n${" ".repeat(indent)}`);
  };
  return text.split("\n").map(fit).join("\n");
}

// Loaded when a text is measured, since most runs of the command measure none.
/* eslint-disable @typescript-eslint/no-require-imports -- modules in a form that CommonJS cannot import otherwise */
function wrapped(text: string, columns: number): string {
  return (require("wrap-ansi") as typeof WrapAnsi).default(text, columns);
}

function displayWidth(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : (require("string-width") as typeof StringWidth).default(text);
}
/* eslint-enable @typescript-eslint/no-require-imports */

/** A text of several lines, fit for a terminal: control characters are taken out, line ends and indentation stay. */
export function plainLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => {
    const indent = /^ */.exec(line)?.[0] ?? "";
    return `${indent}${plainText(line)}`.trimEnd();
  });
}
