/** A session, begun by `POST /oauth2/token` (spec 2.3, 4.2). */
import { newSerial } from "./identity";
import { digestToken, newToken } from "./token";

export interface Session {
  readonly id: string;
  readonly serial: string;
  readonly user_id: string;
  readonly account_id: string;
  readonly access_token_digest: string;
  /** Milliseconds since epoch, like the two below. */
  readonly created_ms: number;
  readonly expires_ms: number;
  readonly last_ms: number;
  /** Source address of the last request. */
  readonly addr: string | null;
}

export function newSession(
  id: string,
  whose: { readonly id: string; readonly account_id: string },
  times: { readonly now: number; readonly lifetimeSeconds: number },
  addr: string | null,
): { readonly session: Session; readonly access_token: string } {
  const access_token = newToken("0/");
  const session = {
    id,
    serial: newSerial("SES16"),
    user_id: whose.id,
    account_id: whose.account_id,
    access_token_digest: digestToken(access_token),
    created_ms: times.now,
    expires_ms: times.now + times.lifetimeSeconds * 1000,
    last_ms: times.now,
    addr,
  };
  return { session, access_token };
}
