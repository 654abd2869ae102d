/** Errors of an expression or of its value. */
import type { Path } from "../lib/values";
import { type Definition, type Details, didYouMean, excerpt, problem, TenancyError } from "./problem";

/** Facts about the place where an expression failed. */
export interface ExpressionPlace {
  /** The whole text of the expression or template. */
  readonly text: string;
  /** Offset in it of the part that failed. */
  readonly at: number;
}

interface ExpressionDetails extends Details {
  readonly place?: ExpressionPlace;
}

interface ExpressionDefinition extends Pick<Definition<never>, "code"> {
  /** The place in words. */
  readonly detail: (place: ExpressionPlace) => string;
}

/** An expression cannot be read, or has no value. */
export class ExpressionError extends TenancyError<string> {
  readonly #definition: ExpressionDefinition;
  readonly #details: ExpressionDetails;

  constructor(definition: ExpressionDefinition, message: string, details: ExpressionDetails) {
    const { place, cause, ...more } = details;
    const { code } = definition;
    const detail = place && { detail: definition.detail(place) };
    super({ severity: "error", code, summary: message, ...detail, ...more }, message, cause, definition);
    this.#definition = definition;
    this.#details = details;
  }

  get place(): ExpressionPlace | undefined {
    return this.#details.place;
  }

  /** The same failure with its place in the text. A place that is known already is kept. */
  in(place: ExpressionPlace): ExpressionError {
    return this.place ? this : this.#with({ place });
  }

  /** The same failure with the attribute of the expression. */
  of(attribute: Path): ExpressionError {
    return this.where.attribute ? this : this.#with({ attribute });
  }

  #with(more: ExpressionDetails): ExpressionError {
    return new ExpressionError(this.#definition, this.message, { ...this.#details, ...more });
  }
}

class ExpressionProblem {
  readonly code: string;
  readonly #definition: ExpressionDefinition;

  constructor(definition: ExpressionDefinition) {
    this.code = definition.code;
    this.#definition = definition;
  }

  /** To be thrown. */
  error(message: string, details: ExpressionDetails = {}): ExpressionError {
    return new ExpressionError(this.#definition, message, details);
  }

  /** True for an error of this problem. */
  is(error: unknown): error is ExpressionError {
    return error instanceof ExpressionError && error.isOf(this.#definition);
  }
}

/** An expression is well-formed and has no value: an operand of the wrong type, an attribute that does not exist. */
export const expressionFailed = new ExpressionProblem({
  code: "TENANCY_EXPRESSION",
  detail: ({ text, at }) => `in ${excerpt(text, at)}`,
});

/** The text of an expression or template cannot be read. */
export const invalidExpression = new ExpressionProblem({
  code: "TENANCY_EXPRESSION",
  detail: ({ text, at }) => `at character ${at + 1} of ${excerpt(text, at)}`,
});

/** An expression calls a function that the embedded engine does not know. */
export const unsupportedFunction = problem<{ name: string; known: readonly string[] }>({
  code: "TENANCY_UNSUPPORTED",
  summary: ({ name }) => `the embedded engine has no function "${name}"`,
  advice: ({ name, known }) =>
    didYouMean(name, known, "Compute the value in the app, or run the stack with Terraform or OpenTofu."),
});

/** A value that nothing may keep was given to an attribute that is kept. */
export const ephemeralValue = problem<string>({
  code: "TENANCY_SENSITIVE_VALUE",
  summary: (attribute) => `"${attribute}" is kept, so it cannot have an ephemeral value`,
  advice: "Use a variable that is not ephemeral, or a write-only attribute.",
});

/** A sensitive value was given to an attribute that is sent and shown. */
export const sensitiveValue = problem<string>({
  code: "TENANCY_SENSITIVE_VALUE",
  summary: (attribute) => `"${attribute}" is sent and shown in plain, so it cannot have a sensitive value`,
  advice: "Use a write-only attribute for a secret, or nonsensitive(…) for a variable that may be shown.",
});

/** A value that an object refers to is still unknown when the object's turn comes. */
export const notYetKnown = problem<string>({
  code: "TENANCY_NOT_YET_KNOWN",
  summary: (key) => `"${key}" refers to something that is still unknown`,
  advice: (_, say) =>
    `Run it again${say.command("; with --only or --exclude, include the objects that it refers to") ?? ""}.`,
});
