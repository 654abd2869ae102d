/**
 * Access with an end (spec of `permissions_until` and `access_until`): each end is a last day in UTC. The service knows no ends, so the
 * client removes access once its day is over. A state lists expired and removed access in `ended`.
 */
import { endInThePast, type Finding, invalidValue } from "../problems";
import { type Attributes, text, textMap, textSet } from "../schema";
import { ALL_RIGHTS, explainRight, successorsOf } from "../service";
import { isList, isObject, isUnknown, type ObjectValue, type Path, UNKNOWN, type Value } from "../lib/values";

/** Means web and API access in `ended`. No right has this name: rights have a group. */
export const ENDED_ACCESS = "access";

const ACCESS_FLAGS = ["access_web", "access_api"] as const;

/** The attributes by which access ends, and the one that says what has ended. */
export function ends(): Attributes {
  return {
    permissions_until: textMap(
      'Rights that end: the last day of each, in UTC, as in `{ "vss.format_disks" = "2026-12-04" }`. The right is granted until the end of that day, ' +
        "and the first apply after it denies the right. A right is either here or in `permissions`, which must be declared, too. A right that is removed " +
        'from here is denied, also with `undeclared_rights = "keep"`.',
      { keys: { known: ALL_RIGHTS, explain: explainRight, successors: successorsOf }, format: "day" },
    ).clientOnly(),
    access_until: text(
      "Last day of web and API access, in UTC. The first apply after it takes both away. `access_web` and `access_api` must be declared, too.",
      { format: "day" },
    ).clientOnly(),
    ended: textSet("Expired and removed access: rights, and `access` for web and API access.")
      .clientOnly()
      .computed(),
  };
}

/** The day of a time in UTC, as configurations write days. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** The last days of access, by right; `access` means web and API access. */
export type Ends = Readonly<Record<string, string>>;

/** The last days in a state or configuration. Unknown days are left out. */
export function endsIn(state: ObjectValue | null): Ends {
  const rights = state?.["permissions_until"] ?? null;
  const access = state?.["access_until"] ?? null;
  const days: Record<string, string> = {};
  if (isObject(rights))
    for (const [right, day] of Object.entries(rights)) if (typeof day === "string") days[right] = day;
  if (typeof access === "string") days[ENDED_ACCESS] = access;
  return days;
}

/** An empty map of last days ends nothing. */
function hasEnds(state: ObjectValue | null): boolean {
  return !isNoEnd(state?.["permissions_until"]) || (state?.["access_until"] ?? null) !== null;
}

function isNoEnd(until: Value = null): boolean {
  return until === null || (isObject(until) && Object.keys(until).length === 0);
}

/** The name of the end that a right, or an attribute of access, has. */
export function endNameOf([name, right]: Path): string {
  return String(right ?? (String(name).startsWith("access_") && ENDED_ACCESS));
}

/** The rights, and `access`, that a state names as ended and taken away. */
export function endedIn(state: ObjectValue | null): readonly string[] {
  const names = state?.["ended"] ?? null;
  return isList(names) ? names.filter((one) => typeof one === "string") : [];
}

/**
 * The ends that count: of a declared and an applied end, the earlier one. A later end, and no end any more, count once an apply has recorded
 * them, because that apply needs the approval. A declaration without approval keeps no access alive.
 */
export function endsThatCount(declaredEnds: Ends, appliedEnds: Ends): Ends {
  const days: Record<string, string> = { ...declaredEnds };
  for (const [name, day] of Object.entries(appliedEnds)) {
    const declaredDay = days[name];
    days[name] = declaredDay === undefined || day < declaredDay ? day : declaredDay;
  }
  return days;
}

/** The rights, and `access`, whose last day is over. */
export function pastEnds(days: Ends, asOf: Date): readonly string[] {
  const today = dayOf(asOf);
  return Object.entries(days).flatMap(([name, day]) => (day < today ? [name] : []));
}

/** Ends as the attributes of a state. */
export function endAttributes({ [ENDED_ACCESS]: access, ...rights }: Ends) {
  return {
    permissions_until: Object.keys(rights).length === 0 ? null : rights,
    access_until: access ?? null,
  };
}

/**
 * The planned value of `ended`: null if nothing has an end.
 * @param prior null for a create. Without a time, expired access stays ended
 */
