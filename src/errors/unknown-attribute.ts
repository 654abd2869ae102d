import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The configuration names an attribute that the resource does not have. */
export class UnknownAttribute extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_ATTRIBUTE";
  static readonly explanation = `
The configuration sets an attribute that this resource does not have, most often a misspelt one. Attribute names are the API's
member names in snake_case, nested as the API nests them.`;

  constructor(name: string, known: readonly string[], details: ErrorDetails = {}) {
    const near = nearest(name, known);
    super(`there is no attribute "${name}" here`, {
      advice: near === undefined ? `The attributes are: ${known.join(", ")}.` : `Did you mean "${near}"?`,
      ...details,
    });
  }
}

/** The known name that is at most a third of its letters away. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return ranked !== undefined && ranked.distance <= Math.max(1, ranked.candidate.length / 3)
    ? ranked.candidate
    : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_unused, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
