import type { KeyObject } from "node:crypto";

/** What tells an object apart in the user's eyes, whoever made it. */
export interface NaturalKey {
  /** Name of the family; `primary` for the primary user profile, which comes into being with its account. */
  readonly kind: string;
  /** What it is in, from the outside in, and its own name last: an account's name, and then a username. */
  readonly names: readonly string[];
}

/** A natural key in the hands of one owner: all that a uuid of ours is made of, but for the generation. */
export interface OwnedKey extends NaturalKey {
  readonly owner: string;
  /** The owner's secret. Without one the uuid follows from names alone. */
  readonly ownerKey?: KeyObject | undefined;
}
