/** Decides whether a record is managed, and under which owner's name it was made. */
import { createSecretKey, type KeyObject } from "node:crypto";
import { invalidOwner, invalidOwnerKey } from "../problems";
import { normalForm, onceForEach } from "../lib/values";
import { seriesOf, hashedName, type NaturalKey, uuidSeries, uuidVersion } from "./uuid";

/** Ownership of a live record. An `unmanaged` record becomes `imported` by an import block, or by a uuid that the user declares. */
export type Claim = "managed" | "imported" | "unmanaged";

/** Proof, from its uuid alone, that a live record is managed. */
export interface Proof {
  /** The one of our names that made it. */
  readonly owner: string;
  /** True if the uuid was made under an owner key, so that no other user can have chosen it. */
  readonly keyed: boolean;
}

/** One way in which a uuid of this owner may have been made. */
interface UuidSource {
  readonly owner: string;
  /** The key, or the list of records that it was found to have made. */
  readonly ownerKey: KeyObject | RecordedKeys | undefined;
}

/** The beginnings of the uuids that a maker gives to an object. Only a key that we have, or none, says it of any object. */
function seriesBy({ owner, ownerKey }: UuidSource, key: NaturalKey): readonly string[] {
  return ownerKey !== undefined && "keyedSeries" in ownerKey
    ? (ownerKey.keyedSeries.get(hashedName(owner, key)) ?? [])
    : [uuidSeries({ ...key, owner, ownerKey })];
}

/** The present key before the earlier one, and the current owner before the previous ones. */
const uuidSources = onceForEach((owners: Owners): readonly UuidSource[] => {
  const { current, previous, keys, recordedKeys } = owners;
  const provers = recordedKeys?.keyed
    ? [recordedKeys]
    : [keys?.current, keys?.previous].filter((key) => key !== undefined);
  const ownerKeys = provers.length === 0 || takesUnkeyed(owners) ? [...provers, undefined] : provers;
  return ownerKeys.flatMap((ownerKey) => [current, ...previous].map((owner) => ({ owner, ownerKey })));
});

/** The series of uuids under which an object may be live, the current owner's first. Look them up with {@link seriesOf}. */
export function ownedSeries(key: NaturalKey, owners: Owners): readonly string[] {
  return uuidSources(owners).flatMap((maker) => seriesBy(maker, key));
}

/**
 * Proves that a live record is managed.
 * @returns undefined if its uuid is none that we would have chosen for this key.
 */
export function proofOf(uuid: string, key: NaturalKey, owners: Owners): Proof | undefined {
  const version = uuidVersion(uuid);
  if (version !== 5 && version !== 8) return undefined;
  const series = seriesOf(uuid);
  // Computed one after the other, because each costs a hash and the first one is usually right.
  const maker = uuidSources(owners).find(
    (one) => (one.ownerKey === undefined ? 5 : 8) === version && seriesBy(one, key).includes(series),
  );
  if (maker === undefined) return undefined;
  return { owner: maker.owner, keyed: maker.ownerKey !== undefined };
}

/**
 * The maker of a record that is not managed, as far as the uuid shows it; undefined if the record is managed.
 *
 * - `another owner`: the uuid was derived from a name (version 5) that no owner of this run has. Such a record is neither imported nor
 *   removed.
 * - `this owner without a key`: an owner of this run gives this uuid without its key. The record was made before there was a key, or it was
 *   forged.
 * - `unknown key`: the uuid was derived under a key (version 8), of another owner or a lost one.
 */
export function unmanagedOrigin(
  uuid: string,
  key: NaturalKey,
  owners: Owners,
): "another owner" | "this owner without a key" | "unknown key" | "not known" | undefined {
  if (proofOf(uuid, key, owners) !== undefined) return undefined;
  const version = uuidVersion(uuid);
  if (version === 8) return "unknown key";
  if (version !== 5) return "not known";
  const { current, previous } = owners;
  return proofOf(uuid, key, { current, previous }) === undefined
    ? "another owner"
    : "this owner without a key";
}

/** Longest name of an owner, in UTF-16 units as `String.length` counts them. */
const LONGEST_OWNER = 255;

/** Fewest characters of an owner key. */
const SHORTEST_KEY = 16;

