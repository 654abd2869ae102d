/** The bench's findings as people read them. */
import type { Finding, Spread } from "../measure";

const HEADINGS = ["what", "median", "min – max", "processor", "goal", ""];

export function tableOf(findings: readonly Finding[]): string {
  const rows = [HEADINGS, ...findings.map(rowOf)];
  const widths = HEADINGS.map((_heading, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function rowOf(finding: Finding): readonly string[] {
  const { what, measured, processor, goal, unit, detail } = finding;
  return [
    what,
    valueText(measured.median, unit),
    rangeText(measured, unit),
    processor === undefined ? "" : valueText(processor.median),
    `≤ ${goal}`,
    [verdictOf(finding), detail].filter((part) => part !== undefined).join("; "),
  ];
}

function verdictOf({ measured: { median }, goal }: Finding): string {
  if (median <= goal) return "met";
  return `missed by ${((median / goal - 1) * 100).toFixed(0)} %`;
}

function valueText(value: number, unit?: string): string {
  return unit === undefined ? value.toFixed(2) : `${value} ${unit}`;
}

function rangeText({ min, max }: Spread, unit?: string): string {
  return unit === undefined ? `${min.toFixed(2)} – ${max.toFixed(2)}` : `${min} – ${max}`;
}
