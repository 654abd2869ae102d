import type { Client, CommonRecord } from "../../api";
import type { NaturalKey, Owners } from "../../ownership";
import type { ObjectValue } from "../../values";
import type { Snapshot } from "../directory";
import type { OwnedObject, Records, Sought } from "./live";

/** What a PATCH or DELETE expects the record to be still (design: Unchanged). What is undefined is not compared. */
export interface Expectation {
  readonly uuid?: string | undefined;
  /** Text of the natural key: name of an account, login of a user profile. */
  readonly key?: string | undefined;
  /** Id of what it lives in. */
  readonly accountId?: string | undefined;
  readonly seq?: number | bigint | undefined;
}

/** Objects that stand in the service's lists, and can be recognised there. But for reading: one snapshot in, conclusions out. */
export interface Inventory {
  /** Reads the family's list. Absent for accounts and user profiles, which every snapshot holds. */
  readonly list?: (client: Client) => Promise<readonly CommonRecord[]>;

  /** One record by id or serial, read by itself; undefined where the service says 404 or 410. */
  find(client: Client, idOrSerial: string): Promise<CommonRecord | undefined>;

  /** One record by id or serial, as listed. */
  listed(idOrSerial: string, snapshot: Snapshot): CommonRecord | undefined;

  /** A natural key as people read it: `acme`, `jane@acme`. */
  textOf(key: NaturalKey): string;

  /**
   * The same of an object that is yet to be made.
   * @param known text of an attribute of its configuration; of a reference, the text of the key of what it refers to
   */
  foreseen(known: (attribute: string) => string): string;

  /** Which member of `new Removed(…)` names objects of the family; absent where it names none. */
  readonly removedBy?: "account" | "login";

  /** Finds a declared object: by uuid (any generation) first, then by key. A constant number of look-ups. */
  locate(config: ObjectValue, snapshot: Snapshot, owners: Owners | undefined): Sought;

  /** Finds the object that an import block names: by id, serial or natural key. Refuses what another owner made. */
  locateById(idOrKey: string, snapshot: Snapshot, owners: Owners | undefined): Sought;

  /** Why the absence of an object proves nothing; undefined where it is certain (design: Whole lists). */
  doubt(key: NaturalKey | undefined, snapshot: Snapshot): Doubt | undefined;

  /**
   * Live objects that one of our names made. One hash for each record and name, so whoever knows already whose a record is should leave it out.
   * @param isAsked whether a record is asked about. @default all are
   */
  ours(
    snapshot: Snapshot,
    owners: Owners,
    isAsked?: (record: ObjectValue) => boolean,
  ): readonly OwnedObject[];

  /**
   * State of live records.
   * @param remembered state in which stands what answers lack or mask, and what only the client knows
   */
  stateOf(records: Records, remembered: ObjectValue | null): ObjectValue;

  /** What a later write is to find unchanged. */
  expectation(records: Records): Expectation;
}

/** Why absence from the lists proves nothing. */
export interface Doubt {
  /** Where only the caller's rights cannot be known, creates go ahead all the same. */
  readonly blocksCreate: boolean;
  readonly reason: string;
}
