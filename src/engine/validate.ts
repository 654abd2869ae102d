/** Checks a stack's configuration without asking the service. */
import { ownersAt } from "../ownership";
import { type Diagnostic, sharedOwner, TenancyError, worded } from "../problems";
import { addressOf } from "../service";
import type { ManifestEntry, Stack } from "../stack";
import { providerConfigurations } from "./evaluate/configuration";
import { evaluateStack } from "./evaluate/stack";
import { type LoadedStack, loadSibling } from "./load/stack";
import type { PlanOptions, StackSource } from "./options";

/**
 * Values that only the service knows are unknown, and so are variables without a value.
 * @returns warnings
 * @throws InvalidConfiguration with every finding; sharedOwner
 */
export async function validateStack(
  source: StackSource,
  options: PlanOptions,
): Promise<readonly Diagnostic[]> {
  const { loaded, walked } = await evaluateStack(source, options, { run: undefined, plannedAt: new Date() });
  await refuseSharedOwner(loaded, options);
  return worded(walked.diagnostics);
}

// One owner, present or previous, belongs to one stack for each service: two stacks would delete each other's records (design: Ownership).

/** Stands for the service that the environment will name: the same one for all stacks. */
const NAMED_LATER = "https://service.invalid";

/** @throws sharedOwner */
export async function refuseSharedOwner(loaded: LoadedStack, options: PlanOptions): Promise<void> {
  const others = loaded.siblings.filter(({ name }) => name !== loaded.entry.name);
  if (others.length === 0) return;
  const mine = await identitiesOf(loaded.stack, options);
  for (const entry of others) {
    const sibling = await readable(entry, loaded);
    const theirs = sibling === undefined ? [] : await identitiesOf(sibling, options);
    if (mine.some((one) => theirs.includes(one)))
      throw sharedOwner.error({ stack: loaded.entry.name, other: entry.name });
  }
}

/** A stack that cannot be read is reported when it is planned itself. */
async function readable(entry: ManifestEntry, { siblings }: LoadedStack): Promise<Stack | undefined> {
  try {
    return await loadSibling(entry, siblings);
  } catch (error) {
    if (error instanceof TenancyError) return undefined;
    throw error;
  }
}

/** Service and owners of each provider configuration, as far as variables and environment tell. */
async function identitiesOf(stack: Stack, options: PlanOptions): Promise<readonly string[]> {
  const configurations = await providerConfigurations(stack, options);
  const { TENANCY_BASE_URL, TENANCY_OWNER } = options.environment ?? {};
  const known = { TENANCY_OWNER, TENANCY_BASE_URL: TENANCY_BASE_URL || NAMED_LATER };
  return [...configurations.values()].flatMap((config) => {
    if (config instanceof TenancyError) return [];
    try {
      const { origin, owners } = addressOf(config, known);
      return owners === undefined ? [] : ownersAt(origin, owners);
    } catch (error) {
      if (error instanceof TenancyError) return [];
      throw error;
    }
  });
}
