/** Errors of an expression or of its value. */
import { nearest, type Path } from "../values";
import { type ErrorDetails, excerpt, TenancyError } from "./problem";

/** What is known of the place where an expression failed. */
export interface ExpressionPlace {
  /** The whole text of the expression or template. */
  readonly text: string;
  /** Offset in it of the part that failed. */
  readonly at: number;
}

/** An expression is well-formed and has no value: an operand of the wrong type, an attribute that does not exist. */
export class ExpressionFailed extends TenancyError {
  static readonly code = "TENANCY_EXPRESSION";
  static readonly explanation = `
An expression of the synthesized stack could not be evaluated, by the rules of Terraform's language: null where a value is needed,
an attribute or index that does not exist, types that cannot be converted, a function that refused its arguments. The message
names the expression; \`try(…)\` and \`can(…)\` catch such failures.`;

  readonly problem: string;
  readonly place: ExpressionPlace | undefined;

  constructor(problem: string, details: ErrorDetails & { place?: ExpressionPlace } = {}) {
    const { place, ...rest } = details;
    super(problem, { ...(place && { detail: `in ${excerpt(place.text, place.at)}` }), ...rest });
    this.problem = problem;
    this.place = place;
  }

  /** The same failure with its place in the text. A place that is known already is kept. */
  in(place: ExpressionPlace): ExpressionFailed {
    return this.place ? this : this.with({ place });
  }

  /** The same failure with the attribute of the expression. */
  of(attribute: Path): ExpressionFailed {
    return this.where.attribute ? this : this.with({ attribute });
  }

  private with(more: { place?: ExpressionPlace; attribute?: Path }): ExpressionFailed {
    return new ExpressionFailed(this.problem, {
      ...this.where,
      ...(this.detail !== undefined && !this.place && { detail: this.detail }),
      ...(this.advice !== undefined && { advice: this.advice }),
      ...(this.place && { place: this.place }),
      ...(this.cause !== undefined && { cause: this.cause }),
      ...more,
    });
  }
}

/** What is known of a mistake in the text of an expression. */
export interface ExpressionMistake extends ErrorDetails {
  /** The whole text that was read. */
  readonly text: string;
  /** Offset of the mistake in it. */
  readonly at: number;
}

/** The text of an expression or template cannot be read. */
export class InvalidExpression extends TenancyError {
  static readonly code = "TENANCY_EXPRESSION_SYNTAX";
  static readonly explanation = `
A string of the synthesized stack holds \`\${…}\` or \`%{…}\`, and what stands inside is not an expression of Terraform's language.
Often the text was never meant as one: in TypeScript, write \`$\${\` and \`%%{\` where the two characters themselves are wanted.`;

  /** Offset of the mistake in the text. */
  readonly at: number;

  constructor(problem: string, { text, at, ...details }: ExpressionMistake) {
    super(problem, {
      detail: `at character ${at + 1} of ${excerpt(text, at)}`,
      ...details,
    });
    this.at = at;
  }
}

/** An expression calls a function that the embedded engine does not know. */
export class UnsupportedFunction extends TenancyError {
  static readonly code = "TENANCY_UNSUPPORTED_FUNCTION";
  static readonly explanation = `
The embedded engine knows the functions of Terraform's language whose results follow from their arguments, and \`permissions_preset\` of our
own provider. It does not know functions with random results (\`uuid\`, \`bcrypt\`), with private keys (\`rsadecrypt\`), or of other
providers.`;

  constructor(name: string, known: Iterable<string>, details: ErrorDetails = {}) {
    const near = nearest(name, known);
    super(`the embedded engine has no function "${name}"`, {
      advice:
        near === undefined
          ? "Compute the value in TypeScript, or run the stack with Terraform or OpenTofu."
          : `Did you mean "${near}"?`,
      ...details,
    });
  }
}

/** A value that nothing may keep was given to an attribute that is kept. */
export class EphemeralValue extends TenancyError {
  static readonly code = "TENANCY_EPHEMERAL_VALUE";
  static readonly explanation = `
A value from an ephemeral variable or an ephemeral resource exists for one run only. It may go into write-only attributes (their names end
in \`_wo\`) and into the provider's configuration; everything else is kept in state or shown in plans.`;

  constructor(attribute: string, details: ErrorDetails = {}) {
    super(`"${attribute}" is kept, so it cannot have an ephemeral value`, {
      advice: "Use a variable that is not ephemeral, or a write-only attribute.",
      ...details,
    });
  }
}

/** A value that an object refers to is still unknown when the object's turn comes. */
export class NotYetKnown extends TenancyError {
  static readonly code = "TENANCY_NOT_YET_KNOWN";
  static readonly explanation = `
When an object is written, everything that its configuration refers to must be known. Here something is not: the service did not show it, or
the part of the stack that it comes from was left out of this run.`;

  constructor(key: string, details: ErrorDetails = {}) {
    super(`"${key}" refers to something that is still unknown`, {
      advice: "Run it again; with --only or --exclude, include what it refers to.",
      ...details,
    });
  }
}
