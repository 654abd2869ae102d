/** Values of attributes at random, from the descriptions: an attribute that is added is drawn, too. */
import fc from "fast-check";
import type { Attribute, Attributes } from "../../src/schema";

type Drawn = fc.Arbitrary<unknown>;

/** What is drawn of each kind of value. */
export interface Samples {
  readonly text: Drawn;
  readonly email: Drawn;
  readonly phone: Drawn;
  readonly integer: Drawn;
  readonly texts: Drawn;
}

/**
 * Draws every attribute that a create and an update take and that identifies nothing.
 * @param special what is drawn of single attributes instead; undefined for those that are not drawn
 */
export function drawnAttributes(
  attributes: Attributes,
  samples: Samples,
  special: Readonly<Record<string, Drawn | undefined>>,
): Readonly<Record<string, Drawn>> {
  const drawn = Object.entries(attributes).flatMap(([name, attribute]): [string, Drawn][] => {
    if (Object.hasOwn(special, name)) return special[name] === undefined ? [] : [[name, special[name]]];
    const { sentWith, shown, codec } = attribute;
    return sentWith === "both" && shown && codec === undefined
      ? [[name, drawnValue(attribute, samples)]]
      : [];
  });
  return Object.fromEntries(drawn);
}

export function drawnValue({ shape, constraints, nullable }: Attribute, samples: Samples): Drawn {
  const { format, length: [min] = [0], oneOf } = constraints;
  switch (shape.kind) {
    case "bool":
      return fc.boolean();
    case "integer":
      return nullable ? samples.integer : fc.integer({ min: 0, max: 5 });
    case "list":
    case "set":
      return samples.texts;
    case "group":
      return fc.record(drawnAttributes(shape.attributes, samples, {}), { requiredKeys: [] });
    case "string":
      if (oneOf !== undefined) return fc.constantFrom(...oneOf);
      if (format === "email") return samples.email;
      if (format === "phone") return samples.phone;
      return samples.text.filter((text) => typeof text !== "string" || text.length >= min);
    default:
      throw new Error(`nothing is drawn of the shape ${shape.kind}`);
  }
}
