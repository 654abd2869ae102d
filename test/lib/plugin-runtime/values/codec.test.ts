/** Values on their way to Terraform and back: covers src/lib/plugin-runtime/values.ts. */
import { encode as toMsgpack, ExtData } from "@msgpack/msgpack";
import * as fc from "fast-check";
import {
  decodeValue,
  encodeValue,
  Malformed,
  RefinedUnknown,
} from "../../../../src/lib/plugin-runtime/values";
import { type TerraformType, UNKNOWN, type Value } from "../../../../src/lib/values";
import { NOT_NULL, typedValues } from "../../../support/typed-values";
import { rounds } from "../../../support/rounds";

function encode(value: Value, type: TerraformType): Buffer {
  return encodeValue(value, type, { unknowns: true });
}

/** The value after a way to the provider and back. */
function roundTrip(bytes: Buffer, type: TerraformType): Buffer {
  return encode(decodeValue(bytes, type), type);
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
      expect(decodeValue(encode(value, type), type)).toEqual(value);
    }),
    { numRuns: rounds(400) },
  );
});

test("arbitrary bytes are a value or malformed, and nothing else", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), typedValues(), (bytes, { type }) => {
      try {
        decodeValue(bytes, type);
      } catch (error) {
        expect(error).toBeInstanceOf(Malformed);
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
        decodeValue(bytes, type);
      } catch (error) {
        expect(error).toBeInstanceOf(Malformed);
      }
    }),
    { numRuns: rounds(1_000) },
  );
});

test("a header that promises more than there is allocates nothing", () => {
  const fourBillion = Buffer.from([0xff, 0xff, 0xff, 0xff]);
  const types: readonly [number, TerraformType][] = [
    [0xdd, ["list", "string"]],
    [0xdf, ["map", "string"]],
    [0xdb, "string"],
    [0xc9, "string"],
  ];
  for (const [code, type] of types) {
    const bytes = Buffer.concat([Buffer.from([code]), fourBillion]);
    expect(() => decodeValue(bytes, type)).toThrow(Malformed);
  }
});

describe("unknown values", () => {
  test("a bare unknown is extension 0", () => {
    expect(encode(UNKNOWN, "string")).toEqual(Buffer.from([0xd4, 0, 0]));
    expect(encode(NOT_NULL, "string")).toEqual(Buffer.from([0xc7, 3, 12, 0x81, 1, 0xc2]));
  });

  test.each<[string, TerraformType, string]>([
    ["that it is not null and begins with a-", "string", "8201c202a2612d"],
    ["that it lies between 0 and 2^70, the latter in digits", "number", "83039200c2049201c305a131"],
    ["that it has two or three elements", ["set", "string"], "8301c205020603"],
    ["what a later version may say", ["map", "string"], "8263918178c001c2"],
  ])("what is certain of an unknown is sent on as it came: %s", (_what, type, hex) => {
    const bytes = toMsgpack(new ExtData(12, Buffer.from(hex, "hex")));
    const value = decodeValue(bytes, type);
    expect(value).toBeInstanceOf(RefinedUnknown);
    expect(encode(value, type)).toEqual(Buffer.from(bytes));
  });

  test("another extension is refused", () => {
    const bytes = toMsgpack(new ExtData(5, Buffer.alloc(3)));
    expect(() => decodeValue(bytes, "string")).toThrow(Malformed);
  });
});

test("a set sends equal elements once, also when only their accents are composed differently", () => {
  const bytes = encode(["e\u0301", "\u00e9", "a", "a", UNKNOWN, UNKNOWN], ["set", "string"]);
  expect(decodeValue(bytes, ["set", "string"])).toEqual(["\u00e9", "a", UNKNOWN, UNKNOWN]);
});
