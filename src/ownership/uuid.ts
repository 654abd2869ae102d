/** Derives the uuids of the objects that we create, so that a live record itself identifies its maker. See docs/manual/reference/uuid.md. */
import { createHmac, hash, type KeyObject } from "node:crypto";
import { isUuidText, normalForm } from "../lib/values";

/** The namespace of our version 5 uuids: made at random once, and frozen with the rest of the encoding. */
export const NAMESPACE = "436426d4-a90b-4019-9cb4-5c6a46f8adfb";

/** The last generation: one byte holds it. */
export const LAST_GENERATION = 255;

const NAMESPACE_BYTES = Buffer.from(NAMESPACE.replaceAll("-", ""), "hex");

/** Digits of a uuid that all of its generations share: those of the first 15 bytes. */
const SERIES_LENGTH = 34;

/**
 * The uuid that `owner` gives to an object.
 * @param generation 0 for the first; the next one only after a record of the one before is gone for good
 * @throws RangeError if the generation does not fit into a byte.
 */
export function ownedUuid(key: OwnedKey, generation = 0): string {
  if (!Number.isInteger(generation) || generation < 0 || generation > LAST_GENERATION)
    throw new RangeError(`a generation is a whole number from 0 to ${LAST_GENERATION}, not ${generation}`);
  return uuidSeries(key) + generation.toString(16).padStart(2, "0");
}

/** An owner and an object of that owner, as one text: the input of a uuid. */
export function hashedName(owner: string, { kind, names }: NaturalKey): string {
  return JSON.stringify([owner, kind, ...names].map(normalForm));
}

/** The common beginning of an object's uuids in all generations: compare it with {@link seriesOf} of a live record. */
export function uuidSeries(key: OwnedKey): string {
  const text = hashedName(key.owner, key);
  const uuid = key.ownerKey === undefined ? v5FromText(text) : v8FromText(text, key.ownerKey);
  return uuid.slice(0, SERIES_LENGTH);
}

/** The version 5 uuid of any text in our namespace. */
export function v5FromText(text: string): string {
  return uuidFrom(hash("sha1", Buffer.concat([NAMESPACE_BYTES, Buffer.from(text)]), "hex"), 5);
}

/** The version 8 uuid of a text. Only the holder of the owner's key can make it. */
function v8FromText(text: string, ownerKey: KeyObject): string {
  return uuidFrom(createHmac("sha256", ownerKey).update(text).digest("hex"), 8);
}

/** A uuid of the first 16 bytes of a digest, with version and variant set. */
function uuidFrom(digits: string, version: 5 | 8): string {
  const variant = ((parseInt(digits.charAt(16), 16) & 0b0011) | 0b1000).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `${version}${digits.slice(13, 16)}`,
    variant + digits.slice(17, 20),
    digits.slice(20, 32),
  ].join("-");
}

/** The series that a uuid would belong to if a name of this owner gave it: the uuids of one object in all generations. Any other text is its own series. */
export function seriesOf(uuid: string): string {
  return isUuidText(uuid) ? uuid.slice(0, SERIES_LENGTH).toLowerCase() : uuid;
}

/** The digit of the version, 0 to 15, for any variant; undefined if the text is no uuid. */
export function uuidVersion(text: string): number | undefined {
  return isUuidText(text) ? parseInt(text.charAt(14), 16) : undefined;
}

/** The natural key of an object: the names by which users identify it, for any maker. */
export interface NaturalKey {
  /** Name of the family; `primary` for the primary user profile, which comes into being with its account. */
  readonly kind: string;
  /** The names of its containers, from the outside in, and its own name last: an account's name, and then a username. */
  readonly names: readonly string[];
}

/** A natural key and its owner: everything that a uuid of this owner is made of, except for the generation. */
export interface OwnedKey extends NaturalKey {
  readonly owner: string;
  /** The owner's secret. Without one the uuid follows from names alone. */
  readonly ownerKey?: KeyObject | undefined;
}
