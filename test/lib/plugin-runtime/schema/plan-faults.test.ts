import { planFaults } from "../../../../src/lib/plugin-runtime/schema";
import {
  type TerraformAttribute,
  type TerraformAttributes,
  UNKNOWN,
  Unknown,
  type Value,
} from "../../../../src/lib/values";

function faults(
  attribute: TerraformAttribute,
  prior: Value,
  config: Value,
  planned: Value,
): readonly string[] {
  const schema = { version: 0, block: { attributes: { a: attribute } } };
  return planFaults(schema, { a: prior }, { a: config }, { a: planned }).map((path) => path.join("."));
}

const optional = { type: "string", optional: true } as const;
const computed = { type: "string", computed: true } as const;
const both = { type: "string", optional: true, computed: true } as const;

test.each<[string, TerraformAttribute, Value, Value, Value]>([
  ["as configured", optional, null, "x", "x"],
  ["as configured, its accents decomposed", optional, null, "\u00e9", "e\u0301"],
  ["as it was, where the configuration may mean the same", optional, "X", "x", "X"],
  ["as unknown as it is configured", optional, null, UNKNOWN, new Unknown({ notNull: true })],
  ["as the provider computes it", computed, "x", null, UNKNOWN],
  ["as the provider computes it, where nothing is configured", both, null, null, "default"],
  ["null, for what is write-only", { type: "string", optional: true, write_only: true }, null, "x", null],
  [
    "the same set in another order",
    { type: ["set", "string"], optional: true },
    null,
    ["a", "b"],
    ["b", "a"],
  ],
])("a plan may be %s", (_what, attribute, prior, config, planned) => {
  expect(faults(attribute, prior, config, planned)).toEqual([]);
});

test.each<[string, TerraformAttribute, Value, Value, Value]>([
  ["something else than is configured", optional, null, "x", "y"],
  ["something where nothing is configured", optional, null, null, "x"],
  ["as it was, where nothing is configured any more", optional, "x", null, "x"],
  ["unknown where something is configured", both, null, "x", UNKNOWN],
  ["nothing where something is configured", both, null, "x", null],
  ["another element", { type: ["set", "string"], optional: true }, null, ["a"], ["a", "b"]],
])("a plan may not be %s", (_what, attribute, prior, config, planned) => {
  expect(faults(attribute, prior, config, planned)).toEqual(["a"]);
});

describe("inside nested attributes", () => {
  const attributes: TerraformAttributes = { set: optional, made: computed };
  const nested = (nesting_mode: "single" | "list"): TerraformAttribute => ({
    optional: true,
    nested_type: { nesting_mode, attributes },
  });
  const given = { set: "x", made: null };
  const right = { set: "x", made: UNKNOWN };
  const wrong = { set: "y", made: "z" };

  test("each element may have what the provider computes", () => {
    expect(faults(nested("single"), null, given, right)).toEqual([]);
    expect(faults(nested("list"), null, [given], [right])).toEqual([]);
  });

  test("the fault is found where it is", () => {
    expect(faults(nested("single"), null, given, wrong)).toEqual(["a.set"]);
    expect(faults(nested("list"), null, [given, given], [right, wrong])).toEqual(["a.1.set"]);
  });

  test("there must be the same elements", () => {
    expect(faults(nested("list"), null, [given], [right, right])).toEqual(["a"]);
    expect(faults(nested("single"), null, given, null)).toEqual(["a"]);
    expect(faults(nested("list"), null, UNKNOWN, [])).toEqual(["a"]);
  });
});
