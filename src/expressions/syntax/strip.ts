/**
 * What the strip markers `~` take away: in quotes, all white space beside them; elsewhere it reaches to the end of the line,
 * and takes that with it.
 */

export function trimStart(text: string, quoted: boolean): string {
  if (quoted) return text.trimStart();
  const end = text.indexOf("\n") + 1 || text.length;
  return text.slice(0, end).trimStart() + text.slice(end);
}

export function trimEnd(text: string, quoted: boolean): string {
  if (quoted) return text.trimEnd();
  const start = text.lastIndexOf("\n", text.length - 2) + 1;
  return text.slice(0, start) + text.slice(start).trimEnd();
}
