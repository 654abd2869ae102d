/** Checks a configuration against its description, and brings it into the described form. */
import {
  deprecatedRight,
  type Finding,
  ignoredRight,
  invalidValue,
  unknownAttribute,
  unknownRight,
} from "../problems";
import {
  hexOfSharedSecret,
  isInteger,
  isList,
  isObject,
  isUuidText,
  nearest,
  type ObjectValue,
  type Path,
  type Value,
} from "../lib/values";
import type { Attribute, Attributes, Constraints, Keys, AttributeShape } from "./attribute";

// Limits of the API (spec section 8) and our own, checked on known values during planning.

/** Findings for every known value that breaks a constraint of its attribute. Types are taken as right: see `conform`. */
export function validate(attributes: Attributes, config: ObjectValue): readonly Finding[] {
  const findings: Finding[] = [];
  validateGroup(attributes, config, [], findings);
  return findings;
}

/** @param trail the place that is being looked at: grows and shrinks, and is copied only into findings */
function validateGroup(
  attributes: Attributes,
  config: ObjectValue,
  trail: (string | number)[],
  findings: Finding[],
): void {
  for (const name of Object.keys(config)) {
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    const value = config[name] ?? null;
    if (attribute === undefined || value === null || attribute.presence === "computed") continue;
    trail.push(name);
    validateValue(attribute, attribute.shape, value, trail, findings);
    trail.pop();
  }
}

function validateValue(
  attribute: Attribute,
  shape: AttributeShape,
  value: Value,
  trail: (string | number)[],
  findings: Finding[],
): void {
  if (isList(value)) {
    value.forEach((element, index) => {
      // Elements of a set have no path.
      if (shape.kind !== "set") trail.push(index);
      if (shape.kind === "list" || shape.kind === "set")
        validateValue(attribute, { kind: shape.of }, element, trail, findings);
      else if (shape.kind === "groups" && isObject(element))
        validateGroup(shape.attributes, element, trail, findings);
      if (shape.kind !== "set") trail.pop();
    });
    const { alone } = attribute.constraints;
    if (shape.kind === "set" && alone !== undefined && value.includes(alone) && value.length > 1)
      findings.push(
        invalidValue.at(`"${alone}" must be the only element`, {
          attribute: [...trail],
          advice: `Keep ["${alone}"] for all, or the ids without "${alone}".`,
        }),
      );
    return;
  }
  if (shape.kind === "map") {
    const { keys } = attribute.constraints;
    if (!isObject(value)) return;
    if (keys !== undefined) validateKeys(keys, value, trail, findings);
    for (const [key, element] of Object.entries(value)) {
      trail.push(key);
      validateValue(attribute, { kind: shape.of }, element, trail, findings);
      trail.pop();
    }
    return;
  }
  if (shape.kind === "group") {
    if (isObject(value)) validateGroup(shape.attributes, value, trail, findings);
    return;
  }
  // `conform` reports a text in place of a list; the limits of elements do not matter then.
  if ("of" in shape || shape.kind === "groups") return;
  const problem = constraintProblem(attribute.constraints, value);
  if (problem === undefined) return;
  const near = typeof value === "string" ? nearest(value, attribute.constraints.oneOf ?? []) : undefined;
  findings.push(
    invalidValue.at(problem, {
      attribute: [...trail],
      ...(near !== undefined && { advice: `Did you mean "${near}"?` }),
    }),
  );
}

function validateKeys(
  { known, explain, successors }: Keys,
  map: ObjectValue,
  trail: (string | number)[],
  findings: Finding[],
): void {
  for (const [key, value] of Object.entries(map)) {
    if (!known.includes(key))
      findings.push(unknownRight.at({ right: key, known, explain }, { attribute: [...trail, key] }));
    // A deprecated right grants nothing if one of its successors is set: an old preset may hold all of them.
    const instead = isGrant(value) ? successors(key)?.filter((right) => !isGrant(map[right])) : undefined;
    if (instead === undefined || instead.length === 0) continue;
    const advice = `Grant ${instead.join(" and ")} instead.`;
    findings.push(deprecatedRight.at({ right: key, advice }, { attribute: [...trail, key] }));
  }
}

/** A last day grants a right, too. */
function isGrant(value: Value | undefined): boolean {
  return value === true || typeof value === "string";
}

/** The fault of one known scalar, if any. Never shows a text: it may be a secret. */
function constraintProblem(constraints: Constraints, value: Value): string | undefined {
  if (typeof value === "string") return textProblem(constraints, value);
  return isInteger(value) ? integerProblem(constraints, value) : undefined;
}

/** The ends of 64 bits, in which services keep integers. A number beyond may have any length, so it is not repeated. */
const LEAST = -(2n ** 63n);
const LARGEST = 2n ** 63n - 1n;

function integerProblem(constraints: Constraints, value: number | bigint): string | undefined {
  const min = constraints.min ?? LEAST;
  if (value > LARGEST) return `must be ${LARGEST} or less`;
  if (value >= min) return undefined;
  return value < LEAST ? `must be ${min} or more` : `must be ${min} or more, not ${value}`;
}

