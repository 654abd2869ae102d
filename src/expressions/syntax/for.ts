import type { For } from "../node";
import type { Cursor } from "./cursor";
import { readExpression } from "./expression";

/** The names that a loop binds, and what it goes through: `k, v in collection`. */
export function readLoopHead(cursor: Cursor): Pick<For, "keyName" | "valueName" | "collection"> {
  const first = cursor.expectIdentifier("the name of a loop variable");
  const second = cursor.take(",") ? cursor.expectIdentifier("the name of a loop variable") : undefined;
  if (!cursor.takeWord("in")) throw cursor.unexpected(`"in" after the loop variables`);
  const collection = readExpression(cursor);
  return second === undefined
    ? { keyName: undefined, valueName: first, collection }
    : { keyName: first, valueName: second, collection };
}

/** The rest of `[for x in xs : y if z]` or `{for x in xs : k => v... if z}`, behind the word `for`. */
export function readFor(cursor: Cursor, at: number, close: "]" | "}"): For {
  const head = readLoopHead(cursor);
  cursor.expect(":", "after the collection of the loop");
  return cursor.binding([head.keyName, head.valueName], () => {
    const first = readExpression(cursor);
    let key: For["key"];
    let value = first;
    let group = false;
    if (close === "}") {
      cursor.expect("=>", "after the key of the loop");
      key = first;
      value = readExpression(cursor);
      group = cursor.take("...");
    }
    const condition = cursor.takeWord("if") ? readExpression(cursor) : undefined;
    cursor.expect(close, "at the end of the loop");
    return { kind: "for", at, ...head, key, value, condition, group };
  });
}
