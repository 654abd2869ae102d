/** Where the tokens of a stack are kept: the service and owner of each of its provider configurations. */
import { addressOf } from "../../connection";
import { TenancyError } from "../../errors";
import { ownerAt, type Owners } from "../../ownership";
import { emptyObject, type ObjectValue } from "../../values";
import { loadStack } from "../load-stack";
import type { PlanOptions, StackSource } from "../options";
import { providerConfigurations } from "../provider-configurations";
import { ownersOf } from "../run";

export interface TokenPlace {
  readonly origin: string;
  readonly owners: Owners;
  /** Of the first provider configuration for this service and owner. */
  readonly config: ObjectValue;
}

/**
 * @param source undefined: what the environment says alone
 * @throws InvalidConfiguration, IncompleteProvider
 */
export async function tokenPlaces(
  source: StackSource | undefined,
  options: PlanOptions,
): Promise<readonly TokenPlace[]> {
  const configurations =
    source === undefined
      ? [emptyObject()]
      : (await providerConfigurations((await loadStack(source)).stack, options)).values();
  const places = new Map<string, TokenPlace>();
  for (const config of configurations) {
    if (config instanceof TenancyError) throw config;
    const address = addressOf(config, options.environment ?? {});
    const owners = ownersOf(address);
    const identity = ownerAt(address.origin, owners);
    if (!places.has(identity)) places.set(identity, { origin: address.origin, owners, config });
  }
  return [...places.values()];
}
