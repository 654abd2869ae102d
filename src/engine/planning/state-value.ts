import { mark, SENSITIVE, type Marked } from "../../expressions";
import { locatedIn, type Description } from "../../schema";
import type { ObjectValue, Path } from "../../values";
import { shapedValue } from "./shaped-value";

export interface Secrecy {
  readonly description: Description;
  /** Paths of what must not be shown, besides what the description calls sensitive. */
  readonly sensitive: readonly Path[];
}

/**
 * A state as expressions see it: sets are sets, and what must not be shown, by the description or by what flowed in, is marked, so that
 * outputs and other objects know.
 */
export function stateValue(state: ObjectValue, { description, sensitive }: Secrecy): Marked {
  const flowed = new Set(sensitive.map(([first]) => String(first)));
  const marked: Record<string, Marked> = { ...state };
  for (const { name, attribute } of locatedIn(description.attributes)) {
    const { sensitive: isSecret, shape } = attribute;
    const holdsSecrets =
      shape.kind === "groups" && Object.values(shape.attributes).some((member) => member.sensitive);
    const value = state[name] ?? null;
    const shaped = shapedValue(value, shape);
    if (isSecret || holdsSecrets || flowed.has(name)) marked[name] = mark(shaped, SENSITIVE);
    else if (shaped !== value) marked[name] = shaped;
  }
  return marked;
}
