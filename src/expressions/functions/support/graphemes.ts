let segmenter: Intl.Segmenter | undefined;

/** The characters of a text as people count them: a letter with its accents is one. */
export function graphemes(text: string): string[] {
  // eslint-disable-next-line no-control-regex -- of ASCII only CR LF is one character
  if (/^[\x00-\x0c\x0e-\x7f]*$/.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
