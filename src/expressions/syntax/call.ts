import type { Call, Node } from "../node";
import type { Cursor } from "./cursor";
import { readExpression } from "./expression";

/** `name(a, b...)`, or `provider::type::name(a)`; undefined where the name is followed by something else. */
export function readCall(cursor: Cursor, first: string, at: number): Call | undefined {
  let name = first;
  while (cursor.take("::")) name += `::${cursor.expectIdentifier("the name of a function")}`;
  if (!cursor.take("(")) {
    if (name === first) return undefined;
    throw cursor.unexpected(`"(" after the function's name`);
  }
  return cursor.withLines(true, () => {
    const args: Node[] = [];
    let expand = false;
    while (!cursor.take(")")) {
      args.push(readExpression(cursor));
      expand = cursor.take("...");
      const more = cursor.take(",") && !expand;
      if (more) continue;
      cursor.expect(")", "after the arguments");
      break;
    }
    return { kind: "call", at, name, args, expand };
  });
}
