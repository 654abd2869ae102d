/** Makes the configuration of a resource from an evaluated block. */
import { type Compiled, type Marked, type Scope, unmark } from "../../language";
import {
  type Finding,
  ephemeralValue,
  ignoredRight,
  InvalidConfiguration,
  invalidValue,
  literalSecret,
  placeOf,
  providerNotYetKnown,
  TenancyError,
  unknownAttribute,
  unknownRight,
} from "../../problems";
import {
  attributeAt,
  attributePath,
  type Attributes,
  conformPart,
  type Description,
  missing,
  sensitiveAttributes,
  validate,
} from "../../schema";
import { checkProvider, provider as description } from "../../service";
import type { ProviderBlock, Stack } from "../../stack";
import {
  emptyObject,
  formatPath,
  isObject,
  isWhollyKnown,
  type ObjectValue,
  type Path,
  plainText,
  startsWith,
  type Value,
  valueAt,
} from "../../values";
import { PROVIDER_FUNCTIONS } from "../families";
import { argumentsOf, loadStack, secretToCome, valueOfVariable, variableValues } from "../load/stack";
import type { PlanOptions, StackSource } from "../options";
import { discreet, hidingIn } from "./secrets";
import { readableFolders, Workspace } from "./workspace";

export interface Configuration {
  readonly config: ObjectValue;
  /** Paths of what must not be shown. */
  readonly sensitive: readonly Path[];
  /** The same, where only a part of a map is sensitive: `keepers.secret`. */
  readonly sensitiveParts: readonly Path[];
  readonly findings: readonly Finding[];
}

interface ConfigurationOptions {
  /** True if a plan or state keeps the configuration, which then can hold no ephemeral value. @default true */
  readonly isKept?: boolean;
}

/** Converts to the description's types and checks its limits. Findings name attributes; whoever calls adds the address. */
export function configurationOf(
  description: Description,
  evaluated: Marked,
  options: ConfigurationOptions = {},
): Configuration {
  return whole(description, partOf(description, evaluated, options));
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
  const { fixed } = body;
  if (fixed === undefined) return (scope) => configurationOf(description, body.evaluate(scope));
  const known = partOf(description, fixed);
  return (scope) => {
    const rest = partOf(description, body.evaluateRest(scope));
    return whole(description, {
      config: { ...known.config, ...rest.config },
      sensitive: rest.sensitive,
      sensitiveParts: rest.sensitiveParts,
      findings: joined(known.findings, rest.findings),
    });
  };
}

/** Some attributes, or all; which are missing only the whole tells. */
function partOf(
  { attributes }: Description,
  evaluated: Marked,
  { isKept = true }: ConfigurationOptions = {},
): Configuration {
  const { value, sensitive, ephemeral } = unmark(evaluated);
  const given = isObject(value) ? value : {};
  const { config, findings } = conformPart(attributes, given);
  const guarded = [...sensitive, ...ephemeral];
  const quote = quoting(attributes, given, guarded);
  const tell = discreet(attributes, guarded);
  return {
    config,
    // An element of a list, set or map may have stood elsewhere before, or under another key.
    sensitive: sensitive.map((path) => attributePath(attributes, path)),
    sensitiveParts: sensitive,
    findings: joined(
      findings.map(quote).map(tell),
      validate(attributes, config).map(quote).map(tell),
      isKept ? ephemeral.flatMap((path) => misplaced(attributes, path)) : [],
      literalSecrets(attributes, config, guarded),
    ),
  };
}

function whole({ attributes }: Description, configuration: Configuration): Configuration {
  const absent = missing(attributes, configuration.config);
  if (absent.length === 0) return configuration;
  return { ...configuration, findings: [...configuration.findings, ...absent] };
}

/** As much of a refused value is quoted. */
const QUOTED_LENGTH = 60;

