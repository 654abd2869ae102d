import { TenancyError, type Diagnostic, type Whereabouts } from "../errors";

/** Collects what is wrong with a stack, so that all of it is told at once. */
export class Findings {
  readonly #found: Diagnostic[] = [];

  get list(): readonly Diagnostic[] {
    return this.#found;
  }

  add(error: TenancyError, where: Whereabouts = {}): void {
    this.#found.push(...error.toDiagnostics(where));
  }
}
