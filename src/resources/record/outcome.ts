/** Finishes a create or update: makes the new state, and the findings that the user has to know. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, CommonRecord } from "../../api";
import { asWarning, type Finding, notTaken, TenancyError, uuidIgnored, writtenUnread } from "../../problems";
import {
  allAttributes,
  type Attribute,
  type AttributeChange,
  type Attributes,
  diff,
  isPatched,
  lastValue,
  locatedIn,
  type Records,
  shownValue,
  updateBody,
} from "../../schema";
import { isKnownRight } from "../../service";
import {
  isList,
  isObject,
  isUnknown,
  isWhollyKnown,
  type ObjectValue,
  type Path,
  plainText,
  startsWith,
  stringifyJson,
  textOf,
  type Value,
  valueAt,
  withValueAt,
} from "../../lib/values";
import type { Outcome } from "../family";
import { endsOf, hasOwnEnd } from "../ends";
import { grantedIn, keepsUndeclared } from "../permissions";
import { idOfState, idOf, isWhole, type ListedRecordFamily } from "./kind";

export interface Written {
  readonly family: ListedRecordFamily;
  readonly client: Client;
  /** Natural key, for messages. */
  readonly text: string;
  /** The state after the write, as far as it is known. */
  readonly planned: ObjectValue;
  /** The planned state of the service: expired access is denied, see {@link grantable}. */
  readonly effective: ObjectValue;
}

/** After a 201 nothing is an error: state holds the requested values, and each difference is a warning. */
export async function outcomeOfCreate(
  write: Written & { readonly config: ObjectValue },
  newObject: { readonly record: CommonRecord; readonly uuid: string },
): Promise<Outcome> {
  const { family, client, text, planned, effective, config } = write;
  const { attributes, noun } = family.description;
  const sentValues = sentByCreate(attributes, effective);
  const read = () => readRecords(family, client, newObject.record);

  // The answer to the POST saves a reading if it is the whole record. A reading that fails is repeated below, and reported there.
  const answer = isWhole(newObject.record, family) ? newObject.record : undefined;
  let first = await readRecords(family, client, newObject.record, answer).catch(() => undefined);

  // Declared permissions are authoritative, and the body of a create names only the rights that this version knows.
  const isExact = (config["permissions"] ?? null) !== null && !keepsUndeclared(planned);
  const findings: Finding[] = [];
  if (isExact && first !== undefined) {
    const removal = await removeUnknownRights(write, first);
    findings.push(...removal.findings);
    if (removal.isSent) first = undefined;
  }

  const { records, readErrors } = await readBack(write, sentValues, {
    first,
    read,
    fallback: { self: newObject.record },
  });
  findings.push(...readErrors);

  // Another uuid has a warning of its own.
  for (const difference of refusedValues(attributes, effective, sentValues, records))
    if (difference.path[0] !== "uuid") findings.push(...asWarning(notTakenAt(noun, text, difference)));
  const live = records.self["uuid"];
  if (typeof live === "string" && live.toLowerCase() !== newObject.uuid.toLowerCase())
    findings.push(uuidIgnored.at({ noun, key: text, id: idOf(newObject.record) }));

  const state = stateAfterWrite(attributes, planned, family.inventory.stateOf(records, null));
  return { state, records, findings };
}

/**
 * A value that the service did not take is an error at its attribute, and the state holds the live value.
 * @param update `first` has the records in the answers; undefined if they were not whole records
 */
export async function outcomeOfUpdate(
  write: Written,
  update: {
    readonly prior: ObjectValue;
    readonly sent: readonly SentValue[];
    readonly first: Records | undefined;
    /** Time by which ends of access are judged. */
    readonly now: Date;
  },
): Promise<Outcome> {
  const { family, client, text, planned, effective } = write;
  const { attributes, noun } = family.description;
  const { prior, sent: sentValues, first } = update;
  const read = () => readRecords(family, client, { id: idOfState(prior) });

  const { records, readErrors } = await readBack(write, sentValues, { first, read, fallback: { self: {} } });
  const findings: Finding[] = [...readErrors];

  // The declared ends are in the plan: an answer does not show them.
  const live = family.inventory.stateOf(records, { ...prior, ...endsOf(planned) }, update.now);
  let state = stateAfterWrite(attributes, planned, live);
  for (const difference of refusedValues(attributes, effective, sentValues, records)) {
    findings.push(...notTakenAt(noun, text, difference).toFindings());
    state = { ...state, ...endsOf(live) };
    if (!hasOwnEnd(String(difference.path[1]), planned))
      state = withValueAt(state, difference.path, valueAt(live, difference.path)) as ObjectValue;
  }
  return { state, records, findings };
}

/**
 * Takes away the rights that the service granted to a new user, and that this version neither knows nor finds declared.
 * @returns `isSent` if the records have changed since they were read
 */
