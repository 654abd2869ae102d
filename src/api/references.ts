/**
 * Gives references between records one form, the id. The specification leaves it open whether `account_id` and its like hold an id, a serial or
 * a uuid, and a service may answer with one form here and another form there.
 */
import { textOf, type ObjectValue } from "../lib/values";

/** The members that refer to other records, with the path of the family that they refer to. */
const FAMILY_OF = {
  account_id: "/api/account",
  admin_profile_id: "/api/user-profile",
  user_id: "/api/user-profile",
} as const;
const REFERRING = Object.keys(FAMILY_OF) as readonly (keyof typeof FAMILY_OF)[];

/** The specification's form of an id, `<type>:<n>:<n>`; no serial and no uuid has it. */
const ID_FORM = /^[^:]+:\d+:\d+$/;

/** A reference whose id is not known. */
export interface UnresolvedReference {
  /** Path of the family. */
  readonly family: string;
  readonly reference: string;
}

export class References {
  readonly #ids = new Map<string, string>();

  /** The record names itself: its serial and its uuid mean its id from now on. */
  learn(family: string, { id, serial, uuid }: ObjectValue): void {
    if (typeof id !== "string") return;
    for (const form of [serial, uuid]) if (typeof form === "string") this.#ids.set(formKey(family, form), id);
  }

  /** There is no record of another id that the caller sees: the reference stays as it was answered. */
  giveUp({ family, reference }: UnresolvedReference): void {
    this.#ids.set(formKey(family, reference), reference);
  }

  /** The record with ids for its references, as far as they are known; the very same one where nothing differs. */
  resolve<T extends ObjectValue>(record: T): T {
    let resolved = record;
    for (const member of REFERRING) {
      const reference = textOf(record[member]);
      const id = reference === undefined ? undefined : this.#ids.get(formKey(FAMILY_OF[member], reference));
      if (id !== undefined && id !== reference) resolved = { ...resolved, [member]: id };
    }
    return resolved;
  }

  /** The references of a record that may be a serial or a uuid of an unknown record. */
  unresolved(record: ObjectValue): readonly UnresolvedReference[] {
    return REFERRING.flatMap((member) => {
      const [family, reference] = [FAMILY_OF[member], textOf(record[member])];
      const isOpen =
        reference !== undefined && !ID_FORM.test(reference) && !this.#ids.has(formKey(family, reference));
      return isOpen ? { family, reference } : [];
    });
  }
}

/**
 * Gives the records of a list ids for their references to these accounts and user profiles.
 * @returns takes a list; a record whose references are ids stays the very same one
 */
export function withIds(
  accounts: readonly ObjectValue[],
  profiles: readonly ObjectValue[],
): <R extends ObjectValue>(list: readonly R[]) => readonly R[] {
  const references = new References();
  const isOpen = (record: ObjectValue) => references.unresolved(record).length > 0;
  if ([accounts, profiles].some((records) => records.some(isOpen))) {
    for (const account of accounts) references.learn(FAMILY_OF.account_id, account);
    for (const profile of profiles) references.learn(FAMILY_OF.user_id, profile);
  }
  return (list) => list.map((record) => references.resolve(record));
}

/** Uuids are the same in either case, and neither an id nor a serial is another one's in another case. */
function formKey(family: string, reference: string): string {
  return `${family} ${reference.toLowerCase()}`;
}
