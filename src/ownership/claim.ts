/** Decides whether a record is managed. */
import { createSecretKey, type KeyObject } from "node:crypto";
import { invalidOwner, invalidOwnerKey } from "../problems";
import { normalForm } from "../lib/values";
import { seriesOf, hashedName, type NaturalKey, uuidSeries, uuidVersion } from "./uuid";

/** Ownership of a live record. An `unmanaged` record becomes `imported` by an import block, or by a uuid that the user declares. */
export type Claim = "managed" | "imported" | "unmanaged";

/** Proof, from its uuid alone, that a live record is managed. */
export interface Proof {
  readonly owner: string;
  /** True if the uuid was made under an owner key, so that no other user can have chosen it. */
  readonly keyed: boolean;
}

/** The series of uuids under which an object may be live. Look them up with {@link seriesOf}. */
export function ownedSeries(
  key: NaturalKey,
  { current, key: ownerKey, recordedSeries }: Owners,
): readonly string[] {
  return recordedSeries === undefined
    ? [uuidSeries({ ...key, owner: current, ownerKey })]
    : (recordedSeries.get(hashedName(current, key)) ?? []);
}

/**
 * Proves that a live record is managed.
 * @returns undefined if its uuid is none that we would have chosen for this key.
 */
export function proofOf(uuid: string, key: NaturalKey, owners: Owners): Proof | undefined {
  const keyed = isKeyed(owners);
  if (uuidVersion(uuid) !== (keyed ? 8 : 5) || !ownedSeries(key, owners).includes(seriesOf(uuid)))
    return undefined;
  return { owner: owners.current, keyed };
}

/**
 * The maker of a record that is not managed, as far as the uuid shows it; undefined if the record is managed.
 *
 * - `another owner`: the uuid was derived from names (version 5), and not as this owner derives it. Such a record is neither imported nor
 *   removed.
 * - `unknown key`: the uuid was derived under a key (version 8), of another owner or a lost one.
 */
export function unmanagedOrigin(
  uuid: string,
  key: NaturalKey,
  owners: Owners,
): "another owner" | "unknown key" | "not known" | undefined {
  if (proofOf(uuid, key, owners) !== undefined) return undefined;
  const version = uuidVersion(uuid);
  if (version === 8) return "unknown key";
  return version === 5 ? "another owner" : "not known";
}

/** Longest name of an owner, in UTF-16 units as `String.length` counts them. */
const LONGEST_OWNER = 255;

/** Fewest characters of an owner key. */
const SHORTEST_KEY = 16;

/** The name under which records are managed, and the key that proves it. */
export interface Owners {
  readonly current: string;
  /** Undefined: uuids follow from names alone, so users who may choose uuids can forge them. Neither JSON nor a log shows the key. */
  readonly key?: KeyObject | undefined;
  /**
   * Replaces the key in a run without keys: the series of keyed uuids that were live when a snapshot was taken, by owner and object, as
   * {@link hashedName} writes them.
   */
  readonly recordedSeries?: ReadonlyMap<string, readonly string[]> | undefined;
}

/** True if records of this owner are made under an owner key. */
export function isKeyed({ key, recordedSeries }: Owners): boolean {
  return key !== undefined || recordedSeries !== undefined;
}

/**
 * The key as the environment gives it.
 * @throws invalidOwnerKey
 */
export function parseOwnerKey(text: string | undefined): KeyObject | undefined {
  if (text === undefined) return undefined;
  if (text.trim() !== text) throw invalidOwnerKey.error("begins or ends with white space");
  const normal = normalForm(text);
  if ([...normal].length < SHORTEST_KEY)
    throw invalidOwnerKey.error(`is shorter than ${SHORTEST_KEY} characters`);
  return createSecretKey(normal, "utf8");
}

/** The fault of an owner's name, as in "is empty"; undefined if there is none. */
export function ownerFault(owner: string): string | undefined {
  if (owner === "") return "is empty";
  if (owner.length > LONGEST_OWNER) return `is longer than ${LONGEST_OWNER} characters`;
  if (owner.trim() !== owner) return "begins or ends with white space";
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(owner)) return "contains a control character";
  if (/\p{Cs}/u.test(owner)) return "contains half of a surrogate pair";
  return undefined;
}

/**
 * The owner, with its name in normal form (NFC).
 * @throws invalidOwner
 */
export function parseOwner(name: string, key?: KeyObject): Owners {
  const fault = ownerFault(name);
  if (fault !== undefined) throw invalidOwner.error(fault);
  return { current: normalForm(name), ...(key !== undefined && { key }) };
}

/** An owner at one service, as text: the key of its records and of its entries in the store. */
export function ownerAt(origin: string, { current }: Pick<Owners, "current">): string {
  return JSON.stringify([origin, current]);
}
