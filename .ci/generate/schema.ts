import { account, accountMembers } from "../../src/resources/account/description";
import { authorization } from "../../src/resources/authorization/description";
import type { DataSource, Family, Resource } from "../../src/resources/family";
import { providerSchema, type ProviderSchema } from "../../src/resources/provider-schema";
import { userProfile } from "../../src/resources/user-profile/description";
import { allComputed, describe, text } from "../../src/schema";

/** The provider's schema, made from the descriptions. */
export async function schema(): Promise<ProviderSchema> {
  const families: Family[] = [account, userProfile, authorization].map((description) => ({
    resource: { description } as Resource,
  }));
  const lookup = { id: text("Id."), serial: text("Serial number."), name: text("Name.") };
  families.push({
    dataSources: [
      {
        description: describe("account", "An account.", { ...allComputed(accountMembers), ...lookup }),
      } as DataSource,
    ],
  });
  return providerSchema(families);
}
