/** Names the owner of a run without a state. */
import { invalidOwner } from "../problems";
import { normalForm } from "../lib/values";

/** Relation of a live record to the state: an `unmanaged` record becomes `imported` by an import block. */
export type Claim = "managed" | "imported" | "unmanaged";

/** Longest name of an owner, in UTF-16 units as `String.length` counts them. */
const LONGEST_OWNER = 255;

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
export function parseOwner(name: string): string {
  const fault = ownerFault(name);
  if (fault !== undefined) throw invalidOwner.error(fault);
  return normalForm(name);
}
