import { ExpressionFailed, InvalidExpression } from "../../../errors";
import type { Marked, MarkedObject } from "../../marks";
import { parseTemplate } from "../../syntax";
import type { Environment } from "../definition";

/** Evaluates the text of a template, in which every name is one of the variables. */
export function renderTemplate(text: string, variables: MarkedObject, environment: Environment): Marked {
  const expression = read(text);
  return environment.render(expression, new Map(Object.entries(variables)));
}

function read(text: string) {
  try {
    return parseTemplate(text, { free: true });
  } catch (error) {
    if (!(error instanceof InvalidExpression)) throw error;
    throw new ExpressionFailed(`the template cannot be read: ${error.message}`, {
      ...(error.detail !== undefined && { detail: error.detail }),
      cause: error,
    });
  }
}
