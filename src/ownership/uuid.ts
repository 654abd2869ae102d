/** Derives uuids from names. See docs/manual/reference/uuid.md. */
import { hash } from "node:crypto";
import { normalForm } from "../lib/values";

/** The namespace of our version 5 uuids: made at random once, and frozen with the rest of the encoding. */
const NAMESPACE_BYTES = Buffer.from("436426d4a90b40199cb45c6a46f8adfb", "hex");

/** The natural key of an object: the names by which users identify it, for any maker. */
export interface NaturalKey {
  /** Name of the family; `primary` for the primary user profile, which comes into being with its account. */
  readonly kind: string;
  /** The names of its containers, from the outside in, and its own name last: an account's name, and then a username. */
  readonly names: readonly string[];
}

/**
 * The uuid of an object that a run without a state creates. It proves little: a person who may choose a uuid can derive it, too.
 * @param owner the name that the run has in place of a state
 */
export function derivedUuid(owner: string, { kind, names }: NaturalKey): string {
  const uuid = v5FromText(JSON.stringify([owner, kind, ...names].map(normalForm)));
  // The published encoding has one byte for the number of the record, of which only the first is used.
  return `${uuid.slice(0, -2)}00`;
}

/** The version 5 uuid of any text in our namespace. */
export function v5FromText(text: string): string {
  const digits = hash("sha1", Buffer.concat([NAMESPACE_BYTES, Buffer.from(text)]), "hex");
  const variant = ((parseInt(digits.charAt(16), 16) & 0b0011) | 0b1000).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `5${digits.slice(13, 16)}`,
    variant + digits.slice(17, 20),
    digits.slice(20, 32),
  ].join("-");
}
