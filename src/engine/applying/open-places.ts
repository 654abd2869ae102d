import type { Run } from "../run";
import { Place } from "./place";

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
