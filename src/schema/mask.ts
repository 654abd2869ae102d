/** Values that the service shows only in part, such as `********4567` for a telephone number. */

const MASK = /[*•●xX#]/;

export function isMasked(shown: string): boolean {
  return MASK.test(shown);
}

/**
 * Whether a value may be the one behind the mask: what the mask shows before its first and after its last masked
 * character begins and ends the value. Blanks and punctuation are no part of a number, so they do not count.
 */
export function maskFits(shown: string, value: string): boolean {
  const bare = significant(value);
  const first = shown.search(MASK);
  if (first === -1) return significant(shown) === bare;
  const last = shown.length - 1 - [...shown].reverse().join("").search(MASK);
  const head = significant(shown.slice(0, first));
  const tail = significant(shown.slice(last + 1));
  return head.length + tail.length <= bare.length && bare.startsWith(head) && bare.endsWith(tail);
}

function significant(number: string): string {
  return number.replace(/[^0-9A-Za-z]/g, "");
}
