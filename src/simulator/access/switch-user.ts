/** "Switch user": a request that names another login in a header is made as that user. */
import { denied } from "../refusal";
import type { Service } from "../service";
import { admit, type Caller } from "./caller";

/**
 * @returns the named user as the caller, with the credential that the request came with.
 * @throws Refusal 403, which does not tell whether there is such a login
 */
export function switchUser(service: Service, caller: Caller, login: string): Caller {
  const { profile: self, credential } = caller;
  if (login === self.login) return caller;
  const target = service.store.profiles.by("login", login);
  const mayReach =
    self.permissions.realm.rights.can_switch_user ||
    (self.account_admin && target?.account_id === self.account_id);
  if (target === undefined || !mayReach || !target.allow_su || target.level >= self.level)
    throw denied(`user ${self.login} may not switch to ${login}`);
  return admit(service, target, credential);
}
