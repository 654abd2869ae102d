/** Logging in, persistent tokens, and who the caller is (spec 2.5, 4.2, 5). */
import { admit, type Caller, checkPassword, forgetText, header } from "../callers";
import { toJson, toJsonObject } from "../json";
import { oneOf, text } from "../parameters";
import { permissionsView } from "../permissions";
import { timestamp } from "../record";
import { authenticationRefusal } from "../refusal";
import { maySeeAuthorization, requireTokenCreation } from "../rules";
import type { Service } from "../service";
import { type StoreChange, tombstoneOf } from "../store";
import { type Authorization, newAuthorization, newSession, type Session } from "../tokens";
import { spendPassword } from "../two-factor";
import type { UserProfile } from "../user-profile";
import { createdAnswer, isDeleted, NO_CONTENT, ok, readRoutes, type Route } from "./route";

/** Parameters of the log-in (spec 4.2). */
const tokenCreate = {
  grant_type: oneOf("password").mandatory(),
  username: text().mandatory(),
  password: text().mandatory(),
};

/** Exchanges a password, and a one-time password where two-factor asks for it, for a session. */
function logInUser(
  service: Service,
  {
    username,
    password,
    otp,
    addr,
  }: {
    readonly username: string;
    readonly password: string;
    readonly otp: string | undefined;
    /** Source address of the request. */
    readonly addr: string | null;
  },
): { readonly caller: Caller; readonly session: Session; readonly access_token: string } {
  const { store, settings } = service;
  const profile = checkPassword(service, username, password);
  admit(service, profile, { kind: "basic" });
  const changes: StoreChange[] = spend(service, profile, otp);
  const { session, access_token } = newSession(
    store.sessions.newId(),
    profile,
    { now: service.now(), lifetimeSeconds: settings.tokenLifetimeSeconds },
    addr,
  );
  store.commit([...changes, { table: "sessions", put: session }]);
  forgetText(service, session);
  return { caller: admit(service, profile, { kind: "session", session }), session, access_token };
}

function spend(service: Service, profile: UserProfile, otp: string | undefined): StoreChange[] {
  if (profile.two_factor.auth === "none") return [];
  const two_factor =
    otp === undefined ? undefined : spendPassword(profile.two_factor, otp.trim(), service.now());
  if (two_factor === undefined)
    throw authenticationRefusal(
      otp === undefined ? "one-time password required" : "one-time password is wrong or was used before",
      { [service.settings.otpHeader]: "required" },
    );
  return [{ table: "profiles", put: { ...profile, two_factor } }];
}

/** The log-in (spec 4.2, 5). */
export function oauth2Routes(service: Service): readonly Route[] {
  const { settings } = service;
  return [
    {
      method: "POST",
      path: "/api/oauth2/token",
      title: "Exchange a password for a time-limited token",
      parameters: tokenCreate,
      answer: (call) => {
        const { username, password } = call.read(tokenCreate);
        const otp = header(call.headers, settings.otpHeader);
        const { caller, session, access_token } = logInUser(service, {
          username,
          password,
          otp,
          addr: call.addr,
        });
        const { account, profile } = caller;
        return createdAnswer(
          toJson({
            access_token,
            token_type: "Bearer",
            expires_in: settings.tokenLifetimeSeconds,
            user: {
              account: { serial: account.serial, name: account.name, id: account.id },
              id: session.id,
              user: { serial: profile.serial, name: profile.login, id: profile.id },
            },
          }),
        );
      },
    },
  ];
}

export function issueToken(
  service: Service,
  profile: UserProfile,
): { readonly authorization: Authorization; readonly access_token: string } {
  const newToken = newAuthorization(service.store.authorizations.newId(), profile, service.now());
  service.store.commit([{ table: "authorizations", put: newToken.authorization }]);
  return newToken;
}

export function removeAuthorization(service: Service, authorization: Authorization): void {
  service.store.commit([{ table: "authorizations", remove: tombstoneOf(authorization) }]);
}

/** The removal of all of a user's persistent tokens. */
export function tokenRemovals({ store }: Service, { id }: UserProfile): readonly StoreChange[] {
  return store.authorizations
    .in("user_id", id)
    .map((row): StoreChange => ({ table: "authorizations", remove: tombstoneOf(row) }));
}

/** Persistent tokens (spec 2.5, 4.2, 5). Listing and revoking are "not shown" there; the spec only says that they can be revoked. */
export function authorizationRoutes(service: Service): readonly Route[] {
  const { store, settings } = service;
  const { find, routes: reading } = readRoutes({
    path: "/api/authorization",
    titles: { list: "List persistent tokens", one: "Persistent token" },
    table: store.authorizations,
    accountOf: ({ account_id }) => account_id,
    maySee: maySeeAuthorization,
    textOf: (authorization) => toJson(authorizationView(authorization)),
  });

  const routes: readonly Route[] = [
    ...reading,
    {
      method: "POST",
      path: "/api/authorization",
      title: "Create a persistent token",
      answer: (call) => {
        const caller = call.caller();
        requireTokenCreation(caller, settings.tokenCreationNeedsRight);
        const { authorization, access_token } = issueToken(service, caller.profile);
        return createdAnswer(toJsonObject(authorizationView(authorization), { access_token }));
      },
    },
    {
      method: "DELETE",
      path: "/api/authorization/:ref",
      title: "Revoke a persistent token",
      answer: (call) => {
        const caller = call.caller();
        if (isDeleted(caller, store.authorizations, call.ref)) return NO_CONTENT;
        removeAuthorization(service, find(caller, call.ref));
        return NO_CONTENT;
      },
    },
  ];
  return settings.revocation ? routes : routes.filter(({ method }) => method !== "DELETE");
}

/** A persistent token as answers show it; its secret only in the answer that makes it (spec 2.5). */
function authorizationView(authorization: Authorization) {
  return {
    app_id: null,
    access_type: "online",
    restrict: "auth",
    lifetime: null,
    serial: authorization.serial,
    id: authorization.id,
    user_id: authorization.user_id,
    access_token_digest: authorization.access_token_digest,
    expires_in: null,
    created_at: timestamp(authorization.created_ms),
  };
}

/** Health, and who the caller is (spec 4.2). */
export function statusRoutes(service: Service): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/api/status",
      title: "Health of the service",
      answer: () => ok({ status: 200, message: "ok" }),
    },
    {
      method: "GET",
      path: "/api/status/authorization",
      title: "The credential that the request is made with",
      answer: (call) => ok(describeCaller(call.caller(), service)),
    },
  ];
}

function describeCaller(caller: Caller, { settings }: Service) {
  const { permissions = false, user = false } = settings.describeCaller ?? {};
  const { account, profile } = caller;
  return {
    ...credentialMembers(caller),
    ...(user &&
      caller.credential.kind !== "basic" && {
        user: { serial: profile.serial, name: profile.login, id: profile.id },
      }),
    ...(permissions && { permissions: permissionsView(profile.permissions) }),
  };

  function credentialMembers({ credential }: Caller) {
    if (credential.kind === "basic") return { type: "basic", serial: profile.serial };
    const { created_ms } = credential.kind === "session" ? credential.session : credential.authorization;
    return { account: { serial: account.serial, name: account.name }, created_at: timestamp(created_ms) };
  }
}
