/** Text from the service, made fit for a terminal, a log and a diagnostic. */

/** Escape sequences of terminals: CSI with its parameters, OSC and its kin up to their end, and the two-character ones. */
const ESCAPE_SEQUENCE =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[\]PX^_][^\u0007\u001b\u009c]*|\u001b[ -/]*[0-~]?/g;

/** What moves a cursor, hides text or turns its direction: C0, C1, format characters (bidi, zero width, tags), surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu;

/** Of nearly every text nothing has to go, which this finds out long before the expressions above are even compiled. */
const OTHER_THAN_ASCII = /[^ -~]/;

/**
 * One line without control characters, escape sequences and invisible characters; runs of white space become one blank.
 * @param limit longest result in characters; what is cut away is marked by "…". @default no limit
 */
export function plainText(text: string, limit = Infinity): string {
  const line = (OTHER_THAN_ASCII.test(text) ? printable(text) : text).replace(/\s+/g, " ").trim();
  if (line.length <= limit) return line;
  return `${[...line.slice(0, limit * 2)].slice(0, limit - 1).join("")}…`;
}

function printable(text: string): string {
  return text
    .replace(ESCAPE_SEQUENCE, "")
    .replace(/[\t-\r\u0085\u2028\u2029]/g, " ")
    .replace(UNPRINTABLE, "");
}
