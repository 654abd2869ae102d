/** Matching a declared object with the live ones: by uuid, whatever its generation, and then by key (design: Ownership). */
import { OtherOwner, OtherUuid, OwnerUnknown, RenamedOutside, asWarning } from "../../errors";
import {
  madeByOther,
  ownedFamilies,
  proofOf,
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

/** A record that an import block names: anybody's but another owner's. */
export function takeIn<T extends CommonRecord>(
  shelf: Shelf<T>,
  key: NaturalKey,
  record: T,
  owners: Owners | undefined,
): Sought {
  const text = shelf.keyOf(record);
  const uuid = record.uuid ?? "";
  if (owners === undefined) {
    const warnings =
      uuidVersion(uuid) === 5 ? asWarning(new OwnerUnknown(shelf.noun, text, idOf(record))) : [];
    return { ...live(shelf, key, record, { claim: "foreign", proof: undefined }), warnings };
  }
  if (madeByOther(uuid, key, owners))
    return { kind: "refused", error: new OtherOwner(shelf.noun, text, idOf(record)) };
  return claimed(shelf, key, record, owners);
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
