/** A token as the store keeps it, and as the state of a `tenancy_authorization`. */
import type { PreviousToken, TokenEntry, TokenIdentity, TokenRecord } from "../../credentials";
import { isList, isObject, type ObjectValue, type Value } from "../../values";

/** Members of the record that the attributes show; client-only attributes are as the configuration has them. */
export function stateOfToken(entry: TokenEntry, clientOnly: ObjectValue): ObjectValue {
  return {
    ...clientOnly,
    ...entry.record,
    login: entry.login,
    name: entry.name,
    keepers: entry.keepers,
    previous: entry.previous.map(({ serial, access_token, created_at, retired_at }) => ({
      serial,
      access_token,
      created_at,
      retired_at,
    })),
  };
}

const RECORD_MEMBERS = [
  "id",
  "serial",
  "user_id",
  "app_id",
  "access_type",
  "restrict",
  "lifetime",
  "expires_in",
  "access_token",
  "access_token_digest",
  "created_at",
] as const;

/** What the store knows a token by. */
export function identityOf(state: ObjectValue): TokenIdentity {
  return { login: text(state["login"]), name: text(state["name"]) };
}

/** What the store keeps of a token that was minted, rotated or purged. */
export function tokenOfState(state: ObjectValue): TokenEntry {
  const record = Object.fromEntries(RECORD_MEMBERS.map((member) => [member, state[member] ?? null]));
  return {
    ...identityOf(state),
    record: record as unknown as TokenRecord,
    keepers: state["keepers"] ?? null,
    previous: previousOf(state["previous"] ?? null),
  };
}

function previousOf(list: Value): readonly PreviousToken[] {
  return (isList(list) ? list : []).filter(isObject).map((token) => ({
    // The id of a token that was replaced is not an attribute; its serial serves in its place (spec 4).
    id: text(token["id"] ?? token["serial"]),
    serial: text(token["serial"]),
    access_token: text(token["access_token"]),
    created_at: typeof token["created_at"] === "string" ? token["created_at"] : null,
    retired_at: text(token["retired_at"]),
  }));
}

function text(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}
