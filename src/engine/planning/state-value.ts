import { mark, SENSITIVE, type Marked } from "../../expressions";
import { locatedIn, type Description } from "../../schema";
import type { ObjectValue, Path } from "../../values";

export interface Secrecy {
  readonly description: Description;
  /** Paths of what must not be shown, besides what the description calls sensitive. */
  readonly sensitive: readonly Path[];
}

/**
 * A state as expressions see it: what must not be shown, by the description or by what flowed in, is marked, so that outputs and
 * other objects know.
 */
export function stateValue(state: ObjectValue, { description, sensitive }: Secrecy): Marked {
  const flowed = new Set(sensitive.map(([first]) => String(first)));
  const marked: Record<string, Marked> = { ...state };
  for (const { name, attribute } of locatedIn(description.attributes)) {
    const { sensitive: isSecret, shape } = attribute;
    const holdsSecrets =
      shape.kind === "groups" && Object.values(shape.attributes).some((member) => member.sensitive);
    if (isSecret || holdsSecrets || flowed.has(name)) marked[name] = mark(state[name] ?? null, SENSITIVE);
  }
  return marked;
}
