/** Plans a token. Pure: the time comes from the context. */
import { invalidValue } from "../../problems";
import { changesBetween, parseDuration, propose, DAY_MS } from "../../schema";
import {
  equal,
  isInteger,
  isKnownAfterApply,
  isList,
  isNumber,
  isObject,
  isUnknown,
  type ObjectValue,
  textOf,
  UNKNOWN,
  type Value,
} from "../../lib/values";
import { dayOf } from "../ends";
import type { Proposal, ProposeContext } from "../family";
import { authorization } from "./description";
import { checkReaders, isSealed, readersOf } from "./seal";

const { attributes } = authorization;

export function proposeToken(
  config: ObjectValue,
  prior: ObjectValue | null,
  { asOf, rotate = false, isWaiting = false, isForeseen = false }: ProposeContext,
): Proposal {
  const findings =
    isUnknown(config["rotate_after"]) && !isForeseen
      ? [
          invalidValue.at("must be known while planning", {
            attribute: ["rotate_after"],
            advice: "Write it out, without references to values that are known only after apply.",
          }),
        ]
      : [];
  findings.push(...checkReaders(config, isForeseen));
  if (prior === null) return { ...fromNothing(config), findings };
  const planned: Record<string, Value> = { ...propose(attributes, config, prior) };
  const replacedBy = changesBetween(attributes, prior, planned)
    .filter(({ attribute }) => attribute.forcesReplacement)
    .map(({ path }) => path);
  if (replacedBy.length > 0) return { ...fromNothing(config), action: "replace", replacedBy, findings };
  if (!isWaiting && (rotate || rotates(config, prior, asOf)))
    Object.assign(
      planned,
      Object.fromEntries(ROTATED.map((name) => [name, UNKNOWN])),
      plannedSecrets(config),
    );
  else planned["previous"] = plannedPrevious(prior, config, asOf);
  const changes = changesBetween(attributes, prior, planned);
  if (changes.length === 0) return { action: "none", planned: prior, changes, replacedBy, findings };
  return { action: "update", planned, changes, replacedBy, findings };
}

function fromNothing(config: ObjectValue): Proposal {
  const planned = { ...propose(attributes, config, null), ...plannedSecrets(config), previous: [] };
  return {
    action: "create",
    planned,
    changes: changesBetween(attributes, null, planned),
    replacedBy: [],
    findings: [],
  };
}

/** The secret of a token that is yet to be created: plain, or sealed. */
function plannedSecrets(config: ObjectValue): ObjectValue {
  return isSealed(config)
    ? { access_token: null, access_token_sealed: UNKNOWN }
    : { access_token: UNKNOWN, access_token_sealed: null };
}

// Rotation: a change of `keepers` or of the readers, or the token's age, replaces it in place.

/** Attributes that a new token has values of its own for. */
const ROTATED = [
  "id",
  "serial",
  "access_token",
  "access_token_sealed",
  "access_token_digest",
  "created_at",
  "previous",
] as const;

/** True if an update creates a token: because the keepers or the readers changed, because of its age, or because there is none any more. */
export function rotates(config: ObjectValue, prior: ObjectValue, asOf: Date | undefined): boolean {
  return (
    isEnded(prior) ||
    !equal(config["keepers"] ?? {}, prior["keepers"] ?? {}) ||
    readersOf(config).join() !== readersOf(prior).join() ||
    isRotationDue(config, prior, asOf)
  );
}

/**
 * The first day, in UTC, on which a token is due for rotation; undefined if it never is, or where that is not known. It begins when the token is as
 * old as `rotate_after` says, or later. So no token is rotated before its time, and one that a rotation replaced has had its overlap by the next one.
 */
export function rotationDay(
  { rotate_after: after = null }: ObjectValue,
  { created_at: from = null }: ObjectValue,
): string | undefined {
  const age = parseDuration(textOf(after) ?? "");
  const reached = Date.parse(textOf(from) ?? "") + (age ?? NaN);
  const day = new Date(Math.ceil(reached / DAY_MS) * DAY_MS);
  return Number.isNaN(day.getTime()) ? undefined : dayOf(day);
}