export function plannedEnded(planned: ObjectValue, prior: ObjectValue | null, asOf: Date | undefined): Value {
  if (!hasEnds(planned)) return null;
  if (isUnknown(planned["permissions_until"]) || isUnknown(planned["access_until"])) return UNKNOWN;
  if (asOf !== undefined) return pastEnds(endsIn(planned), asOf);
  if (prior === null) return UNKNOWN;
  const [days, daysBefore] = [endsIn(planned), endsIn(prior)];
  return endedIn(prior).filter((name) => days[name] !== undefined && days[name] === daysBefore[name]);
}

/** Ended access that needs no warning: its end is not new, or this update takes it away. */
export function knownEnds(planned: ObjectValue, prior: ObjectValue): readonly string[] {
  const [days, daysBefore] = [endsIn(planned), endsIn(prior)];
  const { permissions: rights = null, ...before } = inEffect(prior);
  const isGranted = (what: string) =>
    what === ENDED_ACCESS
      ? ACCESS_FLAGS.some((flag) => before[flag] === true)
      : isObject(rights) && rights[what] === true;
  return endedIn(planned).filter((what) => days[what] === daysBefore[what] || isGranted(what));
}

/**
 * A warning for each end that has passed before its access is granted: that access is never granted.
 * @param foreseen ends that need no warning
 */
export function endsPassed(
  login: string,
  planned: ObjectValue,
  foreseen: readonly string[] = [],
): readonly Finding[] {
  const days = endsIn(planned);
  return endedIn(planned)
    .filter((what) => !foreseen.includes(what))
    .map((what) =>
      endInThePast.at(
        { login, what, day: days[what] ?? "" },
        { attribute: what === ENDED_ACCESS ? ["access_until"] : ["permissions_until", what] },
      ),
    );
}

/**
 * A state as the service is to have it: `permissions` name the rights with an end, true until it, and access that has ended is false.
 * @param prior names the rights that had an end. One that has none any more is denied, unless `permissions` name it
 */
export function inEffect(state: ObjectValue, prior: ObjectValue | null = null): ObjectValue {
  if (!hasEnds(state) && !hasEnds(prior)) return state;
  const endedNames = new Set(endedIn(state));
  const { permissions = null, permissions_until: until = null } = state;
  const untilBefore = prior?.["permissions_until"] ?? null;
  const result: Record<string, Value> = { ...state };
  if (isObject(permissions)) {
    const rights: Record<string, Value> = {};
    if (isObject(untilBefore)) for (const right of Object.keys(untilBefore)) rights[right] = false;
    Object.assign(rights, permissions);
    if (isObject(until)) for (const right of Object.keys(until)) rights[right] = !endedNames.has(right);
    result["permissions"] = rights;
  }
  if (endedNames.has(ENDED_ACCESS)) for (const flag of ACCESS_FLAGS) result[flag] = false;
  return result;
}

/**
 * The part of a planned state that a write may send. It grants no access whose last day is over, even if the plan does: a plan may be saved
 * over midnight. It removes only access that the plan shows.
 * @param prior null for a create, which removes no access by leaving it out
 */
export function grantable(planned: ObjectValue, prior: ObjectValue | null, now: Date): ObjectValue {
  const effective = inEffect(planned, prior);
  if (!hasEnds(planned)) return effective;
  const before = prior === null ? {} : inEffect(prior);
  const { permissions: rightsBefore = null } = before;
  const rights = effective["permissions"] ?? null;
  const result: Record<string, Value> = { ...effective };
  for (const name of pastEnds(endsIn(planned), now)) {
    if (name === ENDED_ACCESS) {
      for (const flag of ACCESS_FLAGS) if (before[flag] !== true) result[flag] = false;
    } else if (isObject(rights) && !(isObject(rightsBefore) && rightsBefore[name] === true)) {
      result["permissions"] = { ...(result["permissions"] as ObjectValue), [name]: false };
    }
  }
  return result;
}

/**
 * A state as it was read, with the client's own knowledge of ends. Expired and denied access is in `ended`, and its end stays. A right that
 * has not ended and is denied loses its end, so that the next plan grants it again.
 * @param state its `permissions_until` and `access_until` are the declared ones
 * @param declaredState has the declared access; `access_*` keep these values while they have ended
 * @param asOf without it, everything that is denied counts as ended: two such states differ if the live rights differ
 */
