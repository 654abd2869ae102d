/** Configurations of a described object, and live records that are as configured but for a little: from the description alone. */
import * as fc from "fast-check";
import { type Attribute, type Attributes } from "../../src/schema";
import { isObject, isUnknown, UNKNOWN, type ObjectValue, type Path, type Value } from "../../src/values";

/** What a user may declare, whatever it would mean; unknowns too. */
export function configurations(attributes: Attributes): fc.Arbitrary<ObjectValue> {
  const declarable = Object.entries(attributes).filter(([, { presence }]) => presence !== "computed");
  const members = declarable.map(([name, attribute]) => [name, declaredValues(attribute)] as const);
  return fc.record<Record<string, Value>>(Object.fromEntries(members));
}

/** Answers of the service to who asks for an object of that configuration: at most two members are otherwise, or absent. */
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
      return fc.dictionary(texts, texts, { maxKeys: 2, noNullPrototype: false });
    case "group":
    case "groups":
      return fc.constant(null);
  }
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
      members.reduce((record, member, index) => put(record, placeOf(member), values[index]), {}),
    );
}

function asDeclared(attribute: Attribute, declared: Value): fc.Arbitrary<Value> {
  const { shape, whenAbsent } = attribute;
  if (shape.kind === "group") return membersOf(shownIn(shape.attributes), isObject(declared) ? declared : {});
  if (declared !== null && !isUnknown(declared)) return fc.constant(declared);
  return whenAbsent === undefined ? valuesOf(attribute) : fc.constant(whenAbsent);
}

/** What may drift: all but the key, by which the record was found. */
function pathsOf(member: Member): readonly Path[] {
  const [, { presence, shape }] = member;
  if (presence === "required") return [];
  const place = placeOf(member);
  if (shape.kind !== "group") return [place];
  return [
    place,
    ...shownIn(shape.attributes)
      .flatMap(pathsOf)
      .map((path) => [...place, ...path]),
  ];
}

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
