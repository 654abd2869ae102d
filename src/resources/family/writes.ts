/** What a write is asked for, and how it ends. */
import type { Diagnostic } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Expectation } from "./inventory";
import type { Records } from "./live";
import type { ProposeContext } from "./proposal";
import type { TokenKeeper } from "./token-keeper";

/** The end of a write: the state as it is now, and what to tell the user. Errors in it mean: done in part. */
export interface Outcome {
  readonly state: ObjectValue;
  /**
   * What the service showed last, where it was asked. An engine without state keeps digests of what it hides; one with state, its
   * sequence number. Absent for tokens.
   */
  readonly records?: Records;
  readonly diagnostics: readonly Diagnostic[];
}

export interface CreateRequest {
  /** May hold unknowns where only the service can tell. @default what is planned from `config` */
  readonly planned?: ObjectValue | undefined;
  /** Wholly known; holds the write-only values. */
  readonly config: ObjectValue;
  /** How the engine keeps a minted token, before success is reported. */
  readonly keeper?: TokenKeeper;
}

export interface UpdateRequest extends CreateRequest, ProposeContext {
  readonly planned: ObjectValue;
  readonly prior: ObjectValue;
  /**
   * What the record must be still; it is read again and compared before the PATCH. `"judged"`: the engine has done so.
   * @default uuid, key and account of `prior`
   */
  readonly expected?: Expectation | "judged" | undefined;
  /**
   * Whether a declared value that fits the mask of the live one is sent. The embedded engine knows by its digests that it
   * differs; without such a memory it is recorded and not sent.
   * @default false
   */
  readonly sendMasked?: boolean | undefined;
  /**
   * Whether versions of write-only values that prior lacks are recorded without sending the value: the object was
   * imported, so the password that it has may be the declared one.
   */
  readonly recordVersions: boolean;
}

export interface DeleteRequest {
  readonly prior: ObjectValue;
  /** As for an update; the record is always read again before a DELETE. */
  readonly expected?: Expectation | undefined;
  /** Whether the engine has allowed the deletion of this account. @default what `deletion_protection` in `prior` says */
  readonly allowed?: boolean | undefined;
  /** @default `allow_nonempty_delete` of `prior` */
  readonly allowNonempty?: boolean | undefined;
  /** While it is planned: ids of what the same plan deletes, as far as it is made. @default nothing */
  readonly going?: ReadonlySet<string> | undefined;
}
