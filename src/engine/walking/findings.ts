/** What is wrong with a stack, gathered so that all of it can be mended at once. */
import { TenancyError, type Diagnostic, type Whereabouts } from "../../errors";

export class Findings {
  readonly all: Diagnostic[] = [];

  get errors(): readonly Diagnostic[] {
    return this.all.filter(({ severity }) => severity === "error");
  }

  /** Notes findings; false where one of them is an error. */
  accept(diagnostics: readonly Diagnostic[], where: Whereabouts): boolean {
    for (const diagnostic of diagnostics) this.all.push({ ...where, ...diagnostic });
    return diagnostics.every(({ severity }) => severity !== "error");
  }

  /** What the user can mend is noted with its place; anything else is a mistake of ours and goes up. */
  report(error: unknown, where: Whereabouts): void {
    if (!(error instanceof TenancyError)) throw error;
    this.all.push(...error.toDiagnostics(where));
  }
}
