/** Who makes a request, and by what right it is let in. */
import type { Account } from "../records/account";
import type { Authorization } from "../records/authorization";
import type { Session } from "../records/session";
import type { UserProfile } from "../records/user-profile";
import { Refusal } from "../refusal";
import type { Service } from "../service";

type Credential =
  | { readonly kind: "basic" }
  | { readonly kind: "session"; readonly session: Session }
  | { readonly kind: "persistent"; readonly authorization: Authorization };

export interface Caller {
  readonly profile: UserProfile;
  readonly account: Account;
  readonly credential: Credential;
}

/** @throws Refusal 401 or 403, as the service is set, where the profile or its account is not to use the API */
export function admit(service: Service, profile: UserProfile, credential: Credential): Caller {
  const account = service.store.accounts.find(profile.account_id);
  if (account === undefined) throw new Refusal(500, `profile ${profile.id} has no account`);
  const denied = (message: string) => new Refusal(service.settings.suspendedStatus, message);
  if (account.disabled) throw denied(`account ${account.name} is disabled`);
  if (!profile.activated) throw denied(`user ${profile.login} is not activated`);
  if (!profile.access.api) throw denied(`user ${profile.login} has no API access`);
  return { profile, account, credential };
}
