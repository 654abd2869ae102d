import type { Family } from "../../src/resources";
import { providerSchema, type ProviderSchema } from "./provider-schema";
import type { Description } from "../../src/schema";

/** The provider's schema, made from the families. */
export async function schema(): Promise<ProviderSchema> {
  return providerSchema(await families());
}

/** What can be declared: resources and ephemeral resources. */
export async function declarableDescriptions(): Promise<readonly Description[]> {
  return (await families()).flatMap(({ resource, ephemeral }) =>
    [resource, ephemeral].flatMap((one) => one?.description ?? []),
  );
}

/** The registry is itself generated, so it is loaded late. */
export async function families(): Promise<readonly Family[]> {
  return (await import("../../src/resources/registry.js")).families;
}
