/** Converts between the attributes of a description and the records of the service. */
import {
  hexOfSharedSecret,
  isInteger,
  isList,
  isObject,
  isUnknown,
  isWhollyKnown,
  normalForm,
  normalNumber,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  type Path,
  type Value,
  valueAt,
  ownMember,
} from "../lib/values";
import type { Attribute, AttributeFacts, Attributes, Scalar } from "./attribute";
import { type AttributeChange, isEmpty, same } from "./compare";
import { attributeAt, locatedIn } from "./description";

/** The live records of one object, by {@link Attribute.of}: its own, and for an account that of its primary user profile, if known. */
export interface Records {
  readonly self: ObjectValue;
  readonly primary?: ObjectValue | undefined;
}

// Reading: from an answer of the service to state, member by member.

/**
 * Reads a record into state. Missing values keep their prior value, and so do masked values while the mask fits, and values that only the
 * client knows.
 */
export function readState(attributes: Attributes, records: Records, prior: ObjectValue | null): ObjectValue {
  const state: Record<string, Value> = {};
  for (const { name, attribute } of locatedIn(attributes)) {
    state[name] = readOne(attribute, name, records[attribute.of], prior);
  }
  return state;
}

function readOne(
  attribute: Attribute,
  name: string,
  record: ObjectValue | undefined,
  siblings: ObjectValue | null,
): Value {
  if (attribute.writeOnly) return null;
  const prior = siblings?.[name] ?? null;
  if (prior === null && record !== undefined && isLacking(attribute, name, record)) return NOT_IN_SNAPSHOT;
  const live = attribute.shown && record !== undefined ? shownValue(attribute, name, record) : undefined;
  const { shape } = attribute;
  if (shape.kind === "group") {
    if (live === null) {
      if (!mayBeNull(attribute)) return readState(shape.attributes, { self: {} }, null);
      return isEmpty(prior) ? prior : null;
    }
    if (live === undefined) return prior;
    return readState(shape.attributes, { self: isObject(live) ? live : {} }, isObject(prior) ? prior : null);
  }
  if (live === undefined) return prior;
  if (attribute.codec?.state !== undefined) return attribute.codec.state(live, siblings);
  if (typeof live === "string" && typeof prior === "string" && same(attribute, live, prior)) return prior;
  if (attribute.masked && typeof live === "string" && typeof prior === "string" && isMasked(live)) {
    return maskFits(live, prior) ? prior : live;
  }
  return live;
}

/** A group that can be declared and not be taken away is there, with members that have no value. */
function mayBeNull({ nullable, presence }: Attribute): boolean {
  return nullable || presence === "computed";
}

/** The value of one attribute in an answer; undefined if it is absent, or not of the attribute's type. */
export function shownValue(attribute: Attribute, name: string, record: ObjectValue): Value | undefined {
  const { codec, readPath, readPart } = attribute;
  if (codec !== undefined) return codec.read(record);
  const member = readPath === undefined ? ownMember(record, name) : shownAtPath(record, readPath);
  if (member === undefined || member === null) return member;
  const value = ofShape(attribute, member);
  return readPart !== undefined && typeof value === "string" ? readPart(value) : value;
}

/** Members of an object's own record that answers show, as far as attributes are read from them. */
export function membersRead(attributes: Attributes): readonly string[] {
  const members = Object.entries(attributes).flatMap(([name, { shown, of, codec, readPath }]) =>
    shown && of === "self" ? [codec?.member ?? String(readPath?.[0] ?? name)] : [],
  );
  return [...new Set(members)];
}

/** True if a snapshot has left out the member that an attribute is read from. */
export function isLacking({ codec, readPath }: Attribute, name: string, record: ObjectValue): boolean {
  if (codec !== undefined) return false;
  const member = readPath === undefined ? ownMember(record, name) : shownAtPath(record, readPath);
  return member === NOT_IN_SNAPSHOT;
}

/** A scalar is its own written form if the read shape would be an object: `phone: "1"` for `{number: "1"}`. */
function shownAtPath(record: Value, path: Path): Value | undefined {
  let value: Value | undefined = record;
  for (const step of path) {
    if (value === null || value === undefined) return value;
    if (!isObject(value)) return value;
    value = ownMember(value, step);
  }
  return value;
}

