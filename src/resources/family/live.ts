/** Live objects, as they are found among what the service lists. */
import type { Diagnostic, TenancyError } from "../../errors";
import type { NaturalKey, Proof } from "../../ownership";
import type { ObjectValue } from "../../values";

/** The live records of one object: its own, and for an account that of its primary user profile, where that is known. */
export interface Records {
  readonly self: ObjectValue;
  readonly primary?: ObjectValue | undefined;
}

/** A live object that was looked for. */
export interface LiveObject {
  readonly kind: "live";
  readonly records: Records;
  readonly key: NaturalKey;
  /** By its uuid alone, or because the user declared that very uuid; adoption is the engine's matter. */
  readonly claim: "ours" | "foreign";
  /** How its uuid proves it to be ours; undefined for what is foreign, and for a uuid of the user's. */
  readonly proof: Proof | undefined;
  /** Warnings that taking it in earns. */
  readonly warnings: readonly Diagnostic[];
}

/** What became of looking for an object among the live ones (design: Ownership). */
export type Sought =
  | LiveObject
  | { readonly kind: "absent"; readonly key: NaturalKey | undefined }
  /** Its key is known only after apply: the account that it belongs to is yet to be made. */
  | { readonly kind: "unknown" }
  /** Nothing may be done with it: renamed outside, under another uuid than the declared one, another owner's … */
  | { readonly kind: "refused"; readonly error: TenancyError };

/** A live object that one of our names made. */
export interface OwnedObject {
  readonly records: Records;
  readonly key: NaturalKey;
  readonly proof: Proof;
}
