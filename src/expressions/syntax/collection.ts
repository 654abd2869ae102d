/** Reads lists and objects, and the `for` expressions that are written in the same brackets. */
import type { Node, ObjectNode } from "../node";
import type { Cursor } from "./cursor";
import { readExpression } from "./expression";
import { readFor } from "./for";

/** `[a, b]` or `[for …]`. */
export function readBrackets(cursor: Cursor): Node {
  const at = cursor.at;
  cursor.expect("[", "of a list");
  return cursor.withLines(true, () => {
    if (cursor.takeWord("for")) return readFor(cursor, at, "]");
    const elements: Node[] = [];
    while (!cursor.take("]")) {
      elements.push(readExpression(cursor));
      if (cursor.take(",")) continue;
      cursor.expect("]", `or "," after an element of the list`);
      break;
    }
    return { kind: "tuple", at, elements };
  });
}

/** `{ a = 1, "b" : 2 }` or `{for …}`. */
export function readBraces(cursor: Cursor): Node {
  const at = cursor.at;
  cursor.expect("{", "of an object");
  const loop = cursor.withLines(true, () => (cursor.takeWord("for") ? readFor(cursor, at, "}") : undefined));
  return loop ?? { kind: "object", at, members: cursor.withLines(false, () => readMembers(cursor)) };
}

/** A line's end separates members as a comma does. */
function readMembers(cursor: Cursor): ObjectNode["members"] {
  const members: ObjectNode["members"][number][] = [];
  for (;;) {
    cursor.withLines(true, () => cursor.skip());
    if (cursor.take("}")) return members;
    members.push(readMember(cursor));
    if (!cursor.take(",") && !cursor.looksAt("\n") && !cursor.looksAt("}")) {
      throw cursor.unexpected(`"," or "}" after a member of the object`);
    }
  }
}

function readMember(cursor: Cursor): ObjectNode["members"][number] {
  const key = readKey(cursor);
  if (!cursor.take("=") && !cursor.take(":")) throw cursor.unexpected(`"=" or ":" after a key`);
  return { key, value: readExpression(cursor) };
}

/** A bare word before `=` or `:` is the key itself, not a reference. */
function readKey(cursor: Cursor): Node {
  cursor.skip();
  const at = cursor.at;
  const word = cursor.identifier();
  if (word !== undefined) {
    cursor.skip();
    if (cursor.looksAt("=") || (cursor.looksAt(":") && !cursor.looksAt("::"))) {
      return { kind: "literal", at, value: word };
    }
    cursor.at = at;
  }
  return readExpression(cursor);
}
