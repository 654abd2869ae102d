import type { Path } from "../values";
import { excerpt } from "./excerpt";
import { TenancyError, type ErrorDetails } from "./tenancy-error";

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

  /** The same failure, told where in the text it happened; what was told first is kept. */
  in(place: ExpressionPlace): ExpressionFailed {
    return this.place ? this : this.with({ place });
  }

  /** The same failure, told in which attribute the expression stands. */
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
