import type { AccountRecord, ProfileRecord } from "../../api";
import type { Snapshot } from "./snapshot";

/**
 * Reads of accounts and user profiles. The embedded engine answers all of them from two lists; under Terraform the first ten are
 * single reads, and then lists, shared by all that wait for them and dropped after a write.
 */
export interface Directory {
  /** Both lists; fetched once, and anew after {@link invalidate}. */
  snapshot(): Promise<Snapshot>;
  /** One account by id or serial, as fresh as the engine wants it; undefined where the service says 404 or 410. */
  account(idOrSerial: string): Promise<AccountRecord | undefined>;
  /** One user profile by id or serial; undefined where the service says 404 or 410. */
  profile(idOrSerial: string): Promise<ProfileRecord | undefined>;
  /** To be called after each write: what was read before it is no longer true. */
  invalidate(): void;
}
