/** Errors and warnings: what, where, why, and what to do. */
import type { Diagnostic } from "../../errors";
import { formatPath, plainText } from "../../values";
import type { Paint } from "./paint";
import { plainLines } from "./plain-lines";

export function diagnosticText(diagnostic: Diagnostic, { bold, removed, warned }: Paint): string {
  const { severity, code, summary, detail, advice } = diagnostic;
  const label = severity === "error" ? removed(`Error ${code}:`) : warned(`Warning ${code}:`);
  const [first = "", ...rest] = plainLines(summary);
  const below = [
    ...rest,
    ...place(diagnostic),
    ...(detail ? plainLines(detail) : []),
    ...(advice ? plainLines(advice) : []),
  ];
  return [`${label} ${bold(first)}`, ...below.map((line) => `  ${line}`)].join("\n");
}

/** Each as a paragraph of its own; alike ones once. */
export function diagnosticsText(diagnostics: readonly Diagnostic[], paint: Paint): string {
  return [...new Set(diagnostics.map((diagnostic) => diagnosticText(diagnostic, paint)))].join("\n\n");
}

function place({ address, attribute, constructPath, file }: Diagnostic): readonly string[] {
  const where = [
    address === undefined ? undefined : plainText(address),
    attribute === undefined || attribute.length === 0 ? undefined : plainText(formatPath(attribute)),
  ]
    .filter((part) => part !== undefined)
    .join(", ");
  const construct = constructPath === undefined ? undefined : plainText(constructPath);
  const lines: string[] = [];
  if (where !== "") lines.push(`on ${where}${construct === undefined ? "" : ` (${construct})`}`);
  else if (construct !== undefined) lines.push(`on ${construct}`);
  if (file !== undefined) lines.push(`in ${plainText(file)}`);
  return lines;
}
