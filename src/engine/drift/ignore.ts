/** `--ignore ADDRESS[.ATTRIBUTE]`: differences that are not to count. */
import type { Drift } from "../../plan";
import { type Finding, ignoresNothing } from "../../problems";
import { formatPath } from "../../values";

interface Sorted {
  readonly drift: readonly Drift[];
  readonly ignored: readonly Drift[];
  /** Patterns that match nothing. */
  readonly unmatched: readonly Finding[];
}

/** @param patterns addresses, logins or accounts' names, an attribute after each or none; `*` stands for any characters */
export function ignoring(rows: readonly Drift[], patterns: readonly string[]): Sorted {
  const rules = patterns.map((pattern) => ({ pattern, expression: expressionOf(pattern), used: false }));
  const drift: Drift[] = [];
  const ignored: Drift[] = [];
  for (const row of rows) {
    const names = namesOf(row);
    const matching = rules.filter(({ expression }) => names.some((name) => expression.test(name)));
    for (const rule of matching) rule.used = true;
    (matching.length > 0 ? ignored : drift).push(row);
  }
  const unmatched = rules.filter(({ used }) => !used).map(({ pattern }) => ignoresNothing.at(pattern));
  return { drift, ignored, unmatched };
}

/** The object, the attribute, and all that the attribute stands in: `permissions` means each right. */
function namesOf({ address, title, path }: Drift): readonly string[] {
  const attributes = path.flatMap((_step, index) => {
    const part = path.slice(0, index + 1);
    return [formatPath(part), part.join(".")];
  });
  return [address, title].flatMap((object) => [object, ...attributes.map((name) => `${object}.${name}`)]);
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}
