/** Reads the text of expressions and templates. */
import type { Expression } from "../node";
import { Cursor, type CursorOptions } from "./cursor";
import { readExpression } from "./expression";
import { readWholeTemplate } from "./template";

/**
 * Reads a template, such as any string of a synthesized stack.
 * @throws InvalidExpression
 */
export function parseTemplate(text: string, options: CursorOptions = {}): Expression {
  if (!mayBeTemplate(text)) return { text, root: { kind: "literal", at: 0, value: text } };
  return { text, root: readWholeTemplate(new Cursor(text, options)) };
}

/**
 * Reads an expression that stands alone.
 * @throws InvalidExpression
 */
export function parseExpression(text: string): Expression {
  const cursor = new Cursor(text);
  const root = readExpression(cursor);
  cursor.skip();
  if (!cursor.ended) throw cursor.unexpected("the end of the expression");
  return { text, root };
}

/** Whether a text may hold template sequences or their escapes; most don't, and need not be read. */
export function mayBeTemplate(text: string): boolean {
  return text.includes("{") && /[$%]\{/.test(text);
}
