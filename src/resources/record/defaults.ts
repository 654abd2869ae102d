import type { Attributes } from "../../schema";
import type { ObjectValue, Value } from "../../values";

/** A state in which only what the client alone knows has a value: its default. For objects that are imported. */
export function clientDefaults(attributes: Attributes): ObjectValue {
  const state: Record<string, Value> = {};
  for (const [name, { defaultValue }] of Object.entries(attributes)) state[name] = defaultValue ?? null;
  return state;
}
