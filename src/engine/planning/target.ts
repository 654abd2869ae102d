/** One provider configuration at work: a connection, what the service holds, and what the store keeps for it. */
import type { Ledger } from "../../credentials";
import type { Diagnostic } from "../../errors";
import type { Owners } from "../../ownership";
import type { Connection, OwnedObject, Resource, Snapshot } from "../../resources";
import type { ObjectValue } from "../../values";

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
  /** When it was read, by `readingClock`. */
  readonly readAt: number;
  /**
   * Live objects of a family that are ours. To tell costs a hash for each, so those that are declared, and known for what they are, are not
   * asked about.
   */
  readonly ours: (family: Resource, isAsked?: (record: ObjectValue) => boolean) => readonly OwnedObject[];
  /** Serial of the store's token that the run itself works with, be it a current or a previous one. */
  readonly ownToken: string | undefined;
  /** Serials of tokens that the service was found to refuse (`--verify-tokens`). */
  readonly refused: ReadonlySet<string>;
  /** Serials of tokens whose user is live, or may be, although no list shows it. */
  readonly unlisted: ReadonlySet<string>;
  /** What was found on the way. */
  readonly warnings: readonly Diagnostic[];
  /** Who the run acts as, for people. */
  readonly caller: string;
}
