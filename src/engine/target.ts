/**
 * A target is a provider configuration with its service. A plan has targets as plain data (`Target`); the engine reads from a `ReadTarget`,
 * and an apply writes to a `WriteTarget`.
 */
import { readingClock } from "../api";
import type { StatePart } from "../state";
import type { Target } from "../plan";
import type { Finding } from "../problems";
import type { OwnedObject, Resource } from "../resources";
import type { Connection, Snapshot } from "../service";
import type { KnownSecrets, ObjectValue } from "../lib/values";
import { recordedExactly } from "./entries/records";

/** Everything of one provider configuration that planning looks at. */
export interface ReadTarget {
  /** `tenancy` or `tenancy.alias`. */
  readonly provider: string;
  readonly origin: string;
  /** Refuses everything but GET and log-in. */
  readonly connection: Connection;
  readonly part: StatePart;
  readonly snapshot: Snapshot;
  /** Why the lists may be incomplete; undefined if they are complete. */
  readonly incomplete: string | undefined;
  /** Key of the kept token by whose user that was found, if it was. */
  readonly tokenOfUnlisted?: string;
  /** When it was read, by `readingClock`. */
  readonly readAt: number;
  /** When the snapshot was taken that it was read from, ISO 8601; undefined where the service itself was asked. */
  readonly takenAt?: string | undefined;
  /** Usage of accounts, by their ids, where the snapshot has it. */
  readonly usage?: Readonly<Record<string, ObjectValue>>;
  /**
   * Managed live objects of a family. `isAsked` leaves out declared objects, whose status is known.
   */
  readonly managed: (family: Resource, isAsked?: (record: ObjectValue) => boolean) => readonly OwnedObject[];
  /** Counts our records and tokens, as the guards do: an account together with its primary profile. */
  readonly countOwned: () => number;
  /** Token that the run itself works with; undefined with a password, or where a snapshot is read. */
  readonly token: string | undefined;
  /** Serial of the state's token that the run itself works with, be it a current or a previous one. */
  readonly ownToken: string | undefined;
  /**
   * Serials of tokens that the service was found to refuse, by `--verify-tokens` or by an earlier run, each with those of the tokens that it
   * replaced and that may still be good.
   */
  readonly refused: ReadonlyMap<string, readonly string[]>;
  /** Serials of tokens whose user is live, or may be, although no list shows it. */
  readonly unlisted: ReadonlySet<string>;
  /** Warnings that opening the service gave. */
  readonly warnings: readonly Finding[];
  readonly secrets: KnownSecrets;
  /** Who the run acts as, for people. */
  readonly caller: string;
}

/** Finds the managed objects in the lists, for a target, by the state's records. */
export function managedIn(snapshot: Snapshot, part: StatePart): ReadTarget["managed"] {
  return (family, isAsked) =>
    family.inventory?.managed(snapshot, recordedExactly(part, family), isAsked) ?? [];
}

/** A provider configuration, opened: the read target for planning, and the connection that applying writes through. */
export interface Opened {
  readonly target: ReadTarget;
  readonly connection: Connection;
}

/** A service that an apply writes to, with the locked state's part for it. */
export class WriteTarget {
  readonly target: ReadTarget;
  readonly connection: Connection;
  #reading: { readonly snapshot: Promise<Snapshot>; readonly at: number } | undefined;

  constructor(
    { target, connection }: Opened,
    readonly part: StatePart,
  ) {
    this.target = target;
    this.connection = connection;
  }

  /**
   * The lists of the service, read again where the last reading is older. All who ask share one reading, so that a long apply
   * reads them once in a while, and not for each object.
   * @param maxAgeMs milliseconds
   */
  async lists(maxAgeMs: number): Promise<Snapshot> {
    const now = readingClock();
    if (this.#reading === undefined || now - this.#reading.at > maxAgeMs) {
      const { directory } = this.connection;
      directory.invalidate();
      const reading = { snapshot: directory.snapshot(), at: now };
      this.#reading = reading;
      // A failed reading is not kept: the next caller reads again.
      reading.snapshot.catch(() => {
        if (this.#reading === reading) this.#reading = undefined;
      });
    }
    return this.#reading.snapshot;
  }
}

export type WriteTargets = ReadonlyMap<string, WriteTarget>;

export function writeTargetFor(writeTargets: WriteTargets, provider: string): WriteTarget {
  const writeTarget = writeTargets.get(provider);
  if (writeTarget === undefined) throw new TypeError(`${provider} was not opened`);
  return writeTarget;
}

/** The service, as plans and reports on drift name it. */
export function namedTarget({ provider, origin, caller }: ReadTarget): Target {
  return { provider, origin, caller };
}
