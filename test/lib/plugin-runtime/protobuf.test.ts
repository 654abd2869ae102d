/** Messages on the wire: covers src/lib/plugin-runtime/byte-buffer.ts, besides its own source. */
import * as fc from "fast-check";
import {
  CallFunctionResponse,
  GetProviderSchemaResponse,
  PlanResourceChangeRequest,
  PlanResourceChangeResponse,
} from "../../../src/lib/plugin-runtime/messages";
import {
  map,
  message,
  repeated,
  MalformedMessage,
  defineMessage,
  bool,
  bytes,
  integer,
  optionalInteger,
  optionalString,
  string,
} from "../../../src/lib/plugin-runtime/protobuf";
import { rounds } from "../../support/rounds";

const Inner = defineMessage({ text: string(1), number: integer(2) });
const Outer = defineMessage({
  text: string(1),
  flag: bool(2),
  number: integer(3),
  raw: bytes(4),
  inner: message(5, Inner),
  list: repeated(6, Inner),
  entries: map(7, Inner),
  maybe: optionalInteger(100),
  maybeText: optionalString(536_870_911),
});

test("the wire format is that of Protocol Buffers", () => {
  expect(Inner.encode({ text: "testing", number: 150 }).toString("hex")).toBe("0a0774657374696e67109601");
  expect(Inner.encode({ number: -1 }).toString("hex")).toBe("10ffffffffffffffffff01");
  expect(Outer.encode({ maybe: 0 }).toString("hex")).toBe("a00600");
});

test("defaults take no room, and come back; what is optional can be told from its default", () => {
  expect(Outer.encode({ text: "", flag: false, number: 0, raw: new Uint8Array(), list: [] })).toHaveLength(0);
  expect(Outer.decode(Buffer.alloc(0))).toEqual({
    ...{ text: "", flag: false, number: 0, raw: new Uint8Array(), inner: undefined, list: [] },
    ...{ entries: new Map(), maybe: undefined, maybeText: undefined },
  });
  expect(
    CallFunctionResponse.decode(CallFunctionResponse.encode({ error: { functionArgument: 0 } })),
  ).toMatchObject({
    error: { functionArgument: 0 },
  });
});

const inners = fc.record({
  text: fc.string({ unit: "grapheme" }),
  number: fc.maxSafeInteger(),
});

test("every message comes back as it was", () => {
  const messages = fc.record({
    ...{
      text: fc.string(),
      flag: fc.boolean(),
      number: fc.maxSafeInteger(),
      inner: fc.option(inners, { nil: undefined }),
    },
    raw: fc.uint8Array({ maxLength: 40_000 }).map((array) => Buffer.from(array)),
    list: fc.array(inners),
    entries: fc.dictionary(fc.string(), inners).map((object) => new Map(Object.entries(object))),
    maybe: fc.option(fc.nat(), { nil: undefined }),
    maybeText: fc.option(fc.string(), { nil: undefined }),
  });
  fc.assert(
    fc.property(messages, (sent) => {
      expect(Outer.decode(Outer.encode(sent))).toEqual(sent);
    }),
  );
});

test("fields that nobody knows are passed over", () => {
  const More = defineMessage({ text: string(1), later: message(9, Inner), evenLater: integer(10) });
  const bytes = More.encode({ text: "a", later: { text: "b" }, evenLater: 300 });
  const fixed = Buffer.concat([bytes, Buffer.from("6100000000000000006d00000000", "hex")]);
  expect(Inner.decode(fixed)).toEqual({ text: "a", number: 0 });
});

test("arbitrary bytes are a message or malformed, and nothing else", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      for (const type of [
        Outer,
        PlanResourceChangeRequest,
        PlanResourceChangeResponse,
        GetProviderSchemaResponse,
      ]) {
        try {
          type.decode(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedMessage);
        }
      }
    }),
    { numRuns: rounds(2_000) },
  );
});

test.each([
  ["a length beyond the end", "0a05"],
  ["a number without an end", "10ffffffffffffffffffffff"],
  ["a number cut off", "1080"],
  ["a negative length", "0affffffffffffffffff01"],
  ["field number 0", "00"],
  ["a group", "0b0c"],
])("%s is malformed", (_what, hex) => {
  expect(() => Inner.decode(Buffer.from(hex, "hex"))).toThrow(MalformedMessage);
});

test("a great many repeated parts take time in proportion", () => {
  const many = Outer.encode({ list: Array.from({ length: 300_000 }, () => ({ number: 1 })) });
  expect(Outer.decode(many).list).toHaveLength(300_000);
});
