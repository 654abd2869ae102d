/** Bearer tokens as they are stored: sessions, and persistent tokens. By their digests, because a secret is shown only once. */
import { createHash, randomBytes } from "node:crypto";
import { newSerial } from "./record";

export function digestToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
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

/** A session, begun by `POST /oauth2/token` (spec 2.3, 4.2). */
export interface Session extends Authorization {
  /** Milliseconds since epoch, like the one below. */
  readonly expires_ms: number;
  readonly last_ms: number;
  /** Source address of the last request. */
  readonly addr: string | null;
}

/** Owner of a token. */
interface AccountOwned {
  readonly id: string;
  readonly account_id: string;
}

function newBearer(
  kind: { readonly token: "0/" | "1/"; readonly serial: "SES16" | "ATH47" },
  id: string,
  whose: AccountOwned,
  now: number,
): { readonly bearer: Authorization; readonly access_token: string } {
  // 54 characters of unpadded base64.
  const access_token = kind.token + randomBytes(40).toString("base64").replace(/=+$/, "");
  const bearer = {
    id,
    serial: newSerial(kind.serial),
    user_id: whose.id,
    account_id: whose.account_id,
    access_token_digest: digestToken(access_token),
    created_ms: now,
  };
  return { bearer, access_token };
}

export function newAuthorization(
  id: string,
  whose: AccountOwned,
  now: number,
): { readonly authorization: Authorization; readonly access_token: string } {
  const { bearer, access_token } = newBearer({ token: "1/", serial: "ATH47" }, id, whose, now);
  return { authorization: bearer, access_token };
}

export function newSession(
  id: string,
  whose: AccountOwned,
  times: { readonly now: number; readonly lifetimeSeconds: number },
  addr: string | null,
): { readonly session: Session; readonly access_token: string } {
  const { now, lifetimeSeconds } = times;
  const { bearer, access_token } = newBearer({ token: "0/", serial: "SES16" }, id, whose, now);
  const session = { ...bearer, expires_ms: now + lifetimeSeconds * 1000, last_ms: now, addr };
  return { session, access_token };
}
