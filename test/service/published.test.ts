/** A snapshot holds all that resources and data sources read: covers src/service/published.ts. */
import { account, shownAccount } from "../../src/resources/account/description";
import { shownProfile, userProfile } from "../../src/resources/user-profile/description";
import { type Attribute, type Attributes, shownValue } from "../../src/schema";
import { type Extent, publish } from "../../src/service";
import type { ObjectValue, Value } from "../../src/values";

/** An answer that shows one attribute. */
function recordWith(name: string, { codec, readPath = [name], shape }: Attribute): ObjectValue {
  if (codec !== undefined)
    return codec.write({ [name]: shape.kind === "map" ? { "vss.manage_targets": true } : ["a"] }, null);
  return readPath.reduceRight<Value>(
    (inner, step) => ({ [String(step)]: inner }),
    valueOf({ shape }),
  ) as ObjectValue;
}

function valueOf({ shape }: Pick<Attribute, "shape">): Value {
  switch (shape.kind) {
    case "string":
      // As of an event query, so that every text may be one.
      return "serial=1";
    case "integer":
      return 1;
    case "bool":
      return true;
    case "list":
    case "set":
      return [shape.of === "string" ? "a" : 1];
    case "map":
      return { a: true };
    case "group":
      return membersOf(shape.attributes);
    case "groups":
      return [membersOf(shape.attributes)];
  }
}

function membersOf(attributes: Attributes): ObjectValue {
  return Object.entries(attributes).reduce<ObjectValue>(
    (record, [name, attribute]) => ({ ...record, ...recordWith(name, attribute) }),
    {},
  );
}

const READ: readonly (readonly ["account" | "profile", Extent, Attributes, Attribute["of"]])[] = [
  ["account", "managed", account.attributes, "self"],
  ["profile", "managed", account.attributes, "primary"],
  ["profile", "managed", userProfile.attributes, "self"],
  ["account", "full", shownAccount, "self"],
  ["profile", "full", shownProfile, "self"],
];

test.each(
  READ.flatMap(([kind, extent, attributes, of]) =>
    Object.entries(attributes)
      .filter(([, attribute]) => attribute.shown && attribute.of === of)
      .map(([name, attribute]) => ({ kind, extent, name, attribute })),
  ),
)("a snapshot that is $extent holds $name of the $kind", ({ kind, extent, name, attribute }) => {
  const record = recordWith(name, attribute);
  const shown = shownValue(attribute, name, record);
  expect(shown ?? null).not.toBeNull();
  expect(shownValue(attribute, name, publish(kind, record, extent).record)).toEqual(shown);
});
