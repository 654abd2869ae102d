/** An owner is one stack's alone for one service: two of them would take each other's records for leftovers (design §5). */
import { SharedOwner, TenancyError } from "../errors";
import { bare } from "../expressions";
import { conform } from "../schema";
import { addressOf } from "../connection";
import { provider as providerDescription } from "../resources/provider";
import { isObject, isWhollyKnown } from "../values";
import type { ManifestEntry, Stack } from "../stack";
import { variableValues } from "./inputs/variable-values";
import { loadSibling, type LoadedStack } from "./load-stack";
import type { PlanOptions } from "./options";
import { valueOfVariable } from "./planning/variables";
import { PROVIDER_FUNCTIONS } from "./provider-functions";
import { Workspace } from "./workspace";

/** @throws SharedOwner */
export async function refuseSharedOwner(loaded: LoadedStack, options: PlanOptions): Promise<void> {
  const others = loaded.siblings.filter(({ name }) => name !== loaded.entry.name);
  if (others.length === 0) return;
  const mine = await identitiesOf(loaded.stack, options);
  for (const entry of others) {
    const theirs = await identitiesOf(await readable(entry, loaded), options);
    if (mine.some((one) => theirs.includes(one))) throw new SharedOwner(loaded.entry.name, entry.name);
  }
}

/** A stack that cannot be read says so when it is planned itself. */
async function readable(entry: ManifestEntry, { siblings }: LoadedStack): Promise<Stack | undefined> {
  try {
    return await loadSibling(entry, siblings);
  } catch (error) {
    if (error instanceof TenancyError) return undefined;
    throw error;
  }
}

/** Service and owner of each provider configuration, as far as variables and environment tell. */
async function identitiesOf(stack: Stack | undefined, options: PlanOptions): Promise<readonly string[]> {
  if (stack === undefined) return [];
  const workspace = await workspaceOf(stack, options);
  return stack.blocks.flatMap((block) => {
    if (block.kind !== "provider") return [];
    try {
      const evaluated = bare(block.body.evaluate(workspace.scope()));
      if (!isObject(evaluated) || !isWhollyKnown(evaluated)) return [];
      const { config } = conform(providerDescription.attributes, evaluated);
      const { origin, owners } = addressOf(config, options.environment ?? {});
      return owners === undefined ? [] : [identity(origin, owners.current)];
    } catch (error) {
      if (error instanceof TenancyError) return [];
      throw error;
    }
  });
}

async function workspaceOf(stack: Stack, options: PlanOptions): Promise<Workspace> {
  const given = await variableValues({
    environment: options.environment ?? {},
    projectFolder: options.projectFolder,
    files: options.variableFiles ?? [],
    given: options.variables ?? {},
  });
  const workspace = new Workspace({ folder: stack.folder, functions: PROVIDER_FUNCTIONS, plannedAt: "" });
  for (const block of stack.blocks) {
    if (block.kind === "variable")
      workspace.define(block.address, () => valueOfVariable(block, given.get(block.name)));
    if (block.kind === "local")
      workspace.define(block.address, () => block.value.evaluate(workspace.scope()));
  }
  return workspace;
}

function identity(origin: string, owner: string): string {
  return JSON.stringify([origin, owner]);
}
