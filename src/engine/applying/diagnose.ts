import { Internal, TenancyError, type Diagnostic, type Whereabouts } from "../../errors";

/** What an error says, placed at the object that it is about. */
export function diagnose(error: unknown, where: Whereabouts): readonly Diagnostic[] {
  const known =
    error instanceof TenancyError
      ? error
      : new Internal(error instanceof Error ? error.message : String(error));
  return known.toDiagnostics(where);
}
