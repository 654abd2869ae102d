import { formatDiagnostic, placed, type Diagnostic, type Whereabouts } from "./diagnostic";
import { TenancyError } from "./tenancy-error";

/** Guards stopped the plan; holds every refusal. */
export class PlanRefused extends TenancyError {
  static readonly code = "TENANCY_PLAN_REFUSED";
  static readonly explanation = `
One or more guards refused the plan, each with its own code. All guards are judged before the first write, and one refusal stops the whole
run: nothing was written.`;

  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join("\n"));
    this.diagnostics = diagnostics;
  }

  override toDiagnostics(where: Whereabouts = {}): readonly Diagnostic[] {
    return placed(this.diagnostics, where);
  }
}