/** The names under which records are managed, and the keys that prove it. */
export interface Owners {
  /** The name that new records are made under. */
  readonly current: string;
  /** Previous names of the owner: their records are managed, too. */
  readonly previous: readonly string[];
  /** Undefined: uuids follow from names alone, so users who may choose uuids can forge them. */
  readonly keys?: OwnerKeys | undefined;
  /** Replaces the keys of a run without keys: their results when a snapshot was taken. */
  readonly recordedKeys?: RecordedKeys | undefined;
}

/** The records that owner keys were found to have made, so that the keys are not needed again. */
export interface RecordedKeys {
  /** True if there was an owner key. */
  readonly keyed: boolean;
  /** True if records that our names made without a key were managed as well. */
  readonly takesUnkeyed: boolean;
  /** The beginnings of the keyed uuids that are live, by owner and object, as {@link hashedName} writes them. */
  readonly keyedSeries: ReadonlyMap<string, readonly string[]>;
}

/** True if new records of these owners are made under an owner key. */
export function isKeyed({ keys, recordedKeys }: Owners): boolean {
  return keys !== undefined || recordedKeys?.keyed === true;
}

/** True if records that our names made without a key are managed although there is a key. */
export function takesUnkeyed({ keys, recordedKeys }: Owners): boolean {
  return keys?.takesUnkeyed === true || (recordedKeys?.keyed === true && recordedKeys.takesUnkeyed);
}

/** Secrets of the owner, held so that neither JSON nor a log shows them. */
interface OwnerKeys {
  /** The key that new records are made under. */
  readonly current: KeyObject;
  /** An earlier key: its records are managed too. */
  readonly previous: KeyObject | undefined;
  /** True if records that our names made without a key are managed as well (`TENANCY_PREVIOUS_OWNER_KEY=none`). */
  readonly takesUnkeyed: boolean;
}

/**
 * The keys as the environment gives them.
 * @param previous an earlier key, or `none`
 * @throws invalidOwnerKey
 */
export function parseOwnerKeys(
  current: string | undefined,
  previous: string | undefined,
): OwnerKeys | undefined {
  if (current === undefined) {
    if (previous === undefined) return undefined;
    throw invalidOwnerKey.error({
      variable: "TENANCY_PREVIOUS_OWNER_KEY",
      fault: "is set, and TENANCY_OWNER_KEY is not",
    });
  }
  const takesUnkeyed = previous === "none";
  return {
    current: secretKey("TENANCY_OWNER_KEY", current),
    previous:
      previous === undefined || takesUnkeyed ? undefined : secretKey("TENANCY_PREVIOUS_OWNER_KEY", previous),
    takesUnkeyed,
  };
}

function secretKey(variable: string, text: string): KeyObject {
  if (text.trim() !== text)
    throw invalidOwnerKey.error({ variable, fault: "begins or ends with white space" });
  const normal = normalForm(text);
  if ([...normal].length < SHORTEST_KEY)
    throw invalidOwnerKey.error({ variable, fault: `is shorter than ${SHORTEST_KEY} characters` });
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
 * The names in their normal form (NFC), each once.
 * @throws invalidOwner for the first name that cannot be one.
 */
export function parseOwners(current: string, previous: readonly string[] = [], keys?: OwnerKeys): Owners {
  const names = [current, ...previous].map((owner, index) => {
    const fault = ownerFault(owner);
    if (fault !== undefined)
      throw invalidOwner.error({
        fault,
        attribute: index === 0 ? ["owner"] : ["previous_owners", index - 1],
      });
    return normalForm(owner);
  });
  const [first = "", ...others] = new Set(names);
  return { current: first, previous: others, ...(keys !== undefined && { keys }) };
}

/** Every owner of the run at one service, the present one first, as {@link ownerAt} writes it. */
export function ownersAt(origin: string, { current, previous }: Owners): readonly string[] {
  return [current, ...previous].map((owner) => ownerAt(origin, { current: owner }));
}

/** An owner at one service, as text: the key of its records and of its entries in the store. */
export function ownerAt(origin: string, { current }: Pick<Owners, "current">): string {
  return JSON.stringify([origin, current]);
}