function ofShape(attribute: Attribute, value: Value): Value | undefined {
  const { shape } = attribute;
  switch (shape.kind) {
    case "string":
    case "integer":
    case "bool":
      return scalarOfKind(shape.kind, value);
    case "list":
    case "set":
      return isList(value) ? value.flatMap((element) => scalarOfKind(shape.of, element) ?? []) : undefined;
    case "map":
    case "group":
      return isObject(value) ? value : undefined;
    case "groups":
      return isList(value)
        ? value.map((element) =>
            readState(shape.attributes, { self: isObject(element) ? element : {} }, null),
          )
        : undefined;
  }
}

function scalarOfKind(kind: Scalar, value: Value): Value | undefined {
  switch (kind) {
    case "string":
      return typeof value === "string" ? normalForm(value) : undefined;
    case "integer":
      return isInteger(value) ? normalNumber(value) : undefined;
    case "bool":
      return typeof value === "boolean" ? value : undefined;
  }
}

// Writing: from planned state to request bodies.

type Body = Record<string, Value>;

/**
 * The body of a create: every declared parameter.
 * @param config holds the write-only values
 */
export function createBody(attributes: Attributes, planned: ObjectValue, config: ObjectValue): ObjectValue {
  const body: Body = {};
  for (const { name, attribute } of locatedIn(attributes)) {
    if (attribute.sentWith === "never" || attribute.sentWith === "update") continue;
    const declaredValue = config[name] ?? null;
    const value = attribute.writeOnly ? declaredValue : (planned[name] ?? null);
    if (value === null || isUnknown(value)) continue;
    const { shape, codec } = attribute;
    if (codec !== undefined) {
      mergeInto(body, codec.write(planned, null));
    } else if (shape.kind === "group") {
      if (!isObject(value) || !isObject(declaredValue)) continue;
      const inner = createBody(shape.attributes, value, declaredValue);
      if (Object.keys(inner).length > 0) put(body, attribute.writtenTo ?? [name], inner);
    } else {
      put(body, attribute.writtenTo ?? [name], writtenForm(attribute, value));
    }
  }
  return body;
}

/**
 * The body of a PATCH: the members that change, and the parameters that must accompany them. A nested object is whole, as far as its members are
 * known: the specification does not say whether a service merges or replaces it.
 * @param of the record of the PATCH; an account's primary profile gets its own
 */
export function updateBody(
  attributes: Attributes,
  update: {
    readonly prior: ObjectValue;
    readonly planned: ObjectValue;
    readonly changes: readonly AttributeChange[];
    /** Holds the write-only values, and parameters that no state has. */
    readonly config: ObjectValue;
    /** Paths of write-only values to be sent. */
    readonly secrets: readonly Path[];
  },
  of: AttributeFacts["of"],
): ObjectValue {
  const { prior, planned, changes, config, secrets } = update;
  const body: Body = {};
  for (const { path, attribute, after } of changes) {
    if (!isPatched(attribute) || isUnknown(after)) continue;
    if (attributes[path[0] ?? ""]?.of !== of) continue;
    if (attribute.codec !== undefined) mergeInto(body, attribute.codec.write(planned, prior));
    else if (after !== null || attribute.nullable) put(body, writtenPath(attributes, path), after);
  }
  const nestedNames = Object.keys(body).filter((name) => isObject(body[name] ?? null));
  if (nestedNames.length > 0) {
    const known = knownMembers(attributes, planned, of);
    for (const name of nestedNames) mergeInto(body, { [name]: known[name] ?? {} });
  }
  for (const path of secrets) {
    if (attributes[String(path[0])]?.of !== of) continue;
    const value = valueAt(config, path);
    const attribute = attributeAt(attributes, path);
    if (attribute !== undefined && value !== null && !isUnknown(value))
      put(body, writtenPath(attributes, path), writtenForm(attribute, value));
  }
  const sentMembers = Object.keys(body);
  for (const { name, attribute } of locatedIn(attributes)) {
    const declaredValue = config[name] ?? null;
    if (declaredValue === null || isUnknown(declaredValue) || attribute.of !== of) continue;
    if (
      attribute.accompanies.some((sibling) =>
        sibling === "*" ? sentMembers.length > 0 : sentMembers.includes(sibling),
      )
    ) {
      put(body, attribute.writtenTo ?? [name], declaredValue);
    }
  }
  return body;
}

/** The values of a state that a PATCH can repeat: neither null, which may mean that answers leave the value out, nor masked. */
function knownMembers(attributes: Attributes, state: ObjectValue, of: AttributeFacts["of"]): Body {
  const members: Body = {};
  for (const { name, attribute } of locatedIn(attributes)) {
    const { shape, codec, writtenTo = [name] } = attribute;
    const value = state[name] ?? null;
    if (!isPatched(attribute) || attribute.of !== of || value === null || isUnknown(value)) continue;
    if (codec !== undefined) mergeInto(members, codec.write(state, null));
    else if (shape.kind === "group") {
      if (isObject(value)) put(members, writtenTo, knownMembers(shape.attributes, value, "self"));
    } else if (isWhollyKnown(value) && !(attribute.masked && typeof value === "string" && isMasked(value)))
      put(members, writtenTo, value);
  }
  return members;
}

