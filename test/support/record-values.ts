/** Configurations of a described object, and live records that are as configured but for a little: from the description alone. */
import * as fc from "fast-check";
import type { Attribute, Attributes } from "../../src/schema";
import { isObject, isUnknown, UNKNOWN, type ObjectValue, type Path, type Value } from "../../src/lib/values";

/** Anything that a user may declare, sensible or not, unknown values included. */
export function configurations(attributes: Attributes): fc.Arbitrary<ObjectValue> {
  const declarable = Object.entries(attributes).filter(([, { presence }]) => presence !== "computed");
  const members = declarable.map(([name, attribute]) => [name, declaredValues(attribute)] as const);
  return fc.record<Record<string, Value>>(Object.fromEntries(members));
}

/** Answers of the service for an object of that configuration, in which at most two members differ or are absent. */
export function liveRecords(
  attributes: Attributes,
  config: ObjectValue,
  of: Attribute["of"],
): fc.Arbitrary<ObjectValue> {
  const shown = shownIn(attributes).filter(([, attribute]) => attribute.of === of);
  if (shown.length === 0) return fc.constant({});
  const drifts = fc.tuple(fc.constantFrom(...shown.flatMap(pathsOf)), otherValues);
  return fc
    .tuple(membersOf(shown, config), fc.array(drifts, { maxLength: 2 }))
    .map(([record, changes]) =>
      changes.reduce((changed, [path, value]) => put(changed, path, value), record),
    );
}

type Member = readonly [name: string, attribute: Attribute];

function shownIn(attributes: Attributes): readonly Member[] {
  return Object.entries(attributes).filter(([, { shown }]) => shown);
}

function declaredValues(attribute: Attribute): fc.Arbitrary<Value> {
  const { presence, shape, shown } = attribute;
  const known = shape.kind === "group" ? configurations(shape.attributes) : valuesOf(attribute);
  if (presence === "required") return known;
  return fc.oneof(
    { weight: shown ? 100 : 10, arbitrary: known },
    { weight: 100, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant(UNKNOWN) },
  );
}

/** Few different ones, so that what is declared and what is live are often the same. */
function valuesOf({ shape, constraints }: Attribute): fc.Arbitrary<Value> {
  const texts = fc.constantFrom(
    ...(constraints.oneOf ?? ["", "a", "A", "Ren\u00e9", "+49 151", "__proto__"]),
    ...(constraints.alone === undefined ? [] : [constraints.alone]),
  );
  switch (shape.kind) {
    case "string":
      return texts;
    case "integer":
      return fc.constantFrom(0, 1, 2, 9007199254740991, 9007199254740993n);
    case "bool":
      return fc.boolean();
    case "list":
    case "set":
      return fc.uniqueArray(texts, { maxLength: 2 });
    case "map":
      return shape.of === "bool"
        ? flagsOf(constraints.keys?.known.slice(-4) ?? ["a"])
        : fc.dictionary(texts, texts, { maxKeys: 2, noNullPrototype: false });
    case "group":
    case "groups":
      return fc.constant(null);
  }
}

function flagsOf(keys: readonly string[]): fc.Arbitrary<ObjectValue> {
  const flags = fc.oneof(
    { weight: 20, arbitrary: fc.boolean() },
    { weight: 1, arbitrary: fc.constant(UNKNOWN) },
  );
  return fc.dictionary(fc.constantFrom(...keys), flags, { maxKeys: 3, noNullPrototype: false });
}

const otherValues = fc.oneof(
  fc.constantFrom<Value | undefined>(undefined, null, false, true, 0, 7, 9007199254740993n),
  fc.constantFrom<Value | undefined>(
    "",
    "A",
    "Rene\u0301",
    "****151",
    [],
    ["A", "a"],
    ["a", 1],
    {},
    { a: 1 },
  ),
);

function membersOf(members: readonly Member[], config: ObjectValue): fc.Arbitrary<ObjectValue> {
  return fc
    .tuple(...members.map(([name, attribute]) => asDeclared(attribute, config[name] ?? null)))
    .map((values) =>
      members.reduce((record, member, index) => withMember(record, member, values[index], config), {}),
    );
}

function withMember(
  record: ObjectValue,
  member: Member,
  value: Value | undefined,
  siblings: ObjectValue,
): ObjectValue {
  const [name, { codec }] = member;
  if (codec === undefined) return put(record, placeOf(member), value);
  const written = leavesOf(codec.write({ ...siblings, [name]: value ?? null }, null));
  return written.reduce((changed, [path, leaf]) => put(changed, path, leaf), record);
}

/** What an object holds, with the places where it stands. */
function leavesOf(value: Value, path: Path = []): readonly (readonly [Path, Value])[] {
  if (!isObject(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
}

function asDeclared(attribute: Attribute, declared: Value): fc.Arbitrary<Value> {
  const { shape } = attribute;
  if (shape.kind === "group") return membersOf(shownIn(shape.attributes), isObject(declared) ? declared : {});
  if (declared !== null && !isUnknown(declared)) return fc.constant(declared);
  return valuesOf(attribute);
}

/** What may drift: all but the key, by which the record was found. */
function pathsOf(member: Member): readonly Path[] {
  const [, { presence, shape, codec }] = member;
  if (presence === "required") return [];
  if (codec !== undefined) return CODED.filter((path) => codec.attributeOf(path) !== undefined);
  const place = placeOf(member);
  if (shape.kind !== "group") return [place];
  return [
    place,
    ...shownIn(shape.attributes)
      .flatMap(pathsOf)
      .map((path) => [...place, ...path]),
  ];
}

/** Members that stand for attributes in a form of their own, a right that nobody knows among them. */
const CODED: readonly Path[] = [
  ["permissions", "account", "rights"],
  ["permissions", "account", "rights", "view_events"],
  ["permissions", "account", "rights", "read_minds"],
  ["permissions", "vss", "all_account_scope"],
  ["permissions", "vss", "vsses"],
  ["permissions", "node", "all_realm_scope"],
  ["permissions", "node", "nodes"],
];

function placeOf([name, { readPath }]: Member): Path {
  return readPath ?? [name];
}

/** @param value undefined takes the member away */
function put(record: ObjectValue, [first, ...rest]: Path, value: Value | undefined): ObjectValue {
  const { [String(first)]: before, ...others } = record;
  if (rest.length > 0)
    return { ...others, [String(first)]: put(isObject(before) ? before : {}, rest, value) };
  return value === undefined ? others : { ...others, [String(first)]: value };
}
