/** Outputs of a stack, as `name = value`. */
import { plainText, type Value } from "../../values";
import type { OutputChange } from "../../plan";
import { SENSITIVE_TEXT, shownValue } from "./shown-value";

export function outputLines(outputs: readonly OutputChange[]): readonly string[] {
  const width = Math.max(0, ...outputs.map(({ name }) => name.length));
  return [...outputs].sort(byName).map(({ name, after, sensitive }) => {
    const value = sensitive ? SENSITIVE_TEXT : shownValue(after as Value);
    return `${plainText(name).padEnd(width)} = ${value}`;
  });
}

function byName(a: OutputChange, b: OutputChange): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
