/** The order of texts and names that Terraform uses everywhere: by code point, which is also the order of their UTF-8. */

/** Negative, zero or positive, as `sort` wants it. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** UTF-16 writes characters beyond U+FFFF with units that sort before U+E000; by code point they come last. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

export function sortedNames(object: object): string[] {
  return Object.keys(object).sort(compareText);
}
