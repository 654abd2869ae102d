/** Makes the configuration of a resource from an evaluated block. */
import type { Compiled, Scope } from "../../lib/language";
import { type Finding, ephemeralValue, invalidValue, literalSecret, sensitiveValue } from "../../problems";
import {
  attributeAt,
  attributePath,
  type Attributes,
  conformPart,
  type Description,
  missingAttributes,
  sensitiveAttributes,
  validate,
} from "../../schema";
import {
  formatPath,
  isObject,
  type Marked,
  type ObjectValue,
  type Path,
  plainText,
  startsWith,
  unmark,
  valueAt,
} from "../../lib/values";
import { withoutSensitiveKeys } from "./secrets";

export interface Configuration {
  readonly config: ObjectValue;
  /** Paths of hidden values. */
  readonly sensitive: readonly Path[];
  readonly findings: readonly Finding[];
}

interface ConfigurationOptions {
  /** True if a plan or state keeps the configuration, which then can hold no ephemeral value. @default true */
  readonly isKept?: boolean;
}

/** Converts to the description's types and checks its limits. Findings name attributes; the caller adds the address. */
export function configurationOf(
  description: Description,
  evaluated: Marked,
  options: ConfigurationOptions = {},
): Configuration {
  return completeConfiguration(description, configurationPart(description, evaluated, options));
}

/**
 * Checks everything that needs no evaluation now, while there is time, and the rest once the scope is known. For a user that refers to its
 * account, only one attribute is left.
 */
export function prepared(description: Description, body: Compiled): (scope: Scope) => Configuration {
  if (body.constant !== undefined) {
    const configuration = configurationOf(description, body.constant);
    return () => configuration;
  }
  const { fixed: fixedMembers } = body;
  if (fixedMembers === undefined) return (scope) => configurationOf(description, body.evaluate(scope));
  const known = configurationPart(description, fixedMembers);
  return (scope) => {
    const rest = configurationPart(description, body.evaluateRest(scope));
    return completeConfiguration(description, {
      config: Object.assign({}, known.config, rest.config),
      sensitive: rest.sensitive,
      findings: joinedFindings(known.findings, rest.findings),
    });
  };
}

/** Some attributes, or all. Only a complete configuration shows missing attributes. */
function configurationPart(
  { attributes }: Description,
  evaluated: Marked,
  { isKept = true }: ConfigurationOptions = {},
): Configuration {
  const { value, sensitive, ephemeral } = unmark(evaluated);
  const givenAttributes = isObject(value) ? value : {};
  const { config, findings } = conformPart(attributes, givenAttributes);
  const guardedPaths = [...sensitive, ...ephemeral];
  const unfit = joinedFindings(findings, validate(attributes, config)).map((finding) => {
    const quotingFinding = withQuotedText(finding, attributes, givenAttributes, guardedPaths);
    return withoutSensitiveKeys(quotingFinding, attributes, guardedPaths);
  });
  return {
    config,
    // An element of a list, set or map may have had another place or key before.
    sensitive: sensitive.map((path) => attributePath(attributes, path)),
    findings: joinedFindings(
      unfit,
      isKept ? misplaced(attributes, ephemeral, sensitive) : [],
      literalSecrets(attributes, config, guardedPaths),
    ),
  };
}

function completeConfiguration({ attributes }: Description, configuration: Configuration): Configuration {
  const absent = missingAttributes(attributes, configuration.config);
  if (absent.length === 0) return configuration;
  return { ...configuration, findings: [...configuration.findings, ...absent] };
}

/** A refused value is quoted up to this many characters. */
const QUOTED_LENGTH = 60;

/** Adds the refused text to a finding that does not say what it found, unless the text is a secret, or may be one. */
function withQuotedText(
  finding: Finding,
  attributes: Attributes,
  givenAttributes: ObjectValue,
  guardedPaths: readonly Path[],
): Finding {
  const { code, attribute: path, summary } = finding;
  if (code !== invalidValue.code || path === undefined) return finding;
  const { sensitive = true, writeOnly = true } = attributeAt(attributes, path) ?? {};
  if (sensitive || writeOnly || guardedPaths.some((place) => startsWith(path, place))) return finding;
  const value = valueAt(givenAttributes, path);
  // A length says more than a long text.
  if (typeof value !== "string" || value === "" || /, not \d+$/.test(summary)) return finding;
  const shortSummary = summary.replace(/, not (?:a|this) string$/, "");
  return { ...finding, summary: `${shortSummary}, not ${JSON.stringify(plainText(value, QUOTED_LENGTH))}` };
}

/** Returns one shared empty list in the usual case. */
function joinedFindings(...lists: readonly (readonly Finding[])[]): readonly Finding[] {
  return lists.every(({ length }) => length === 0) ? NOTHING : lists.flat();
}

const NOTHING: readonly Finding[] = [];

/** The one check of where sensitive and ephemeral values may flow: into no part of a record that a request, a plan or a state shows. */
function misplaced(
  attributes: Attributes,
  ephemeral: readonly Path[],
  sensitive: readonly Path[],
): readonly Finding[] {
  const at = (path: Path) => attributeAt(attributes, path);
  return [
    ...ephemeral
      .filter((path) => at(path)?.writeOnly !== true)
      .map((path) => ephemeralValue.at(formatPath(path), { attribute: path })),
    ...sensitive
      .filter((path) => at(path)?.takesSensitive !== true)
      .map((path) => sensitiveValue.at(formatPath(path), { attribute: path })),
  ];
}

function literalSecrets(
  attributes: Attributes,
  config: ObjectValue,
  guardedPaths: readonly Path[],
): readonly Finding[] {
  return sensitiveAttributes(attributes).flatMap(({ path }) => {
    if (typeof valueAt(config, path) !== "string") return [];
    if (guardedPaths.some((place) => startsWith(path, place))) return [];
    return [literalSecret.warning(formatPath(path), { attribute: path })];
  });
}
