/** From an answer of the service to state: the read shape of a record, member by member. */
import {
  isInteger,
  isList,
  isObject,
  normalForm,
  normalNumber,
  type ObjectValue,
  type Path,
  type Value,
} from "../values";
import type { Attribute, Attributes, Scalar } from "./attribute";
import { isEmpty } from "./empty";
import { locatedIn } from "./located";
import { maskFits, isMasked } from "./mask";

/**
 * Reads a record into state. What the answer lacks keeps its prior value, as does what it masks while the mask fits; what only
 * the client knows keeps its prior value too.
 *
 * @param records the object's own record, and for an account that of its primary user profile
 */
export function readState(
  attributes: Attributes,
  records: { readonly self: ObjectValue; readonly primary?: ObjectValue | undefined },
  prior: ObjectValue | null,
): ObjectValue {
  const state: Record<string, Value> = {};
  for (const { name, attribute } of locatedIn(attributes)) {
    const record = attribute.of === "primary" ? records.primary : records.self;
    state[name] = readOne(attribute, name, record, prior);
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
  if (attribute.masked && typeof live === "string" && typeof prior === "string" && isMasked(live)) {
    return maskFits(live, prior) ? prior : live;
  }
  return live;
}

/** A group that can be declared and not be taken away is there, with members that have no value. */
function mayBeNull({ nullable, presence }: Attribute): boolean {
  return nullable || presence === "computed";
}

/** What an answer shows of one attribute; undefined where it is absent, or not of the attribute's type. */
export function shownValue(attribute: Attribute, name: string, record: ObjectValue): Value | undefined {
  const { codec, readPath, readPart } = attribute;
  if (codec !== undefined) return codec.read(record);
  const found = readPath === undefined ? memberOf(record, name) : at(record, readPath);
  if (found === undefined || found === null) return found;
  const value = ofShape(attribute, found);
  return readPart !== undefined && typeof value === "string" ? readPart(value) : value;
}

/** A scalar stands for its own written form where the read shape would be an object: `phone: "1"` for `{number: "1"}`. */
function at(record: Value, path: Path): Value | undefined {
  let value: Value | undefined = record;
  for (const step of path) {
    if (value === null || value === undefined) return value;
    if (!isObject(value)) return value;
    value = memberOf(value, step);
  }
  return value;
}

function memberOf(object: ObjectValue, name: string | number): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function ofShape(attribute: Attribute, value: Value): Value | undefined {
  const { shape } = attribute;
  switch (shape.kind) {
    case "string":
    case "integer":
    case "bool":
      return scalar(shape.kind, value);
    case "list":
    case "set":
      return isList(value) ? value.flatMap((element) => scalar(shape.of, element) ?? []) : undefined;
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

function scalar(kind: Scalar, value: Value): Value | undefined {
  switch (kind) {
    case "string":
      return typeof value === "string" ? normalForm(value) : undefined;
    case "integer":
      return isInteger(value) ? normalNumber(value) : undefined;
    case "bool":
      return typeof value === "boolean" ? value : undefined;
  }
}
