/** One provider configuration at work: a connection, what the service holds, and what the store keeps for it. */
import type { Ledger } from "../../credentials";
import type { Diagnostic } from "../../errors";
import type { Owners } from "../../ownership";
import type { Connection, OwnedObject, Snapshot } from "../../resources";

/** Everything of one provider configuration that planning looks at. */
export interface Target {
  /** `tenancy` or `tenancy.alias`. */
  readonly provider: string;
  readonly origin: string;
  readonly owners: Owners;
  /** Refuses everything but GET and log-in. */
  readonly connection: Connection;
  readonly ledger: Ledger;
  readonly snapshot: Snapshot;
  /** Why the lists cannot be believed; undefined where they are whole. */
  readonly incomplete: string | undefined;
  /** Milliseconds of the monotonic clock. */
  readonly readAt: number;
  /** Live objects that are ours, by type: `tenancy_account`, `tenancy_user_profile`. */
  readonly ours: ReadonlyMap<string, readonly OwnedObject[]>;
  /** Serial of the store's token that the run itself works with, be it a current or a previous one. */
  readonly ownToken: string | undefined;
  /** Serials of tokens that the service was found to refuse (`--verify-tokens`). */
  readonly refused: ReadonlySet<string>;
  /** What was found on the way. */
  readonly warnings: readonly Diagnostic[];
  /** Who the run acts as, for people. */
  readonly caller: string;
}
