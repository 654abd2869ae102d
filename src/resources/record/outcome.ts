/** Finishes a create or update: makes the new state, and the findings that the user has to know. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, CommonRecord } from "../../api";
import { asWarning, type Finding, notTaken, TenancyError, uuidIgnored, writtenUnread } from "../../problems";
import {
  type Attribute,
  type AttributeChange,
  type Attributes,
  isMasked,
  locatedIn,
  type Records,
  same,
  shownValue,
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
  stringifyJson,
  textOf,
  type Value,
  valueAt,
  withValueAt,
} from "../../lib/values";
import type { Outcome } from "../family";
import { bodyOfRights, grantedIn, keepsUndeclared } from "../permissions";
import { idOfState, idOf, isWhole, type ListedRecordFamily } from "./kind";

export interface Written {
  readonly family: ListedRecordFamily;
  readonly client: Client;
  /** Natural key, for messages. */
  readonly text: string;
  readonly planned: ObjectValue;
}

/** After a 201 nothing is an error: state holds the requested values, and each difference is a warning. */
export async function outcomeOfCreate(
  written: Written & { readonly config: ObjectValue },
  created: { readonly record: CommonRecord; readonly uuid: string },
): Promise<Outcome> {
  const { family, client, text, planned, config } = written;
  const { attributes, noun } = family.description;
  // The answer to the POST serves for the first look, where it is the whole record.
  let answer = isWhole(created.record, family) ? created.record : undefined;
  const look = () => {
    const self = answer;
    answer = undefined;
    return lookAt(family, client, created.record, self);
  };
  const areExact = (config["permissions"] ?? null) !== null && !keepsUndeclared(planned);
  const { first, undenied } = areExact
    ? await withoutUnknownRights(written, look)
    : { first: undefined, undenied: [] };
  const asked = askedOnCreate(attributes, planned);
  const {
    records,
    mismatches: amiss,
    unread,
  } = await lookAtOutcome(written, { first, look, asked }, { self: created.record });
  const findings: Finding[] = [...undenied, ...unread];
  for (const mismatch of amiss)
    if (mismatch.path[0] !== "uuid") findings.push(...asWarning(notTakenAt(noun, text, mismatch)));
  const live = records.self["uuid"];
  if (typeof live === "string" && live.toLowerCase() !== created.uuid.toLowerCase())
    findings.push(uuidIgnored.at({ noun, key: text, id: idOf(created.record) }));
  const state = stateAfterWrite(attributes, planned, family.inventory.stateOf(records, null));
  return { state, records, findings };
}

/**
 * declared permissions are authoritative, and the body of a create names only the rights that this version knows: a right besides them that the
 * service grants is taken away at once.
 *
 * @returns what the service showed, where that is still true
 */
async function withoutUnknownRights(
  { family, client, text }: Written,
  look: () => Promise<Records>,
): Promise<{ readonly first: Records | undefined; readonly undenied: readonly Finding[] }> {
  const { attributes, noun } = family.description;
  // A reading that fails is repeated, and reported, when the answer is compared with the request.
  const records = await look().catch(() => undefined);
  if (records === undefined) return { first: undefined, undenied: [] };
  const rights = grantedIn(attributes, records).filter((right) => !isKnownRight(right));
  if (rights.length === 0) return { first: records, undenied: [] };
  const [holder, holderFamily] =
    family.part === undefined ? [records.self, family] : [records.primary, family.part.of];
  const body = bodyOfRights(Object.fromEntries(rights.map((right) => [right, false])));
  try {
    await holderFamily.endpoint(client).update(idOf(holder ?? {}), body);
    return { first: undefined, undenied: [] };
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    return { first: records, undenied: [writtenUnread.at({ noun, key: text, why: error.message })] };
  }
}

/**
 * The records of an object, as they are now.
 * @param known the object's own record, as far as it is known
 * @param read the same, where it was read already
 */