async function removeUnknownRights(
  { family, client, text, effective }: Written,
  records: Records,
): Promise<{ readonly isSent: boolean; readonly findings: readonly Finding[] }> {
  const { attributes, noun } = family.description;
  const declaredRights = effective["permissions"] ?? null;
  const rights = (grantedIn(attributes, records) ?? []).filter(
    (right) => !isKnownRight(right) && !(isObject(declaredRights) && declaredRights[right] === true),
  );
  if (rights.length === 0) return { isSent: false, findings: [] };
  const [holder, holderFamily] =
    family.part === undefined ? [records.self, family] : [records.primary, family.part.of];
  // A service may replace nested objects, so the others go along.
  const change = {
    path: ["permissions"],
    attribute: attributes["permissions"]!,
    before: null,
    after: declaredRights,
  };
  const unknownRights = Object.fromEntries(rights.map((right) => [right, false]));
  const planned = family.inventory.stateOf(records, effective);
  const body = updateBody(
    attributes,
    {
      prior: {},
      planned: {
        ...planned,
        permissions: { ...unknownRights, ...(isObject(declaredRights) && declaredRights) },
      },
      changes: [change],
      config: {},
      secrets: [],
    },
    change.attribute.of,
  );
  try {
    await holderFamily.endpoint(client).update(idOf(holder ?? {}), body);
    return { isSent: true, findings: [] };
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    return { isSent: false, findings: [writtenUnread.at({ noun, key: text, why: error.message })] };
  }
}

/**
 * Reads the records of an object.
 * @param known the object's own record, as far as it is known
 * @param answer the same, if an answer has shown it as a whole
 */
async function readRecords(
  family: ListedRecordFamily,
  client: Client,
  known: CommonRecord,
  answer?: CommonRecord,
): Promise<Records> {
  const { part } = family;
  const self = answer ?? (await family.endpoint(client).get(idOf(known)));
  if (part === undefined) return { self };
  const id = textOf(self[part.id]) ?? textOf(known[part.id]);
  const primary = id === undefined ? undefined : await part.of.endpoint(client).find(id);
  return { self, primary };
}

/** Reads until the records show the sent values. If they cannot be read, the known records are used. */
async function readBack(
  { family, text, effective }: Written,
  sentValues: readonly SentValue[],
  reading: {
    readonly first: Records | undefined;
    readonly read: () => Promise<Records>;
    readonly fallback: Records;
  },
): Promise<{ readonly records: Records; readonly readErrors: readonly Finding[] }> {
  const { attributes, noun } = family.description;
  const { first, read, fallback } = reading;
  try {
    const isTaken = (records: Records) =>
      refusedValues(attributes, effective, sentValues, records).length === 0;
    return { records: await readUntil(first, read, isTaken), readErrors: [] };
  } catch (error) {
    const why = error instanceof TenancyError ? error.message : "an unexpected failure";
    const readErrors = [writtenUnread.at({ noun, key: text, why })];
    return { records: first ?? fallback, readErrors };
  }
}

// Compares the requested values with the service's records after a write (design: After a write).

/** A value that a request carried: of one attribute, or of a group of them. An unknown part of it was not sent. */
export interface SentValue {
  readonly path: Path;
  readonly attribute: Attribute;
  readonly value: Value;
}

/** A value of one attribute that the service did not take. */
interface RefusedValue extends SentValue {
  readonly shown: Value;
}

function sentByCreate(attributes: Attributes, planned: ObjectValue): readonly SentValue[] {
  return locatedIn(attributes)
    .map(({ name, path, attribute }): SentValue => ({ path, attribute, value: planned[name] ?? null }))
    .filter(
      ({ attribute, value }) => isComparable(attribute) && attribute.sentWith !== "update" && value !== null,
    );
}

export function sentByUpdate(changes: readonly AttributeChange[]): readonly SentValue[] {
  return changes
    .map(({ path, attribute, after }): SentValue => ({ path, attribute, value: after }))
    .filter(({ attribute }) => isComparable(attribute));
}

/** The declared values that no change is about: an answer must show them, too. A service may lose values that a PATCH does not repeat. */
export function declaredValues(
  attributes: Attributes,
  config: ObjectValue,
  planned: ObjectValue,
  changes: readonly AttributeChange[],
): readonly SentValue[] {
  return allAttributes(attributes).flatMap(({ path, attribute }) => {
    const isLeaf = attribute.shape.kind !== "group" && (valueAt(config, path) ?? null) !== null;
    const isChanged = changes.some(
      (change) => startsWith(path, change.path) || startsWith(change.path, path),
    );
    // Rights are in one object: others may have granted some since, which is no matter of an update that does not send the object.
    const isSent =
      attribute.codec === undefined || changes.some((change) => change.attribute.codec !== undefined);
    return isLeaf && isSent && !isChanged && isPatched(attribute) && isComparable(attribute)
      ? [{ path, attribute, value: valueAt(planned, path) }]
      : [];
  });
}

