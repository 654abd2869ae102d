import { excerpt } from "./excerpt";
import { TenancyError, type ErrorDetails } from "./tenancy-error";

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