async function lookAt(
  family: ListedRecordFamily,
  client: Client,
  known: CommonRecord,
  read?: CommonRecord,
): Promise<Records> {
  const { part } = family;
  const self = read ?? (await family.endpoint(client).get(idOf(known)));
  if (part === undefined) return { self };
  const id = textOf(self[part.id]) ?? textOf(known[part.id]);
  const primary = id === undefined ? undefined : await part.of.endpoint(client).find(id);
  return { self, primary };
}

/** A value that the service did not take is an error at its attribute, and the state holds the live value. */
export async function outcomeOfUpdate(
  written: Written,
  { prior, asked, first }: { prior: ObjectValue; asked: readonly Asked[]; first: Records | undefined },
): Promise<Outcome> {
  const { family, client, text, planned } = written;
  const { attributes, noun } = family.description;
  const look = () => lookAt(family, client, { id: idOfState(prior) });
  const {
    records,
    mismatches: amiss,
    unread,
  } = await lookAtOutcome(written, { first, look, asked }, { self: {} });
  const live = family.inventory.stateOf(records, prior);
  let state = stateAfterWrite(attributes, planned, live);
  const findings: Finding[] = [...unread];
  for (const mismatch of amiss) {
    findings.push(...notTakenAt(noun, text, mismatch).toFindings());
    state = withValueAt(state, mismatch.path, valueAt(live, mismatch.path)) as ObjectValue;
  }
  return { state, records, findings };
}

/** The record that the service shows, and its differences from the request. */
interface ReadBack {
  readonly records: Records;
  readonly mismatches: readonly Mismatch[];
  /** Why it could not be read, where that is so. */
  readonly unread: readonly Finding[];
}

/** What there is to look at after a write. */
interface ReadBackRequest {
  /** The records in the answers; undefined if they were not whole records. */
  readonly first: Records | undefined;
  /** Reads them again. */
  readonly look: () => Promise<Records>;
  readonly asked: readonly Asked[];
}

async function lookAtOutcome(
  { family, text, planned }: Written,
  { first, look, asked }: ReadBackRequest,
  fallback: Records,
): Promise<ReadBack> {
  const { attributes, noun } = family.description;
  const judged = (records: Records, unread: readonly Finding[] = []): ReadBack => ({
    records,
    mismatches: mismatches(attributes, planned, asked, records),
    unread,
  });
  try {
    return await readUntil(
      first && judged(first),
      async () => judged(await look()),
      ({ mismatches: amiss }) => amiss.length === 0,
    );
  } catch (error) {
    const why = error instanceof TenancyError ? error.message : "an unexpected failure";
    return judged(first ?? fallback, [writtenUnread.at({ noun, key: text, why })]);
  }
}

// Comparison of what was requested with what the service shows afterwards (design: After a write).

/** A value that a request carried: of one attribute, or of a group of them. What is unknown in it was not sent. */
export interface Asked {
  readonly path: Path;
  readonly attribute: Attribute;
  readonly value: Value;
}

/** A value of one attribute that the service did not take. */
interface Mismatch extends Asked {
  readonly shown: Value;
}

/** What a create asks for: all that is planned, and that a create takes. */
function askedOnCreate(attributes: Attributes, planned: ObjectValue): readonly Asked[] {
  return locatedIn(attributes)
    .map(({ name, path, attribute }): Asked => ({ path, attribute, value: planned[name] ?? null }))
    .filter(
      ({ attribute, value }) => isComparable(attribute) && attribute.sentWith !== "update" && value !== null,
    );
}

/** The changes that a PATCH carries. */
export function askedByChanges(changes: readonly AttributeChange[]): readonly Asked[] {
  return changes
    .map(({ path, attribute, after }): Asked => ({ path, attribute, value: after }))
    .filter(({ attribute }) => isComparable(attribute));
}

