import { evaluate, parseExpression } from "../../src/lib/language";
import { worded } from "../../src/problems";
import { conform, flag, group, integer, text, textMap, texts, textSet } from "../../src/schema";
import { bare, type ObjectValue, UNKNOWN } from "../../src/lib/values";
import recorded from "../lib/language/console.json";
import { scopeOf } from "../lib/language/support";

const ATTRIBUTES = {
  name: text("Name.").required(),
  count: integer("Count."),
  on: flag("Switch."),
  tags: textSet("Tags."),
  lines: texts("Lines."),
  keepers: textMap("Keepers."),
  limits: group("Limits.", { size: integer("Size.") }),
  serial: text("Serial.").computed(),
};

const conformed = (raw: ObjectValue) => conform(ATTRIBUTES, { name: "a", ...raw });
const findings = (raw: ObjectValue) =>
  conform(ATTRIBUTES, raw).findings.map(({ summary, attribute }) => [attribute?.join("."), summary]);

test("numbers and switches may be written as text, and text as numbers", () => {
  const { config, findings } = conformed({ count: "12", on: "true", keepers: { a: 1, b: true } });
  expect(findings).toEqual([]);
  expect(config).toEqual({ name: "a", count: 12, on: true, keepers: { a: "1", b: "true" } });
});

describe("an attribute takes what Terraform converts to its type, and nothing else", () => {
  const evaluated = (text: string) => bare(evaluate(parseExpression(text), scopeOf()));
  const CALL = /^to(string|bool|number)\((.*)\)$/;
  const conversionsIn = (texts: readonly string[]) =>
    texts.flatMap((text): [kind: string, literal: string][] => {
      const [, kind, literal] = CALL.exec(text) ?? [];
      return kind === undefined || literal === undefined ? [] : [[kind, literal]];
    });
  const setTo = (kind: string, literal: string) => {
    const name = { string: "name", bool: "on", number: "count" }[kind] ?? "";
    const { config, findings } = conformed({ [name]: evaluated(literal) });
    return { value: config[name], codes: findings.map(({ code }) => code) };
  };
  const taken = conversionsIn(Object.keys(recorded.values)).filter(
    // Our numbers are whole ones, and null is no declaration.
    ([kind, literal]) =>
      literal !== "null" && (kind !== "number" || Number.isInteger(evaluated(`tonumber(${literal})`))),
  );

  test.each(taken)("a %s of %s", (kind, literal) =>
    expect(setTo(kind, literal)).toEqual({ value: evaluated(`to${kind}(${literal})`), codes: [] }),
  );

  test.each(conversionsIn(recorded.failures))("no %s of %s", (kind, literal) =>
    expect(setTo(kind, literal).codes).toEqual(["TENANCY_INVALID_VALUE"]),
  );

  test("the table holds both the usual texts and the odd ones", () => {
    const calls = taken.map(([kind, literal]) => `${kind} ${literal}`);
    expect(calls).toEqual(expect.arrayContaining(['bool "1"', 'bool "0"', "string 1e-7", "string 1e21"]));
  });
});

test("a number is written out in the keepers of a token as Terraform writes it", () => {
  expect(conformed({ keepers: { small: 1e-7, large: 1e21 } }).config["keepers"]).toEqual({
    small: "0.0000001",
    large: "1000000000000000000000",
  });
});

test("a fraction that no double could hold is a fraction all the same", () => {
  expect(findings({ name: "a", count: "5.00000000000000000001" })).toEqual([
    ["count", "must be a whole number, not this string"],
  ]);
});

test("an integer beyond 2^53 stays exact", () => {
  expect(conformed({ count: "9007199254740993" }).config["count"]).toBe(9007199254740993n);
});

test("what is right already is not copied", () => {
  const raw = { name: "a", tags: ["x"], limits: { size: 1 } };
  expect(conform(ATTRIBUTES, raw).config).toBe(raw);
});

test("an absent attribute stays absent, and null is the same", () => {
  expect(conformed({ count: null })).toEqual({ config: { name: "a", count: null }, findings: [] });
});

test("a set holds each element once; unknown ones may be anything", () => {
  expect(conformed({ tags: ["b", "a", "b"] }).config["tags"]).toEqual(["b", "a"]);
  expect(conformed({ tags: [UNKNOWN, UNKNOWN] }).config["tags"]).toHaveLength(2);
});

test("text is brought to one Unicode form", () => {
  expect(conformed({ name: "cafe\u0301" }).config["name"]).toBe("caf\u00e9");
});

test("a misspelt attribute is named with the nearest one", () => {
  const [finding] = worded(conform(ATTRIBUTES, { name: "a", counts: 1 }).findings);
  expect(finding).toMatchObject({ code: "TENANCY_UNKNOWN_ATTRIBUTE", advice: 'Did you mean "count"?' });
});

test("`__proto__` is an attribute like any other, and there is none", () => {
  const raw = JSON.parse('{"name": "a", "__proto__": {"count": 1}}') as ObjectValue;
  expect(findings(raw)).toEqual([["__proto__", 'there is no attribute "__proto__" here']]);
});

test("`__proto__` may be a key of a map", () => {
  const raw = JSON.parse('{"name": "a", "keepers": {"__proto__": 1}}') as ObjectValue;
  expect(Object.entries(conform(ATTRIBUTES, raw).config["keepers"] as object)).toEqual([["__proto__", "1"]]);
});

test("a required attribute that is missing, and a computed one that is set, are errors", () => {
  expect(findings({ serial: "ACT07" })).toEqual([
    ["serial", '"serial" is given by the service and cannot be set'],
    ["name", '"name" is required'],
  ]);
});

test("values of another kind are named where they stand, and never shown", () => {
  expect(findings({ name: ["s3cret"], count: 1.5, on: "maybe", lines: ["a", null], limits: 3 })).toEqual([
    ["name", "must be a string, not a list"],
    ["count", "must be a whole number, not a fraction"],
    ["on", "must be true or false, not this string"],
    ["lines.1", "must not contain null"],
    ["limits", "must be an object, not a number"],
  ]);
});

test("what is not known yet is taken as it is", () => {
  expect(conformed({ count: UNKNOWN, limits: UNKNOWN, tags: UNKNOWN }).findings).toEqual([]);
});
