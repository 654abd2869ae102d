/** Tokens that were replaced, and when they are to be revoked (design: Tokens). */
import { parseDuration } from "../../schema";
import { isInteger, isList, isObject, isUnknown, type ObjectValue, type Value } from "../../values";
import { text } from "../record/members";
import { authorization } from "./description";

/** Tokens of `previous`, newest first. */
export function previousOf(state: ObjectValue | null): readonly ObjectValue[] {
  const list = state?.["previous"];
  return isList(list) ? list.filter(isObject) : [];
}

/** The tokens that end with a state, each with what is known of its user: those that were replaced, then the one itself. */
export function revocableOf(state: ObjectValue): readonly ObjectValue[] {
  return [...previousOf(state).map((token) => withUser(token, state)), state];
}

/** A token that was replaced acts for the same user as its successor. */
export function withUser(token: ObjectValue, { user_id, login }: ObjectValue): ObjectValue {
  return { ...token, user_id: user_id ?? null, login: login ?? null };
}

/** The entry for the token that a rotation replaces. */
export function retired(state: ObjectValue, now: Date): ObjectValue {
  return {
    serial: state["serial"] ?? null,
    access_token: state["access_token"] ?? null,
    created_at: state["created_at"] ?? null,
    retired_at: now.toISOString(),
  };
}

export interface Retention {
  /** Milliseconds; undefined while it is not known. */
  readonly forMs: number | undefined;
  readonly count: number | bigint | undefined;
}

export function retentionOf(config: ObjectValue): Retention {
  const duration = declared(config, "retain_previous_for");
  const count = declared(config, "retain_previous");
  return {
    forMs: typeof duration === "string" ? parseDuration(duration) : undefined,
    count: isInteger(count) ? count : undefined,
  };
}

/** Those that stay, in their order. Without a time to judge by, nothing is too old but what may not stay at all. */
export function kept(
  previous: readonly ObjectValue[],
  retention: Retention,
  asOf: Date | undefined,
): readonly ObjectValue[] {
  const { count } = retention;
  return previous.filter(
    (token, index) => (count === undefined || index < count) && !isDue(token, retention, asOf),
  );
}

function isExpired(token: ObjectValue, forMs: number, asOf: Date | undefined): boolean {
  if (forMs === 0) return true;
  const end = endOf(token, forMs);
  return asOf !== undefined && end !== undefined && end <= asOf;
}

/** Until when a token that was replaced is to stay good; undefined where that cannot be told. */
export function endOf({ retired_at: at }: ObjectValue, forMs: number | undefined): Date | undefined {
  const end = new Date(typeof at === "string" && forMs !== undefined ? Date.parse(at) + forMs : NaN);
  return Number.isNaN(end.getTime()) ? undefined : end;
}

/** A token that would be revoked earlier than was told. */
export interface EarlyEnd {
  readonly serial: string;
  /** Until when it was to stay good; undefined where that is not known yet. */
  readonly until: Date | undefined;
}

/**
 * The tokens that were replaced before, and that a rotation would revoke before their time, since no more than so many are kept. What the
 * declaration itself ends, by a shorter time, is not among them.
 */
export function endedEarly(
  before: ObjectValue | null,
  after: ObjectValue | null,
  now: Date,
): readonly EarlyEnd[] {
  if (before === null || after === null || !isUnknown(after["access_token"])) return [];
  const earlier = previousOf(before);
  const retention = retentionOf(after);
  const stay = new Set(kept([before, ...earlier], retention, now));
  const due = new Set(earlier.filter((token) => isDue(token, retention, now)));
  return earlier
    .filter((token) => !stay.has(token) && !due.has(token))
    .map((token) => ({ serial: text(token["serial"]) ?? "unknown", until: endOf(token, retention.forMs) }));
}

function isDue(token: ObjectValue, { forMs }: Retention, now: Date | undefined): boolean {
  return forMs !== undefined && isExpired(token, forMs, now);
}

function declared(config: ObjectValue, name: string): Value {
  const value = config[name] ?? null;
  if (isUnknown(value)) return null;
  return value ?? authorization.attributes[name]?.defaultValue ?? null;
}
