/** Evaluates the provider configurations: one block of a walk, or all of a stack, from variables and locals alone. */
import type { Scope } from "../../lib/language";
import {
  type Finding,
  InvalidConfiguration,
  invalidValue,
  whereaboutsOf,
  providerNotYetKnown,
  TenancyError,
} from "../../problems";
import { checkProvider, provider as description, serviceAndOwnerOf } from "../../service";
import type { ManifestEntry, ProviderBlock, Stack } from "../../stack";
import { emptyObject, isWhollyKnown, type ObjectValue, type Path } from "../../lib/values";
import { PROVIDER_FUNCTIONS } from "../families";
import {
  argumentsOf,
  type Loaded,
  loadSibling,
  loadStack,
  secretToCome,
  valueOfVariable,
  variableValues,
} from "../load/stack";
import type { PlanOptions, StackSource } from "../options";
import { type Configuration, configurationOf } from "./configuration";
import { hidingIn } from "./secrets";
import { filesOf, Workspace } from "./workspace";

/** Every plan, approval and record shows the service and the owner. */
const SHOWN_ATTRIBUTES = ["base_url", "owner"];

/** Not for siblings: their guards need service and owner all the same, and show neither. */
export function shownSecrets(sensitive: readonly Path[]): readonly Finding[] {
  const names = new Set(
    sensitive.map(([first]) => String(first)).filter((name) => SHOWN_ATTRIBUTES.includes(name)),
  );
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
    findings: [...configuration.findings, ...checkProvider(configuration.config)].map(
      hidingIn(configuration.config, configuration.sensitive),
    ),
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

/** Attributes of login and connection. They are not needed without a service. */
const CREDENTIAL_ATTRIBUTES = ["username", "password", "token", "otp", "totp_secret", "ca_file"];

export function withoutCredentialAttributes(config: ObjectValue): ObjectValue {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !CREDENTIAL_ATTRIBUTES.includes(name)));
}

// The provider configurations of a stack, evaluated from variables and locals alone.

/** The name of the provider configuration that the environment alone makes. */
export const ENVIRONMENT = "environment";

/**
 * The provider configurations by name, or their errors.
 * @param source undefined: the environment alone
 * @throws brokenStack, unknownStack
 */
export async function configurationsIn(
  source: StackSource | undefined,
  options: PlanOptions,
): Promise<ReadonlyMap<string, ObjectValue | InvalidConfiguration>> {
  return source === undefined
    ? new Map([[ENVIRONMENT, emptyObject()]])
    : providerConfigurations((await loadStack(source)).stack, options, shownSecrets);
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

/**
 * @param refusalsOf the errors of sensitive paths, because the configuration's service and owner will be shown
 * @returns by name, `tenancy` or `tenancy.alias`: the configuration, or its errors
 */
export async function providerConfigurations(
  stack: Stack,
  options: PlanOptions,
  refusalsOf: (sensitive: readonly Path[]) => readonly Finding[] = () => [],
): Promise<ReadonlyMap<string, ObjectValue | InvalidConfiguration>> {
  const workspace = await workspaceOf(stack, options);
  const configurations = new Map<string, ObjectValue | InvalidConfiguration>();
  for (const block of stack.blocks) {
    if (block.kind !== "provider") continue;
    try {
      const { config: whole, sensitive, findings } = providerConfiguration(block, workspace.scope());
      InvalidConfiguration.unlessFit([...findings, ...refusalsOf(sensitive)]);
      const config = options.fromSnapshot === undefined ? whole : withoutCredentialAttributes(whole);
      requireKnown(block, config);
      configurations.set(block.name, config);
    } catch (error) {
      if (!(error instanceof TenancyError)) throw error;
      configurations.set(block.name, new InvalidConfiguration(error.toFindings(whereaboutsOf(block))));
    }
  }
  return configurations;
}

async function workspaceOf(stack: Stack, options: PlanOptions): Promise<Workspace> {
  const givenValues = await variableValues({
    environment: options.environment ?? {},
    projectFolder: options.projectFolder,
    given: argumentsOf(options.variables),
  });
  const plannedAt = new Date().toISOString();
  const workspace = new Workspace({
    ...filesOf(stack, options),
    functions: PROVIDER_FUNCTIONS,
    plannedAt,
  });
  for (const block of stack.blocks) {
    if (block.kind === "variable") {
      const value = givenValues.get(block.name);
      const lacks = value === undefined && block.default === undefined && block.sensitive;
      workspace.define(block.address, () =>
        lacks && options.fromSnapshot !== undefined ? secretToCome(block) : valueOfVariable(block, value),
      );
    }
    if (block.kind === "local")
      workspace.define(block.address, () => block.value.evaluate(workspace.scope()));
  }
  return workspace;
}

// The owners of stacks.

/** Represents the service that the environment will name: the same one for all stacks. */
const NAMED_LATER = "https://service.invalid";

/** The owners and services of provider configurations, as far as variables and environment define them. */
export async function ownersIn(stack: Stack, options: PlanOptions) {
  const { TENANCY_BASE_URL, TENANCY_OWNER } = options.environment ?? {};
  const environment = { TENANCY_OWNER, TENANCY_BASE_URL: TENANCY_BASE_URL || NAMED_LATER };
  const configurations = await providerConfigurations(stack, options);
  return [...configurations].flatMap(([provider, config]) => {
    if (config instanceof TenancyError) return [];
    try {
      const { origin, owner } = serviceAndOwnerOf(config, environment);
      return owner === undefined ? [] : [{ provider, origin, owner }];
    } catch (error) {
      // A wrong configuration is reported when its stack is planned.
      if (error instanceof TenancyError) return [];
      throw error;
    }
  });
}

/** A stack that cannot be read is reported when it is planned itself. */
export function readableStack(entry: ManifestEntry, { source }: Pick<Loaded, "source">): Stack | undefined {
  try {
    return loadSibling(entry, source.stacks);
  } catch (error) {
    if (error instanceof TenancyError) return undefined;
    throw error;
  }
}
