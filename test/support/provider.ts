/** The Terraform provider as Core calls it, without Terraform. */
import { createProvider } from "../../src/provider";
import type { Call, Provider } from "../../src/lib/plugin-runtime";
import type { Simulator } from "../../src/lib/simulator";

/** What Core's calls bring along. */
export const call: Call = {
  signal: new AbortController().signal,
  log: { debug: () => undefined } as never,
  isLost: false,
};

/** The credentials of the service's first user. */
export const asSystem = ({ username, password }: Simulator) => ({
  TENANCY_USERNAME: username,
  TENANCY_PASSWORD: password,
});

/** The provider, connected to a service, and its resources. */
export async function configured(
  { baseUrl }: Pick<Simulator, "baseUrl">,
  credentials: Readonly<Record<string, string>>,
  config: { readonly owner?: string } = {},
) {
  const provider: Provider = createProvider({ TENANCY_BASE_URL: baseUrl, ...credentials });
  await provider.configure?.(config, call);
  const { tenancy_account, tenancy_user_profile, tenancy_authorization } = provider.resources ?? {};
  if (!tenancy_account || !tenancy_user_profile || !tenancy_authorization) throw new Error("no resources");
  return { provider, account: tenancy_account, user: tenancy_user_profile, token: tenancy_authorization };
}

interface Told {
  readonly summary: string;
  readonly detail?: string;
}

/** The first sentence of a warning's detail, which names the object. */
export function firstSentence({ detail = "" }: Told): string {
  return detail.split(/\.(?=\s)/)[0] ?? "";
}
