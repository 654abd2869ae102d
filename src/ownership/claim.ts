import type { KeyObject } from "node:crypto";
import type { NaturalKey } from "./natural-key";
import type { Owners } from "./owner";
import { familyOf, generationOf, uuidFamily, uuidVersion } from "./uuid";

/** Whose a live record is. What is `foreign` by its uuid becomes `adopted` by an import block, or by a uuid of the user's. */
export type Claim = "ours" | "adopted" | "foreign";

/** Proof, from its uuid alone, that a live record is ours. */
export interface Proof {
  /** The one of our names that made it. */
  readonly owner: string;
  /** Whether that is a name of former days. */
  readonly previous: boolean;
  /** Whether the uuid was made under an owner key, so that nobody else can have chosen it. */
  readonly keyed: boolean;
  readonly generation: number;
}

/** A family of uuids together with the name of ours that would choose it. */
export interface OwnedFamily {
  readonly family: string;
  readonly owner: string;
  readonly previous: boolean;
}

/** One way in which a uuid of ours may have been made. */
interface Maker {
  readonly owner: string;
  readonly ownerKey: KeyObject | undefined;
}

const makers = new WeakMap<Owners, readonly Maker[]>();

/** The present key before the earlier one, and the current owner before the previous ones. */
function makersOf(owners: Owners): readonly Maker[] {
  let found = makers.get(owners);
  if (found === undefined) {
    const { current, previous, keys } = owners;
    const ownerKeys =
      keys === undefined
        ? [undefined]
        : [
            keys.current,
            ...(keys.previous === undefined ? [] : [keys.previous]),
            ...(keys.takesUnkeyed ? [undefined] : []),
          ];
    found = ownerKeys.flatMap((ownerKey) => [current, ...previous].map((owner) => ({ owner, ownerKey })));
    makers.set(owners, found);
  }
  return found;
}

/** The families under which an object may be live, the current owner's first. Look them up with {@link familyOf}. */
export function ownedFamilies({ kind, names }: NaturalKey, owners: Owners): OwnedFamily[] {
  return makersOf(owners).map((maker) => ({
    family: uuidFamily({ ...maker, kind, names }),
    owner: maker.owner,
    previous: maker.owner !== owners.current,
  }));
}

/**
 * Proves that a live record is ours.
 * @returns undefined where its uuid is none that we would have chosen for this key.
 */
export function proofOf(uuid: string, { kind, names }: NaturalKey, owners: Owners): Proof | undefined {
  const version = uuidVersion(uuid);
  if (version !== 5 && version !== 8) return undefined;
  const family = familyOf(uuid);
  // One after the other, because each costs a hash and mostly the first one is right.
  const maker = makersOf(owners).find(
    ({ owner, ownerKey }) =>
      (ownerKey === undefined ? 5 : 8) === version && uuidFamily({ owner, ownerKey, kind, names }) === family,
  );
  if (maker === undefined) return undefined;
  const { owner, ownerKey } = maker;
  return {
    owner,
    previous: owner !== owners.current,
    keyed: ownerKey !== undefined,
    generation: generationOf(uuid),
  };
}

/** Whose a live record is by its uuid alone, without regard to import blocks. */
export function claimOf(uuid: string, key: NaturalKey, owners: Owners): Exclude<Claim, "adopted"> {
  return proofOf(uuid, key, owners) === undefined ? "foreign" : "ours";
}

/**
 * Who made a record that isn't ours, as far as its uuid tells. `another owner`: it was derived from a name (version 5), and not from one
 * of ours; such a record is neither adopted nor removed. `ourselves without a key`: it is what one of our names gives without our key, so we
 * made it before there was a key, or somebody forged it. `unknown key`: it was derived under a key (version 8), of another owner or one
 * that we have lost.
 */
export type Stranger = "another owner" | "ourselves without a key" | "unknown key" | "nobody known";

/** @returns undefined where the record is ours */
export function strangerOf(uuid: string, key: NaturalKey, owners: Owners): Stranger | undefined {
  if (proofOf(uuid, key, owners) !== undefined) return undefined;
  const version = uuidVersion(uuid);
  if (version === 8) return "unknown key";
  if (version !== 5) return "nobody known";
  const { current, previous } = owners;
  return proofOf(uuid, key, { current, previous }) === undefined
    ? "another owner"
    : "ourselves without a key";
}
