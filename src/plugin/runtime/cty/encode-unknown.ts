import { type Unknown } from "../../../values";
import { REFINED } from "./decode-unknown";
import { writeNumber } from "./encode-number";
import { MsgpackWriter } from "./msgpack-writer";
import { type Recollection } from "./recollection";
import { refinementKeys, refinementsOf, type Bound, type Refinements } from "./refinement";
import { type Type } from "./type";

const BARE_UNKNOWN = new Uint8Array(1);

/** Writes an unknown value with what is certain of it, as far as it applies to the type. */
export function encodeUnknown(
  writer: MsgpackWriter,
  value: Unknown,
  type: Type,
  recollection: Recollection,
): void {
  const entries = type === "dynamic" ? [] : refinementEntries(refinementsOf(value), type, recollection);
  if (entries.length === 0) return writer.extension(0, BARE_UNKNOWN);
  const body = new MsgpackWriter();
  body.map(entries.length);
  for (const [key, write] of entries) {
    body.integer(key);
    write(body);
  }
  writer.extension(REFINED, body.finish());
}

type Entry = readonly [key: number, write: (writer: MsgpackWriter) => void];

function refinementEntries(
  refinements: Refinements,
  type: Type,
  recollection: Recollection,
): readonly Entry[] {
  const { notNull, prefix, atLeast, atMost, minLength, maxLength } = refinements;
  const isCollection = typeof type !== "string" && type[0] !== "object" && type[0] !== "tuple";
  const entries: Entry[] = [];
  const bound = (key: number, { value, inclusive }: Bound): Entry => [
    key,
    (writer) => {
      writer.array(2);
      writeNumber(writer, value, recollection);
      writer.bool(inclusive);
    },
  ];
  if (notNull === true) entries.push([refinementKeys.nullness, (writer) => writer.bool(false)]);
  if (type === "string" && prefix) entries.push([refinementKeys.prefix, (writer) => writer.string(prefix)]);
  if (type === "number" && atLeast) entries.push(bound(refinementKeys.atLeast, atLeast));
  if (type === "number" && atMost) entries.push(bound(refinementKeys.atMost, atMost));
  if (isCollection && minLength)
    entries.push([refinementKeys.minLength, (writer) => writer.integer(minLength)]);
  if (isCollection && maxLength !== undefined) {
    entries.push([refinementKeys.maxLength, (writer) => writer.integer(maxLength)]);
  }
  return entries;
}
