/** The limits, defaults and effects of an attribute, in words that follow its description. */
import { stringifyJson, type Value } from "../lib/values";
import type { Attribute } from "./attribute";

const DURATION = "A duration such as `30s`, `12h` or `7d`.";

const EXAMPLE_DAY = "A day such as `2026-12-04`.";

/** All of it, for the provider's schema and for the pages of the registries. */
export function facts(attribute: Attribute): readonly string[] {
  const { presence, nullable, deprecated } = attribute;
  const ofDeprecation = deprecated !== undefined && `Deprecated: ${deprecated}`;
  if (presence === "computed") return ofDeprecation === false ? [] : [ofDeprecation];
  const [ofProvider, ofService] = defaults(attribute);
  return [
    ...limits(attribute),
    ...shared(attribute),
    nullable && "May be taken away with `unset`.",
    ofProvider !== undefined && `Default: \`${ofProvider}\`.`,
    ofService !== undefined && `Default: ${ofService}.`,
    ofDeprecation,
  ].filter((fact) => fact !== false);
}

/** The facts that the types of L2 do not express, and the default. */
export function factsForTypes(attribute: Attribute): {
  readonly facts: readonly string[];
  readonly byDefault: string | undefined;
} {
  const { oneOf: _, ...constraints } = attribute.constraints;
  const [ofProvider, ofService] = defaults(attribute);
  return {
    facts: [...limits({ description: attribute.description, constraints }), ...shared(attribute)],
    byDefault: ofProvider ?? ofService,
  };
}

function shared({ forcesReplacement, masked }: Attribute): readonly string[] {
  return [
    forcesReplacement && "A change replaces it.",
    masked && "The service shows only a part of it, so a change made elsewhere may go unnoticed.",
  ].filter((fact) => fact !== false);
}

/** The provider's, and the service's. */
function defaults({
  defaultValue,
  serviceDefault,
}: Attribute): readonly [string | undefined, string | undefined] {
  return [defaultValue === undefined ? undefined : formatted(defaultValue), serviceDefault];
}

function limits({
  constraints,
  description,
}: Pick<Attribute, "constraints" | "description">): readonly string[] {
  const { length, oneOf, format, without, min } = constraints;
  const limits = [
    oneOf?.some((one) => !description.includes(`\`${one}\``)) &&
      `One of ${oneOf.map((one) => `\`${one}\``).join(", ")}.`,
    length !== undefined && characters(length),
    without !== undefined && `Without \`${without}\`.`,
    min !== undefined && min > 0 && `At least ${min}.`,
    (format === "duration" || format === "timeout") && DURATION,
    format === "day" && EXAMPLE_DAY,
  ];
  return limits.filter((limit) => typeof limit === "string");
}

function characters([min, max]: readonly [number, number]): string | false {
  if (max === Infinity) return min > 1 && `At least ${min} characters.`;
  return min === 0 ? `At most ${max} characters.` : `${min} to ${max} characters.`;
}

function formatted(defaultValue: Value): string {
  return typeof defaultValue === "string" ? defaultValue : stringifyJson(defaultValue);
}