/** Adds the refused text to a finding that does not say what it found, unless the text is a secret, or may be one. */
function quoting(
  attributes: Attributes,
  given: ObjectValue,
  guarded: readonly Path[],
): (finding: Finding) => Finding {
  return (finding) => {
    const { code, attribute: path, summary } = finding;
    if (code !== invalidValue.code || path === undefined) return finding;
    const { sensitive = true, writeOnly = true } = attributeAt(attributes, path) ?? {};
    if (sensitive || writeOnly || guarded.some((place) => startsWith(path, place))) return finding;
    const value = valueAt(given, path);
    // A length says more than a long text.
    if (typeof value !== "string" || value === "" || /, not \d+$/.test(summary)) return finding;
    const told = summary.replace(/, not (?:a|this) string$/, "");
    return { ...finding, summary: `${told}, not ${JSON.stringify(plainText(value, QUOTED_LENGTH))}` };
  };
}

/** Mostly there is nothing to join. */
function joined(...lists: readonly (readonly Finding[])[]): readonly Finding[] {
  return lists.every(({ length }) => length === 0) ? NOTHING : lists.flat();
}

const NOTHING: readonly Finding[] = [];

/** An ephemeral value may stand only in an attribute that is not kept. */
function misplaced(attributes: Attributes, path: Path): readonly Finding[] {
  return attributeAt(attributes, path)?.writeOnly === true
    ? []
    : [ephemeralValue.at(formatPath(path), { attribute: path })];
}

function literalSecrets(
  attributes: Attributes,
  config: ObjectValue,
  guarded: readonly Path[],
): readonly Finding[] {
  return sensitiveAttributes(attributes).flatMap(({ path }) => {
    if (typeof valueAt(config, path) !== "string") return [];
    if (guarded.some((place) => startsWith(path, place))) return [];
    return [literalSecret.warning(formatPath(path), { attribute: path })];
  });
}

// `lifecycle { ignore_changes }`: ignored attributes take their live values.

/**
 * A path to an attribute that does not exist would silently ignore nothing; a key of permissions that are not declared would make them
 * exact, as Terraform plans it.
 *
 * @param config what is declared; undefined where that is not known yet
 */
export function unfitIgnored(
  attributes: Attributes,
  ignored: readonly Path[],
  config?: ObjectValue,
): readonly Finding[] {
  return ignored.flatMap((path) => unfit(attributes, path, config));
}

const WHERE = { attribute: ["lifecycle", "ignore_changes"] };

function unfit(
  attributes: Attributes,
  [first, ...rest]: Path,
  config: ObjectValue | undefined,
): readonly Finding[] {
  if (typeof first !== "string") return [];
  const attribute = Object.hasOwn(attributes, first) ? attributes[first] : undefined;
  if (attribute === undefined)
    return [unknownAttribute.at({ name: first, known: Object.keys(attributes) }, WHERE)];
  const [key] = rest;
  const { shape, constraints } = attribute;
  if (shape.kind === "group") return unfit(shape.attributes, rest, undefined);
  if (constraints.keys === undefined || key === undefined) return [];
  const { known, explain } = constraints.keys;
  if (!known.includes(String(key))) return [unknownRight.at({ right: String(key), known, explain }, WHERE)];
  return config !== undefined && (config[first] ?? null) === null
    ? [ignoredRight.at(String(key), WHERE)]
    : [];
}

