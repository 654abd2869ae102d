/** Parses type constraints: `string`, `list(string)`, `map(object({ a = string, b = optional(number, 1) }))`. */
import { bare, type MemberType, type Type, type Value } from "../values";
import { Cursor } from "./cursor";
import { evaluate } from "./evaluate";
import { readExpression } from "./grammar";
import type { Node } from "./node";

const PRIMITIVES: ReadonlySet<string> = new Set(["string", "number", "bool", "any"]);

/** Gives a value to the expression of a default, which may use only literals. */
type EvaluateDefault = (node: Node, text: string) => Value;

/** @throws invalidExpression if the text is no type. */
function readType(text: string, evaluateDefault: EvaluateDefault): Type {
  return new TypeReader(new Cursor(text), evaluateDefault).whole();
}

class TypeReader {
  constructor(
    private readonly cursor: Cursor,
    private readonly evaluateDefault: EvaluateDefault,
  ) {}

  whole(): Type {
    const type = this.type();
    this.cursor.skip();
    if (!this.cursor.ended) throw this.cursor.unexpectedPart("the end of the type");
    return type;
  }

  private type(): Type {
    const { cursor } = this;
    return cursor.readNested(() => {
      const word = cursor.expectIdentifier("a type");
      if (PRIMITIVES.has(word)) return word as Type;
      switch (word) {
        case "list":
        case "set":
        case "map":
          return { kind: word, element: cursor.looksAt("(") ? this.argument() : "any" };
        case "tuple":
          return { kind: "tuple", elements: this.elements() };
        case "object":
          return { kind: "object", members: this.members() };
        default:
          throw cursor.error(`there is no type "${word}"`);
      }
    });
  }

  private argument(): Type {
    this.cursor.expect("(", "before the type of the elements");
    const type = this.type();
    this.cursor.expect(")", "after the type of the elements");
    return type;
  }

  private elements(): Type[] {
    const { cursor } = this;
    const types: Type[] = [];
    cursor.expect("(", "of the tuple");
    cursor.expect("[", "of the tuple");
    while (!cursor.take("]")) {
      types.push(this.type());
      if (cursor.take(",")) continue;
      cursor.expect("]", "of the tuple");
      break;
    }
    cursor.expect(")", "of the tuple");
    return types;
  }

  private members(): Map<string, MemberType> {
    const { cursor } = this;
    const members = new Map<string, MemberType>();
    cursor.expect("(", "of the object");
    cursor.expect("{", "of the object");
    while (!cursor.take("}")) {
      const quoted = cursor.take('"');
      const name = cursor.expectIdentifier("the name of an attribute");
      if (quoted) cursor.expect('"', "after the attribute's name");
      if (!cursor.take("=") && !cursor.take(":"))
        throw cursor.unexpectedPart(`"=" after the attribute's name`);
      members.set(name, this.member());
      cursor.take(",");
    }
    cursor.expect(")", "of the object");
    return members;
  }

  private member(): MemberType {
    const { cursor } = this;
    if (!cursor.takeWord("optional")) return { type: this.type() };
    cursor.expect("(", "of the optional attribute");
    const type = this.type();
    const fallback = cursor.take(",") ? readExpression(cursor) : undefined;
    cursor.expect(")", "of the optional attribute");
    if (fallback === undefined) return { type, optional: true };
    return { type, optional: true, default: this.evaluateDefault(fallback, cursor.text) };
  }
}

/**
 * Reads the type constraint of a variable, such as `map(object({ a = string, b = optional(number, 1) }))`.
 * @throws invalidExpression
 */
export function parseType(text: string): Type {
  return readType(text, (root, source) =>
    bare(evaluate({ text: source, root }, { folder: ".", resolve: () => null })),
  );
}
