/** A token as the store keeps it, and as the state of a `tenancy_authorization`. */
import type { PreviousToken, TokenEntry, TokenIdentity, TokenRecord } from "../../credentials";
import { authorizationMembers } from "../../resources/authorization/description";
import { previousOf } from "../../resources/authorization/previous";
import type { ObjectValue, Value } from "../../values";

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

/** What the store knows a token by. */
export function identityOf(state: ObjectValue): TokenIdentity {
  return { login: text(state["login"]), name: text(state["name"]) };
}

/** What the store keeps of a token that was minted, rotated or purged. */
export function tokenOfState(state: ObjectValue): TokenEntry {
  const members = Object.keys(authorizationMembers);
  const record = Object.fromEntries(members.map((member) => [member, state[member] ?? null]));
  return {
    ...identityOf(state),
    record: record as unknown as TokenRecord,
    keepers: state["keepers"] ?? null,
    previous: previousOf(state).map(previousToken),
  };
}

function previousToken(token: ObjectValue): PreviousToken {
  return {
    // The id of a token that was replaced is not an attribute; its serial serves in its place (spec 4).
    id: text(token["id"] ?? token["serial"]),
    serial: text(token["serial"]),
    access_token: text(token["access_token"]),
    created_at: typeof token["created_at"] === "string" ? token["created_at"] : null,
    retired_at: text(token["retired_at"]),
  };
}

function text(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}
