/** Checks a stack's configuration as far as that goes without asking anybody. */
import { InvalidConfiguration, TenancyError, type Diagnostic, type Whereabouts } from "../errors";
import type { Description } from "../schema";
import type { Compiled } from "../expressions";
import { provider as providerDescription } from "../resources/provider";
import type { Block } from "../stack";
import { isObject, UNKNOWN, type ObjectValue } from "../values";
import { variableValues } from "./inputs/variable-values";
import { instancesOf } from "./instances";
import { loadStack } from "./load-stack";
import type { PlanOptions, StackSource } from "./options";
import { failedConditions } from "./planning/conditions";
import { configurationOf } from "./planning/configuration";
import { dataSourceOf, ephemeralOf, resourceOf } from "./planning/families";
import { unfitArguments, valueOfVariable } from "./planning/variables";
import { PROVIDER_FUNCTIONS } from "./provider-functions";
import { refuseSharedOwner } from "./shared-owner";
import { Workspace, type Surroundings } from "./workspace";

/**
 * What only the service tells is unknown, and so are variables without a value.
 * @returns warnings
 * @throws InvalidConfiguration with every finding
 */
export async function validateStack(
  source: StackSource,
  options: PlanOptions,
): Promise<readonly Diagnostic[]> {
  const loaded = await loadStack(source);
  const given = await variableValues({
    environment: options.environment ?? {},
    projectFolder: options.projectFolder,
    files: options.variableFiles ?? [],
    given: options.variables ?? {},
  });
  const { blocks, folder } = loaded.stack;
  const workspace = new Workspace({
    folder,
    functions: PROVIDER_FUNCTIONS,
    plannedAt: new Date().toISOString(),
  });
  const found: Diagnostic[] = [
    ...unfitArguments(
      blocks.filter((block) => block.kind === "variable"),
      options.variables ?? {},
    ),
  ];
  for (const block of blocks) {
    const where: Whereabouts = {
      address: block.address,
      ...("constructPath" in block &&
        block.constructPath !== undefined && { constructPath: block.constructPath }),
    };
    try {
      found.push(...check(block).map((finding) => ({ ...where, ...finding })));
    } catch (error) {
      if (!(error instanceof TenancyError)) throw error;
      found.push(...error.toDiagnostics(where));
    }
  }
  await refuseSharedOwner(loaded, options);
  if (found.some(({ severity }) => severity === "error")) throw new InvalidConfiguration(found);
  return found;

  function check(block: Block): readonly Diagnostic[] {
    switch (block.kind) {
      case "variable": {
        const value = given.get(block.name);
        if (value === undefined && block.default === undefined) return [];
        const typed = valueOfVariable(block, value);
        workspace.define(block.address, () => typed);
        return failedConditions(block.validations, workspace.scope(), { address: block.address });
      }
      case "local": {
        const value = block.value.evaluate(workspace.scope());
        workspace.define(block.address, () => value);
        return [];
      }
      case "provider":
        return checkBody(providerDescription, block.body, {});
      case "resource": {
        const { description, check: rules } = resourceOf(block.type);
        return checkInstances(block, description, rules);
      }
      case "data": {
        const { description, check: rules } = dataSourceOf(block.type);
        return checkInstances(block, description, rules);
      }
      case "ephemeral":
        return checkBody(ephemeralOf(block.type).description, block.body, {});
      case "output":
        block.value.evaluate(workspace.scope());
        return [];
      case "value":
      case "remote-state":
        return [];
    }
  }

  function checkInstances(
    block: Extract<Block, { kind: "resource" | "data" }>,
    description: Description,
    rules: (config: ObjectValue) => readonly Diagnostic[],
  ): readonly Diagnostic[] {
    return surroundingsOf(block).flatMap((surroundings) =>
      checkBody(description, block.body, surroundings, rules),
    );
  }

  /** One for each instance; where their number is not known yet, one of which nothing is known. */
  function surroundingsOf(block: Extract<Block, { kind: "resource" | "data" }>): readonly Surroundings[] {
    const { count, forEach } = block;
    const elements = (forEach ?? count)?.evaluate(workspace.scope());
    if (elements === UNKNOWN) return [{}];
    return instancesOf(block.address, block, workspace.scope()).map(({ surroundings }) => surroundings);
  }

  function checkBody(
    description: Description,
    body: Compiled,
    surroundings: Surroundings,
    rules: (config: ObjectValue) => readonly Diagnostic[] = () => [],
  ): readonly Diagnostic[] {
    const { config, diagnostics } = configurationOf(
      description,
      body.evaluate(workspace.scope(surroundings)),
    );
    const isFit = diagnostics.every(({ severity }) => severity !== "error");
    return isFit && isObject(config) ? [...diagnostics, ...rules(config)] : diagnostics;
  }
}
