/** The messages of the plugin protocol against their published definition, encoded by another library. */
import fc from "fast-check";
import { Enum, type Field, MapField, type Type } from "protobufjs";
import * as messages from "../../../src/lib/plugin-runtime/messages";
import type { MessageType } from "../../../src/lib/plugin-runtime/protobuf";
import { camelCase } from "../../../src/lib/values";
import { publishedMessage } from "../../support/published-protocol";
import { rounds } from "../../support/rounds";

/** The published message of each of ours. A name such as `PlanResourceChangeRequest` is that of a call and its part. */
const PUBLISHED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.keys(messages).flatMap((name) => {
      const [, call, part] = /^(\w+)(Request|Response)$/.exec(name) ?? [];
      return call === undefined ? [] : [[name, [`${call}.${part}`]]];
    }),
  ),
  DynamicValue: ["DynamicValue"],
  AttributePath: ["AttributePath"],
  Diagnostic: ["Diagnostic"],
  IdentityData: ["ResourceIdentityData"],
  ConfigRequest: [
    ...["ReadDataSource.Request", "OpenEphemeralResource.Request"],
    ...["ValidateDataResourceConfig.Request", "ValidateEphemeralResourceConfig.Request"],
    "ValidateListResourceConfig.Request",
  ],
  DiagnosticsResponse: [
    ...["ValidateResourceConfig.Response", "ValidateDataResourceConfig.Response"],
    ...["ValidateEphemeralResourceConfig.Response", "ConfigureProvider.Response"],
    ...["CloseEphemeralResource.Response", "ValidateListResourceConfig.Response"],
  ],
  ListResourceEvent: ["ListResource.Event"],
};

type Members = Readonly<Record<string, unknown>>;
type AnyMessage = MessageType<Members, Members>;

/** A message in which every field has a value of its own. Attributes nest, so that lists are empty at some depth. */
function sampleOf(type: Type, depth = 0): Members {
  return Object.fromEntries(type.fieldsArray.map((field) => [field.name, sampleValue(field, depth)]));
}

function sampleValue(field: Field, depth: number): unknown {
  const one = (index: number): unknown => {
    const { resolvedType, type, id, name } = field;
    if (resolvedType instanceof Enum) return 1;
    if (resolvedType !== null) return sampleOf(resolvedType, depth + 1);
    if (type === "bytes") return Buffer.from(`${name} ${index}`);
    if (type === "string") return `${name} ${index} ü`;
    return type === "bool" ? true : 1_000 * id + index;
  };
  if (field instanceof MapField) return { first: one(1), second: one(2) };
  if (field.repeated) return depth > 5 ? [] : [one(1), one(2)];
  return one(0);
}

/** Names of ours that differ in more than their case. */
const ALIASES: Readonly<Record<string, string>> = { nesting: "nestingMode", Error: "error" };

/** A message as plain data: maps as objects, and the names of ours. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, one]) => [String(key), plain(one)]));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [ALIASES[name] ?? camelCase(name), plain(one)]),
  );
}

/** The part of a published message that ours has, too. Ours leaves out fields that the runtime neither reads nor fills. */
function restricted(published: unknown, ours: unknown): unknown {
  if (Array.isArray(published) && Array.isArray(ours))
    return published.map((one, index) => restricted(one, ours[index]));
  const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null;
  if (!isMembers(published) || !isMembers(ours)) return published;
  return Object.fromEntries(
    Object.keys(ours)
      .filter((name) => ours[name] !== undefined)
      .map((name) => [name, restricted(published[name], ours[name])]),
  );
}

const cases = Object.entries(PUBLISHED).flatMap(([name, types]) =>
  types.map((type) => [name, type] as const),
);

test.each(cases)("%s has the numbers and types of the published %s", (name, typeName) => {
  const ours = (messages as unknown as Readonly<Record<string, AnyMessage>>)[name]!;
  const type = publishedMessage(typeName);
  const sample = sampleOf(type);
  const decoded = ours.decode(type.encode(type.fromObject(sample)).finish());
  const expected = restricted(plain(sample), plain(decoded));
  expect(plain(decoded)).toEqual(expected);
  // A field of another number or type would be absent.
  for (const value of Object.values(decoded)) expect(value).not.toBeUndefined();

  const encoded = type.toObject(type.decode(ours.encode(decoded)), { longs: Number, arrays: true });
  expect(restricted(plain(encoded), plain(decoded))).toEqual(expected);
});

