/** What a description knows of an attribute besides its sentence, in words. */
import type { Attribute } from "../../../src/schema";
import { stringifyJson, type Value } from "../../../src/values";

const DURATION = "A duration such as `30s`, `12h` or `7d`.";

export function facts(attribute: Attribute): readonly string[] {
  const { presence, forcesReplacement, nullable, masked, serviceDefault, defaultValue, deprecated } =
    attribute;
  if (presence === "computed") return [];
  return [
    ...limits(attribute),
    forcesReplacement && "A change replaces it.",
    masked && "The service shows only a part of it, so a change made elsewhere may go unnoticed.",
    nullable && "May be taken away with `unset`.",
    defaultValue !== undefined && `Default: \`${value(defaultValue)}\`.`,
    serviceDefault !== undefined && `Default: ${serviceDefault}.`,
    deprecated !== undefined && `Deprecated: ${deprecated}`,
  ].filter((fact) => fact !== false);
}

function limits({ constraints, description }: Attribute): readonly string[] {
  const { length, oneOf, format, without, min } = constraints;
  const limits = [
    oneOf?.some((one) => !description.includes(`\`${one}\``)) &&
      `One of ${oneOf.map((one) => `\`${one}\``).join(", ")}.`,
    length !== undefined && characters(length),
    without !== undefined && `Without \`${without}\`.`,
    min !== undefined && min > 0 && `At least ${min}.`,
    (format === "duration" || format === "timeout") && DURATION,
  ];
  return limits.filter((limit) => typeof limit === "string");
}

function characters([min, max]: readonly [number, number]): string | false {
  if (max === Infinity) return min > 1 && `At least ${min} characters.`;
  return min === 0 ? `At most ${max} characters.` : `${min} to ${max} characters.`;
}

function value(given: Value): string {
  return typeof given === "string" ? given : stringifyJson(given);
}
