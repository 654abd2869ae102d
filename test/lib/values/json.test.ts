import { parseJson, sortedJson, stringifyJson, Unknown } from "../../../src/lib/values";

test("integers beyond 2^53 survive reading and writing", () => {
  const text = '{"quota":9223372036854775807,"list":[9007199254740993,1],"small":12}';
  expect(parseJson(text)).toEqual({ quota: 9223372036854775807n, list: [9007199254740993n, 1], small: 12 });
  expect(stringifyJson(parseJson(text))).toBe(text);
});

test("a string that looks like our placeholder is left alone", () => {
  const value = { text: "\\u0000bigint:0", quota: 9223372036854775807n };
  expect(parseJson(stringifyJson(value))).toEqual(value);
});

test("a text or a name that looks like our marker is left alone, beside an integer beyond 2^53", () => {
  const text = "\u0000json:0";
  const value = { a: 9223372036854775807n, b: text, [text]: [text, 1n] };
  expect(parseJson(stringifyJson(value))).toEqual({ ...value, [text]: [text, 1] });
});

test("a member called __proto__ is a member like any other, beside an integer beyond 2^53 too", () => {
  for (const quota of ["1", "9223372036854775807"]) {
    const value = parseJson(`{"__proto__":{"polluted":true},"quota":${quota}}`);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value as object)).toEqual(["__proto__", "quota"]);
  }
});

test("JSON that is nested without end gives the error that every reader of JSON expects", () => {
  for (const [open, close] of [
    ["[", "]"],
    [`{"a":`, "}"],
  ] as const) {
    for (const core of ["1", "9223372036854775807"]) {
      const nested = (depth: number) => `${open.repeat(depth)}${core}${close.repeat(depth)}`;
      expect(() => parseJson(nested(200))).not.toThrow();
      expect(() => parseJson(nested(201))).toThrow(SyntaxError);
      expect(() => parseJson(nested(200_000))).toThrow(SyntaxError);
    }
  }
  expect(parseJson(`["${"[{".repeat(300)}\\\\", "\\"${"[".repeat(300)}"]`)).toHaveLength(2);
});

test("a fraction stays a fraction, and text that is not JSON is an error", () => {
  expect(parseJson('{"x":0.1}')).toEqual({ x: 0.1 });
  expect(() => parseJson("{")).toThrow(SyntaxError);
});

test("equal values have equal sorted text, and others another one", () => {
  const big = 2n ** 60n;
  const one = parseJson('{"b":[1,{"z":null,"a":true}],"a":"x","__proto__":{"constructor":0}}');
  const other = parseJson('{"__proto__":{"constructor":0},"a":"x","b":[1,{"a":true,"z":null}]}');
  expect(sortedJson(one)).toBe(sortedJson(other));
  expect(sortedJson({ n: big })).toBe('{"n":1152921504606846976}');
  const different = [
    ...[null, true, 1, "1", "null", "unknown", [], {}, [1, 2], [[1], 2], [2, 1], { a: 1 }, { a: "1" }],
    ...[{ 'a":1,"b': 1 }, { a: 1, b: 1 }, big, new Unknown()],
  ];
  expect(new Set(different.map(sortedJson)).size).toBe(different.length);
});
