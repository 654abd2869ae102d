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
  UNKNOWN,
  type Value,
  valueAt,
  ownMember,
} from "../lib/values";
import type { Attribute, AttributeFacts, Attributes, Scalar } from "./attribute";
import { attributeAt, isVersionName, type Located, locatedIn } from "./description";
import {
  type AttributeChange,
  diff,
  isEmpty,
  isMask,
  isPatched,
  type Last,
  lastValue,
  NOT_SEEN,
  type Verdict,
} from "./diff";

/** The live records of one object, by {@link Attribute.of}: its own, and for an account that of its primary user profile, if known. */
export interface Records {
  readonly self: ObjectValue;
  readonly primary?: ObjectValue | undefined;
}

// Reading: from an answer of the service to state, member by member.

/** The surroundings of a comparison with a configuration and with the values that the last apply left. */
export interface Comparing {
  lastOf(located: Located): Last;
  /** Names of the attributes to clear. */
  readonly unset: ReadonlySet<string>;
  /** Called with each verdict on a declared attribute. */
  note(path: Path, verdict: Verdict): void;
}

/**
 * Reads records into the state before a change: the live values, and the last ones of attributes that the service does not show. Attributes that only the
 * client knows are as they are declared.
 * @param desired with `comparing` the configuration; without it a prior state, which the last apply has left as it was declared
 */
export function readState(
  attributes: Attributes,
  records: Records,
  desired: ObjectValue | null,
  comparing?: Comparing,
): ObjectValue {
  const state: Record<string, Value> = {};
  for (const one of locatedIn(attributes))
    state[one.name] = readOne(one, desired, records[one.attribute.of], false, comparing);
  return state;
}

/** @param isOuterLacking true if a snapshot has left out the group of the value */
function readOne(
  one: Located,
  siblings: ObjectValue | null,
  record: ObjectValue | undefined,
  isOuterLacking: boolean,
  comparing: Comparing | undefined,
): Value {
  const { name, path, attribute, members } = one;
  const { shown, shape, codec } = attribute;
  const declaredValue = siblings?.[name] ?? null;
  if (attribute.writeOnly) return null;
  if (!shown && !isVersionName(name)) {
    if (comparing === undefined) return declaredValue;
    return isUnknown(declaredValue) ? null : (declaredValue ?? attribute.defaultValue ?? null);
  }
  const isLeftOut = isOuterLacking || (record !== undefined && isLacking(attribute, name, record));
  const shownLive = shown && record !== undefined ? shownValue(attribute, name, record) : undefined;
  if (codec?.state !== undefined && shownLive !== undefined) return codec.state(shownLive, siblings);
  if (shape.kind === "group" && shownLive === null && (isEmpty(declaredValue) || !mayBeNull(attribute)))
    return mayBeNull(attribute) ? declaredValue : readState(shape.attributes, { self: {} }, null);
  if (shape.kind === "group" && (isObject(shownLive) || (isObject(declaredValue) && shownLive !== null))) {
    const inner = isObject(shownLive) ? shownLive : record && {};
    const declaredGroup = isObject(declaredValue) ? declaredValue : null;
    const entries = members.map((member): readonly [string, Value] => [
      member.name,
      readOne(member, declaredGroup, inner, isLeftOut, comparing),
    ]);
    return Object.fromEntries(entries);
  }
  const live = isLeftOut ? NOT_IN_SNAPSHOT : shown && record === undefined ? NOT_SEEN : shownLive;
  const isCleared = declaredValue === null && path.length === 1 && comparing?.unset.has(name) === true;
  const last = comparing?.lastOf(one) ?? AS_DECLARED;
  if (declaredValue === null && !isCleared) return live === NOT_SEEN ? null : (live ?? last.value ?? null);
  const verdict = diff(attribute, declaredValue, live, last);
  comparing?.note(path, verdict);
  switch (verdict) {
    case "same":
    case "recorded":
      return declaredValue;
    case "sent once":
      return isCleared ? UNKNOWN : null;
    case "not known":
      return live === NOT_IN_SNAPSHOT ? live : declaredValue;
    default:
      if (live !== undefined && live !== NOT_SEEN) return live;
      return comparing === undefined ? declaredValue : (last.value ?? null);
  }
}

/** Of a state that an apply has left. */
const AS_DECLARED: Last = { compare: () => "same" };

/**
 * True if live records show that nothing changes. It needs no state and no last values, because most objects of a large plan are unchanged. False means:
 * compare in full.
 */
export function isUnchanged(attributes: Attributes, config: ObjectValue, records: Records): boolean {
  for (const name in config) {
    const declaredValue = config[name] ?? null;
    if (declaredValue === null) continue;
    const attribute = attributes[name];
    if (attribute === undefined || !isWhollyKnown(declaredValue)) return false;
    if (!attribute.shown) {
      // Ends and versions are compared with those of the last apply.
      if (name === "unset" || isVersionName(name) || attribute.constraints.format === "day") return false;
      continue;
    }
    const record = records[attribute.of];
    const live = record && shownValue(attribute, name, record);
    if (record === undefined || live === undefined) return false;
    const { shape, codec } = attribute;
    const isSame =
      codec?.differences !== undefined
        ? codec.differences(declaredValue, record, config).length === 0
        : shape.kind === "group" && isObject(live) && isObject(declaredValue)
          ? isUnchanged(shape.attributes, declaredValue, { self: live })
          : diff(attribute, declaredValue, live, NO_LAST) === "same";
    if (!isSame) return false;
  }
  return true;
}

const NO_LAST = lastValue(undefined);

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
    } else if (isWhollyKnown(value) && !isMask(attribute, value)) put(members, writtenTo, value);
  }
  return members;
}

/** Authenticators show a shared secret otherwise than the service takes it. */
function writtenForm({ constraints }: Attribute, value: Value): Value {
  const isSharedSecret = constraints.format === "sharedSecret" && typeof value === "string";
  return isSharedSecret ? (hexOfSharedSecret(value) ?? value) : value;
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
