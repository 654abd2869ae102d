/** Persistent tokens (spec 2.5, 4.2, 5). Listing and revoking are "not shown" there; the spec only says that they can be revoked. */
import type { Caller } from "../access/caller";
import { maySeeAuthorization, requireMinting } from "../access/rules";
import { findVisible, sees } from "../access/visibility";
import { toJsonObject } from "../json";
import { mintToken, revokeToken } from "../operations/tokens";
import type { Authorization } from "../records/authorization";
import { Refusal } from "../refusal";
import type { Service } from "../service";
import { timestamp } from "../views/common";
import { created, NO_CONTENT, ok } from "./answer";
import { isDeleted } from "./lookup";
import type { Route } from "./route";

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
