/** The messages of the plugin protocol against their published definition, encoded by another library. */
import { Enum, type Field, MapField, type Type } from "protobufjs";
import * as messages from "../../../src/lib/plugin-runtime/messages";
import type { MessageType } from "../../../src/lib/plugin-runtime/protobuf";
import { camelCase } from "../../../src/lib/values";
import { publishedMessage } from "../../support/published-protocol";

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
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
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
