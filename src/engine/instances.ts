/** Instances of a block: one, or as many as `count` or `for_each` say. */
import type { Compiled, Marked, Scope } from "../expressions";
import { emptyObject } from "../values";
import { countOf, elementsOf } from "./expansion";
import { ALONE, type Surroundings } from "./workspace";

export type InstanceKey = string | number | undefined;

export interface Instance {
  readonly key: InstanceKey;
  /** `tenancy_account.acme`, `tenancy_account.acme[0]`, `tenancy_account.acme["eu"]`. */
  readonly address: string;
  readonly surroundings: Surroundings;
}

export interface Expansion {
  readonly count: Compiled | undefined;
  readonly forEach: Compiled | undefined;
}

/** @throws InvalidExpansion where the number of instances is not known while planning, or is no number */
export function instancesOf(
  address: string,
  { count, forEach }: Expansion,
  scope: Scope,
): readonly Instance[] {
  if (count !== undefined) {
    return Array.from({ length: countOf(address, count.evaluate(scope)) }, (_unused, index) => ({
      key: index,
      address: instanceAddress(address, index),
      surroundings: { count: index },
    }));
  }
  if (forEach !== undefined) {
    return elementsOf(address, forEach.evaluate(scope)).map(([key, value]) => ({
      key,
      address: instanceAddress(address, key),
      surroundings: { each: { key, value } },
    }));
  }
  return [{ key: undefined, address, surroundings: ALONE }];
}

function instanceAddress(address: string, key: InstanceKey): string {
  return key === undefined ? address : `${address}[${JSON.stringify(key)}]`;
}

/** What a reference to the whole block means: an object, a list of them with `count`, a map of them with `for_each`. */
export function valueOfBlock(
  expansion: Expansion,
  instances: readonly { readonly key: InstanceKey; readonly value: Marked }[],
): Marked {
  if (expansion.count !== undefined) return instances.map(({ value }) => value);
  if (expansion.forEach === undefined) return instances[0]?.value ?? null;
  const members = emptyMarked();
  for (const { key, value } of instances) members[String(key)] = value;
  return members;
}

export function emptyMarked(): Record<string, Marked> {
  return emptyObject();
}
