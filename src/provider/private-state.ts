/** Notes on an object that Terraform keeps for the provider in addition to the state, and never shows. They are not encrypted. */
import { dayOf, grantedIn, type Outcome, type Resource } from "../resources";
import type { Attributes } from "../schema";
import { isInteger, isList, isObject, type ObjectValue, type Value } from "../lib/values";
import type { PrivateState } from "../lib/plugin-runtime";
import { keyOf } from "./words";

export interface Notes {
  /** Sequence number of the record when it was last read or written. */
  readonly seq?: number | bigint | undefined;
  /** The same of its second record, an account's primary user profile. */
  readonly partSeq?: number | bigint | undefined;
  /** The object was imported, and nothing was written to it since. */
  readonly isImported?: boolean | undefined;
  /**
   * Time of the last refresh: its day, unless tokens that were replaced are to be revoked. Plan and apply judge by this alone which tokens are old enough
   * to be revoked or rotated, and which access has ended: two readings of a clock would make them disagree.
   */
  readonly notedAt?: Date | undefined;
  /** The attributes that were declared at the last apply, with the members of contacts: `email`, `primary_contact.phone`. */
  readonly declaredPaths?: readonly string[] | undefined;
  /** The rights that the `permissions` of the last apply named. */
  readonly declaredRights?: readonly string[] | undefined;
  /** The rights that the service granted at the last read, with rights that are not in the state. */
  readonly grantedRights?: readonly string[] | undefined;
  /** True if the user had a password when it was last read or written. */
  readonly isPasswordSet?: boolean | undefined;
  /** The last refresh has found a password that the last apply did not leave. */
  readonly hasPasswordAppeared?: boolean | undefined;
  /** True if the last refresh has found a token that is to be created or rotated, and a user without access. */
  readonly isWaiting?: boolean | undefined;
  /** True if a token was not rotated for that reason, although its keepers have changed. */
  readonly isRotationPending?: boolean | undefined;
  /** The name that the object had before a refresh found it renamed at the service. */
  readonly formerName?: string | undefined;
  /** The object that would be replaced: the first plan call of a replacement passes it to the second. */
  readonly replacedObject?: ObjectValue | undefined;
}

export function notesOf(privateState: PrivateState): Notes {
  const { seq, part_seq: partSeq, noted_at: notedAt, replaced_object: replacedObject } = privateState;
  const { declared: declaredPaths, rights: declaredRights, granted: grantedRights } = privateState;
  const { password_set: isPasswordSet, former_name: formerName } = privateState;
  return {
    ...(isTexts(declaredPaths) && { declaredPaths }),
    ...(isTexts(declaredRights) && { declaredRights }),
    ...(isTexts(grantedRights) && { grantedRights }),
    ...(isInteger(seq) && { seq }),
    ...(isInteger(partSeq) && { partSeq }),
    ...(privateState["imported"] === true && { isImported: true }),
    ...(typeof isPasswordSet === "boolean" && { isPasswordSet }),
    ...(privateState["password_appeared"] === true && { hasPasswordAppeared: true }),
    ...(privateState["waiting"] === true && { isWaiting: true }),
    ...(privateState["rotation_pending"] === true && { isRotationPending: true }),
    ...(isInstant(notedAt) && { notedAt: new Date(notedAt) }),
    ...(typeof formerName === "string" && { formerName }),
    ...(isObject(replacedObject) && { replacedObject }),
  };
}

export function privateStateOf(notes: Notes): PrivateState {
  const { seq, partSeq, notedAt, declaredPaths, declaredRights, grantedRights } = notes;
  const { isImported, isPasswordSet, hasPasswordAppeared, replacedObject } = notes;
  const { isWaiting, isRotationPending, formerName } = notes;
  return {
    ...(declaredPaths !== undefined && { declared: declaredPaths }),
    ...(declaredRights !== undefined && { rights: declaredRights }),
    ...(grantedRights !== undefined && { granted: grantedRights }),
    ...(seq !== undefined && { seq }),
    ...(partSeq !== undefined && { part_seq: partSeq }),
    ...(isImported === true && { imported: true }),
    ...(isPasswordSet !== undefined && { password_set: isPasswordSet }),
    ...(hasPasswordAppeared === true && { password_appeared: true }),
    ...(isWaiting === true && { waiting: true }),
    ...(isRotationPending === true && { rotation_pending: true }),
    ...(notedAt !== undefined && { noted_at: notedAt.toISOString() }),
    ...(formerName !== undefined && { former_name: formerName }),
    ...(replacedObject !== undefined && { replaced_object: replacedObject }),
  };
}

function isTexts(value: Value | undefined): value is readonly string[] {
  return isList(value ?? null) && (value as readonly Value[]).every((one) => typeof one === "string");
}

