/** Defines where an apply writes: a service, and the locked store's ledger for it. */
import { readingClock } from "../../api";
import type { Ledger } from "../../credentials";
import type { Connection, Snapshot } from "../../service";
import type { Opened, Run } from "../run";
import type { Target } from "../stages";

export class Place {
  readonly target: Target;
  readonly connection: Connection;
  #reading: { readonly snapshot: Promise<Snapshot>; readonly at: number } | undefined;

  constructor(
    { target, connection }: Opened,
    readonly ledger: Ledger,
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

export type Places = ReadonlyMap<string, Place>;

/** The services of a run by the names of their provider configurations; their ledgers are read anew, under the lock. */
export async function openPlaces(run: Run): Promise<Places> {
  const places = new Map<string, Place>();
  for (const [provider, opened] of run.opened) {
    const { origin, owners } = opened.target;
    places.set(provider, new Place(opened, await run.ledgerOf(origin, owners)));
  }
  return places;
}

export function placeFor(places: Places, provider: string): Place {
  const place = places.get(provider);
  if (place === undefined) throw new TypeError(`${provider} was not opened`);
  return place;
}
