/** A persistent token as answers show it; its secret only in the answer that makes it (spec 2.5). */
import type { Authorization } from "../records/authorization";
import { timestamp } from "./timestamp";

export function authorizationView(authorization: Authorization) {
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
