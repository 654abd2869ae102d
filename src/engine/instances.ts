/** Instances of a block: one, or as many as `count` or `for_each` say. */
import { InvalidExpansion } from "../errors";
import {
  marksOf,
  peel,
  SENSITIVE,
  ValueSet,
  type Compiled,
  type Marked,
  type MarkedObject,
  type Scope,
} from "../expressions";
import { emptyObject, isInteger, isUnknown } from "../values";
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

export function instanceAddress(address: string, key: InstanceKey): string {
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

function countOf(address: string, value: Marked): number {
  const count = peel(value);
  refuseUnfit(address, "count", value);
  const number = typeof count === "string" && /^\d+$/.test(count) ? Number(count) : count;
  if (!isInteger(number) || number < 0) {
    throw new InvalidExpansion("count", "it must be a whole number, zero or more", { address });
  }
  return Number(number);
}

function elementsOf(address: string, value: Marked): readonly (readonly [string, Marked])[] {
  refuseUnfit(address, "for_each", value);
  const elements = peel(value);
  if (elements instanceof ValueSet) {
    return [...elements].map((element) => {
      const key = peel(element);
      if (typeof key !== "string") {
        throw new InvalidExpansion("for_each", "the elements of the set must be texts that are known", {
          address,
        });
      }
      return [key, key] as const;
    });
  }
  if (typeof elements !== "object" || elements === null || Array.isArray(elements)) {
    throw new InvalidExpansion("for_each", "it must be a map or a set of texts; use toset() for a list", {
      address,
    });
  }
  return Object.entries(elements as MarkedObject).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function refuseUnfit(address: string, argument: "count" | "for_each", value: Marked): void {
  if ((marksOf(value) & SENSITIVE) !== 0) {
    throw new InvalidExpansion(argument, "it is sensitive, and would show in every address", { address });
  }
  if (isUnknown(peel(value))) {
    throw new InvalidExpansion(
      argument,
      "it is known only after apply, so the plan cannot tell how many there are",
      {
        address,
      },
    );
  }
  if (peel(value) === null) throw new InvalidExpansion(argument, "it is null", { address });
}
