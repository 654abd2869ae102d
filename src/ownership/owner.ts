import { createSecretKey, type KeyObject } from "node:crypto";
import { InvalidOwner, InvalidOwnerKey } from "../errors";

/** Longest name of an owner, in UTF-16 units as `String.length` counts them. */
const LONGEST_OWNER = 255;

/** Fewest characters of an owner key. */
const SHORTEST_KEY = 16;

/** The names under which records are ours, and the keys that prove it. */
export interface Owners {
  /** The name that new records are made under. */
  readonly current: string;
  /** Names of former days: their records are ours too. */
  readonly previous: readonly string[];
  /** Undefined: uuids follow from names alone, so whoever may choose uuids can forge them. */
  readonly keys?: OwnerKeys | undefined;
}

/** Secrets of the owner, held so that neither JSON nor a log shows them. */
export interface OwnerKeys {
  /** The key that new records are made under. */
  readonly current: KeyObject;
  /** An earlier key: its records are ours too. */
  readonly previous: KeyObject | undefined;
  /** Whether records that our names made without a key are ours as well (`TENANCY_PREVIOUS_OWNER_KEY=none`). */
  readonly takesUnkeyed: boolean;
}

/**
 * The keys as the environment gives them.
 * @param previous an earlier key, or `none`
 * @throws InvalidOwnerKey
 */
export function parseOwnerKeys(
  current: string | undefined,
  previous: string | undefined,
): OwnerKeys | undefined {
  if (current === undefined) {
    if (previous === undefined) return undefined;
    throw new InvalidOwnerKey("TENANCY_PREVIOUS_OWNER_KEY", "is set, and TENANCY_OWNER_KEY is not");
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
  if (text.trim() !== text) throw new InvalidOwnerKey(variable, "begins or ends with white space");
  const normal = text.normalize("NFC");
  if ([...normal].length < SHORTEST_KEY)
    throw new InvalidOwnerKey(variable, `is shorter than ${SHORTEST_KEY} characters`);
  return createSecretKey(normal, "utf8");
}

/** What is wrong with the name of an owner, as in "is empty"; undefined where nothing is. */
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
 * @throws InvalidOwner for the first name that cannot be one.
 */
export function parseOwners(
  current: string,
  previous: readonly string[] = [],
  keys?: OwnerKeys | undefined,
): Owners {
  const names = [current, ...previous].map((owner, index) => {
    const fault = ownerFault(owner);
    if (fault !== undefined)
      throw new InvalidOwner(fault, index === 0 ? ["owner"] : ["previous_owners", index - 1]);
    return owner.normalize("NFC");
  });
  const [first = "", ...others] = new Set(names);
  return { current: first, previous: others, ...(keys !== undefined && { keys }) };
}

/** Every owner of ours at one service, the present one first, as {@link ownerAt} writes it. */
export function ownersAt(origin: string, { current, previous }: Owners): readonly string[] {
  return [current, ...previous].map((owner) => ownerAt(origin, { current: owner }));
}

/** An owner at one service, as text: whose records, and entries of the store, belong together. */
export function ownerAt(origin: string, { current }: Pick<Owners, "current">): string {
  return JSON.stringify([origin, current]);
}
