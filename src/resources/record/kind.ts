/** What the shared life cycle has to know of accounts or of user profiles. */
import type { Client, CommonRecord, Created, CreateOptions, Found, Updated } from "../../api";
import type { Description } from "../../schema";
import type { ObjectValue } from "../../values";
import type { Snapshot } from "../directory";
import type { Inventory } from "../family";

/** The calls that both families have (spec 4.3, 4.4). */
export interface Calls<T extends CommonRecord> {
  find(idOrSerial: string): Promise<Found<T> | undefined>;
  create(body: ObjectValue, options: CreateOptions<T>): Promise<Created<T>>;
  update(idOrSerial: string, body: ObjectValue): Promise<Updated<T>>;
}

export interface RecordKind<T extends CommonRecord> {
  readonly description: Description;
  readonly inventory: Inventory;
  /** Members by which an answer is known to be a whole record. */
  readonly members: readonly string[];
  calls(client: Client): Calls<T>;
  withUuid(snapshot: Snapshot, uuid: string): T | undefined;
}
