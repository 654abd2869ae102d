/**
 * Lines and pairs. Approval is judged for each pair of a user and a right; a line is a way to write pairs. A destructive, privileged or unknown right
 * has a line of its own, with its mark. The other rights that one user gains until the same day share a line, and so do all rights that one user loses.
 * No I/O.
 */
import type { AccessMark } from "./plan";
import { inOrderOfRights, accessMarksOf } from "./rights";

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const NAME_PATTERN = String.raw`(?:[\w*][\w.:+*-]*|${QUOTED})`;
const USER_PATTERN = String.raw`(?:${NAME_PATTERN}(?:@${NAME_PATTERN})?|\(sensitive ${QUOTED}\))`;
/** A right has a group: so `loses password` is no right. */
const RIGHT = String.raw`(?:[\w*][\w:+*-]*\.[\w.:+*-]+|${QUOTED})`;
const MARKS = String.raw` \((?:destructive|privileged|destructive, privileged|unknown right)\)`;

const A_DAY = String.raw`\d{4}-\d{2}-\d{2}`;
const END_PATTERN = String.raw` until ${A_DAY}(?: \(was ${A_DAY}\))?| without an end`;

const PAIRS = new RegExp(
  `^(${USER_PATTERN}) (gains|keeps|loses) (${RIGHT}(?:, ${RIGHT})*)(${END_PATTERN})?(${MARKS})?$`,
);
const GRANT = new RegExp(
  `^(${USER_PATTERN}) (?:gains|keeps) (${RIGHT}|web access|API access)(${END_PATTERN})?(${MARKS})?$`,
);
const FIRST_DAY = new RegExp(A_DAY);
const EACH_RIGHT = new RegExp(RIGHT, "g");
const ENDS_WITH_MARKS = new RegExp(`${MARKS}$`);

/** Undefined for a line about something else than rights. The end is as ` until 2026-12-04`, or empty. */
function parsed(line: string) {
  const [, user, verb, rights, end = "", marks] = PAIRS.exec(line) ?? [];
  if (user === undefined || verb === undefined || rights === undefined) return undefined;
  return { user, verb, rights: rights.match(EACH_RIGHT) ?? [], end, isMarked: marks !== undefined };
}

/** ` (destructive, privileged)`, or nothing. */
export function markWords(marks: readonly AccessMark[]): string {
  return marks.length === 0 ? "" : ` (${marks.join(", ")})`;
}

/**
 * The pairs that a line writes, each as the line that would write it alone. A dangerous right in a line without its mark gives a pair that no
 * plan needs: such a right counts only in a marked line.
 */
export function pairsOf(line: string): readonly string[] {
  const pairs = parsed(line);
  if (pairs === undefined || pairs.isMarked) return [line];
  return pairs.rights.map((right) => `${pairs.user} ${pairs.verb} ${right}${pairs.end}`);
}

/** Approved pairs. A pair with an end covers the same and earlier ends of its right. A pair without an end covers every end. */
export class ApprovedPairs {
  readonly #pairs: ReadonlySet<string>;
  /** Last approved day, or null for no end, by user and access. */
  readonly #lastDays = new Map<string, string | null>();

  constructor(pairs: readonly string[]) {
    this.#pairs = new Set(pairs);
    for (const pair of pairs) {
      const grant = grantOf(pair);
      if (grant === undefined) continue;
      const known = this.#lastDays.get(grant.access);
      if (known === null || (known !== undefined && grant.day !== null && grant.day <= known)) continue;
      this.#lastDays.set(grant.access, grant.day);
    }
  }

  covers(pair: string): boolean {
    if (this.#pairs.has(pair)) return true;
    const grant = grantOf(pair);
    const lastDay = grant && this.#lastDays.get(grant.access);
    if (grant === undefined || lastDay === undefined) return false;
    return lastDay === null || (grant.day !== null && grant.day <= lastDay);
  }
}

/** The access that a pair lets a user have, be it gained or kept, and its last day: null for no end. */
function grantOf(pair: string): { readonly access: string; readonly day: string | null } | undefined {
  const [, user, what, end = "", marks = ""] = GRANT.exec(pair) ?? [];
  if (user === undefined || what === undefined) return undefined;
  return { access: `${user} ${what}${marks}`, day: FIRST_DAY.exec(end)?.[0] ?? null };
}

/** The lines that write these pairs, each pair once: marked lines first, and the rights of a line in the order of the API. */
export function linesOfPairs(pairs: Iterable<string>): readonly string[] {
  const markedLines = new Set<string>();
  const lines = new Map<string, { readonly end: string; readonly rights: Set<string> }>();
  for (const pair of pairs) {
    const pairParts = parsed(pair);
    if (pairParts === undefined) {
      if (ENDS_WITH_MARKS.test(pair)) markedLines.add(pair);
      else lines.set(pair, { end: "", rights: new Set() });
      continue;
    }
    const { user, verb, rights, end } = pairParts;
    for (const right of rights) {
      const marks = verb === "loses" ? [] : accessMarksOf(right);
      const start = `${user} ${verb}`;
      if (marks.length > 0) {
        markedLines.add(`${start} ${right}${end}${markWords(marks)}`);
        continue;
      }
      const line = lines.get(start + end) ?? { end, rights: new Set<string>() };
      line.rights.add(right);
      lines.set(start + end, line);
    }
  }
  const plain = [...lines].map(([key, { end, rights }]) => {
    const start = key.slice(0, key.length - end.length);
    return rights.size === 0 ? key : `${start} ${inOrderOfRights(rights).join(", ")}${end}`;
  });
  return [...markedLines, ...plain];
}

/** True if lines are written as {@link linesOfPairs} writes them. */
export function areJoined(lines: readonly string[]): boolean {
  const joined = linesOfPairs(lines.flatMap(pairsOf));
  return joined.length === lines.length && joined.every((line, index) => line === lines[index]);
}

/** All rights that the lines let each user gain without an end, by the line without mark that names some of them. */
export function gainedRights(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const gains = lines.flatMap((line) => {
    const pairs = parsed(line);
    return pairs?.verb === "gains" && pairs.end === "" ? [{ line, ...pairs }] : [];
  });
  return new Map(
    gains
      .filter(({ isMarked }) => !isMarked)
      .map(({ line, user }) => [
        line,
        gains.filter((one) => one.user === user).flatMap(({ rights }) => rights),
      ]),
  );
}