/** Authenticators show a shared secret otherwise than the service takes it. */
function writtenForm({ constraints }: Attribute, value: Value): Value {
  const isSharedSecret = constraints.format === "sharedSecret" && typeof value === "string";
  return isSharedSecret ? (hexOfSharedSecret(value) ?? value) : value;
}

/** True if a PATCH carries the value by itself. */
export function isPatched(attribute: Attribute): boolean {
  return (
    (attribute.sentWith === "both" || attribute.sentWith === "update") &&
    !attribute.writeOnly &&
    attribute.accompanies.length === 0
  );
}

/** The path in a request body of the attribute at this path. */
function writtenPath(attributes: Attributes, path: Path): Path {
  const writtenPath: (string | number)[] = [];
  let level: Attributes | undefined = attributes;
  for (const step of path) {
    const attribute: Attribute | undefined = level?.[step];
    writtenPath.push(...(attribute?.writtenTo ?? [step]));
    level = attribute?.shape.kind === "group" ? attribute.shape.attributes : undefined;
  }
  return writtenPath;
}

/**
 * The attribute that a member of a request body came from, so that the service's complaint about `/sms` is shown where the user
 * wrote it. The path goes as far as it is known; undefined if not even its first step is.
 */
export function attributeOfMember(attributes: Attributes, member: Path): Path | undefined {
  for (const { name, attribute } of locatedIn(attributes)) {
    const coded = attribute.codec?.attributeOf(member);
    if (coded !== undefined) return [name, ...coded];
    if (attribute.codec !== undefined) continue;
    const wirePath = attribute.writtenTo ?? [name];
    if (!wirePath.every((step, index) => String(member[index]) === String(step))) continue;
    const rest = member.slice(wirePath.length);
    if (attribute.shape.kind === "group")
      return [name, ...(attributeOfMember(attribute.shape.attributes, rest) ?? [])];
    return [name, ...elementOf(attribute, rest)];
  }
  return undefined;
}

/** Elements of a list have an index, and values of a map a key; any other pointer leads to no described attribute. */
function elementOf({ shape }: Attribute, [step]: Path): Path {
  if (step === undefined) return [];
  if (shape.kind === "map") return [step];
  return shape.kind === "list" && /^\d+$/.test(String(step)) ? [Number(step)] : [];
}

/** Puts the members of one body into another, objects member by member. */
function mergeInto(body: Body, members: ObjectValue): void {
  for (const [name, value] of Object.entries(members)) {
    const before = body[name];
    if (!isObject(value) || !isObject(before)) {
      body[name] = value;
      continue;
    }
    const inner: Body = { ...before };
    mergeInto(inner, value);
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

// Masks: the service shows only a part of some values, such as `********4567` for a telephone number.

const MASK_CHARACTERS = /[*\u2022\u25cf]/;

/** Letters and number signs may be part of a value, so only a run of them in a text that is a number otherwise masks. */
const MASK_RUNS = /^[-0-9 +()./]*(?:x{2,}|X{2,}|#{2,})[-0-9xX# +()./]*$/;

export function isMasked(shownText: string): boolean {
  return MASK_CHARACTERS.test(shownText) || MASK_RUNS.test(shownText);
}

/**
 * True if the mask may hide this value: the characters before the first and after the last masked one begin and end the value. Blanks and
 * punctuation are no part of a number, so they do not count.
 */
export function maskFits(shownText: string, value: string): boolean {
  const bare = significant(value);
  const mark = MASK_CHARACTERS.test(shownText) ? MASK_CHARACTERS : /[xX#]/;
  const characters = [...shownText];
  const first = characters.findIndex((character) => mark.test(character));
  const last = characters.findLastIndex((character) => mark.test(character));
  if (!isMasked(shownText) || first === -1) return significant(shownText) === bare;
  const head = significant(characters.slice(0, first).join(""));
  const tail = significant(characters.slice(last + 1).join(""));
  return head.length + tail.length <= bare.length && bare.startsWith(head) && bare.endsWith(tail);
}

function significant(number: string): string {
  return number.replace(/[^0-9A-Za-z]/g, "");
}
