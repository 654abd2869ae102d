/** Renders errors and warnings: problem, place, reason and advice. */
import { type Diagnostic, shownFindings } from "../../problems";
import { formatPath, plainText } from "../../lib/values";
import { plainLines } from "./layout";
import type { Paint } from "./paint";

export function diagnosticText(diagnostic: Diagnostic, { bold, removed, warned }: Paint): string {
  const { severity, code, summary, detail, advice } = diagnostic;
  const label = severity === "error" ? removed(`Error ${code}:`) : warned(`Warning ${code}:`);
  const [first = "", ...rest] = plainLines(summary);
  const below = [
    ...rest,
    ...placeLines(diagnostic),
    ...(detail ? plainLines(detail) : []),
    ...(advice ? plainLines(advice) : []),
  ];
  return [`${label} ${bold(first)}`, ...below.map((line) => `  ${line}`)].join("\n");
}

/**
 * Each as a paragraph of its own.
 * @param all whether alike ones are shown one by one. @default they are one paragraph, with their number
 */
export function diagnosticsText(diagnostics: readonly Diagnostic[], paint: Paint, all = false): string {
  const texts = shownFindings(diagnostics, all).map((diagnostic) => diagnosticText(diagnostic, paint));
  return [...new Set(texts)].join("\n\n");
}

function placeLines({ address, attribute, constructPath, file }: Diagnostic): readonly string[] {
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

/** The checks with advice, a line each. */
interface ShownCheck {
  readonly name: string;
  readonly outcome: "passed" | "warning" | "failed" | "skipped";
  readonly message: string;
  readonly advice?: string;
  readonly code?: string;
}

const OUTCOME_WORDS: Readonly<Record<ShownCheck["outcome"], string>> = {
  passed: "ok",
  warning: "note",
  failed: "fail",
  skipped: "-",
};

export function checksText(title: string, checks: readonly ShownCheck[], paint: Paint): string {
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  const lines = checks.flatMap((check) => {
    const code = check.code === undefined ? "" : ` (${check.code})`;
    const head = `${check.name.padEnd(width)}  ${plainText(check.message)}${code}`;
    const advice = check.advice === undefined ? [] : plainLines(check.advice);
    return [
      `  ${paintOutcome(check, paint)}  ${head}`,
      ...advice.map((line) => `${" ".repeat(width + 10)}${line}`),
    ];
  });
  return paint.fit([paint.bold(plainText(title)), ...lines].join("\n"));
}

function paintOutcome({ outcome }: ShownCheck, { added, warned, removed, faint }: Paint): string {
  const painter = { passed: added, warning: warned, failed: removed, skipped: faint }[outcome];
  return painter(OUTCOME_WORDS[outcome].padEnd(4));
}
