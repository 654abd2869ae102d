/** The configuration of one provider block. */
import { checkProvider } from "../../connection";
import { ProviderNotYetKnown } from "../../errors";
import type { Scope } from "../../expressions";
import { provider as description } from "../../resources/provider";
import type { ProviderBlock } from "../../stack";
import { isWhollyKnown, type ObjectValue } from "../../values";
import { configurationOf, type Configuration } from "./configuration";

/** Evaluated and checked, as far as that goes without the environment. Nothing keeps it, so it may hold ephemeral values. */
export function providerConfiguration(block: ProviderBlock, scope: Scope): Configuration {
  const configuration = configurationOf(description, block.body.evaluate(scope), { isKept: false });
  return {
    ...configuration,
    diagnostics: [...configuration.diagnostics, ...checkProvider(configuration.config)],
  };
}

/** @throws ProviderNotYetKnown */
export function requireKnown({ name }: ProviderBlock, config: ObjectValue): void {
  if (isWhollyKnown(config)) return;
  const unknown = Object.keys(config).filter((member) => !isWhollyKnown(config[member] ?? null));
  throw new ProviderNotYetKnown(unknown, "so nothing can be planned", {
    address: `provider.${name}`,
    advice: "Use a variable or the environment, or run it with Terraform or OpenTofu.",
  });
}
