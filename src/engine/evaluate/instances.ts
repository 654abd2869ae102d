/** Expands a block into its instances: one, none where `enabled` is false, or as many as `count` or `for_each` say. */
import type { Compiled, Scope } from "../../lib/language";
import { invalidExpansion, type Words } from "../../problems";
import {
  convert,
  describeType,
  emptyObject,
  EPHEMERAL,
  isInteger,
  isNumber,
  isUnknown,
  type Marked,
  marksOf,
  SENSITIVE,
  typeOf,
  unwrap,
  ValueSet,
} from "../../lib/values";
import type { Instance, InstanceKey, Surroundings } from "../planned-object";

/** For an object that is the only one of its block. */
export const ALONE: Surroundings = {};

interface Expansion {
  readonly count: Compiled | undefined;
  readonly forEach: Compiled | undefined;
  readonly enabled: Compiled | undefined;
}

/** @throws invalidExpansion where the number of instances is not known while planning, or is no number */
export function instancesOf(
  address: string,
  { count, forEach, enabled }: Expansion,
  scope: Scope,
): readonly Instance[] {
  if (count !== undefined) {
    return Array.from({ length: instanceCount(address, count.evaluate(scope)) }, (_unused, index) => ({
      key: index,
      address: instanceAddress(address, index),
      surroundings: { count: index },
    }));
  }
  if (forEach !== undefined) {
    return elementsOfEach(address, forEach.evaluate(scope)).map(([key, value]) => ({
      key,
      address: instanceAddress(address, key),
      surroundings: { each: { key, value } },
    }));
  }
  if (enabled !== undefined && !isEnabled(address, enabled.evaluate(scope))) return [];
  return [{ key: undefined, address, surroundings: ALONE }];
}

function instanceAddress(address: string, key: InstanceKey): string {
  return key === undefined ? address : `${address}[${JSON.stringify(key)}]`;
}

/**
 * The value of a reference to the whole block: an object, a list of them with `count`, a map of them with `for_each`, null where it is not enabled.
 */
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

// The values of `count` and `for_each`.

/** Far more than any service or memory holds. */
const MOST_INSTANCES = 1_000_000;

const tellNow = (say: Words): string =>
  "Use what you declare instead of what the service will answer, such as a name instead of an id. " +
  `Or apply what it depends on first, with ${say.only()}.`;

/** @throws invalidExpansion */
export function instanceCount(address: string, value: Marked): number {
  const count = unwrapFit(address, "count", value);
  const number = typeof count === "string" && /^\d+$/.test(count) ? Number(count) : count;
  if (!isInteger(number) || number < 0 || number > MOST_INSTANCES) {
    throw invalidExpansion.error(
      {
        argument: "count",
        problem: `it must be a whole number from 0 to ${MOST_INSTANCES}, not ${wordFor(count)}`,
      },
      {
        address,
        advice: "Use such a number, or an expression that gives one: length(var.names), var.enabled ? 1 : 0.",
      },
    );
  }
  return Number(number);
}

/** Keys and their `each.value`, in order. @throws invalidExpansion */
export function elementsOfEach(address: string, value: Marked): readonly (readonly [string, Marked])[] {
  const elements = unwrapFit(address, "for_each", value);
  if (elements instanceof ValueSet)
    return [...elements].map((element) => [keyOfElement(address, element), element]);
  if (typeof elements !== "object" || elements === null || Array.isArray(elements)) {
    throw invalidExpansion.error(
      { argument: "for_each", problem: `it must be a map or a set of strings, not ${wordFor(elements)}` },
      {
        address,
        advice:
          "Write toset(…) around a list of strings, or make a map: { for one in var.list : one.name => one }.",
      },
    );
  }
  return Object.entries<Marked>(elements as Readonly<Record<string, Marked>>).sort(([a], [b]) =>
    a < b ? -1 : a > b ? 1 : 0,
  );
}

function keyOfElement(address: string, element: Marked): string {
  const key = unwrap(element);
  if (typeof key === "string") return key;
  throw isUnknown(key)
    ? invalidExpansion.error(
        { argument: "for_each", problem: "an element of the set is known only after apply" },
        { address, advice: tellNow },
      )
    : invalidExpansion.error(
        { argument: "for_each", problem: `the elements of the set must be strings, not ${wordFor(key)}` },
        { address, advice: "Convert them: toset([for one in … : tostring(one)])." },
      );
}

/** @throws invalidExpansion */
export function isEnabled(address: string, value: Marked): boolean {
  const enabled = convert(unwrapFit(address, "enabled", value), "bool");
  if (typeof enabled === "boolean") return enabled;
  throw invalidExpansion.error(
    { argument: "enabled", problem: `it must be true or false, not ${wordFor(unwrap(value))}` },
    { address, advice: 'Use a condition, such as var.region == "eu".' },
  );
}

/** The consequences of a value that must not be used, by its argument. */
const CONSEQUENCES = {
  ephemeral: {
    list: "every address would keep it",
    enabled: "the next run would not know it",
  },
  sensitive: {
    list: "would show in every address",
    enabled: "would show in whether the object exists",
  },
  unknown: {
    list: "so the plan cannot tell how many there are",
    enabled: "so the plan cannot tell whether the object exists",
  },
} as const;

function unwrapFit(address: string, argument: "count" | "for_each" | "enabled", value: Marked): Marked {
  const of = argument === "enabled" ? "enabled" : "list";
  const unwrapped = unwrap(value);
  if ((marksOf(value) & EPHEMERAL) !== 0) {
    throw invalidExpansion.error(
      { argument, problem: `it is ephemeral, and ${CONSEQUENCES.ephemeral[of]}` },
      { address, advice: "Use something that is the same in every run, and may be kept." },
    );
  }
  if ((marksOf(value) & SENSITIVE) !== 0) {
    throw invalidExpansion.error(
      { argument, problem: `it is sensitive, and ${CONSEQUENCES.sensitive[of]}` },
      { address, advice: "Use something that may be shown; nonsensitive(…) says that a value may be." },
    );
  }
  if (isUnknown(unwrapped)) {
    throw invalidExpansion.error(
      { argument, problem: `it is known only after apply, ${CONSEQUENCES.unknown[of]}` },
      { address, advice: tellNow },
    );
  }
  return unwrapped;
}

function wordFor(value: Marked): string {
  if (value === null) return "null";
  if (isNumber(value)) return String(value);
  const word = describeType(typeOf(value));
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}
