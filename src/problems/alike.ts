/** Puts findings in the order in which they are read, and shows alike ones as one. */
import { formatPath, groupedBy } from "../lib/values";
import { type Diagnostic, isError } from "./problem";

/** Up to so many alike findings are shown one by one. */
const MOST_ALONE = 3;

/** Other places of alike findings that are named. */
const MOST_PLACES = 5;

/**
 * Errors before warnings, and warnings that need nothing to be done last. Alike findings are one, with their number. A finding that comes
 * twice is shown once.
 * @param all whether each is shown by itself (`--all`)
 */
export function shownFindings(findings: readonly Diagnostic[], all: boolean): readonly Diagnostic[] {
  const distinct = [...new Map(findings.map((one) => [JSON.stringify(one), one])).values()];
  const ordered = [...distinct].sort((a, b) => urgency(a) - urgency(b));
  if (all) return ordered;
  return [...groupedBy(ordered, likeness).values()].flatMap((group) =>
    group.length <= MOST_ALONE ? group : [mergedDiagnostic(group)],
  );
}

function urgency(finding: Diagnostic): number {
  if (isError(finding)) return 0;
  return isRemark(finding) ? 2 : 1;
}

/** True for a warning that needs nothing to be done. */
export function isRemark(finding: Diagnostic): boolean {
  return !isError(finding) && finding.advice === undefined;
}

/** Findings are alike if they report the same mistake in the same attribute. The object's name makes no difference. */
function likeness({ severity, code, summary, attribute = [] }: Diagnostic): string {
  const words = summary.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\d+/g, "0");
  return JSON.stringify([severity, code, words, attribute]);
}

/** The first finding, with the places of the others. */
function mergedDiagnostic([first, ...others]: readonly [Diagnostic, ...Diagnostic[]]): Diagnostic {
  const places = others.flatMap(({ address, constructPath, file, attribute = [] }) => {
    const where = address ?? constructPath ?? file;
    return where === undefined && attribute.length === 0 ? [] : [where ?? formatPath(attribute)];
  });
  const names = places.slice(0, MOST_PLACES);
  const more = others.length - names.length;
  const also = [...names, ...(more > 0 ? [`${more} more`] : [])]
    .join(", ")
    .replace(/, (?=\d+ more$)/, " and ");
  return {
    ...first,
    summary: `${first.summary} (${others.length + 1} alike)`,
    detail: [first.detail, `The same: ${also}. --all lists them.`]
      .filter((part) => part !== undefined)
      .join("\n"),
  };
}
