/** From planned state to request bodies: the written shape of an object. */
import { isObject, isUnknown, valueAt, type ObjectValue, type Path, type Value } from "../values";
import type { Attribute, AttributeFacts, Attributes } from "./attribute";
import type { AttributeChange } from "./diff";
import { locatedIn } from "./located";

type Body = Record<string, Value>;

/**
 * The body of a create: every declared parameter.
 * @param config holds the write-only values
 */
export function createBody(attributes: Attributes, planned: ObjectValue, config: ObjectValue): ObjectValue {
  const body: Body = {};
  for (const { name, attribute } of locatedIn(attributes)) {
    if (attribute.sentWith === "never" || attribute.sentWith === "update") continue;
    const declared = config[name] ?? null;
    const value = attribute.writeOnly ? declared : (planned[name] ?? null);
    if (value === null || isUnknown(value)) continue;
    const { shape, codec } = attribute;
    if (codec !== undefined) {
      merge(body, codec.write(planned, null));
    } else if (shape.kind === "group") {
      if (!isObject(value) || !isObject(declared)) continue;
      const inner = createBody(shape.attributes, value, declared);
      if (Object.keys(inner).length > 0) put(body, attribute.writtenTo ?? [name], inner);
    } else {
      put(body, attribute.writtenTo ?? [name], value);
    }
  }
  return body;
}

/** What a PATCH is made of. */
export interface Update {
  readonly prior: ObjectValue;
  readonly planned: ObjectValue;
  readonly changes: readonly AttributeChange[];
  /** Holds the write-only values, and parameters that no state has. */
  readonly config: ObjectValue;
  /** Paths of write-only values to be sent. */
  readonly secrets: readonly Path[];
}

/**
 * The body of a PATCH: just the members that change, and the parameters that go along with them.
 * @param of whose record the PATCH is for; an account's primary profile gets its own
 */
export function updateBody(
  attributes: Attributes,
  { prior, planned, changes, config, secrets }: Update,
  of: AttributeFacts["of"],
): ObjectValue {
  const body: Body = {};
  for (const { path, attribute, after } of changes) {
    if (!isPatched(attribute) || isUnknown(after)) continue;
    if (attributes[path[0] ?? ""]?.of !== of) continue;
    if (attribute.codec !== undefined) merge(body, attribute.codec.write(planned, prior));
    else if (after !== null || attribute.nullable) put(body, writtenPath(attributes, path), after);
  }
  for (const path of secrets) {
    if (attributes[String(path[0])]?.of !== of) continue;
    const value = valueAt(config, path);
    if (value !== null && !isUnknown(value)) put(body, writtenPath(attributes, path), value);
  }
  const sent = Object.keys(body);
  for (const { name, attribute } of locatedIn(attributes)) {
    const declared = config[name] ?? null;
    if (declared === null || isUnknown(declared) || attribute.of !== of) continue;
    if (
      attribute.accompanies.some((sibling) => (sibling === "*" ? sent.length > 0 : sent.includes(sibling)))
    ) {
      put(body, attribute.writtenTo ?? [name], declared);
    }
  }
  return body;
}

function isPatched(attribute: Attribute): boolean {
  return (
    (attribute.sentWith === "both" || attribute.sentWith === "update") &&
    !attribute.writeOnly &&
    attribute.accompanies.length === 0
  );
}

/** Where the attribute at this path stands in a request body. */
function writtenPath(attributes: Attributes, path: Path): Path {
  const written: (string | number)[] = [];
  let level: Attributes | undefined = attributes;
  for (const step of path) {
    const attribute: Attribute | undefined = level?.[step];
    written.push(...(attribute?.writtenTo ?? [step]));
    level = attribute?.shape.kind === "group" ? attribute.shape.attributes : undefined;
  }
  return written;
}

/**
 * The attribute that a member of a request body came from, so that the service's complaint about `/sms` is shown where the user
 * wrote it. As much of the path as is known; undefined where not even its first step is.
 */
export function attributeOfMember(attributes: Attributes, member: Path): Path | undefined {
  for (const { name, attribute } of locatedIn(attributes)) {
    const coded = attribute.codec?.attributeOf(member);
    if (coded !== undefined) return [name, ...coded];
    if (attribute.codec !== undefined) continue;
    const written = attribute.writtenTo ?? [name];
    if (!written.every((step, index) => String(member[index]) === String(step))) continue;
    const rest = member.slice(written.length);
    if (attribute.shape.kind === "group")
      return [name, ...(attributeOfMember(attribute.shape.attributes, rest) ?? [])];
    return [name, ...elementOf(attribute, rest)];
  }
  return undefined;
}

/** Elements of a list have an index, and values of a map a key; what else a pointer says leads to no attribute of ours. */
function elementOf({ shape }: Attribute, [step]: Path): Path {
  if (step === undefined) return [];
  if (shape.kind === "map") return [step];
  return shape.kind === "list" && /^\d+$/.test(String(step)) ? [Number(step)] : [];
}

/** Puts the members of one body into another, objects member by member. */
function merge(body: Body, members: ObjectValue): void {
  for (const [name, value] of Object.entries(members)) {
    const before = body[name];
    if (!isObject(value) || !isObject(before)) {
      body[name] = value;
      continue;
    }
    const inner: Body = { ...before };
    merge(inner, value);
    body[name] = inner;
  }
}

function put(body: Body, path: Path, value: Value): void {
  const [first, ...rest] = path;
  if (first === undefined) return;
  if (rest.length === 0) {
    body[first] = value;
    return;
  }
  const inner = body[first];
  const next: Body = isObject(inner) ? { ...inner } : {};
  put(next, rest, value);
  body[first] = next;
}