/** @param ignored paths, or an empty path for `all` */
export function withIgnored(config: ObjectValue, prior: ObjectValue, ignored: readonly Path[]): ObjectValue {
  return ignored.reduce<ObjectValue>((result, path) => {
    if (path.length > 0) return replaced(result, prior, path);
    // `unset` takes away what is not declared: where it is there, all that is live counts as declared.
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

// The configuration of one provider block.

/** Every plan, approval and record shows the service and the owner. */
const SHOWN = ["base_url", "owner", "previous_owners"];

function shownSecrets(sensitive: readonly Path[]): readonly Finding[] {
  const names = new Set(sensitive.map(([first]) => String(first)).filter((name) => SHOWN.includes(name)));
  return [...names].map((name) =>
    invalidValue.at(`"${name}" is sensitive, and every plan shows it`, {
      attribute: [name],
      advice: "Use a value that may be shown; nonsensitive(…) says that it may be.",
    }),
  );
}

/** Evaluated and checked without the environment. Nothing keeps it, so it may hold ephemeral values. */
export function providerConfiguration(block: ProviderBlock, scope: Scope): Configuration {
  const configuration = configurationOf(description, block.body.evaluate(scope), { isKept: false });
  return {
    ...configuration,
    findings: [
      ...configuration.findings,
      ...checkProvider(configuration.config),
      ...shownSecrets(configuration.sensitive),
    ].map(hidingIn(configuration.config, configuration.sensitive)),
  };
}

/** @throws providerNotYetKnown */
export function requireKnown({ name }: ProviderBlock, config: ObjectValue): void {
  if (isWhollyKnown(config)) return;
  const unknown = Object.keys(config).filter((member) => !isWhollyKnown(config[member] ?? null));
  throw providerNotYetKnown.error(
    { names: unknown, consequence: "so nothing can be planned" },
    {
      address: `provider.${name}`,
      advice: "Use a variable or the environment, or run it with Terraform or OpenTofu.",
    },
  );
}

/** What says as whom to talk to the service, and how. Without a service nobody needs it. */
const CREDENTIALS = ["username", "password", "token", "otp", "totp_secret", "ca_file"];

export function withoutCredentials(config: ObjectValue): ObjectValue {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !CREDENTIALS.includes(name)));
}

// The provider configurations of a stack, evaluated from variables and locals alone.

/** The name of the provider configuration that the environment alone makes. */
export const ENVIRONMENT = "environment";

/**
 * The provider configurations by name, or what is wrong with one.
 * @param source undefined: what the environment says alone
 * @throws brokenStack, unknownStack
 */
export async function configurationsIn(
  source: StackSource | undefined,
  options: PlanOptions,
): Promise<ReadonlyMap<string, ObjectValue | InvalidConfiguration>> {
  return source === undefined
    ? new Map([[ENVIRONMENT, emptyObject()]])
    : providerConfigurations((await loadStack(source)).stack, options);
}

/**
 * The same, where all of them have to be right.
 * @throws InvalidConfiguration
 */
export async function fitConfigurationsIn(
  source: StackSource | undefined,
  options: PlanOptions,
): Promise<ReadonlyMap<string, ObjectValue>> {
  const configurations = await configurationsIn(source, options);
  return new Map(
    [...configurations].map(([provider, config]) => {
      if (config instanceof TenancyError) throw config;
      return [provider, config];
    }),
  );
}

/** @returns by name, `tenancy` or `tenancy.alias`: the configuration, or what is wrong with it */
export async function providerConfigurations(
  stack: Stack,
  options: PlanOptions,
): Promise<ReadonlyMap<string, ObjectValue | InvalidConfiguration>> {
  const workspace = await workspaceOf(stack, options);
  const configurations = new Map<string, ObjectValue | InvalidConfiguration>();
  for (const block of stack.blocks) {
    if (block.kind !== "provider") continue;
    try {
      const { config: whole, findings } = providerConfiguration(block, workspace.scope());
      InvalidConfiguration.unlessFit(findings);
      const config = options.live === undefined ? whole : withoutCredentials(whole);
      requireKnown(block, config);
      configurations.set(block.name, config);
    } catch (error) {
      if (!(error instanceof TenancyError)) throw error;
      configurations.set(block.name, new InvalidConfiguration(error.toFindings(placeOf(block))));
    }
  }
  return configurations;
}

async function workspaceOf(stack: Stack, options: PlanOptions): Promise<Workspace> {
  const given = await variableValues({
    environment: options.environment ?? {},
    projectFolder: options.projectFolder,
    given: argumentsOf(options.variables),
  });
  const plannedAt = new Date().toISOString();
  const workspace = new Workspace({
    folder: stack.folder,
    readable: readableFolders(stack.folder, options),
    functions: PROVIDER_FUNCTIONS,
    plannedAt,
  });
  for (const block of stack.blocks) {
    if (block.kind === "variable") {
      const value = given.get(block.name);
      const lacks = value === undefined && block.default === undefined && block.sensitive;
      workspace.define(block.address, () =>
        lacks && options.live !== undefined ? secretToCome(block) : valueOfVariable(block, value),
      );
    }
    if (block.kind === "local")
      workspace.define(block.address, () => block.value.evaluate(workspace.scope()));
  }
  return workspace;
}
