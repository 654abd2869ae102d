import * as fc from "fast-check";
import { RefinedUnknown } from "../../src/lib/plugin-runtime/values";
import { type TerraformType, UNKNOWN, type Value } from "../../src/lib/values";

/** An unknown value that is known not to be null. */
export const NOT_NULL = new RefinedUnknown(Buffer.from([0x81, 1, 0xc2]));

export interface TypedValue {
  readonly type: TerraformType;
  readonly value: Value;
}

/** A type and a value of it: nulls, awkward keys, integers of any size, and unknown parts unless they are not wanted. */
export function typedValues({ unknowns = true, sets = true } = {}): fc.Arbitrary<TypedValue> {
  return types(sets).chain((type) => valuesOf(type, unknowns).map((value) => ({ type, value })));
}

const names = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "hasOwnProperty", "a", "b", ""),
  fc.string({ unit: "grapheme", maxLength: 6 }).map((name) => name.normalize("NFC")),
);

function types(sets: boolean): fc.Arbitrary<TerraformType> {
  const { type } = fc.letrec<{ type: TerraformType }>((tie) => ({
    type: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<TerraformType>("string", "number", "bool"),
      fc.tuple(
        fc.constantFrom("list" as const, "map" as const, ...(sets ? (["set"] as const) : [])),
        tie("type"),
      ),
      fc.tuple(
        fc.constant("object" as const),
        // Terraform's attributes have names that begin with a letter.
        fc.dictionary(
          names.filter((name) => name !== "__proto__"),
          tie("type"),
          { maxKeys: 3, noNullPrototype: false },
        ),
      ),
    ),
  }));
  return type;
}

const numbers: fc.Arbitrary<number | bigint> = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 64n, -(2n ** 200n)),
  fc.double({ noNaN: true, noInteger: true }).filter((value) => Number.isFinite(value)),
  fc.constantFrom(0.1, 0.5, 1e-7, -2.5),
);

function valuesOf(type: TerraformType, unknowns: boolean): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 8, arbitrary: knownValuesOf(type, unknowns) },
    { weight: 1, arbitrary: fc.constant(null) },
    ...(unknowns ? [{ weight: 1, arbitrary: fc.constantFrom<Value>(UNKNOWN, NOT_NULL) }] : []),
  );
}

function knownValuesOf(type: TerraformType, unknowns: boolean): fc.Arbitrary<Value> {
  if (type === "string") return fc.string({ unit: "grapheme" }).map((text) => text.normalize("NFC"));
  if (type === "number") return numbers;
  if (type === "bool") return fc.boolean();
  switch (type[0]) {
    case "list":
    case "set":
      return fc.array(valuesOf(type[1], unknowns), { maxLength: 4 });
    case "map":
      return fc.dictionary(names, valuesOf(type[1], unknowns), { maxKeys: 4, noNullPrototype: false });
    case "object":
      return fc
        .tuple(...Object.values(type[1]).map((member) => valuesOf(member, unknowns)))
        .map((members) =>
          Object.fromEntries(Object.keys(type[1]).map((name, index) => [name, members[index] as Value])),
        );
  }
}
