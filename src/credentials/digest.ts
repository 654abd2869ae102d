/** Keyed digests: they tell whether a value is still the same, and tell nobody without the store's key what it is. */
import { createHmac, hkdfSync } from "node:crypto";
import { isList, isObject, stringifyJson, type Value } from "../values";

/**
 * A key of its own for each purpose, so that digests made for one say nothing about those made for another.
 * @param secret the random key of a part of the store
 * @returns 32 bytes
 */
export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `tenancy ${purpose}`, 32));
}

/** HMAC-SHA256 over the values, in base64. Objects of the same members are the same value in whatever order. */
export function keyedDigest(key: Buffer, ...values: readonly Value[]): string {
  return createHmac("sha256", key)
    .update(stringifyJson(values.map(ordered)))
    .digest("base64");
}

function ordered(value: Value): Value {
  if (isList(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, ordered(member)]));
}
