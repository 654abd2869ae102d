/** Matching a declared object with the live ones: by uuid, whatever its generation, and then by key (design: Ownership). */
import {
  Foreign,
  OtherOwner,
  OtherOwnerKey,
  OtherUuid,
  OwnerUnknown,
  RenamedOutside,
  asWarning,
  type ErrorDetails,
} from "../../errors";
import {
  ownedFamilies,
  proofOf,
  strangerOf,
  uuidVersion,
  type NaturalKey,
  type Owners,
} from "../../ownership";
import type { CommonRecord } from "../../api";
import type { LiveObject, Records, Sought } from "../family";

/** The live records of one kind, as far as matching looks at them. */
export interface Shelf<T extends CommonRecord> {
  /** As in the description. */
  readonly noun: string;
  withUuid(uuid: string): T | undefined;
  ofFamily(family: string): readonly T[];
  withKey(key: string): T | undefined;
  /** The natural key of a record as text: the account's name, the profile's login. */
  keyOf(record: T): string;
  recordsOf(record: T): Records;
}

export interface Wanted {
  readonly key: NaturalKey;
  /** Its text, as {@link Shelf.keyOf} writes it. */
  readonly text: string;
  /** The uuid that the user declared. */
  readonly uuid: string | undefined;
}

export function seek<T extends CommonRecord>(
  shelf: Shelf<T>,
  wanted: Wanted,
  owners: Owners | undefined,
): Sought {
  return wanted.uuid === undefined
    ? seekOwned(shelf, wanted, owners)
    : seekDeclared(shelf, wanted, wanted.uuid);
}

/** An object under a uuid of the user's is ours while it is declared. */
function seekDeclared<T extends CommonRecord>(shelf: Shelf<T>, wanted: Wanted, uuid: string): Sought {
  const { noun } = shelf;
  const found = shelf.withUuid(uuid);
  if (found !== undefined) {
    const text = shelf.keyOf(found);
    if (text === wanted.text) return live(shelf, wanted.key, found, { claim: "ours", proof: undefined });
    return { kind: "refused", error: new RenamedOutside(noun, wanted.text, text, idOf(found)) };
  }
  const named = shelf.withKey(wanted.text);
  if (named === undefined) return { kind: "absent", key: wanted.key };
  const other = named.uuid ?? "that the service does not show";
  return { kind: "refused", error: new OtherUuid(noun, wanted.text, uuid, other, idOf(named)) };
}

function seekOwned<T extends CommonRecord>(
  shelf: Shelf<T>,
  { key, text }: Wanted,
  owners: Owners | undefined,
): Sought {
  const named = shelf.withKey(text);
  const proof = owners && named && proofOf(named.uuid ?? "", key, owners);
  // The record with the key mostly has the uuid too: then the index of all uuids need not be made.
  if (named !== undefined && proof !== undefined) return live(shelf, key, named, { claim: "ours", proof });
  const made =
    owners === undefined ? [] : ownedFamilies(key, owners).flatMap(({ family }) => shelf.ofFamily(family));
  const found = made.find((record) => shelf.keyOf(record) === text);
  if (found !== undefined) return claimed(shelf, key, found, owners);
  const [renamed] = made;
  if (renamed !== undefined) {
    const error = new RenamedOutside(shelf.noun, text, shelf.keyOf(renamed), idOf(renamed));
    return { kind: "refused", error };
  }
  if (named === undefined) return { kind: "absent", key };
  return live(shelf, key, named, { claim: "foreign", proof: undefined });
}

/**
 * A record that an import block names: anybody's but another owner's.
 * @param named whether the block gives its name or login, and not its id or serial
 */
export function takeIn<T extends CommonRecord>(
  shelf: Shelf<T>,
  key: NaturalKey,
  record: T,
  owners: Owners | undefined,
  named: boolean,
): Sought {
  const { noun } = shelf;
  const text = shelf.keyOf(record);
  const uuid = record.uuid ?? "";
  if (owners === undefined) {
    const hasOwner = [5, 8].includes(uuidVersion(uuid) ?? 0);
    const warnings = hasOwner ? asWarning(new OwnerUnknown(noun, text, idOf(record))) : [];
    return { ...live(shelf, key, record, { claim: "foreign", proof: undefined }), warnings };
  }
  const found = claimed(shelf, key, record, owners);
  switch (strangerOf(uuid, key, owners)) {
    case "another owner":
      return { kind: "refused", error: new OtherOwner(noun, text, idOf(record)) };
    case "ourselves without a key":
      return { kind: "refused", error: new OtherOwner(noun, text, idOf(record), withoutKey(uuid)) };
    case "unknown key": {
      const error = new OtherOwnerKey(noun, text, idOf(record));
      return named ? { kind: "refused", error } : { ...found, warnings: asWarning(error) };
    }
    default:
      return found;
  }
}

/** What is declared and live, and isn't ours; the advice follows from who may have made it. */
export function foreignTo(
  noun: string,
  title: string,
  { records: { self }, key }: LiveObject,
  owners: Owners | undefined,
  details: ErrorDetails = {},
): Foreign {
  const uuid = typeof self["uuid"] === "string" ? self["uuid"] : "";
  const stranger = owners === undefined ? undefined : strangerOf(uuid, key, owners);
  const id = idOf(self);
  if (stranger === "ourselves without a key")
    return new Foreign(noun, title, id, { ...withoutKey(uuid), ...details });
  if (stranger === "unknown key")
    return new Foreign(noun, title, id, {
      detail: `It was made under an owner key that this run does not have (id ${id}).`,
      advice: `Give the key that it was made under (TENANCY_OWNER_KEY, or TENANCY_PREVIOUS_OWNER_KEY); if the key is lost, adopt it by its id, with an import block (id = ${JSON.stringify(id)}).`,
      ...details,
    });
  return new Foreign(noun, title, id, details);
}

/** A uuid that one of our names gives without our key is no proof any more. */
function withoutKey(uuid: string): ErrorDetails {
  return {
    detail:
      "Its uuid follows from our owner's name without the owner key: either it was made before there was a key, or somebody else chose that uuid.",
    advice: `If you are sure that it is yours, write uuid = ${JSON.stringify(uuid)} in its declaration, or set TENANCY_PREVIOUS_OWNER_KEY=none while you move to the key. If not, delete it, or choose another name.`,
  };
}

function claimed<T extends CommonRecord>(
  shelf: Shelf<T>,
  key: NaturalKey,
  record: T,
  owners: Owners | undefined,
): LiveObject {
  const proof = owners === undefined ? undefined : proofOf(record.uuid ?? "", key, owners);
  return live(shelf, key, record, { claim: proof === undefined ? "foreign" : "ours", proof });
}

function live<T extends CommonRecord>(
  shelf: Shelf<T>,
  key: NaturalKey,
  record: T,
  claim: Pick<LiveObject, "claim" | "proof">,
): LiveObject {
  return { kind: "live", records: shelf.recordsOf(record), key, ...claim, warnings: [] };
}

/** How messages name a record: by its id, or what else it has. */
export function idOf(record: CommonRecord): string {
  return record.id ?? record.serial ?? "unknown";
}
