/** Reads templates, each text once: all users of an account refer to it by the same words. */
import type { Expression } from "../node";
import { parseTemplate } from "../syntax";

/** Texts that are remembered at a time. What refers to the same thing mostly stands together. */
const MOST = 1_000;

export class Templates {
  readonly #expressions = new Map<string, Expression>();

  /** @throws InvalidExpression */
  read(text: string): Expression {
    const known = this.#expressions.get(text);
    if (known !== undefined) return known;
    const expression = parseTemplate(text);
    if (this.#expressions.size === MOST) this.#expressions.clear();
    this.#expressions.set(text, expression);
    return expression;
  }
}
