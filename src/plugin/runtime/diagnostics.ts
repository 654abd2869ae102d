/** What a call has to tell besides its result. */
import { type Path } from "../../values";
import { severities, type DiagnosticDraft } from "./messages/common";
import { attributePath } from "./schemas/attribute-path";
import { type Schema } from "./schemas/schema";

export interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail?: string;
  /** The attribute that is at fault, from the resource's root. */
  readonly attribute?: Path;
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** Diagnostics as the protocol sends them; the schema tells attributes from map keys in their paths. */
export function diagnosticMessages(
  diagnostics: readonly Diagnostic[],
  schema: Schema | undefined,
): readonly DiagnosticDraft[] {
  return diagnostics.map(({ severity, summary, detail = "", attribute }) => ({
    severity: severities[severity],
    summary,
    detail,
    attribute:
      attribute === undefined || attribute.length === 0 || schema === undefined
        ? undefined
        : attributePath(schema, attribute),
  }));
}
