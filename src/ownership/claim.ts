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
  readonly generation: number;
}

/** A family of uuids together with the name of ours that would choose it. */
export interface OwnedFamily {
  readonly family: string;
  readonly owner: string;
  readonly previous: boolean;
}

/** The families under which an object may be live, the current owner's first. Look them up with {@link familyOf}. */
export function ownedFamilies({ kind, names }: NaturalKey, { current, previous }: Owners): OwnedFamily[] {
  const familyOfOwner = (owner: string) => uuidFamily({ owner, kind, names });
  return [
    { family: familyOfOwner(current), owner: current, previous: false },
    ...previous.map((owner) => ({ family: familyOfOwner(owner), owner, previous: true })),
  ];
}

/**
 * Proves that a live record is ours.
 * @returns undefined where its uuid is none that we would have chosen for this key.
 */
export function proofOf(
  uuid: string,
  { kind, names }: NaturalKey,
  { current, previous }: Owners,
): Proof | undefined {
  if (uuidVersion(uuid) !== 5) return undefined;
  const family = familyOf(uuid);
  // One after the other, because each costs a hash and mostly the first one is right.
  const isBy = (owner: string) => uuidFamily({ owner, kind, names }) === family;
  const owner = isBy(current) ? current : previous.find(isBy);
  if (owner === undefined) return undefined;
  return { owner, previous: owner !== current, generation: generationOf(uuid) };
}

/** Whose a live record is by its uuid alone, without regard to import blocks. */
export function claimOf(uuid: string, key: NaturalKey, owners: Owners): Exclude<Claim, "adopted"> {
  return proofOf(uuid, key, owners) === undefined ? "foreign" : "ours";
}

/**
 * Whether another owner made the record: its uuid was derived from a name (version 5), and not from one of ours. Such
 * a record is neither adopted nor removed.
 */
export function madeByOther(uuid: string, key: NaturalKey, owners: Owners): boolean {
  return uuidVersion(uuid) === 5 && claimOf(uuid, key, owners) === "foreign";
}
