/** The provider configurations of a stack, evaluated without looking at anything else in it. */
import { InvalidConfiguration, TenancyError, UnknownProvider, type Diagnostic } from "../../errors";
import { provider as description } from "../../resources/provider";
import type { ProviderBlock } from "../../stack";
import { isWhollyKnown, type ObjectValue } from "../../values";
import { variableValues } from "../inputs/variable-values";
import { loadStack } from "../load-stack";
import type { PlanOptions, StackSource } from "../options";
import { configurationOf } from "../planning/configuration";
import { valueOfVariable } from "../planning/variables";
import { PROVIDER_FUNCTIONS } from "../provider-functions";
import { Workspace } from "../workspace";

/** @returns configurations by name, `tenancy` or `tenancy.alias` */
export async function providerConfigurations(
  source: StackSource,
  options: PlanOptions,
): Promise<ReadonlyMap<string, ObjectValue>> {
  const { stack } = await loadStack(source);
  const workspace = new Workspace({
    folder: stack.folder,
    functions: PROVIDER_FUNCTIONS,
    plannedAt: new Date().toISOString(),
  });
  const given = await variableValues({
    environment: options.environment ?? {},
    projectFolder: options.projectFolder,
    files: options.variableFiles ?? [],
    given: options.variables ?? {},
  });
  const configurations = new Map<string, ObjectValue>();
  const found: Diagnostic[] = [];
  for (const block of stack.blocks) {
    try {
      if (block.kind === "local")
        workspace.define(block.address, () => block.value.evaluate(workspace.scope()));
      if (block.kind === "variable") {
        const value = valueOfVariable(block, given.get(block.name));
        workspace.define(block.address, () => value);
      }
      if (block.kind === "provider") configurations.set(block.name, configured(block, workspace));
    } catch (error) {
      if (!(error instanceof TenancyError)) throw error;
      found.push(...error.toDiagnostics({ address: block.address }));
    }
  }
  if (found.length > 0) throw new InvalidConfiguration(found);
  return configurations;
}

function configured(block: ProviderBlock, workspace: Workspace): ObjectValue {
  const { config, diagnostics } = configurationOf(description, block.body.evaluate(workspace.scope()), {
    isKept: false,
  });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new InvalidConfiguration(errors);
  if (!isWhollyKnown(config)) throw new UnknownProvider(block.name, unknownMembers(config));
  return config;
}

function unknownMembers(config: ObjectValue): readonly string[] {
  return Object.entries(config)
    .filter(([, value]) => !isWhollyKnown(value))
    .map(([name]) => name);
}
