import { attributePath, sourcePath } from "../../../src/plugin/runtime/schema-description";
import type { Schema } from "../../../src/plugin/runtime/schema";
import type { Path } from "../../../src/values";

const inner = { attributes: { name: { type: "string", optional: true } } } as const;
const schema: Schema = {
  attributes: {
    list: { optional: true, nested: { nesting: "list", ...inner } },
    set: { optional: true, nested: { nesting: "set", ...inner } },
    map: { optional: true, nested: { nesting: "map", ...inner } },
    pair: { type: ["tuple", ["string", ["map", "number"]]], optional: true },
  },
  blocks: {
    one: { nesting: "single", block: inner },
    many: { nesting: "list", block: { blocks: { deep: { nesting: "map", block: inner } } } },
    some: { nesting: "set", block: inner },
  },
};

const name = (attributeName: string) => ({ attributeName });
const key = (elementKeyString: string) => ({ elementKeyString });
const index = (elementKeyInt: number) => ({ elementKeyInt });

test.each<[Path, readonly object[]]>([
  [
    ["list", 0, "name"],
    [name("list"), index(0), name("name")],
  ],
  [
    ["map", "name", "name"],
    [name("map"), key("name"), name("name")],
  ],
  [
    ["map", 7, "name"],
    [name("map"), key("7"), name("name")],
  ],
  [
    ["pair", 1, "__proto__"],
    [name("pair"), index(1), key("__proto__")],
  ],
  [
    ["many", 2, "deep", "k", "name"],
    [name("many"), index(2), name("deep"), key("k"), name("name")],
  ],
])("%j tells attributes, keys and indexes apart", (path, steps) => {
  expect(attributePath(schema, path)).toEqual({ steps });
});

test.each<[Path, number]>([
  [["set", 0, "name"], 1],
  [["list", "x"], 1],
  [["pair", 2], 1],
  [["list", 0, "toString"], 2],
])("%j ends where no step can follow", (path, length) => {
  expect(attributePath(schema, path)?.steps).toHaveLength(length);
});

test("a path to nothing is none", () => {
  expect(attributePath(schema, ["nothing"])).toBeUndefined();
  expect(attributePath(schema, ["constructor"])).toBeUndefined();
  expect(attributePath(schema, [])).toBeUndefined();
});

test.each<[Path, Path]>([
  [["list", 0, "name"], ["list"]],
  [["map", "k", "name"], ["map"]],
  [
    ["one", "name"],
    ["one", "name"],
  ],
  [
    ["many", 0, "deep", "k", "name"],
    ["many", 0, "deep", "k", "name"],
  ],
  [["some", 0, "name"], ["some"]],
  [["many"], ["many"]],
  [[], []],
])("of %j the source has %j", (path, shown) => {
  expect(sourcePath(schema, path)).toEqual(shown);
});
