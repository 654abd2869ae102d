/** Writes texts of the service into code: ambiguous, invisible and direction-changing characters are escaped. */

/** Letters and digits that need no escape: of Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic and Georgian, all as wide as those of ASCII … */
const NARROW =
  /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ff\u0400-\u0481\u048a-\u052f\u0531-\u0556\u0561-\u0586\u05d0-\u05ea\u0620-\u063f\u0641-\u064a\u10d0-\u10fa]/;

/** … and of Chinese, Japanese and Korean, which are twice as wide. */
const WIDE = /[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]/;

const PRINTABLE = /[ -~]/;

/** True if a character needs no escape. */
export function isPlainCharacter(character: string): boolean {
  return PRINTABLE.test(character) || NARROW.test(character) || WIDE.test(character);
}

/** Columns that a line of code takes: after escaping, every character is as wide as it looks. */
export function widthOf(line: string): number {
  let width = 0;
  for (const character of line) width += WIDE.test(character) ? 2 : 1;
  return width;
}

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

/** A text as a literal of TypeScript. It takes the quotation mark that has to be escaped less often, as Prettier does. */
export function textLiteral(text: string): string {
  const count = (mark: string) => text.split(mark).length - 1;
  const mark = count('"') > count("'") ? "'" : '"';
  let literal = "";
  for (const character of text) {
    const short = SHORT[character];
    if (short !== undefined) literal += short;
    else if (character === mark) literal += `\\${mark}`;
    else if (isPlainCharacter(character)) literal += character;
    else literal += escapeOf(character);
  }
  return mark + literal + mark;
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return code > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, "0")}`;
}
