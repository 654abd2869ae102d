import { UNKNOWN, type Unknown } from "../../../values";
import { Malformed } from "./malformed";
import { MsgpackReader } from "./msgpack-reader";
import { type Recollection } from "./recollection";
import { RefinedUnknown, refinementKeys, type Bound, type Refinements } from "./refinement";
import { type Type } from "./type";

/** Extension code of an unknown value with refinements. */
export const REFINED = 12;

/** A longer description of an unknown is no description, but an attempt on our memory. */
const LONGEST_REFINEMENTS = 1024;

/** Reads what the body of an extension says of an unknown value. */
export function decodeUnknown(
  code: number,
  body: Uint8Array,
  type: Type,
  recollection: Recollection,
): Unknown {
  if (code !== REFINED) throw new Malformed(`extension ${code} is none of Terraform's`);
  if (body.length > LONGEST_REFINEMENTS)
    throw new Malformed("the refinements of an unknown value are too long");
  // Nothing can be certain of a value whose type isn't.
  if (type === "dynamic") return UNKNOWN;
  const reader = new MsgpackReader(body);
  let refinements: Refinements = {};
  for (let left = reader.map(); left > 0; left--) {
    const key = reader.number(refuseFraction);
    refinements = { ...refinements, ...readRefinement(Number(key), reader, recollection) };
  }
  return new RefinedUnknown(refinements);
}

function readRefinement(key: number, reader: MsgpackReader, recollection: Recollection): Refinements {
  switch (key) {
    case refinementKeys.nullness:
      return { notNull: !reader.bool() };
    case refinementKeys.prefix:
      return { prefix: reader.string() };
    case refinementKeys.atLeast:
      return { atLeast: readBound(reader, recollection) };
    case refinementKeys.atMost:
      return { atMost: readBound(reader, recollection) };
    case refinementKeys.minLength:
      return { minLength: Number(reader.number(refuseFraction)) };
    case refinementKeys.maxLength:
      return { maxLength: Number(reader.number(refuseFraction)) };
    default:
      // Later versions may be certain of more. To know less is safe.
      reader.skip();
      return {};
  }
}

function readBound(reader: MsgpackReader, recollection: Recollection): Bound {
  if (reader.array() !== 2) throw new Malformed("a bound is not a pair");
  const value =
    reader.peek() === "string"
      ? recollection.readNumeral(reader.string())
      : reader.number((float) => recollection.readFloat(float));
  return { value, inclusive: reader.bool() };
}

function refuseFraction(): never {
  throw new Malformed("a whole number was expected");
}
