/** What was looked at, and what is to be done about it: a line each. */
import { plainText } from "../../values";
import type { Paint } from "./paint";
import { plainLines } from "./plain-lines";

export interface ShownCheck {
  readonly name: string;
  readonly outcome: "passed" | "warning" | "failed" | "skipped";
  readonly message: string;
  readonly advice?: string;
  readonly code?: string;
}

const WORDS: Readonly<Record<ShownCheck["outcome"], string>> = {
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
      `  ${painted(check, paint)}  ${head}`,
      ...advice.map((line) => `${" ".repeat(width + 10)}${line}`),
    ];
  });
  return [paint.bold(plainText(title)), ...lines].join("\n");
}

function painted({ outcome }: ShownCheck, { added, warned, removed, faint }: Paint): string {
  const painter = { passed: added, warning: warned, failed: removed, skipped: faint }[outcome];
  return painter(WORDS[outcome].padEnd(4));
}