function isInstant(value: Value | undefined): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

// The notes that a call leaves behind.

/**
 * Access ends with a day, and a token is rotated on a day, so a day is noted: a note that changes at every refresh would change the state each time.
 * Only tokens that were replaced end at an instant.
 */
export function noteOfTime({ kind, ages }: Resource, state: ObjectValue | null, now: Date): Date {
  const isInstantNeeded = kind === "token" && state !== null && ages?.(state) === true;
  return isInstantNeeded ? now : new Date(dayOf(now));
}

/** @param before notes on the same object; none for one that was created */
export function notesAfterWrite(
  resource: Resource,
  desired: ObjectValue,
  outcome: Outcome,
  { seq, partSeq, notedAt, grantedRights }: Notes,
): Notes {
  const { attributes } = resource.description;
  const { permissions } = outcome.state;
  const arePermissionsDeclared = (desired["permissions"] ?? null) !== null;
  return {
    ...{ seq, partSeq, notedAt },
    ...sequenceNumbersIn(resource, outcome),
    isPasswordSet: hasPassword(outcome),
    declaredPaths: declaredPathsIn(attributes, desired),
    ...("permissions" in attributes && {
      declaredRights: arePermissionsDeclared && isObject(permissions) ? Object.keys(permissions) : [],
    }),
    grantedRights: grantedRightsIn(resource, outcome) ?? grantedRights,
  };
}

/** @param before state and notes before the refresh */
export function notesAfterRefresh(
  resource: Resource,
  outcome: Outcome,
  before: { readonly state: ObjectValue; readonly notes: Notes },
  notedAt: Date | undefined,
): Notes {
  const { state, notes } = before;
  const isPasswordSet = hasPassword(outcome);
  const wasPasswordSet = notes.isPasswordSet ?? state["password_set"];
  const isVersioned = (state["password_wo_version"] ?? null) !== null;
  const formerName = notes.formerName ?? keyOf(state);
  return {
    ...notes,
    formerName: formerName === keyOf(outcome.state) ? undefined : formerName,
    ...sequenceNumbersIn(resource, outcome),
    isPasswordSet,
    // The next apply notes that there is a password, so that later refreshes find nothing new.
    hasPasswordAppeared: isPasswordSet === true && wasPasswordSet === false && !isVersioned,
    notedAt,
    grantedRights: grantedRightsIn(resource, outcome) ?? notes.grantedRights,
  };
}

export function notesAfterImport(resource: Resource, outcome: Outcome): Notes {
  return {
    isImported: true,
    ...sequenceNumbersIn(resource, outcome),
    grantedRights: grantedRightsIn(resource, outcome),
    ...("permissions" in resource.description.attributes && { declaredRights: [] }),
  };
}

/** Sequence numbers of the records of an outcome; without records that it does not show. */
export function sequenceNumbersIn(
  { inventory }: Resource,
  { records }: Pick<Outcome, "records">,
): Pick<Notes, "seq" | "partSeq"> {
  if (records === undefined) return {};
  const { seq, partSeq } = inventory?.expectation(records) ?? {};
  return { ...(seq !== undefined && { seq }), ...(partSeq !== undefined && { partSeq }) };
}

/** The rights that the service shows as granted; undefined if it was not asked. */
function grantedRightsIn(
  { description: { attributes } }: Resource,
  { records }: Outcome,
): readonly string[] | undefined {
  return records === undefined || !("permissions" in attributes) ? undefined : grantedIn(attributes, records);
}

/** True if the user, or an account's primary user, has a password; undefined if the service does not show it. */
function hasPassword({ records }: Outcome): boolean | undefined {
  const flag = (records?.primary ?? records?.self)?.["password_set"];
  return typeof flag === "boolean" ? flag : undefined;
}

function declaredPathsIn(attributes: Attributes, desired: ObjectValue): readonly string[] {
  return Object.entries(attributes).flatMap(([name, { shape, presence }]) => {
    const value = desired[name] ?? null;
    if (presence !== "managed" || value === null) return [];
    if (shape.kind !== "group" || !isObject(value)) return [name];
    return [name, ...declaredPathsIn(shape.attributes, value).map((inner) => `${name}.${inner}`)];
  });
}

/** The state that a refresh reads from: its `permissions` hold the rights that the last apply named, which no answer contains. */
export function withDeclaredRights(state: ObjectValue, { declaredRights }: Notes): ObjectValue {
  const { permissions } = state;
  if (declaredRights === undefined || !isObject(permissions)) return state;
  const entries = declaredRights.map((right): [string, Value] => [right, permissions[right] ?? false]);
  return { ...state, permissions: Object.fromEntries(entries) };
}
