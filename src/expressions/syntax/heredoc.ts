import type { Node } from "../node";
import type { Cursor } from "./cursor";
import { readWholeTemplate } from "./template";

/** `<<END` … `END`, or `<<-END`, which takes the lines' common indentation away. */
export function readHeredoc(cursor: Cursor): Node {
  const at = cursor.at;
  cursor.expect("<<", "of a heredoc");
  const flush = cursor.take("-");
  const word = cursor.expectIdentifier("the closing word of a heredoc");
  if (cursor.match(/[ \t\r]*\n/y) === "") throw cursor.unexpected("the end of the line");
  const lines: string[] = [];
  const starts: number[] = [];
  for (;;) {
    if (cursor.ended) throw cursor.error(`the heredoc is not closed by "${word}"`, at);
    starts.push(cursor.at);
    const line = cursor.match(/[^\n]*\n?/y);
    if (line.trim() === word) {
      // The line end behind the closing word belongs to what follows.
      if (line.endsWith("\n")) cursor.at--;
      break;
    }
    lines.push(line);
  }
  const kept = flush ? withoutIndentation(lines) : lines;
  const node = readWholeTemplate(cursor.inner(kept.join("")));
  return relocated(node, (inner) => outerOffset(inner, kept, lines, starts));
}

/** Offset in the whole text of what has an offset in the lines that were kept of it. */
function outerOffset(
  inner: number,
  kept: readonly string[],
  lines: readonly string[],
  starts: readonly number[],
): number {
  let left = inner;
  let line = 0;
  for (; line < kept.length - 1 && left >= (kept[line]?.length ?? 0); line++) left -= kept[line]?.length ?? 0;
  const indentation = (lines[line]?.length ?? 0) - (kept[line]?.length ?? 0);
  return (starts[line] ?? 0) + Math.max(0, indentation) + left;
}

/** A node, and all nodes in it, with other offsets. */
function relocated<T>(part: T, place: (at: number) => number): T {
  if (Array.isArray(part)) return part.map((one: unknown) => relocated(one, place)) as T;
  if (typeof part !== "object" || part === null) return part;
  const members = Object.entries(part).map(([name, member]: [string, unknown]) => [
    name,
    name === "at" && typeof member === "number" ? place(member) : relocated(member, place),
  ]);
  return Object.fromEntries(members) as T;
}

function withoutIndentation(lines: readonly string[]): string[] {
  const written = lines.filter((line) => line.trim() !== "");
  const common = Math.min(...written.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => (line.trim() === "" ? line.trimStart() || "\n" : line.slice(common)));
}