/** Members that are masked or absent from the answer are exempt: what they are nobody can tell. */
function mismatches(
  attributes: Attributes,
  planned: ObjectValue,
  asked: readonly Asked[],
  records: Records,
): readonly Mismatch[] {
  const found: Mismatch[] = [];
  for (const { path, attribute, value } of asked) {
    const record = attributes[path[0] ?? ""]?.of === "primary" ? records.primary : records.self;
    const { codec } = attribute;
    if (codec !== undefined) {
      if (record === undefined || isUnknown(value)) continue;
      for (const { path: within, ...difference } of codec.differences(value, record, planned))
        found.push({ path: [...path, ...within], attribute, ...difference });
      continue;
    }
    const shown = record === undefined ? undefined : shownAt(attributes, path, record);
    compare([...path], attribute, value, shown, found);
  }
  return found;
}

/** @param trail the place that is being looked at: grows and shrinks, and is copied only into what is found */
function compare(
  trail: (string | number)[],
  attribute: Attribute,
  value: Value,
  shown: Value | undefined,
  found: Mismatch[],
): void {
  if (shown === undefined || isUnknown(value)) return;
  const { shape, masked } = attribute;
  if (shape.kind === "group" && isObject(value)) {
    for (const { name, attribute: member } of locatedIn(shape.attributes)) {
      if (!isComparable(member)) continue;
      trail.push(name);
      const inner = isObject(shown) ? shownValue(member, name, shown) : null;
      compare(trail, member, value[name] ?? null, inner, found);
      trail.pop();
    }
    return;
  }
  if (same(attribute, value, shown) || (masked && typeof shown === "string" && isMasked(shown))) return;
  found.push({ path: [...trail], attribute, value, shown });
}

/** One mismatch as an error at its attribute. */
function notTakenAt(noun: string, key: string, { path, attribute, shown }: Mismatch): TenancyError {
  return notTaken.error(
    { noun, key, shown: attribute.sensitive ? "another one" : wordsFor(shown) },
    { attribute: path },
  );
}

function isComparable({ sentWith, shown, writeOnly }: Attribute): boolean {
  return sentWith !== "never" && shown && !writeOnly;
}

/** What a record shows at the path of an attribute; undefined where it shows nothing of it. */
function shownAt(attributes: Attributes, path: Path, record: ObjectValue, depth = 0): Value | undefined {
  const name = String(path[depth] ?? "");
  const attribute = attributes[name];
  if (attribute === undefined) return undefined;
  const shown = shownValue(attribute, name, record);
  if (depth === path.length - 1 || shown === undefined) return shown;
  if (attribute.shape.kind !== "group") return undefined;
  return isObject(shown) ? shownAt(attribute.shape.attributes, path, shown, depth + 1) : null;
}

function wordsFor(value: Value): string {
  if (value === null || (isList(value) && value.length === 0)) return "nothing";
  return plainText(stringifyJson(value), 120);
}

// Reading after a write. Some services take a moment to show the change.

/** Waits before the second and the third look, in milliseconds. */
const PAUSES = [200, 800];

/**
 * Looks until nothing is amiss, three times at most.
 * @param first what the answer to the write showed; undefined where it showed nothing
 * @param isSettled whether what is seen is what was asked
 */
export async function readUntil<T>(
  first: T | undefined,
  look: () => Promise<T>,
  isSettled: (seen: T) => boolean,
): Promise<T> {
  let seen = first ?? (await look());
  for (const pause of PAUSES) {
    if (isSettled(seen)) return seen;
    await sleep(pause);
    seen = await look();
  }
  return seen;
}

// Planned values and live ones, brought together.

/**
 * A plan of Terraform's, completed once the configuration is known: where a planned value is not known, the one of the same plan made anew.
 */
export function fillPlanned(attributes: Attributes, planned: ObjectValue, anew: ObjectValue): ObjectValue {
  return chooseValues(attributes, planned, anew, (before, after) => (isWhollyKnown(before) ? before : after));
}

/** The state after a write: what was planned where that is known, what is live for the rest, and null for what not even the service told. */
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
