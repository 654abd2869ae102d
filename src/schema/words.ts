/** Gives descriptions their vocabulary: one function for each kind of value. */
import { type ApiObject, Attribute, type Attributes, type Constraints } from "./attribute";

export function text(description: string, constraints: Constraints = {}): Attribute {
  return new Attribute({ description, shape: { kind: "string" }, constraints });
}

export function email(description: string, constraints: Constraints = {}): Attribute {
  return text(description, { format: "email", ...constraints });
}

/** A telephone number: services rewrite it, and mask it in their answers. */
export function phone(description: string, constraints: Constraints = {}): Attribute {
  return text(description, { format: "phone", ...constraints }).shownMasked();
}

export function uuid(description: string): Attribute {
  return text(description, { format: "uuid" });
}

export function oneOf(description: string, values: readonly string[]): Attribute {
  return text(description, { oneOf: values });
}

/** The id of an object of the named kind (`account`, `user_profile`). */
export function reference(kind: string, description: string): Attribute {
  return new Attribute({
    description,
    shape: { kind: "string" },
    constraints: { length: [1, 256] },
    refersTo: kind,
  });
}

export function integer(description: string, constraints: Constraints = {}): Attribute {
  return new Attribute({ description, shape: { kind: "integer" }, constraints });
}

export function flag(description: string): Attribute {
  return new Attribute({ description, shape: { kind: "bool" } });
}

/** Texts with a meaningful order. */
export function texts(description: string): Attribute {
  return new Attribute({ description, shape: { kind: "list", of: "string" } });
}

export function integers(description: string): Attribute {
  return new Attribute({ description, shape: { kind: "list", of: "integer" } });
}

/** Texts without a meaningful order. */
export function textSet(description: string, constraints: Constraints = {}): Attribute {
  return new Attribute({ description, shape: { kind: "set", of: "string" }, constraints });
}

export function textMap(description: string, constraints: Constraints = {}): Attribute {
  return new Attribute({ description, shape: { kind: "map", of: "string" }, constraints });
}

/** Flags by name. */
export function flagMap(description: string, constraints: Constraints = {}): Attribute {
  return new Attribute({ description, shape: { kind: "map", of: "bool" }, constraints });
}

/**
 * The members of an object of the API as attributes of their own, because Terraform checks names only at the top level of a resource:
 * `members({ name: "limits", … }, { vss_num: … })` gives `limits_vss_num`, which answers and bodies hold at `limits.vss_num`.
 */
export function members(
  object: Pick<ApiObject, "name" | "description"> & Partial<ApiObject>,
  attributes: Attributes,
): Attributes {
  const memberOf = { whole: false, ...object };
  const nameOf = (name: string): string =>
    Object.hasOwn(attributes, name) ? `${memberOf.name}_${name}` : name;
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [
      nameOf(name),
      attribute.within(memberOf, name, nameOf),
    ]),
  );
}

/** A nested object. */
export function group(description: string, attributes: Attributes): Attribute {
  return new Attribute({ description, shape: { kind: "group", attributes } });
}

/** A list of nested objects. */
export function groups(description: string, attributes: Attributes): Attribute {
  return new Attribute({ description, shape: { kind: "groups", attributes } });
}

/**
 * A write-only secret with its version: `secretPair("password", …)` gives `password_wo` and `password_wo_version`.
 * The value is sent at create, and again whenever the version changes.
 *
 * @param object of the API that bodies hold the secret in; its name begins the attribute's
 */
export function secretPair(
  name: string,
  description: string,
  constraints: Constraints = {},
  object?: string,
): Attributes {
  const full = `${object === undefined ? "" : `${object}_`}${name}_wo`;
  return {
    [full]: text(description, constraints)
      .onlyWritten()
      .writeTo(object === undefined ? name : `${object}.${name}`),
    [`${full}_version`]: integer(`Version of \`${full}\`: a change sends the value again.`).clientOnly(),
  };
}

/** Those attributes that the service shows, all of them given by it alone. */
export function allComputed(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([, { shown }]) => shown)
      .map(([name, attribute]) => [name, computedThroughout(attribute)]),
  );
}

function computedThroughout(attribute: Attribute): Attribute {
  const { shape } = attribute;
  if (shape.kind !== "group" && shape.kind !== "groups") return attribute.computed();
  return new Attribute({
    ...attribute.computed(),
    shape: { ...shape, attributes: allComputed(shape.attributes) },
  });
}
