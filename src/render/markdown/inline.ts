/**
 * Writes the pieces of a view as Markdown without active content from other people. Names, values and sentences that quote names are code spans on one line, so
 * hosts make no mention, link, image, command or HTML of them.
 */
import { escapeUnseen } from "../../lib/values";
import { bareText, type Piece, type Text } from "../view";

/** Names and values, and sentences, are cut to these lengths. */
const LONGEST_PIECE = { name: 200, value: 400, sentence: 800 } as const;

/** Place of a text: in the cell of a table, `|` has to be escaped. */
export interface TextPlace {
  readonly cell: boolean;
  /** Most characters of any piece. @default the usual length for its kind */
  readonly limit?: number;
}

export const LINE: TextPlace = { cell: false };
export const CELL: TextPlace = { cell: true };

export function inline(text: Text, place: TextPlace): string {
  return text.map((piece) => inlinePiece(piece, place)).join("");
}

function inlinePiece({ kind, text }: Piece, place: TextPlace): string {
  switch (kind) {
    case "word":
      return wordText(text, place);
    case "mark":
      return `**${wordText(text, place)}**`;
    case "name":
    case "value":
    case "sentence":
      return code(text, { ...place, limit: Math.min(LONGEST_PIECE[kind], place.limit ?? Infinity) });
  }
}

/** Characters of our own words. A word with any other one is shown as a name. */
const HARMLESS_TEXT = /^[A-Za-z0-9 ,.;:()'"·×…>=-]*$/;

function wordText(text: string, place: TextPlace): string {
  return HARMLESS_TEXT.test(text) ? text.replace(/>/g, String.raw`\>`) : code(text, place);
}

/** A code span with the text. */
export function code(text: string, { cell, limit = Infinity }: TextPlace): string {
  const line = shortenTo(escapeUnseen(shortenTo(text.replace(/\s+/g, " "), limit)), limit);
  const escaped = cell ? escapedPipes(line) : line;
  const fence = "`".repeat(longestRun(escaped) + 1);
  // A blank at both ends is taken away again. Without one, a backtick at an end would belong to the fence.
  const pad = escaped.trim() === "" || /^[ `]|[ `]$/.test(escaped) ? " " : "";
  return `${fence}${pad}${escaped === "" ? " " : escaped}${pad}${fence}`;
}

/** An even number of backslashes before a `|` would leave it unescaped in every parser. So the existing backslashes are doubled. */
function escapedPipes(line: string): string {
  // At the end of a cell, a blank or the fence follows the backslashes, so they escape nothing.
  return line.replace(/(?<!\\)(\\*)\|/g, String.raw`$1$1\|`);
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

function shortenTo(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${[...text.slice(0, limit)]
    .slice(0, limit - 1)
    .join("")
    .replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A title on one line: pieces, as in any other line. */
export function heading(level: number, text: Text): string {
  return `${"#".repeat(level)} ${bareText(text) === "" ? "…" : inline(text, { ...LINE, limit: 100 })}`;
}
