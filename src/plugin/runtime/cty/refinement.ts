import { Unknown } from "../../../values";
import { type Type } from "./type";

/** A bound of an unknown number. */
export interface Bound {
  readonly value: number | bigint;
  readonly inclusive: boolean;
}

/** What is certain already of a value that is not known yet. */
export interface Refinements {
  readonly notNull?: boolean;
  /** How an unknown string begins. */
  readonly prefix?: string;
  readonly atLeast?: Bound;
  readonly atMost?: Bound;
  /** The least and the greatest number of elements of an unknown collection. */
  readonly minLength?: number;
  readonly maxLength?: number;
}

/**
 * An unknown of which something is certain: core compares what apply makes of it with these promises, so they must
 * survive the way through the provider.
 */
export class RefinedUnknown extends Unknown {
  readonly refinements: Refinements;
  /** The type that an unknown in a place of type `dynamic` brought along. */
  readonly type: Type | undefined;

  constructor(refinements: Refinements, type?: Type) {
    super({ notNull: refinements.notNull ?? false });
    this.refinements = refinements;
    this.type = type;
  }
}

export function refinementsOf(value: Unknown): Refinements {
  return value instanceof RefinedUnknown ? value.refinements : { notNull: value.notNull };
}

/** The keys of refinements on the wire. */
export const refinementKeys = {
  nullness: 1,
  prefix: 2,
  atLeast: 3,
  atMost: 4,
  minLength: 5,
  maxLength: 6,
} as const;
