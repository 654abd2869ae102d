import { account } from "../../src/resources/account/description";
import { authorization } from "../../src/resources/authorization/description";
import type { Family, Resource } from "../../src/resources/family";
import { providerSchema, type ProviderSchema } from "../../src/resources/provider-schema";
import { userProfile } from "../../src/resources/user-profile/description";

/** The provider's schema, made from the descriptions. */
export async function schema(): Promise<ProviderSchema> {
  const families: Family[] = [account, userProfile, authorization].map((description) => ({
    resource: { description } as Resource,
  }));
  return providerSchema(families);
}
