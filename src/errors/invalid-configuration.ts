import { formatDiagnostic, isError, placed, type Diagnostic, type Whereabouts } from "./diagnostic";
import { TenancyError } from "./tenancy-error";

/** The configuration cannot be run; holds every finding, so that all can be corrected at once. */
export class InvalidConfiguration extends TenancyError {
  static readonly code = "TENANCY_INVALID_CONFIGURATION";
  static readonly explanation = `
The configuration says something that is not possible: a value of the wrong type or length, a reference to nothing, a construct that
the embedded engine does not run. Nothing was sent to the service and nothing was written. Each finding has its own code and
names the construct and the attribute to correct.`;

  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join("\n"));
    this.diagnostics = diagnostics;
  }

  /** @throws InvalidConfiguration where one of the findings is an error */
  static unlessFit(findings: readonly Diagnostic[]): void {
    const errors = findings.filter(isError);
    if (errors.length > 0) throw new InvalidConfiguration(errors);
  }

  override toDiagnostics(where: Whereabouts = {}): readonly Diagnostic[] {
    return placed(this.diagnostics, where);
  }
}
