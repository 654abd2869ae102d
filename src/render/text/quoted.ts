/** Texts between quotation marks, so that every character that they hold can be seen. */

/** Control characters that JSON leaves as they are, and what moves, hides or turns text around. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/gu;

const LONGEST = 80;
/** How much of what two long texts have in common stays in front of their difference. */
const CONTEXT = 16;

/** @param limit characters after which the text is cut. @default 80 */
export function quoted(text: string, limit = LONGEST): string {
  const characters = text.length > limit ? [...text.slice(0, limit * 2)] : undefined;
  if (characters === undefined || characters.length <= limit) return escaped(text);
  return `${escaped(characters.slice(0, limit).join(""))}…`;
}

/** Two texts side by side. Where both are long, what they have in common in front is left out, so that the difference is seen. */
export function quotedPair(before: string, after: string): readonly [string, string] {
  const common = Math.max(before.length, after.length) > LONGEST ? commonPrefix(before, after) - CONTEXT : 0;
  if (common < CONTEXT) return [quoted(before), quoted(after)];
  return [`…${quoted(before.slice(common))}`, `…${quoted(after.slice(common))}`];
}

function escaped(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
}

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  // Not between the halves of a character.
  return /[\uD800-\uDBFF]/.test(a[length - 1] ?? "") ? length - 1 : length;
}
