import { withComputedUnknown, withEmptyBlocks, type Schema } from "../../../../src/plugin/runtime/schema";
import { findWriteOnly, withoutWriteOnly } from "../../../../src/plugin/runtime/faults";
import { UNKNOWN } from "../../../../src/values";

const attributes = {
  made: { type: "string", computed: true },
  maybe: { type: "string", optional: true, computed: true },
  secret_wo: { type: "string", optional: true, writeOnly: true },
} as const;
const schema: Schema = {
  attributes: {
    ...attributes,
    one: { optional: true, computed: true, nested: { nesting: "single", attributes } },
    list: { optional: true, nested: { nesting: "list", attributes } },
    map: { optional: true, nested: { nesting: "map", attributes } },
  },
  blocks: {
    some: { nesting: "list", block: { attributes } },
    few: { nesting: "set", block: {} },
    named: { nesting: "map", block: {} },
    single: { nesting: "single", block: { blocks: { inner: { nesting: "list", block: {} } } } },
  },
};

const bare = { made: null, maybe: null, secret_wo: null };
const given = { made: null, maybe: "own", secret_wo: "canary" };
const config = {
  ...given,
  one: given,
  list: [given, bare],
  map: { __proto__x: given },
  some: [given],
  few: [],
  named: {},
  single: null,
};

test("what is write-only is null everywhere, and the rest is as it was", () => {
  const clean = withoutWriteOnly(schema, config);
  expect(JSON.stringify(clean)).not.toContain("canary");
  expect(clean).toEqual(JSON.parse(JSON.stringify(config).replaceAll('"canary"', "null")));
});

test("where the configuration sets what is write-only is told by its path", () => {
  expect(findWriteOnly(schema, config)).toEqual([
    ["secret_wo"],
    ["one", "secret_wo"],
    ["list", 0, "secret_wo"],
    ["map", "__proto__x", "secret_wo"],
    ["some", 0, "secret_wo"],
  ]);
});

test("a schema without write-only attributes costs no copy", () => {
  const object = { a: "x" };
  expect(withoutWriteOnly({ attributes: { a: { type: "string", optional: true } } }, object)).toBe(object);
});

test("of a new object, all is unknown that is computed and not configured", () => {
  const made = { made: UNKNOWN, maybe: "own", secret_wo: "canary" };
  expect(withComputedUnknown(schema, config, config)).toEqual({
    ...config,
    ...made,
    one: made,
    list: [made, { made: UNKNOWN, maybe: UNKNOWN, secret_wo: null }],
    map: { __proto__x: made },
    some: [made],
  });
  expect(withComputedUnknown(schema, { ...config, one: null }, { ...config, one: null })).toMatchObject({
    one: UNKNOWN,
  });
});

test("blocks that are null or left out are empty collections", () => {
  const { some: _some, ...rest } = config;
  expect(withEmptyBlocks(schema, { ...rest, few: null, named: null, single: { inner: null } })).toMatchObject(
    {
      some: [],
      few: [],
      named: {},
      single: { inner: [] },
    },
  );
  expect(withEmptyBlocks(schema, null)).toBeNull();
});
