/** Reads what operators join: literals, references, calls, brackets, and the steps behind them. */
import type { Node } from "../node";
import { readCall } from "./call";
import { readBraces, readBrackets } from "./collection";
import type { Cursor } from "./cursor";
import { readExpression } from "./expression";
import { readHeredoc } from "./heredoc";
import { readNumber } from "./number";
import { readRoot } from "./root";
import { readSteps } from "./steps";
import { readQuoted } from "./template";

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

export function readPrimary(cursor: Cursor): Node {
  cursor.skip();
  const at = cursor.at;
  const name = cursor.identifier();
  if (name !== undefined && !WORDS.has(name)) {
    const call = readCall(cursor, name, at);
    return call ? withSteps(cursor, call) : readRoot(cursor, name, at);
  }
  const node =
    name === undefined
      ? readBracketed(cursor)
      : ({ kind: "literal", at, value: WORDS.get(name) ?? null } as const);
  return withSteps(cursor, node);
}

function withSteps(cursor: Cursor, from: Node): Node {
  const at = cursor.at;
  const steps = readSteps(cursor);
  return steps.length === 0 ? from : { kind: "traverse", at, from, steps };
}

function readBracketed(cursor: Cursor): Node {
  if (cursor.looksAt('"')) return readQuoted(cursor);
  if (cursor.looksAt("[")) return readBrackets(cursor);
  if (cursor.looksAt("{")) return readBraces(cursor);
  if (cursor.looksAt("<<")) return readHeredoc(cursor);
  if (cursor.take("(")) {
    const inner = cursor.withLines(true, () => {
      const node = readExpression(cursor);
      cursor.expect(")", "after the expression in parentheses");
      return node;
    });
    return inner;
  }
  const number = readNumber(cursor);
  if (number === undefined) throw cursor.unexpected("an expression");
  return number;
}