/**
 * Judged by days: under Terraform a refresh notes no more, and two readings of a clock around midnight would disagree. If the clocks of the service
 * and of this machine differ, an earlier token may have time left: then the rotation waits.
 */
function isRotationDue(config: ObjectValue, prior: ObjectValue, asOf: Date | undefined): boolean {
  const day = rotationDay(config, prior);
  if (day === undefined || asOf === undefined || day > dayOf(asOf)) return false;
  const retention = retentionOf(config);
  const tokensToKeep = new Set(retainedByRotation(prior, config, asOf));
  return previousOf(prior).every((token) => tokensToKeep.has(token) || isDue(token, retention, asOf));
}

/**
 * True if a plan rotates a token because of its age, and for no other reason.
 * @param asOf distinguishes it from a rotation on request. @default there is no request
 */
export function isRotatedByAge(before: ObjectValue | null, after: ObjectValue | null, asOf?: Date): boolean {
  if (before === null || after === null || !plansNewToken(after)) return false;
  if (rotates(after, before, undefined)) return false;
  return asOf === undefined ? rotationDay(after, before) !== undefined : isRotationDue(after, before, asOf);
}

// Replaced tokens, and when they are to be revoked (design: Tokens).

/** True of a planned state that the apply gives a new token, sealed or not. */
export function plansNewToken(planned: ObjectValue | null): boolean {
  return isKnownAfterApply(planned?.["access_token"]) || isKnownAfterApply(planned?.["access_token_sealed"]);
}

/** Tokens of `previous`, newest first. */
export function previousOf(state: ObjectValue | null): readonly ObjectValue[] {
  const list = state?.["previous"];
  return isList(list) ? list.filter(isObject) : [];
}

/**
 * The state of a token that has ended outside, while tokens that it replaced may still be good. The next apply creates its successor, and
 * they keep their time.
 */
export function endedState(state: ObjectValue, previous: readonly ObjectValue[]): ObjectValue {
  const without = Object.fromEntries(ROTATED.map((name) => [name, null]));
  return { ...state, ...without, previous };
}

/** True of a state that {@link endedState} made. */
export function isEnded({ serial = null, access_token = null }: ObjectValue): boolean {
  return serial === null && access_token === null;
}

/** The token of a state, unless it has ended, and the replaced tokens, newest first. */
export function tokensOf(state: ObjectValue): readonly ObjectValue[] {
  return isEnded(state) ? previousOf(state) : [state, ...previousOf(state)];
}

/** The tokens that end with a state, each with the known facts about its user: the replaced tokens, then the token itself. */
export function revocableOf(state: ObjectValue): readonly ObjectValue[] {
  return [...previousOf(state).map((token) => withUser(token, state)), ...(isEnded(state) ? [] : [state])];
}

/** A token that was replaced acts for the same user as its successor. */
export function withUser(token: ObjectValue, { user_id, login, name }: ObjectValue): ObjectValue {
  return { ...token, user_id: user_id ?? null, login: login ?? null, name: name ?? null };
}

/** The entry for the token that a rotation replaces. */
export function retiredEntry(state: ObjectValue, now: Date): ObjectValue {
  return {
    serial: state["serial"] ?? null,
    access_token: state["access_token"] ?? null,
    access_token_sealed: state["access_token_sealed"] ?? null,
    created_at: state["created_at"] ?? null,
    retired_at: now.toISOString(),
  };
}

interface PlannedRetention {
  /** Milliseconds; undefined while it is not known. */
  readonly forMs: number | undefined;
  readonly count: number | bigint | undefined;
}

export function retentionOf(config: ObjectValue): PlannedRetention {
  const count = declaredOrDefault(config, "retain_previous");
  return {
    forMs: parseDuration(textOf(declaredOrDefault(config, "retain_previous_for")) ?? ""),
    count: isInteger(count) ? count : undefined,
  };
}

/** The tokens that stay, in their order. Without a time to judge by, only the number of retained tokens counts. */
export function retainedTokens(
  previous: readonly ObjectValue[],
  retention: PlannedRetention,
  asOf: Date | undefined,
): readonly ObjectValue[] {
  const { count } = retention;
  return previous.filter(
    (token, index) =>
      staysUntilRefused(token) || ((count === undefined || index < count) && !isDue(token, retention, asOf)),
  );
}

