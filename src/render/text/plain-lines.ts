import { plainText } from "../../values";

/** A text of several lines, fit for a terminal: control characters are taken out, line ends and indentation stay. */
export function plainLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => {
    const indent = /^ */.exec(line)?.[0] ?? "";
    return `${indent}${plainText(line)}`.trimEnd();
  });
}
