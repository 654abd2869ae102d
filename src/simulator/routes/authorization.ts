/** Logging in, persistent tokens, and who the caller is (spec 2.5, 4.2, 5). */
import { type Caller, header } from "../callers";
import { toJson, toJsonObject } from "../json";
import { logIn, mintToken, revokeToken } from "../operations";
import { oneOf, text } from "../parameters";
import { timestamp } from "../record";
import { Refusal } from "../refusal";
import { findVisible, maySeeAuthorization, requireMinting, sees } from "../rules";
import type { Service } from "../service";
import type { Authorization } from "../tokens";
import { permissionsView } from "../permissions";
import { created, isDeleted, NO_CONTENT, ok, type Route } from "./route";

/** Parameters of the log-in (spec 4.2). */
const tokenCreate = {
  grant_type: oneOf("password").mandatory(),
  username: text().mandatory(),
  password: text().mandatory(),
};

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
        const { caller, session, access_token } = logIn(service, {
          username,
          password,
          otp,
          addr: call.addr,
        });
        const { account, profile } = caller;
        return created(
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

/** Persistent tokens (spec 2.5, 4.2, 5). Listing and revoking are "not shown" there; the spec only says that they can be revoked. */
export function authorizationRoutes(service: Service): readonly Route[] {
  const { store, settings } = service;

  const find = (caller: Caller, ref: string): Authorization => {
    const authorization = findVisible(caller, store.authorizations, ref, (row) => row.account_id);
    if (!maySeeAuthorization(caller, authorization)) throw new Refusal(404, `authorization ${ref} not found`);
    return authorization;
  };

  const routes: readonly Route[] = [
    {
      method: "POST",
      path: "/api/authorization",
      title: "Create a persistent token",
      answer: (call) => {
        const caller = call.caller();
        requireMinting(caller, settings.mintingNeedsRight);
        const { authorization, access_token } = mintToken(service, caller.profile);
        return created(toJsonObject(authorizationView(authorization), { access_token }));
      },
    },
    {
      method: "GET",
      path: "/api/authorization",
      title: "List persistent tokens",
      answer: (call) => {
        const caller = call.caller();
        return ok(
          [...store.authorizations.values()]
            .filter((row) => sees(caller, row.account_id) && maySeeAuthorization(caller, row))
            .map(authorizationView),
        );
      },
    },
    {
      method: "GET",
      path: "/api/authorization/:ref",
      title: "Persistent token",
      answer: (call) => ok(authorizationView(find(call.caller(), call.ref))),
    },
    {
      method: "DELETE",
      path: "/api/authorization/:ref",
      title: "Revoke a persistent token",
      answer: (call) => {
        const caller = call.caller();
        if (isDeleted(caller, store.authorizations, call.ref)) return NO_CONTENT;
        revokeToken(service, find(caller, call.ref));
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
      answer: (call) => ok(describe(call.caller(), service)),
    },
  ];
}

function describe(caller: Caller, { settings }: Service) {
  const { permissions = true, user = true } = settings.describeCaller ?? {};
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
