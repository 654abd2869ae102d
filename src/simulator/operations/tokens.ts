/** Log-in, minting and revocation (spec 4.2, 5). Who may do it is decided before. */
import { checkPassword } from "../access/authenticate";
import { admit, type Caller } from "../access/caller";
import { spendPassword } from "../access/one-time-password";
import { forgetView } from "../access/sessions";
import { type Authorization, newAuthorization } from "../records/authorization";
import { newSession, type Session } from "../records/session";
import type { UserProfile } from "../records/user-profile";
import { unauthenticated } from "../refusal";
import type { Service } from "../service";
import type { Change } from "../store/store";
import { tombstoneOf } from "./profiles";

interface LogIn {
  readonly username: string;
  readonly password: string;
  readonly otp: string | undefined;
  /** Source address of the request. */
  readonly addr: string | null;
}

/** Exchanges a password, and a one-time password where two-factor asks for it, for a session. */
export function logIn(
  service: Service,
  { username, password, otp, addr }: LogIn,
): { readonly caller: Caller; readonly session: Session; readonly access_token: string } {
  const { store, settings } = service;
  const profile = checkPassword(service, username, password);
  admit(service, profile, { kind: "basic" });
  const changes: Change[] = spend(service, profile, otp);
  const { session, access_token } = newSession(
    store.sessions.newId(),
    profile,
    { now: service.now(), lifetimeSeconds: settings.tokenLifetimeSeconds },
    addr,
  );
  store.commit([...changes, { table: "sessions", put: session }]);
  forgetView(service, session);
  return { caller: admit(service, profile, { kind: "session", session }), session, access_token };
}

function spend(service: Service, profile: UserProfile, otp: string | undefined): Change[] {
  if (profile.two_factor.auth === "none") return [];
  const two_factor =
    otp === undefined ? undefined : spendPassword(profile.two_factor, otp.trim(), service.now());
  if (two_factor === undefined)
    throw unauthenticated(
      otp === undefined ? "one-time password required" : "one-time password is wrong or was used before",
      { [service.settings.otpHeader]: "required" },
    );
  return [{ table: "profiles", put: { ...profile, two_factor } }];
}

export function mintToken(
  service: Service,
  profile: UserProfile,
): { readonly authorization: Authorization; readonly access_token: string } {
  const minted = newAuthorization(service.store.authorizations.newId(), profile, service.now());
  service.store.commit([{ table: "authorizations", put: minted.authorization }]);
  return minted;
}

export function revokeToken(service: Service, authorization: Authorization): void {
  service.store.commit([{ table: "authorizations", remove: tombstoneOf(authorization) }]);
}
