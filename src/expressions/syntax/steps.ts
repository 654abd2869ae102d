/** Reads the steps behind a value: `.name`, `.0`, `["key"]`, `[*]`, `.*`. */
import { parseNumber, type Path } from "../../values";
import type { Node, Step } from "../node";
import type { Cursor } from "./cursor";
import { readExpression } from "./expression";

export function readSteps(cursor: Cursor): Step[] {
  const steps: Step[] = [];
  for (;;) {
    cursor.skip();
    const step = readSplat(cursor) ?? readDotStep(cursor) ?? readIndex(cursor);
    if (step === undefined) return steps;
    steps.push(step);
  }
}

/** `[*]` takes all steps behind it from each element; the older `.*` takes only those written with a dot. */
function readSplat(cursor: Cursor): Step | undefined {
  const start = cursor.at;
  if (cursor.take("[") && cursor.take("*") && cursor.take("]")) {
    return cursor.nested(() => ({ kind: "splat", steps: readSteps(cursor) }));
  }
  cursor.at = start;
  if (cursor.looksAt(".*") && cursor.take(".*")) return { kind: "splat", steps: readDotSteps(cursor) };
  return undefined;
}

function readDotSteps(cursor: Cursor): Step[] {
  const steps: Step[] = [];
  for (;;) {
    const step = cursor.looksAt(".*") ? undefined : readDotStep(cursor);
    if (step === undefined) return steps;
    steps.push(step);
  }
}

function readDotStep(cursor: Cursor): Step | undefined {
  if (!cursor.looksAt(".") || cursor.looksAt("...")) return undefined;
  cursor.at++;
  cursor.skip();
  const at = cursor.at;
  const digits = cursor.match(/\d+/y);
  if (digits !== "") return { kind: "index", key: { kind: "literal", at, value: parseNumber(digits) ?? 0 } };
  return { kind: "attribute", name: cursor.expectIdentifier("the name of an attribute") };
}

function readIndex(cursor: Cursor): Step | undefined {
  if (!cursor.looksAt("[")) return undefined;
  cursor.at++;
  return cursor.withLines(true, () => {
    const key = readExpression(cursor);
    cursor.expect("]", "after the index");
    return { kind: "index", key };
  });
}

/** The leading steps that are certain before evaluation. */
export function staticPath(steps: readonly Step[]): Path {
  const path: (string | number)[] = [];
  for (const step of steps) {
    const certain =
      step.kind === "attribute" ? step.name : step.kind === "index" ? literalKey(step.key) : undefined;
    if (certain === undefined) break;
    path.push(certain);
  }
  return path;
}

function literalKey(key: Node): string | number | undefined {
  if (key.kind !== "literal") return undefined;
  return typeof key.value === "string" || typeof key.value === "number" ? key.value : undefined;
}