/** Members that the answer does not show are exempt, and masks that fit: their values are unknown. */
function refusedValues(
  attributes: Attributes,
  planned: ObjectValue,
  sentValues: readonly SentValue[],
  records: Records,
): readonly RefusedValue[] {
  const refusals: RefusedValue[] = [];
  for (const { path, attribute, value } of sentValues) {
    const record = attributes[path[0] ?? ""]?.of === "primary" ? records.primary : records.self;
    const { codec } = attribute;
    if (codec?.differences !== undefined) {
      if (record === undefined || isUnknown(value)) continue;
      for (const { path: within, ...difference } of codec.differences(value, record, planned))
        refusals.push({ path: [...path, ...within], attribute, ...difference });
      continue;
    }
    const liveValue = record === undefined ? undefined : shownAt(attributes, path, record);
    collectRefused([...path], attribute, value, liveValue, refusals);
  }
  return refusals;
}

/** @param trail the place that is being looked at: grows and shrinks, and is copied only into `refused` */
function collectRefused(
  trail: (string | number)[],
  attribute: Attribute,
  value: Value,
  liveValue: Value | undefined,
  refusals: RefusedValue[],
): void {
  const { shape } = attribute;
  if (liveValue === undefined) return;
  if (shape.kind === "group" && isObject(value)) {
    for (const { name, attribute: member } of locatedIn(shape.attributes)) {
      if (!isComparable(member)) continue;
      trail.push(name);
      const inner = isObject(liveValue) ? shownValue(member, name, liveValue) : null;
      collectRefused(trail, member, value[name] ?? null, inner, refusals);
      trail.pop();
    }
    return;
  }
  const verdict = diff(attribute, value, liveValue, lastValue(value));
  if (verdict === "put back" || verdict === "update")
    refusals.push({ path: [...trail], attribute, value, shown: liveValue });
}

/** The error at the attribute. */
function notTakenAt(
  noun: string,
  key: string,
  { path, attribute, shown: liveValue }: RefusedValue,
): TenancyError {
  return notTaken.error(
    { noun, key, liveValue: attribute.sensitive ? "another one" : shownText(liveValue) },
    { attribute: path },
  );
}

function isComparable({ sentWith, shown: isShown, writeOnly }: Attribute): boolean {
  return sentWith !== "never" && isShown && !writeOnly;
}

/** The value that a record shows at the path of an attribute; undefined if it shows none. */
function shownAt(attributes: Attributes, path: Path, record: ObjectValue, depth = 0): Value | undefined {
  const name = String(path[depth] ?? "");
  const attribute = attributes[name];
  if (attribute === undefined) return undefined;
  const liveValue = shownValue(attribute, name, record);
  if (depth === path.length - 1 || liveValue === undefined) return liveValue;
  if (attribute.shape.kind !== "group") return undefined;
  return isObject(liveValue) ? shownAt(attribute.shape.attributes, path, liveValue, depth + 1) : null;
}

function shownText(value: Value): string {
  if (value === null || (isList(value) && value.length === 0)) return "nothing";
  return plainText(stringifyJson(value), 120);
}

// Reading after a write. Some services take a moment to show the change.

/** Waits before the second and the third reading, in milliseconds. */
const PAUSES = [200, 800];

/**
 * Reads three times at most.
 * @param first the answer to the write; undefined if it showed nothing
 * @param isTaken true if a reading shows what was sent
 */
export async function readUntil<T>(
  first: T | undefined,
  read: () => Promise<T>,
  isTaken: (reading: T) => boolean,
): Promise<T> {
  let reading = first ?? (await read());
  for (const pause of PAUSES) {
    if (isTaken(reading)) break;
    await sleep(pause);
    reading = await read();
  }
  return reading;
}

// Planned values and live ones, brought together.

/** A plan of Terraform's, completed once the configuration is known: unknown planned values are replaced by the values of a new plan. */
export function fillPlanned(attributes: Attributes, planned: ObjectValue, anew: ObjectValue): ObjectValue {
  return chooseValues(attributes, planned, anew, (before, after) => (isWhollyKnown(before) ? before : after));
}

/** The state after a write: each planned value that is known, else the live one, else null. */
export function stateAfterWrite(
  attributes: Attributes,
  planned: ObjectValue,
  live: ObjectValue,
): ObjectValue {
  return chooseValues(attributes, planned, live, (...values) => values.find(isWhollyKnown) ?? null);
}

/** One of two values for each attribute that is no group. */
function chooseValues(
  attributes: Attributes,
  planned: ObjectValue,
  other: ObjectValue,
  choose: (planned: Value, other: Value) => Value,
): ObjectValue {
  const result: Record<string, Value> = {};
  for (const { name, attribute } of locatedIn(attributes)) {
    const { shape } = attribute;
    const first = planned[name] ?? null;
    const second = other[name] ?? null;
    // A declared group stays one, also where the service shows nothing of it.
    result[name] =
      shape.kind === "group" && isObject(first)
        ? chooseValues(shape.attributes, first, isObject(second) ? second : {}, choose)
        : choose(first, second);
  }
  return result;
}
