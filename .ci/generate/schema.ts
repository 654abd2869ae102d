import { accountMembers } from "../../src/resources/account/description";
import { authorization } from "../../src/resources/authorization/description";
import type { Family } from "../../src/resources/family";
import { providerSchema, type ProviderSchema } from "../../src/resources/provider-schema";
import { allComputed, describe, text } from "../../src/schema";

/** The provider's schema, made from the families of the registry, which is itself generated: so it is loaded late. */
export async function schema(): Promise<ProviderSchema> {
  const { families } = await import("../../src/resources/registry.js");
  return providerSchema([...families, ...unfinished(families)]);
}

/** Families whose descriptions are there before the rest of them. */
function unfinished(families: readonly Family[]): readonly Family[] {
  const lookup = { id: text("Id."), serial: text("Serial number."), name: text("Name.") };
  const account = describe("account", "An account.", { ...allComputed(accountMembers), ...lookup });
  return [
    ...(families.some(({ resource }) => resource?.description.name === "authorization")
      ? []
      : [{ resource: { description: authorization } } as Family]),
    ...(families.some(({ dataSources }) =>
      dataSources?.some(({ description }) => description.name === "account"),
    )
      ? []
      : [{ dataSources: [{ description: account }] } as unknown as Family]),
  ];
}
