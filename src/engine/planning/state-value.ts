import { mark, SENSITIVE, type Marked } from "../../expressions";
import { locatedIn, type Attributes, type Description, type Shape } from "../../schema";
import { isUnknown, Unknown, UNKNOWN, type ObjectValue, type Path, type Value } from "../../values";

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
    const value = shaped(state[name] ?? null, shape);
    if (isSecret || holdsSecrets || flowed.has(name)) marked[name] = mark(value, SENSITIVE);
    else if (isUnknown(value)) marked[name] = value;
  }
  return marked;
}

/** What is unknown keeps its shape, so that a reference to nothing is found before anything is written. */
function shaped(value: Value, shape: Shape): Value {
  return shape.kind === "group" && isUnknown(value)
    ? new Unknown({ notNull: value.notNull, members: membersOf(shape.attributes) })
    : value;
}

const MEMBERS = new WeakMap<Attributes, ReadonlyMap<string, Unknown>>();

function membersOf(attributes: Attributes): ReadonlyMap<string, Unknown> {
  const known = MEMBERS.get(attributes);
  if (known !== undefined) return known;
  const members = new Map(
    Object.entries(attributes).map(([name, { shape }]): [string, Unknown] => [
      name,
      shape.kind === "group" ? new Unknown({ members: membersOf(shape.attributes) }) : UNKNOWN,
    ]),
  );
  MEMBERS.set(attributes, members);
  return members;
}
