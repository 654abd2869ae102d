/** Terraform's types, in the JSON form in which the protocol sends them too. */

/** A type constraint; `dynamic` stands for a value that brings its own type. */
export type Type =
  | "string"
  | "number"
  | "bool"
  | "dynamic"
  | readonly ["list", Type]
  | readonly ["set", Type]
  | readonly ["map", Type]
  | readonly ["object", { readonly [name: string]: Type }]
  | readonly ["tuple", readonly Type[]];

/** Whether a value of this type may have to carry a type of its own. */
export function hasDynamic(type: Type): boolean {
  if (typeof type === "string") return type === "dynamic";
  switch (type[0]) {
    case "object":
      return Object.values(type[1]).some(hasDynamic);
    case "tuple":
      return type[1].some(hasDynamic);
    case "list":
    case "set":
    case "map":
      return hasDynamic(type[1]);
  }
}

/** A type as a reader would say it, for messages. */
export function formatType(type: Type): string {
  if (typeof type === "string") return type === "dynamic" ? "any type" : type;
  if (type[0] === "object" || type[0] === "tuple") return type[0];
  return `${type[0]} of ${formatType(type[1])}`;
}

/** Types nest as deep as configurations do; anything deeper is an attempt on the stack. */
const DEEPEST = 200;

/**
 * Reads a type from its JSON form.
 * @throws SyntaxError where the text is no type.
 */
export function parseType(text: string): Type {
  return checkType(JSON.parse(text), 0);
}

function checkType(json: unknown, depth: number): Type {
  if (depth > DEEPEST) throw new SyntaxError("a type nests too deep");
  if (json === "string" || json === "number" || json === "bool" || json === "dynamic") return json;
  if (Array.isArray(json) && json.length >= 2) {
    const [kind, of] = json as unknown[];
    if (kind === "list" || kind === "set" || kind === "map") return [kind, checkType(of, depth + 1)];
    if (kind === "tuple" && Array.isArray(of))
      return [kind, of.map((member) => checkType(member, depth + 1))];
    if (kind === "object" && typeof of === "object" && of !== null && !Array.isArray(of)) {
      const attributes = Object.create(null) as Record<string, Type>;
      for (const [name, member] of Object.entries(of)) attributes[name] = checkType(member, depth + 1);
      return [kind, attributes];
    }
  }
  throw new SyntaxError("not a type that Terraform knows");
}
