/** Converts tokens between the state's entries and the states of a `tenancy_authorization`. */
import type { TokenEntry, TokenRecord, KeptRetention, ReplacedToken } from "../../state";
import type { ObservedRecord } from "../../plan";
import { authorizationMembers, previousOf, readersOf, rotationDay } from "../../resources";
import {
  type ObjectValue,
  NOT_IN_SNAPSHOT,
  type Path,
  isInteger,
  textOf,
  type Value,
} from "../../lib/values";
import type { Rotation } from "../planned-object";
import type { ReadTarget } from "../target";
import { tokenKey, tokenIdentityOf } from "./identity";

export function observedTokenRecord(entry: TokenEntry, { readAt }: ReadTarget): ObservedRecord {
  const { id, serial } = entry.record;
  return { id, serial, accountId: undefined, seq: undefined, key: tokenKey(entry), readAt };
}

// A token as the state keeps it, and as the state of a `tenancy_authorization`.

/** Members of the record that the attributes show; client-only attributes are as the configuration has them. */
export function stateOfToken(entry: TokenEntry, clientOnly: ObjectValue): ObjectValue {
  return {
    ...clientOnly,
    ...entry.record,
    login: entry.login,
    name: entry.name,
    keepers: entry.keepers,
    seal_to: entry.seal_to ?? null,
    access_token_sealed: entry.record.access_token_sealed ?? null,
    previous: entry.previous.map(
      ({ serial, access_token, access_token_sealed = null, created_at, retired_at }) => ({
        serial,
        access_token,
        access_token_sealed,
        created_at,
        retired_at,
      }),
    ),
  };
}

/** The same for a token in a snapshot: missing values are marked. */
export function withoutSecrets({ record }: TokenEntry, state: ObjectValue): ObjectValue {
  const lacking = Object.keys(authorizationMembers).filter((member) => !(member in record));
  const secrets = { access_token: NOT_IN_SNAPSHOT, access_token_sealed: NOT_IN_SNAPSHOT };
  const earlier = previousOf(state).map((token) => ({ ...token, ...secrets }));
  const isSealed = readersOf(state).length > 0;
  return {
    ...state,
    ...Object.fromEntries(lacking.map((member) => [member, NOT_IN_SNAPSHOT])),
    // A token has one form of its secret: the readers show which.
    access_token: isSealed ? null : NOT_IN_SNAPSHOT,
    access_token_sealed: isSealed ? NOT_IN_SNAPSHOT : null,
    previous: earlier,
  };
}

/** Hidden paths of a stored token, independent of its present declaration. */
export function sensitiveInToken(entry: TokenEntry | undefined): readonly Path[] {
  return entry?.sensitive_keepers === true ? [["keepers"]] : [];
}

/**
 * The state's entry of a token that was created, rotated or purged.
 * @param sensitive sensitive paths of its declaration
 * @param rotation the requested rotation; the retention of a compromised token's rotation holds only once, and is not kept
 */
export function tokenOfState(
  state: ObjectValue,
  sensitive: readonly Path[],
  rotation?: Rotation,
): TokenEntry {
  const members = Object.keys(authorizationMembers);
  const keepers = state["keepers"] ?? null;
  const readers = readersOf(state);
  const record = Object.fromEntries(members.map((member) => [member, state[member] ?? null]));
  return {
    ...tokenIdentityOf(state),
    record: record as unknown as TokenRecord,
    keepers,
    // Written also if they are not: put keeps the members that only the former entry has.
    sensitive_keepers: keepers !== null && sensitive.some(([name]) => name === "keepers"),
    // Undefined takes the former entry's away, for the same reason.
    seal_to: readers.length === 0 ? undefined : readers,
    ...(rotation?.compromised !== true && retentionIn(state)),
    previous: previousOf(state).map(previousToken),
  };
}

/** First day on which a token of the state is due for rotation, by the `rotate_after` that was applied last. */
export function rotationDayOf({ record, retention }: Pick<TokenEntry, "record" | "retention">) {
  return rotationDay({ rotate_after: retention?.rotate_after ?? null }, record);
}

function retentionIn(state: ObjectValue): { readonly retention?: KeptRetention } {
  const { retain_previous_for: duration, retain_previous: count, rotate_after: age } = state;
  if (typeof duration !== "string" || !isInteger(count)) return {};
  return { retention: { for: duration, count, ...(typeof age === "string" && { rotate_after: age }) } };
}

function previousToken(token: ObjectValue): ReplacedToken {
  const sealed = textOf(token["access_token_sealed"]);
  return {
    // The id of a token that was replaced is not an attribute; its serial serves in its place (spec 4).
    id: text(token["id"] ?? token["serial"]),
    serial: text(token["serial"]),
    access_token: sealed === undefined ? text(token["access_token"]) : null,
    ...(sealed !== undefined && { access_token_sealed: sealed }),
    created_at: typeof token["created_at"] === "string" ? token["created_at"] : null,
    retired_at: text(token["retired_at"]),
  };
}

function text(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}
