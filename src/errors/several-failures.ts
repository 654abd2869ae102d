import { formatDiagnostic, type Diagnostic, type Whereabouts } from "./diagnostic";
import { TenancyError } from "./tenancy-error";

/** Several things went wrong with one object; each has a code of its own. */
export class SeveralFailures extends TenancyError {
  static readonly code = "TENANCY_SEVERAL_FAILURES";
  static readonly explanation = `
One step tried several things, and more than one of them failed: revoking a token together with those that it replaced, for instance. Each
finding has a code of its own.`;

  readonly failures: readonly TenancyError[];

  constructor(failures: readonly TenancyError[]) {
    super(failures.flatMap((failure) => failure.toDiagnostics().map(formatDiagnostic)).join("\n"));
    this.failures = failures;
  }

  override toDiagnostics(where: Whereabouts = {}): readonly Diagnostic[] {
    return this.failures.flatMap((failure) => failure.toDiagnostics(where));
  }
}
