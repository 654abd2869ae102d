/** Lays out rows and columns: a symbol, a title, and a remark. */
import { plainText } from "../../lib/values";

const LEAST_COLUMN = 42;
const MOST_COLUMN = 64;

/** A row's parts. The symbol comes before the left part, which is indented without one. */
export interface TextRow {
  readonly symbol?: string;
  readonly left: string;
  readonly right: string;
}

/** The column at which the right parts of rows begin, so that as many as possible begin at the same place. */
export function columnFor(rows: readonly TextRow[]): number {
  const widest = Math.max(LEAST_COLUMN, ...rows.map((row) => widthOfLeft(row) + 2));
  return Math.min(widest, MOST_COLUMN);
}

export function rowText(row: TextRow, column: number): string {
  const { symbol, left, right } = row;
  const start = symbol === undefined ? `${" ".repeat(6)}${left}` : `${symbol.padStart(3)} ${left}`;
  return right === "" ? start : `${start.padEnd(column - 2)}  ${right}`;
}

function widthOfLeft({ symbol, left }: TextRow): number {
  return left.length + (symbol === undefined ? 6 : 4);
}

/** Items in lines of at most so many characters, separated by commas. */
export function wrappedItems(items: readonly string[], width: number): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let length = 0;
  for (const [index, item] of items.entries()) {
    const piece = index < items.length - 1 ? `${item},` : item;
    const last = lines[lines.length - 1];
    if (last === undefined || length + 1 + piece.length > width) {
      lines.push([piece]);
      length = piece.length;
    } else {
      last.push(piece);
      length += 1 + piece.length;
    }
  }
  return lines;
}

/** A text of several lines, fit for a terminal: control characters are taken out, line ends and indentation stay. */
export function plainLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => {
    const indent = /^ */.exec(line)?.[0] ?? "";
    return `${indent}${plainText(line)}`.trimEnd();
  });
}
