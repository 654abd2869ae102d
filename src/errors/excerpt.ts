const BEFORE = 40;
const AFTER = 40;

/** A quoted piece of a text around one of its characters, on one line. */
export function excerpt(text: string, at: number): string {
  const start = Math.max(0, at - BEFORE);
  const end = Math.min(text.length, at + AFTER);
  const piece = `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
  return JSON.stringify(piece);
}
