/** What a call has to tell besides its result. */
import { formatPath, type Path } from "../../values";
import { severities, type DiagnosticDraft } from "./messages/common";
import { attributePath } from "./schemas/attribute-path";
import { type Schema } from "./schemas/schema";
import { sourcePath } from "./schemas/source-path";

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
  return diagnostics.map(({ severity, summary, detail = "", attribute = [] }) => {
    const shown = schema === undefined ? [] : sourcePath(schema, attribute);
    return {
      severity: severities[severity],
      summary,
      detail: shown.length === attribute.length ? detail : withPlace(detail, attribute),
      attribute: schema === undefined || shown.length === 0 ? undefined : attributePath(schema, shown),
    };
  });
}

function withPlace(detail: string, attribute: Path): string {
  const place = `At ${formatPath(attribute)}.`;
  return detail === "" ? place : `${detail}\n\n${place}`;
}
