import { InvalidOwner } from "../errors";

/** Longest name of an owner, in UTF-16 units as `String.length` counts them. */
const LONGEST_OWNER = 255;

/** The names under which records are ours. */
export interface Owners {
  /** The name that new records are made under. */
  readonly current: string;
  /** Names of former days: their records are ours too. */
  readonly previous: readonly string[];
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
export function parseOwners(current: string, previous: readonly string[] = []): Owners {
  const names = [current, ...previous].map((owner, index) => {
    const fault = ownerFault(owner);
    if (fault !== undefined)
      throw new InvalidOwner(fault, index === 0 ? ["owner"] : ["previous_owners", index - 1]);
    return owner.normalize("NFC");
  });
  const [first = "", ...others] = new Set(names);
  return { current: first, previous: others };
}

/** An owner at one service, as a key: whose records, and entries of the store, belong together. */
export function ownerKey(origin: string, { current }: Owners): string {
  return JSON.stringify([origin, current]);
}
