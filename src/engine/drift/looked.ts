/** Notes what a look for drift has come across, so that the rest is known to be undeclared, or gone. */
import { ownerAt } from "../../ownership";
import { idOf, type Records, type Resource } from "../../resources";
import { onePerPart, type Target, undeclaredAddress } from "../stages";

export const NO_MEMORY = "nothing is remembered of it";
export const NOT_LEFT = "its uuid is ours, and no apply that is remembered left it";

export class Looked {
  /** Live declared objects of which nothing is remembered. */
  unremembered = 0;
  readonly #live = new Set<string>();
  readonly #remembered = new Set<string>();

  constructor(readonly targets: readonly Target[]) {}

  /** One target for each part of the store. */
  get parts(): readonly Target[] {
    return onePerPart(this.targets);
  }

  /** Notes a live record. */
  noteLive({ origin }: Target, { self }: Records): void {
    this.#live.add(JSON.stringify([origin, idOf(self)]));
  }

  isNoted({ origin }: Target, id: string): boolean {
    return this.#live.has(JSON.stringify([origin, id]));
  }

  /** Origin and id of each. */
  get live(): readonly (readonly [origin: string, id: string])[] {
    return [...this.#live].map((place) => JSON.parse(place) as [string, string]);
  }

  /** Notes a key of the store's memory. @returns whether it was not noted before */
  noteKey(target: Target, key: string): boolean {
    const isNew = !this.hasKey(target, key);
    this.#remembered.add(placeOf(target, key));
    return isNew;
  }

  hasKey(target: Target, key: string): boolean {
    return this.#remembered.has(placeOf(target, key));
  }
}

function placeOf({ origin, owners }: Target, key: string): string {
  return `${ownerAt(origin, owners)} ${key}`;
}

/** What a row says of an object that is not declared. */
export function undeclaredFacts(target: Target, resource: Resource, key: string, live: Records | undefined) {
  const { description, inventory } = resource;
  return {
    description,
    address: undeclaredAddress(description.type, key),
    constructPath: undefined,
    provider: target.provider,
    title: key,
    id: live === undefined ? undefined : idOf(live.self),
    sensitive: [],
    live: live === undefined ? null : (inventory?.stateOf(live, null) ?? null),
  };
}
