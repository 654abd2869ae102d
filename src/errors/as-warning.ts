import type { Diagnostic, Whereabouts } from "./diagnostic";
import type { TenancyError } from "./tenancy-error";

/** What an error says, as a warning. */
export function asWarning(error: TenancyError, where: Whereabouts = {}): readonly Diagnostic[] {
  return error.toDiagnostics(where).map((diagnostic) => ({ ...diagnostic, severity: "warning" }));
}
