/** What is wrong with a stack, gathered so that all of it can be mended at once. */
import { Cancelled, isError, placed, TenancyError, type Diagnostic, type Whereabouts } from "../../errors";

export class Findings {
  readonly all: Diagnostic[] = [];

  get errors(): readonly Diagnostic[] {
    return this.all.filter(isError);
  }

  /** Notes findings; false where one of them is an error. */
  accept(diagnostics: readonly Diagnostic[], where: Whereabouts): boolean {
    this.all.push(...placed(diagnostics, where));
    return !diagnostics.some(isError);
  }

  /** What the user can mend is noted with its place; anything else is a mistake of ours, or the end of the run, and goes up. */
  report(error: unknown, where: Whereabouts): void {
    if (!(error instanceof TenancyError) || error instanceof Cancelled) throw error;
    this.all.push(...error.toDiagnostics(where));
  }
}
