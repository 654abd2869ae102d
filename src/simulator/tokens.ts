/** Bearer tokens as they are stored: sessions, and persistent tokens. By their digests, because a secret is told but once. */
import { createHash, randomBytes } from "node:crypto";
import { newSerial } from "./record";

/** `0/` begins a session's token, `1/` a persistent one; 54 characters of unpadded base64 follow. */
export function newToken(prefix: "0/" | "1/"): string {
  return prefix + randomBytes(40).toString("base64").replace(/=+$/, "");
}

export function digestToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** A session, begun by `POST /oauth2/token` (spec 2.3, 4.2). */
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

/** A persistent token (spec 2.5). */
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
