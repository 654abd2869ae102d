/** Tokens that were replaced, and when they are to be revoked (design: Tokens). */
import { parseDuration } from "../../schema";
import { isInteger, isList, isObject, isUnknown, type ObjectValue, type Value } from "../../values";
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
  { forMs, count }: Retention,
  asOf: Date | undefined,
): readonly ObjectValue[] {
  return previous.filter((token, index) => {
    if (count !== undefined && index >= count) return false;
    return forMs === undefined || !isExpired(token, forMs, asOf);
  });
}

function isExpired({ retired_at: at }: ObjectValue, forMs: number, asOf: Date | undefined): boolean {
  if (forMs === 0) return true;
  const retiredAt = typeof at === "string" ? Date.parse(at) : NaN;
  return asOf !== undefined && retiredAt + forMs <= asOf.getTime();
}

function declared(config: ObjectValue, name: string): Value {
  const value = config[name] ?? null;
  if (isUnknown(value)) return null;
  return value ?? authorization.attributes[name]?.defaultValue ?? null;
}