// The other library cannot hold this key.
const keys = fc.string({ unit: "grapheme" }).filter((key) => key !== "__proto__");

/** Messages of a published type, with any values. Parts may be absent, and those of a message that nests end at some depth. */
function drawnMessages(type: Type, depth = 0): fc.Arbitrary<Members> {
  const fields = type.fieldsArray.map((field) => [field.name, drawnValues(field, depth)] as const);
  const isOptional = (field: Field) =>
    (field.resolvedType !== null && !(field.resolvedType instanceof Enum)) ||
    field.repeated ||
    field.map ||
    field.options?.["proto3_optional"] === true;
  return fc.record(Object.fromEntries(fields), {
    requiredKeys: type.fieldsArray.filter((field) => !isOptional(field)).map(({ name }) => name),
  });
}

function drawnValues(field: Field, depth: number): fc.Arbitrary<unknown> {
  const one = (): fc.Arbitrary<unknown> => {
    const { resolvedType, type } = field;
    if (resolvedType instanceof Enum) return fc.constantFrom(...Object.values(resolvedType.values));
    if (resolvedType !== null) return depth > 3 ? fc.constant({}) : drawnMessages(resolvedType, depth + 1);
    if (type === "bytes") return fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
    if (type === "string") return fc.string({ unit: "grapheme" });
    return type === "bool" ? fc.boolean() : fc.maxSafeInteger();
  };
  const maxLength = depth > 2 ? 0 : 3;
  if (field instanceof MapField)
    return fc.dictionary(keys, one(), { maxKeys: maxLength, noNullPrototype: false });
  return field.repeated ? fc.array(one(), { maxLength }) : one();
}

/**
 * The fields of a message that ours has, too, under our names.
 * @param value a message of ours or a published one
 * @param whole a message of ours in which every field has a value
 */
function fieldsOfOurs(value: Members, type: Type, whole: Members): Members {
  const parts = type.fieldsArray.flatMap((field): readonly (readonly [string, unknown])[] => {
    const name = ALIASES[field.name] ?? camelCase(field.name);
    const ourName = Object.keys(whole).find((one) => (ALIASES[one] ?? one) === name);
    const part = value[field.name] ?? (ourName === undefined ? undefined : value[ourName]);
    if (ourName === undefined || part === undefined || part === null) return [];
    const { resolvedType } = field;
    if (resolvedType === null || resolvedType instanceof Enum) return [[name, plain(part)]];
    const inner = (one: unknown, of: unknown) => fieldsOfOurs(one as Members, resolvedType, of as Members);
    if (field instanceof MapField) {
      const entries = part instanceof Map ? [...part] : Object.entries(part);
      const sample = (whole[ourName] as ReadonlyMap<string, unknown>).get("first");
      return [[name, entries.map(([key, one]) => [String(key), inner(one, sample)]).sort()]];
    }
    if (!field.repeated) return [[name, inner(part, whole[ourName])]];
    const [sample = {}] = whole[ourName] as readonly unknown[];
    return [[name, (part as readonly unknown[]).map((one) => inner(one, sample))]];
  });
  return Object.fromEntries(parts);
}

test.each(cases)(
  "%s is read and written as another library does with %s, whatever it holds",
  (name, typeName) => {
    const ours = (messages as unknown as Readonly<Record<string, AnyMessage>>)[name]!;
    const type = publishedMessage(typeName);
    const whole = ours.decode(type.encode(type.fromObject(sampleOf(type))).finish());
    const known = (value: Members) => fieldsOfOurs(value, type, whole);
    fc.assert(
      fc.property(drawnMessages(type), (drawn) => {
        // Values that are left out have their defaults, to both.
        const asPublished = (bytes: Uint8Array) =>
          type.toObject(type.decode(bytes), { longs: Number, defaults: true });
        const wire = type.encode(type.fromObject(drawn)).finish();
        const decoded = ours.decode(wire);
        expect(known(decoded)).toEqual(known(asPublished(wire)));
        expect(known(asPublished(ours.encode(decoded)))).toEqual(known(asPublished(wire)));
      }),
      { numRuns: rounds(10) },
    );
  },
);
