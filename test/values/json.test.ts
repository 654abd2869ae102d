import { parseJson, stringifyJson } from "../../src/values";

test("integers beyond 2^53 survive reading and writing", () => {
  const text = '{"quota":9223372036854775807,"list":[9007199254740993,1],"small":12}';
  expect(parseJson(text)).toEqual({ quota: 9223372036854775807n, list: [9007199254740993n, 1], small: 12 });
  expect(stringifyJson(parseJson(text))).toBe(text);
});

test("a string that looks like our placeholder is left alone", () => {
  const value = { text: "\\u0000bigint:0", quota: 9223372036854775807n };
  expect(parseJson(stringifyJson(value))).toEqual(value);
});

test("a fraction stays a fraction, and text that is not JSON is an error", () => {
  expect(parseJson('{"x":0.1}')).toEqual({ x: 0.1 });
  expect(() => parseJson("{")).toThrow(SyntaxError);
});
