import {
  schemaType,
  withComputedUnknown,
  withoutWriteOnly,
  writeOnlyPaths,
} from "../../../../src/lib/plugin-runtime/schema";
import { type TerraformAttributes, type TerraformSchema, UNKNOWN } from "../../../../src/lib/values";

const inner: TerraformAttributes = {
  made: { type: "string", computed: true },
  maybe: { type: "string", optional: true, computed: true },
  secret_wo: { type: "string", optional: true, write_only: true },
};
const schema: TerraformSchema = {
  version: 0,
  block: {
    attributes: {
      ...inner,
      one: { optional: true, computed: true, nested_type: { nesting_mode: "single", attributes: inner } },
      list: { optional: true, nested_type: { nesting_mode: "list", attributes: inner } },
    },
  },
};

const bare = { made: null, maybe: null, secret_wo: null };
const given = { made: null, maybe: "own", secret_wo: "canary" };
const config = { ...given, one: given, list: [given, bare] };

test("what a schema describes is an object, nested attributes are objects or lists of them", () => {
  const type = ["object", { made: "string", maybe: "string", secret_wo: "string" }] as const;
  expect(JSON.stringify(schemaType(schema))).toBe(
    JSON.stringify(["object", { ...type[1], one: type, list: ["list", type] }]),
  );
});

test("what is write-only is null everywhere, and the rest is as it was", () => {
  const clean = withoutWriteOnly(schema, config);
  expect(JSON.stringify(clean)).not.toContain("canary");
  expect(clean).toEqual(JSON.parse(JSON.stringify(config).replaceAll('"canary"', "null")));
});

test("each write-only value that the configuration sets is told by its path", () => {
  expect(writeOnlyPaths(schema, config)).toEqual([
    ["secret_wo"],
    ["one", "secret_wo"],
    ["list", 0, "secret_wo"],
  ]);
});

test("a schema without write-only attributes costs no copy", () => {
  const object = { a: "x" };
  const plain = { version: 0, block: { attributes: { a: { type: "string", optional: true } } } } as const;
  expect(withoutWriteOnly(plain, object)).toBe(object);
});

test("for a new object, everything that is computed and not configured is unknown", () => {
  const made = { made: UNKNOWN, maybe: "own", secret_wo: "canary" };
  expect(withComputedUnknown(schema, config, config)).toEqual({
    ...config,
    ...made,
    one: made,
    list: [made, { made: UNKNOWN, maybe: UNKNOWN, secret_wo: null }],
  });
  expect(withComputedUnknown(schema, { ...config, one: null }, { ...config, one: null })).toMatchObject({
    one: UNKNOWN,
  });
});
