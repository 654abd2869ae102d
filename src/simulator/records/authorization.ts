/** A persistent token as it is stored (spec 2.5): by its digest, because the secret is told but once. */
import { newSerial } from "./identity";
import { digestToken, newToken } from "./token";

export interface Authorization {
  readonly id: string;
  readonly serial: string;
  readonly user_id: string;
  readonly account_id: string;
  readonly access_token_digest: string;
  /** Milliseconds since epoch. */
  readonly created_ms: number;
}

export function newAuthorization(
  id: string,
  whose: { readonly id: string; readonly account_id: string },
  now: number,
): { readonly authorization: Authorization; readonly access_token: string } {
  const access_token = newToken("1/");
  const authorization = {
    id,
    serial: newSerial("ATH47"),
    user_id: whose.id,
    account_id: whose.account_id,
    access_token_digest: digestToken(access_token),
    created_ms: now,
  };
  return { authorization, access_token };
}
