/** Finds out who makes a request (spec 5). */
import { isPassword } from "../records/password";
import { digestToken } from "../records/token";
import type { UserProfile } from "../records/user-profile";
import { unauthenticated } from "../refusal";
import type { Service } from "../service";
import { admit, type Caller } from "./caller";
import { endExpired, findSession } from "./sessions";
import { switchUser } from "./switch-user";

/** Headers by their lower-case names. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** @throws Refusal 401 or 403 */
export function authenticate(service: Service, headers: Headers): Caller {
  endExpired(service);
  const caller = identify(service, header(headers, "authorization"));
  const name = service.settings.switchUserHeader;
  const login = name === undefined ? undefined : header(headers, name);
  return login === undefined ? caller : switchUser(service, caller, login);
}

export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}

function identify(service: Service, authorization: string | undefined): Caller {
  const [, scheme, credentials] = /^(basic|bearer) +(.+)$/i.exec(authorization ?? "") ?? [];
  if (scheme === undefined || credentials === undefined) throw unauthenticated("authentication required");
  return scheme.toLowerCase() === "basic" ? byPassword(service, credentials) : byToken(service, credentials);
}

function byPassword(service: Service, credentials: string): Caller {
  const [, login = "", password = ""] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, "base64").toString()) ?? [];
  const profile = checkPassword(service, login, password);
  if (profile.two_factor.auth !== "none")
    throw unauthenticated("one-time password required", { [service.settings.otpHeader]: "required" });
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
  throw unauthenticated("access token is unknown, expired or revoked");
}

/** @throws Refusal 401, which does not tell whether there is such a login */
export function checkPassword(service: Service, login: string, password: string): UserProfile {
  const profile = service.store.profiles.by("login", login);
  if (profile === undefined || !isPassword(password, profile.password))
    throw unauthenticated("username or password is wrong");
  return profile;
}
