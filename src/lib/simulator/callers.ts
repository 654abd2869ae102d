/** Identifies the caller of a request, and the right that admits it (spec 5). */
import type { Account } from "./account";
import { Refusal, authenticationRefusal } from "./refusal";
import type { Service } from "./service";
import { type Authorization, digestToken, type Session } from "./tokens";
import { isPassword, type UserProfile } from "./user-profile";

/** Headers by their lower-case names. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** @throws Refusal 401 or 403 */
export function authenticate(service: Service, headers: Headers): Caller {
  endExpired(service);
  return identify(service, header(headers, "authorization"));
}

export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}

function identify(service: Service, authorization: string | undefined): Caller {
  const [, scheme, credentials] = /^(basic|bearer) +(.+)$/i.exec(authorization ?? "") ?? [];
  if (scheme === undefined || credentials === undefined)
    throw authenticationRefusal("authentication required");
  return scheme.toLowerCase() === "basic" ? byPassword(service, credentials) : byToken(service, credentials);
}

function byPassword(service: Service, credentials: string): Caller {
  const [, login = "", password = ""] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, "base64").toString()) ?? [];
  const profile = checkPassword(service, login, password);
  if (profile.two_factor.auth !== "none")
    throw authenticationRefusal("one-time password required", { [service.settings.otpHeader]: "required" });
  return admit(service, profile, { kind: "basic" });
}

function byToken(service: Service, token: string): Caller {
  const { store } = service;
  const digest = digestToken(token);
  const session = findSession(service, digest);
  const authorization = store.authorizations.by("token", digest);
  const profile = store.profiles.find(session?.user_id ?? authorization?.user_id ?? "");
  if (profile !== undefined && session !== undefined)
    return admit(service, profile, { kind: "session", session });
  if (profile !== undefined && authorization !== undefined)
    return admit(service, profile, { kind: "persistent", authorization });
  throw authenticationRefusal("access token is unknown, expired or revoked");
}

/** @throws Refusal 401, which does not reveal the existence of a login */
export function checkPassword(service: Service, login: string, password: string): UserProfile {
  const profile = service.store.profiles.by("login", login);
  if (profile === undefined || !isPassword(password, profile.password))
    throw authenticationRefusal("username or password is wrong");
  return profile;
}

type Credential =
  | { readonly kind: "basic" }
  | { readonly kind: "session"; readonly session: Session }
  | { readonly kind: "persistent"; readonly authorization: Authorization };

/** The user of a request, and the right that admits it. */
export interface Caller {
  readonly profile: UserProfile;
  readonly account: Account;
  readonly credential: Credential;
}

/** @throws Refusal 401 or 403, as the service is set, if the profile or its account is not to use the API */
export function admit(service: Service, profile: UserProfile, credential: Credential): Caller {
  const account = service.store.accounts.find(profile.account_id);
  if (account === undefined) throw new Refusal(500, `profile ${profile.id} has no account`);
  const refusal = (message: string) => new Refusal(service.settings.suspendedStatus, message);
  if (account.disabled) throw refusal(`account ${account.name} is disabled`);
  if (!profile.activated) throw refusal(`user ${profile.login} is not activated`);
  if (!profile.access.api) throw refusal(`user ${profile.login} has no API access`);
  return { profile, account, credential };
}

// Sessions end by themselves, and remember when they were last used.

/** @returns undefined if there is no such session, or no longer */
function findSession(service: Service, tokenDigest: string): Session | undefined {
  const session = service.store.sessions.by("token", tokenDigest);
  return session !== undefined && session.expires_ms > service.now() ? session : undefined;
}

/** Notes the use of a session, only in memory: it may be lost in a crash. */
export function touchSession(service: Service, session: Session, addr: string | null): void {
  service.store.sessions.put({ ...session, last_ms: service.now(), addr });
  forgetText(service, session);
}

/** Sessions live equally long, as a rule, so that the oldest end first: looking at more of them would cost every request. */
function endExpired(service: Service): void {
  for (const session of service.store.sessions.values()) {
    if (session.expires_ms > service.now()) return;
    service.store.sessions.drop(session);
    forgetText(service, session);
  }
}

/** A profile also shows its sessions, which are records of their own. */
export function forgetText(service: Service, session: Session): void {
  const profile = service.store.profiles.find(session.user_id);
  if (profile !== undefined) service.forgetText(profile);
}
