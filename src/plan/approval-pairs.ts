/**
 * Lines and pairs. Approval is judged for each pair of a user and a right; a line is a way to write pairs. A destructive or privileged right
 * has a line of its own, with its mark. The other rights that one user gains share a line, and so do those that one user loses. No I/O.
 */
import type { AccessMark } from "./plan";
import { inOrderOfRights, marksOf } from "./rights";

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const NAME = String.raw`(?:[\w*][\w.:+*-]*|${QUOTED})`;
const USER = String.raw`(?:${NAME}(?:@${NAME})?|\(sensitive ${QUOTED}\))`;
/** A right has a group: so `loses password` is no right. */
const RIGHT = String.raw`(?:[\w*][\w:+*-]*\.[\w.:+*-]+|${QUOTED})`;
const MARKS = String.raw` \((?:destructive|privileged|destructive, privileged)\)`;

const PAIRS = new RegExp(`^(${USER}) (gains|loses) (${RIGHT}(?:, ${RIGHT})*)(${MARKS})?$`);
const EACH_RIGHT = new RegExp(RIGHT, "g");
const ENDS_WITH_MARKS = new RegExp(`${MARKS}$`);

interface Pairs {
  readonly user: string;
  readonly verb: string;
  readonly rights: readonly string[];
  readonly isMarked: boolean;
}

/** Undefined for a line about something else than rights. */
function parsed(line: string): Pairs | undefined {
  const [, user, verb, rights, marks] = PAIRS.exec(line) ?? [];
  if (user === undefined || verb === undefined || rights === undefined) return undefined;
  return { user, verb, rights: rights.match(EACH_RIGHT) ?? [], isMarked: marks !== undefined };
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
  return pairs.rights.map((right) => `${pairs.user} ${pairs.verb} ${right}`);
}

/** The lines that write these pairs, each pair once: marked lines first, and the rights of a line in the order of the API. */
export function linesOfPairs(pairs: Iterable<string>): readonly string[] {
  const markedLines = new Set<string>();
  const lines = new Map<string, Set<string>>();
  for (const pair of pairs) {
    const pairParts = parsed(pair);
    if (pairParts === undefined) {
      if (ENDS_WITH_MARKS.test(pair)) markedLines.add(pair);
      else lines.set(pair, new Set());
      continue;
    }
    const { user, verb, rights } = pairParts;
    for (const right of rights) {
      const marks = verb === "gains" ? marksOf(right) : [];
      const start = `${user} ${verb}`;
      if (marks.length > 0) markedLines.add(`${start} ${right}${markWords(marks)}`);
      else lines.set(start, (lines.get(start) ?? new Set()).add(right));
    }
  }
  const plain = [...lines].map(([start, rights]) =>
    rights.size === 0 ? start : `${start} ${inOrderOfRights(rights).join(", ")}`,
  );
  return [...markedLines, ...plain];
}

/** True if lines are written as {@link linesOfPairs} writes them. */
export function areJoined(lines: readonly string[]): boolean {
  const joined = linesOfPairs(lines.flatMap(pairsOf));
  return joined.length === lines.length && joined.every((line, index) => line === lines[index]);
}

/** All rights that the lines let each user gain, by the line without mark that names some of them. */
export function gainedRights(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const gains = lines.flatMap((line) => {
    const pairs = parsed(line);
    return pairs?.verb === "gains" ? [{ line, ...pairs }] : [];
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
