/** What the store remembers of one live object: what the service won't show again. */
import type { Value } from "../values";
import { asText, Misshapen, Shape } from "./shape";

/** A live record, as the store knows it again. */
export interface LiveObject {
  /** Kind and natural key, such as `user_profile:jane@acme`. */
  readonly key: string;
  /** Its uuid: what is remembered of an earlier record under the same key is not about this one. */
  readonly uuid: string;
}

/** A version of a write-only value that was sent. */
export interface SentVersion {
  /** Null where none was declared. */
  readonly version: number | bigint | string | null;
  /** See {@link saltedHash}; null where the value was not at hand. */
  readonly hash: string | null;
}

export interface ObjectMemory {
  readonly uuid: string;
  /** By attribute path. */
  readonly writeOnly: Map<string, SentVersion>;
  /** Keyed digests by attribute path. */
  readonly digests: Map<string, string>;
  readonly unknown: Value;
}

export function readMemory(value: Value, place: string): ObjectMemory {
  const shape = new Shape(value, place);
  return {
    uuid: shape.text("uuid"),
    writeOnly: shape.map("write_only", readSentVersion),
    digests: shape.map("digests", asText),
    unknown: shape.unknown(),
  };
}

export function writeMemory({ uuid, writeOnly, digests, unknown }: ObjectMemory): Value {
  return {
    uuid,
    write_only: Object.fromEntries(writeOnly) as unknown as Value,
    digests: Object.fromEntries(digests),
    ...(unknown as object),
  };
}

function readSentVersion(value: Value, place: string): SentVersion {
  const shape = new Shape(value, place);
  const version = shape.member("version");
  if (version !== null && !["number", "bigint", "string"].includes(typeof version))
    throw new Misshapen(shape.at("version"), "a number, string or null");
  if (shape.member("hash") !== null) shape.text("hash");
  return value as unknown as SentVersion;
}
