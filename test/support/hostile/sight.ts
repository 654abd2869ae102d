/** A run of the engine, and all that is written of it: for people and for programs. */
import { apply, close, plan, savePlan } from "../../../src/engine";
import type { Diagnostic } from "../../../src/problems/problem";
import type { PlanOptions, StackSource } from "../../../src/engine/options";
import { TenancyError } from "../../../src/problems";
import {
  appliedEvents,
  applyEvent,
  diagnosticEvent,
  jsonPlan,
  jsonText,
  planEvents,
} from "../../../src/render/json";
import {
  appliedText,
  diagnosticsText,
  eventLine,
  outputLines,
  paint,
  planText,
  troubleText,
} from "../../../src/render/text";
import { expectPlain, tolerated } from "./values";

const PLAIN = paint(false);
const NOW = new Date(0);

/**
 * Plans and applies; nothing but errors of ours may come of it, and nothing that is written moves a cursor.
 * @returns the code of the error that ended it, or the first of those in its branches
 */
export async function expectOrderly(source: StackSource, options: PlanOptions): Promise<string | undefined> {
  const made = await tolerated(() => plan(source, options));
  if (made instanceof TenancyError) return told(made);
  expectPlain(planText(made, PLAIN));
  expectJson(jsonPlan(made), ...planEvents(made, NOW));
  JSON.parse(savePlan(made));
  const result = await tolerated(() =>
    apply(made, {
      onEvent(event) {
        expectPlain(eventLine(event, PLAIN) ?? "");
        expectJson(applyEvent(event, NOW));
      },
    }),
  );
  await close(made);
  if (result instanceof TenancyError) return told(result);
  for (const text of [appliedText(result), troubleText(result, PLAIN), ...outputLines(result.outputs)])
    expectPlain(text);
  expectJson(...appliedEvents(result, false, NOW));
  return result.failed[0]?.diagnostics[0]?.code;
}

function told(error: TenancyError): string {
  const diagnostics: readonly Diagnostic[] = error.toDiagnostics();
  expectPlain(diagnosticsText(diagnostics, PLAIN));
  expectJson(...diagnostics.map((diagnostic) => diagnosticEvent(diagnostic, NOW)));
  // An internal error is a fault of the product, whatever the service answered.
  if (error.code === "TENANCY_INTERNAL") throw error;
  return error.code;
}

/** One line each, which any reader of JSON takes. */
function expectJson(...values: readonly (object | undefined)[]): void {
  for (const value of values) {
    const text = jsonText(value ?? null);
    JSON.parse(text);
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  }
}
