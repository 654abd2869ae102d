/** The provider configurations of a stack, evaluated without looking at anything in it but variables and locals. */
import { InvalidConfiguration, TenancyError, placeOf } from "../errors";
import type { Stack } from "../stack";
import type { ObjectValue } from "../values";
import { argumentsOf } from "./inputs/variable-arguments";
import { variableValues } from "./inputs/variable-values";
import type { PlanOptions } from "./options";
import { providerConfiguration, requireKnown } from "./planning/provider-configuration";
import { valueOfVariable } from "./planning/variables";
import { PROVIDER_FUNCTIONS } from "./provider-functions";
import { readableFolders, Workspace } from "./workspace";

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
      const { config, diagnostics } = providerConfiguration(block, workspace.scope());
      InvalidConfiguration.unlessFit(diagnostics);
      requireKnown(block, config);
      configurations.set(block.name, config);
    } catch (error) {
      if (!(error instanceof TenancyError)) throw error;
      configurations.set(block.name, new InvalidConfiguration(error.toDiagnostics(placeOf(block))));
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
    if (block.kind === "variable")
      workspace.define(block.address, () => valueOfVariable(block, given.get(block.name)));
    if (block.kind === "local")
      workspace.define(block.address, () => block.value.evaluate(workspace.scope()));
  }
  return workspace;
}
