/** Natural keys of declared objects, as far as they can be told before the service has. */
import { DeclaredTwice } from "../../errors";
import type { Marked } from "../../expressions";
import { isUnknown, Unknown, type ObjectValue, type Value } from "../../values";
import { isKnownKey, LATER } from "../planning/open-key";
import type { Declared } from "../planning/planned-object";
import { tokenKey } from "../planning/plan-token";
import { stateValue } from "../planning/state-value";
import type { Walking } from "./walking";

type Draft = Pick<Declared, "resource" | "config" | "sensitive" | "instance">;

/** The key that an object will have; what is unknown in it reads `(known after apply)`. */
export function foreseenKey({ resource, config }: Draft, { promises }: Walking): string {
  const known = (name: string) => {
    const value = config[name] ?? null;
    if (typeof value === "string") return value;
    return (value instanceof Unknown ? promises.get(value) : undefined) ?? LATER;
  };
  return resource.inventory?.foreseen(known) ?? tokenKey({ login: known("login"), name: known("name") });
}

/** @throws DeclaredTwice where another declaration means the same object */
export function refuseTwice(
  key: string,
  origin: string,
  { resource, instance }: Draft,
  walking: Walking,
): void {
  if (!isKnownKey(key)) return;
  const identity = `${origin} ${resource.description.type} ${key}`;
  const other = walking.declared.get(identity);
  if (other !== undefined) throw new DeclaredTwice(walking.secretNames.titleOf(key), other, instance.address);
  walking.declared.set(identity, instance.address);
}

/** What a reference to the object means. Unknown ids and logins remember whose they will be. */
export function promisedValue(
  planned: ObjectValue,
  key: string,
  { resource, sensitive }: Draft,
  { promises }: Walking,
): () => Marked {
  const after: Record<string, Value> = { ...planned };
  for (const name of ["id", "login"]) {
    if (!isUnknown(after[name])) continue;
    const promise = new Unknown({ notNull: true });
    after[name] = promise;
    promises.set(promise, key);
  }
  const { description } = resource;
  return () => stateValue(after, { description, sensitive });
}
