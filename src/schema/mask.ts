/** Values that the service shows only in part, such as `********4567` for a telephone number. */

const MARKS = /[*\u2022\u25cf]/;

/** Letters and number signs may be part of a value, so only a run of them in a text that is a number otherwise masks. */
const RUNS = /^[-0-9 +()./]*(?:x{2,}|X{2,}|#{2,})[-0-9xX# +()./]*$/;

export function isMasked(shown: string): boolean {
  return MARKS.test(shown) || RUNS.test(shown);
}

/**
 * Whether a value may be the one behind the mask: what the mask shows before its first and after its last masked
 * character begins and ends the value. Blanks and punctuation are no part of a number, so they do not count.
 */
export function maskFits(shown: string, value: string): boolean {
  const bare = significant(value);
  const mark = MARKS.test(shown) ? MARKS : /[xX#]/;
  const characters = [...shown];
  const first = characters.findIndex((character) => mark.test(character));
  const last = characters.findLastIndex((character) => mark.test(character));
  if (!isMasked(shown) || first === -1) return significant(shown) === bare;
  const head = significant(characters.slice(0, first).join(""));
  const tail = significant(characters.slice(last + 1).join(""));
  return head.length + tail.length <= bare.length && bare.startsWith(head) && bare.endsWith(tail);
}

function significant(number: string): string {
  return number.replace(/[^0-9A-Za-z]/g, "");
}