function textProblem(constraints: Constraints, value: string): string | undefined {
  const { length, oneOf, without, format } = constraints;
  if (length !== undefined) {
    const [min, max] = length;
    const characters = charactersIn(value, max);
    if (characters < min || characters > max) {
      const range = max === Infinity ? `${min} characters or more` : `${min} to ${max} characters`;
      return `must have ${range}, not ${characters}`;
    }
  }
  if (oneOf !== undefined && !oneOf.includes(value)) {
    return `must be one of ${oneOf.map((choice) => `"${choice}"`).join(", ")}`;
  }
  if (without !== undefined && value.includes(without)) return `must not contain "${without}"`;
  return format === undefined || FORMAT_TESTS[format].test(value)
    ? undefined
    : `must be ${FORMAT_TESTS[format].expected}`;
}

/** Surrogate pairs count once; only a text that could be too long, or too short, has to be taken apart for that. */
function charactersIn(text: string, max: number): number {
  return text.length <= max && !/[\ud800-\udbff]/.test(text) ? text.length : [...text].length;
}

const FORMAT_TESTS = {
  phone: { expected: "a telephone number", test: () => true },
  uuid: { expected: "a uuid such as 6ba7b810-9dad-11d1-80b4-00c04fd430c8", test: isUuidText },
  // The empty text is within the API's length 0..128 and takes an address away.
  email: {
    expected: "an e-mail address",
    test: (value: string) => value === "" || /^[^\s@]+@[^\s@]+$/.test(value),
  },
  day: { expected: 'a day such as "2026-12-04"', test: isDay },
  hex: { expected: "hexadecimal characters", test: (value: string) => /^[0-9A-Fa-f]+$/.test(value) },
  sharedSecret: {
    expected: "hexadecimal characters, or base32 as authenticators show it",
    test: (value: string) => hexOfSharedSecret(value) !== undefined,
  },
  duration: {
    expected: 'a duration such as "7d" or "30s"',
    test: (value: string) => parseDuration(value) !== undefined,
  },
  timeout: {
    expected: 'a duration above zero such as "30s"',
    test: (value: string) => (parseDuration(value) ?? 0) > 0,
  },
  header: {
    expected: 'the name of a header such as "X-Service-OTP"',
    // A token by RFC 9110, section 5.6.2.
    test: (value: string) => /^[\w!#$%&'*+.^`|~-]+$/.test(value),
  },
  login: { expected: "a login", test: (value: string) => !/[\s:]/.test(value) },
} as const;

/** True for a day that the calendar has, as `2026-12-04`. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

// `lifecycle { ignore_changes }`: ignored attributes take their live values.

/**
 * A path to an attribute that does not exist would ignore nothing without a message. A key of undeclared permissions would make them
 * authoritative, as Terraform plans it.
 *
 * @param config the declared values; undefined if they are not known yet
 * @param extraKeys names that also count as keys of maps. @default none
 */
export function unfitIgnored(
  attributes: Attributes,
  ignoredPaths: readonly Path[],
  config?: ObjectValue,
  extraKeys: readonly string[] = [],
): readonly Finding[] {
  return ignoredPaths.flatMap((path) => unfitFinding(attributes, path, config, extraKeys));
}

const IGNORING = { attribute: ["lifecycle", "ignore_changes"] };

function unfitFinding(
  attributes: Attributes,
  [first, ...rest]: Path,
  config: ObjectValue | undefined,
  extraKeys: readonly string[],
): readonly Finding[] {
  if (typeof first !== "string") return [];
  const attribute = Object.hasOwn(attributes, first) ? attributes[first] : undefined;
  if (attribute === undefined)
    return [unknownAttribute.at({ name: first, known: Object.keys(attributes) }, IGNORING)];
  const [key] = rest;
  const { shape, constraints } = attribute;
  if (shape.kind === "group") return unfitFinding(shape.attributes, rest, undefined, extraKeys);
  if (constraints.keys === undefined || key === undefined) return [];
  const { known, explain } = constraints.keys;
  if (![...known, ...extraKeys].includes(String(key)))
    return [unknownRight.at({ right: String(key), known, explain }, IGNORING)];
  return config !== undefined && (config[first] ?? null) === null
    ? [ignoredRight.at(String(key), IGNORING)]
    : [];
}

/** @param ignoredPaths paths, or an empty path for `all` */
export function withIgnored(
  config: ObjectValue,
  prior: ObjectValue,
  ignoredPaths: readonly Path[],
): ObjectValue {
  return ignoredPaths.reduce<ObjectValue>((result, path) => {
    if (path.length > 0) return replaced(result, prior, path);
    // `unset` clears undeclared values: if it is set, all live values count as declared.
    const names = Object.keys((result["unset"] ?? null) === null ? result : prior);
    return Object.fromEntries(names.map((name) => [name, prior[name] ?? null]));
  }, config);
}

/** A member that prior lacks is left out, like the key of a map. */
function replaced(config: ObjectValue, prior: ObjectValue, [first, ...rest]: Path): ObjectValue {
  const name = String(first);
  if (rest.length === 0) {
    const { [name]: _ignored, ...others } = config;
    return Object.hasOwn(prior, name) ? { ...others, [name]: prior[name] ?? null } : others;
  }
  const before: Value = prior[name] ?? null;
  const inner = config[name] ?? null;
  if (!isObject(inner)) return config;
  return { ...config, [name]: replaced(inner, isObject(before) ? before : {}, rest) };
}

// Durations as users write them: `30s`, `7d`, `1h30m`.

export const DAY_MS = 86_400_000;

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };

/** Milliseconds of `7d`, `12h`, `30m`, `30s`, `500ms` or a sequence of them; undefined if it is no duration. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(ms|[smhd]))+$/.test(text)) return undefined;
  const milliseconds = [...text.matchAll(/(\d+)(ms|[smhd])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ""] ?? NaN),
    0,
  );
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}
