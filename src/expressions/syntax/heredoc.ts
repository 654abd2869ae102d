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
  for (;;) {
    if (cursor.ended) throw cursor.error(`the heredoc is not closed by "${word}"`, at);
    const line = cursor.match(/[^\n]*\n?/y);
    if (line.trim() === word) {
      // The line end behind the closing word belongs to what follows.
      if (line.endsWith("\n")) cursor.at--;
      break;
    }
    lines.push(line);
  }
  const text = (flush ? withoutIndentation(lines) : lines).join("");
  return readWholeTemplate(cursor.inner(text));
}

function withoutIndentation(lines: readonly string[]): string[] {
  const written = lines.filter((line) => line.trim() !== "");
  const common = Math.min(...written.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => (line.trim() === "" ? line.trimStart() || "\n" : line.slice(common)));
}
