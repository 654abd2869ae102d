/** Values on their way to Terraform and back: covers src/plugin/runtime/decode.ts, encode.ts and msgpack.ts together. */
import * as fc from "fast-check";
import { decodeValue } from "../../../src/plugin/runtime/decode";
import { encodeValue } from "../../../src/plugin/runtime/encode";
import { Malformed, MsgpackWriter } from "../../../src/plugin/runtime/msgpack";
import { WireDetails, RefinedUnknown, type Type } from "../../../src/plugin/runtime/values";
import { isUnknown, UNKNOWN, Unknown, type Value } from "../../../src/values";
import { typedValues } from "../../support/typed-values";
import { rounds } from "../../support/rounds";

const knownOrNot = { unknowns: true } as const;

function encode(value: Value, type: Type, details = new WireDetails()): Buffer {
  return encodeValue(value, type, details, knownOrNot);
}

/** The value after a way to the provider and back. */
function roundTrip(bytes: Buffer, type: Type): Buffer {
  const details = new WireDetails();
  return encode(decodeValue(bytes, type, details), type, details);
}

test("every value of every type comes back as the same bytes", () => {
  fc.assert(
    fc.property(typedValues(), ({ type, value }) => {
      const bytes = encode(value, type);
      expect(roundTrip(bytes, type).equals(bytes)).toBe(true);
    }),
    { numRuns: rounds(400) },
  );
});

test("a known value comes back equal", () => {
  fc.assert(
    fc.property(typedValues({ unknowns: false, sets: false }), ({ type, value }) => {
      expect(decodeValue(encode(value, type), type, new WireDetails())).toEqual(value);
    }),
    { numRuns: rounds(400) },
  );
});

test("arbitrary bytes are a value or malformed, and nothing else", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), typedValues(), (bytes, { type }) => {
      try {
        decodeValue(bytes, type, new WireDetails());
      } catch (error) {
        if (!(error instanceof SyntaxError)) expect(error).toBeInstanceOf(Malformed);
      }
    }),
    { numRuns: rounds(2_000) },
  );
});

test("a value with one byte changed is a value or malformed, and nothing else", () => {
  fc.assert(
    fc.property(typedValues(), fc.nat(), fc.nat(255), ({ type, value }, place, byte) => {
      const bytes = encode(value, type);
      bytes[place % bytes.length] = byte;
      try {
        decodeValue(bytes, type, new WireDetails());
      } catch (error) {
        if (!(error instanceof SyntaxError)) expect(error).toBeInstanceOf(Malformed);
      }
    }),
    { numRuns: rounds(1_000) },
  );
});

test("a header that promises more than there is allocates nothing", () => {
  const fourBillion = Buffer.from([0xff, 0xff, 0xff, 0xff]);
  const types: readonly [number, Type][] = [
    [0xdd, ["list", "string"]],
    [0xdf, ["map", "string"]],
    [0xdb, "string"],
    [0xc6, "dynamic"],
    [0xc9, "string"],
  ];
  for (const [code, type] of types) {
    const bytes = Buffer.concat([Buffer.from([code]), fourBillion]);
    expect(() => decodeValue(bytes, type, new WireDetails())).toThrow(Malformed);
  }
});

describe("unknown values", () => {
  const refined = new RefinedUnknown({ notNull: true, prefix: "a-", atLeast: { value: 1, inclusive: true } });

  test("a bare unknown is extension 0; one that is not null has refinements", () => {
    expect(encode(UNKNOWN, "string")).toEqual(Buffer.from([0xd4, 0, 0]));
    expect(encode(new Unknown({ notNull: true }), "string")).toEqual(
      Buffer.from([0xc7, 3, 12, 0x81, 1, 0xc2]),
    );
  });

  test("refinements come back, those that apply to the type", () => {
    const back = decodeValue(encode(refined, "string"), "string", new WireDetails());
    expect(back).toBeInstanceOf(RefinedUnknown);
    expect((back as RefinedUnknown).refinements).toEqual({ notNull: true, prefix: "a-" });
    expect((back as RefinedUnknown).notNull).toBe(true);
  });

  test.each<[Type, RefinedUnknown]>([
    [
      "number",
      new RefinedUnknown({
        atLeast: { value: 0, inclusive: false },
        atMost: { value: 2n ** 70n, inclusive: true },
      }),
    ],
    ["number", new RefinedUnknown({ atMost: { value: 0.1, inclusive: true } })],
    [["set", "string"], new RefinedUnknown({ notNull: true, minLength: 2, maxLength: 3 })],
    [["map", "string"], new RefinedUnknown({ minLength: 1 })],
  ])("bounds of %j come back", (type, unknown) => {
    expect(decodeValue(encode(unknown, type), type, new WireDetails())).toEqual(unknown);
  });

  test("what later versions may be certain of is passed over", () => {
    const body = new MsgpackWriter();
    body.map(2);
    body.integer(99);
    body.array(1);
    body.map(1);
    body.string("x");
    body.nil();
    body.integer(1);
    body.bool(false);
    const writer = new MsgpackWriter();
    writer.extension(12, body.finish());
    expect(decodeValue(writer.finish(), "string", new WireDetails())).toEqual(
      new RefinedUnknown({ notNull: true }),
    );
  });

  test("another extension, and too long a description, are refused", () => {
    const writer = new MsgpackWriter();
    writer.extension(5, Buffer.alloc(3));
    expect(() => decodeValue(writer.finish(), "string", new WireDetails())).toThrow(Malformed);
    const long = new MsgpackWriter();
    long.extension(12, Buffer.alloc(1025));
    expect(() => decodeValue(long.finish(), "string", new WireDetails())).toThrow(Malformed);
  });

  test("an unknown of any type keeps the type that it brought", () => {
    const details = new WireDetails();
    const writer = new MsgpackWriter();
    writer.array(2);
    writer.binary(Buffer.from('["set","string"]'));
    writer.extension(0, Buffer.alloc(1));
    const value = decodeValue(writer.finish(), "dynamic", details);
    expect(isUnknown(value)).toBe(true);
    expect(encode(value, "dynamic", details)).toEqual(writer.finish());
  });
});

test("a set sends equal elements once, also when only their accents are composed differently", () => {
  const bytes = encode(["e\u0301", "\u00e9", "a", "a", UNKNOWN, UNKNOWN], ["set", "string"]);
  expect(decodeValue(bytes, ["set", "string"], new WireDetails())).toEqual(["\u00e9", "a", UNKNOWN, UNKNOWN]);
});