export function withEnds(
  state: ObjectValue,
  liveRights: Readonly<Record<string, boolean>> | undefined,
  declaredState: ObjectValue | null,
  asOf: Date | undefined,
): ObjectValue {
  if (!hasEnds(state)) return (state["ended"] ?? null) === null ? state : { ...state, ended: null };
  const days = endsIn(state);
  const past = asOf === undefined ? undefined : new Set(pastEnds(days, asOf));
  const hasPassed = (name: string) => past?.has(name) ?? true;
  const result: Record<string, Value> = { ...state };
  const endedNames: string[] = [];
  if (isObject(state["permissions_until"])) {
    const until: Record<string, Value> = {};
    for (const [right, day] of Object.entries(state["permissions_until"])) {
      // Rights that no answer shows are taken to be as they were.
      const isDenied = liveRights === undefined ? endedIn(state).includes(right) : liveRights[right] !== true;
      if (isDenied && hasPassed(right)) endedNames.push(right);
      if (!isDenied || hasPassed(right)) until[right] = day;
    }
    result["permissions_until"] = until;
  }
  if (days[ENDED_ACCESS] !== undefined && hasPassed(ENDED_ACCESS)) {
    if (ACCESS_FLAGS.every((flag) => state[flag] === false)) endedNames.push(ENDED_ACCESS);
    for (const flag of ACCESS_FLAGS)
      if (state[flag] === false) result[flag] = declaredState?.[flag] ?? state[flag] ?? null;
  }
  return { ...result, ended: hasEnds(result) ? endedNames : null };
}

/**
 * The ends of a live object before a plan: the ends after the last apply. A declared end that is not among them counts, too, if it has
 * passed and its access is denied: then there is no change, and no approval.
 * @param live the object's state, as the service shows it
 * @param days undefined if no apply is remembered
 */
export function endsBefore(
  config: ObjectValue,
  live: ObjectValue,
  liveRights: Readonly<Record<string, boolean>> | undefined,
  days: Ends = {},
  asOf: Date,
): ObjectValue {
  const isDenied = (name: string) =>
    name === ENDED_ACCESS
      ? ACCESS_FLAGS.every((flag) => live[flag] === false)
      : liveRights !== undefined && liveRights[name] !== true;
  const declaredDays = endsIn(config);
  const pastDays = pastEnds(declaredDays, asOf)
    .filter(isDenied)
    .map((name) => [name, declaredDays[name] ?? ""] as const);
  const attributes = endAttributes({ ...Object.fromEntries(pastDays), ...days });
  const { permissions_until: declaredEnds = null } = config;
  const { permissions_until: endsOfRights } = attributes;
  return {
    ...attributes,
    permissions_until: isNoEnd(endsOfRights) && isNoEnd(declaredEnds) ? declaredEnds : endsOfRights,
    // While they have ended, their state is the declared one.
    ...(attributes.access_until !== null &&
      Object.fromEntries(ACCESS_FLAGS.map((flag) => [flag, config[flag] ?? null]))),
  };
}

/** The attributes of ends and of ended access, with their values in a state. */
export function endsOf(state: ObjectValue): ObjectValue {
  return Object.fromEntries(
    ["permissions_until", "access_until", "ended"].flatMap((name) =>
      name in state ? [[name, state[name] ?? null]] : [],
    ),
  );
}

/** The record's rights that `permissions` of a state leave out: those with an end. */
export function hasOwnEnd(right: string, state: ObjectValue | null): boolean {
  const until = state?.["permissions_until"] ?? null;
  return isObject(until) && Object.hasOwn(until, right);
}

// Rules between attributes.

/** Findings about ends in a configuration as it is written. */
export function checkEnds(attributes: Attributes, config: ObjectValue): readonly Finding[] {
  if (!("permissions_until" in attributes) || !hasEnds(config)) return [];
  const { permissions = null, permissions_until: until = null, access_until: accessUntil = null } = config;
  const findings: Finding[] = [];
  const report = (message: string, attribute: readonly string[], advice: string) =>
    findings.push(invalidValue.at(message, { attribute: [...attribute], advice }));
  if (until !== null && permissions === null)
    report(
      '"permissions_until" needs "permissions", which are not declared',
      ["permissions_until"],
      "Declare `permissions`; `{}` declares that no other right is granted.",
    );
  if (isObject(until) && isObject(permissions))
    for (const right of Object.keys(until))
      if (Object.hasOwn(permissions, right))
        report(
          `"${right}" is both in "permissions" and in "permissions_until"`,
          ["permissions_until", right],
          "Leave it in one of them.",
        );
  if (accessUntil !== null && ACCESS_FLAGS.some((flag) => (config[flag] ?? null) === null))
    report(
      '"access_until" needs "access_web" and "access_api"',
      ["access_until"],
      "Declare both: an end removes only declared access.",
    );
  return findings;
}