/** True of a replaced token of a service that revokes none: a refresh takes its time away. */
export function staysUntilRefused({ retired_at: at }: ObjectValue): boolean {
  return at === null;
}

/** `previous` without a rotation; unknown if the retention is known only after apply and may still end one of them. */
function plannedPrevious(prior: ObjectValue, config: ObjectValue, asOf: Date | undefined): Value {
  const retention = retentionOf(config);
  const tokensToKeep = retainedTokens(previousOf(prior), retention, asOf);
  const isKnown = retention.count !== undefined && retention.forMs !== undefined;
  return isKnown || tokensToKeep.length === 0 ? tokensToKeep : UNKNOWN;
}

/** True if a token's time is over. Without a time to judge by, only a time of zero is. */
function isDue(token: ObjectValue, { forMs }: PlannedRetention, asOf: Date | undefined): boolean {
  const end = endOf(token, forMs)?.getTime() ?? Infinity;
  return forMs === 0 || end <= (asOf?.getTime() ?? -Infinity);
}

/** The time until which a replaced token stays valid; undefined if that is not known. */
export function endOf({ retired_at: at }: ObjectValue, forMs: number | undefined): Date | undefined {
  const end = new Date(Date.parse(textOf(at) ?? "") + (forMs ?? NaN));
  return Number.isNaN(end.getTime()) ? undefined : end;
}

/** The time at which the service itself ends a token; undefined if it never does, or if that is not known. */
export function endOfLife({ created_at: from, expires_in: seconds }: ObjectValue): Date | undefined {
  const end = new Date(
    typeof from === "string" && isNumber(seconds) ? Date.parse(from) + Number(seconds) * 1000 : NaN,
  );
  return Number.isNaN(end.getTime()) ? undefined : end;
}

/** The tokens that stay valid after a rotation, without the new one: the old one and earlier ones, newest first. */
export function retainedByRotation(
  before: ObjectValue,
  after: ObjectValue,
  asOf: Date | undefined,
): readonly ObjectValue[] {
  return retainedTokens(tokensOf(before), retentionOf(after), asOf);
}

/**
 * The effect of a rotation in words: a new token is created, and each old one stays valid until its time.
 * @param asOf time by which replaced tokens are judged
 */
export function describeRotation(before: ObjectValue, after: ObjectValue, asOf: Date | undefined): string {
  const tokensToKeep = new Set(retainedByRotation(before, after, asOf));
  const duration = declaredOrDefault(after, "retain_previous_for");
  const { forMs } = retentionOf(after);
  const fates = tokensOf(before).map((token) => {
    const which =
      token === before
        ? "the old one"
        : `an earlier one (${textOf(token["serial"]) ?? "of an unknown serial number"})`;
    if (!tokensToKeep.has(token)) return `${which} is revoked at once`;
    if (token === before) return `${which} stays valid for ${textOf(duration) ?? "a time known after apply"}`;
    return `${which} until ${endOf(token, forMs)?.toISOString() ?? "a time known after apply"}`;
  });
  const due = isRotatedByAge(before, after, asOf) ? `due since ${rotationDay(after, before) ?? ""}: ` : "";
  return `${due}${["a new token", ...fates].join("; ")}`;
}

/**
 * The replaced tokens that a rotation would revoke before their time, since no more than `retain_previous` stay. Tokens that the
 * declaration itself ends, by a shorter time, are not among them.
 * @returns `until` is the time until which a token was to stay valid; undefined if it is not known yet
 */
export function endedEarly(
  before: ObjectValue | null,
  after: ObjectValue | null,
  now: Date,
): readonly { readonly serial: string; readonly until: Date | undefined }[] {
  if (before === null || after === null || !plansNewToken(after)) return [];
  const retention = retentionOf(after);
  const tokensToKeep = new Set(retainedByRotation(before, after, now));
  return previousOf(before)
    .filter((token) => !tokensToKeep.has(token) && !isDue(token, retention, now))
    .map((token) => ({ serial: textOf(token["serial"]) ?? "unknown", until: endOf(token, retention.forMs) }));
}

function declaredOrDefault(config: ObjectValue, name: string): Value {
  return config[name] ?? attributes[name]?.defaultValue ?? null;
}
