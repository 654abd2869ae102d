import type { Diagnostic, Whereabouts } from "./diagnostic";

/** What every error class of the project also has as static members. */
export interface ErrorClass {
  /** Stable code: users match on it, so it never changes. */
  readonly code: string;
  /** What `tenancy explain CODE` prints: when this happens, why it is so, and what can be done. Markdown. */
  readonly explanation: string;
}

/** What one error says, beyond its code. */
export interface ErrorDetails extends Whereabouts {
  readonly detail?: string;
  readonly advice?: string;
  readonly cause?: unknown;
}

/**
 * Base of every error that a user may see. Subclasses stand one in a file, with a static `code` and `explanation`
 * ({@link ErrorClass}), and a constructor that takes facts and writes the sentences.
 */
export abstract class TenancyError extends Error {
  declare readonly where: Whereabouts;
  declare readonly detail: string | undefined;
  declare readonly advice: string | undefined;

  constructor(summary: string, details: ErrorDetails = {}) {
    super(summary, "cause" in details ? { cause: details.cause } : undefined);
    const { detail, advice, cause: _cause, ...where } = details;
    this.name = new.target.name;
    // Node prints the enumerable members of an error that nobody catches, as in an app that is synthesized: those that say something.
    Object.defineProperties(this, {
      where: { value: where },
      detail: { value: detail, enumerable: detail !== undefined },
      advice: { value: advice, enumerable: advice !== undefined, configurable: true },
    });
  }

  /** The same error with one more thing to do, which the thrower could not know. */
  advising(more: string): this {
    const value = this.advice === undefined ? more : `${this.advice} ${more}`;
    return Object.defineProperty(this, "advice", { value, enumerable: true, configurable: true });
  }

  get code(): string {
    return (this.constructor as unknown as ErrorClass).code;
  }

  /** The error as data. What the thrower did not know of its place, the catcher may add. */
  toDiagnostics(where: Whereabouts = {}): readonly Diagnostic[] {
    return [
      {
        severity: "error",
        code: this.code,
        summary: this.message,
        ...(this.detail !== undefined && { detail: this.detail }),
        ...(this.advice !== undefined && { advice: this.advice }),
        ...where,
        ...this.where,
      },
    ];
  }
}
