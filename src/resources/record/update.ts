/** Updates a record: makes the PATCH from the changes, and sends the secrets that are due. */
import type { CommonRecord } from "../../api";
import { notVerified, movedOn, type RefusedField, TenancyError, validationRefused } from "../../problems";
import {
  type AttributeChange,
  attributeOfMember,
  type Attributes,
  diff,
  type Records,
  updateBody,
} from "../../schema";
import {
  ACCOUNTS_SEEN_WITH,
  type Connection,
  whyAbsenceUnproven,
  isKnownRight,
  type Snapshot,
} from "../../service";
import { formatPath, isObject, normalForm, type ObjectValue, type Path, textOf } from "../../lib/values";
import type { Expectation, Outcome, UpdateRequest } from "../family";
import { keepsUndeclared } from "../permissions";
import { differ, otherRecord } from "../identity";
import {
  ACCOUNT,
  idOfState,
  isInAccount,
  isWhole,
  type ListedRecordFamily,
  secretsDue,
  titleOf,
} from "./kind";
import { type Asked, askedByChanges, outcomeOfUpdate, stateAfterWrite, type Written } from "./outcome";

/** Changes an object in place: a PATCH of its record, and one of its part, each with just the changed members (design: What is managed). */
export async function updateRecord(
  family: ListedRecordFamily,
  connection: Connection,
  request: UpdateRequest,
): Promise<Outcome> {
  const { attributes } = family.description;
  const { prior, planned, config } = request;
  const dispatch = dispatchOf(attributes, request);
  const besides = family.extraUpdate?.(config, prior);
  const bodies = {
    self: { ...updateBody(attributes, { ...dispatch, config }, "self"), ...besides?.body },
    primary: updateBody(attributes, { ...dispatch, config }, "primary"),
  };
  if (isEmpty(bodies.self) && isEmpty(bodies.primary))
    return { state: stateAfterWrite(attributes, planned, prior), findings: [] };
  const { id, title, primaryId } = await readUnchanged(family, connection, request, !isEmpty(bodies.primary));
  const shown = Object.entries(besides?.shows ?? {}).map(([name, value]): Asked => ({
    path: [name],
    attribute: attributes[name]!,
    value,
  }));
  const asked = [...askedByChanges(dispatch.changes), ...shown];
  try {
    const written = { family, client: connection.client, text: title, planned };
    return await write(written, { id, primaryId, bodies, prior, asked });
  } finally {
    connection.directory.invalidate();
  }
}

/** Bodies of the PATCHes; one that is empty is not sent. */
interface Bodies {
  readonly self: ObjectValue;
  readonly primary: ObjectValue;
}

/** What is needed to write to both records. */
interface Known {
  readonly id: string;
  readonly title: string;
  readonly primaryId: string | undefined;
}

interface Writing {
  readonly id: string;
  readonly primaryId: string | undefined;
  readonly bodies: Bodies;
  readonly prior: ObjectValue;
  readonly asked: readonly Asked[];
}

/** Sends the PATCHes, that of the object's own record first. */
async function write(written: Written, { id, primaryId, bodies, prior, asked }: Writing): Promise<Outcome> {
  const { family, client, text } = written;
  const { attributes, noun } = family.description;
  const part = isEmpty(bodies.primary) ? undefined : family.part;
  if (part !== undefined && primaryId === undefined)
    throw movedOn.error({ noun, key: text, what: "it has no primary user profile" });
  const patched: Patched = {};
  if (!isEmpty(bodies.self)) {
    const patch = () => family.endpoint(client).update(id, bodies.self);
    patched.self = await atAttributes(attributes, patch);
  }
  try {
    if (part !== undefined && primaryId !== undefined) {
      const endpoint = part.of.endpoint(client);
      const patch = () => endpoint.update(primaryId, bodies.primary);
      patched.primary = await atAttributes(attributes, patch);
    }
  } catch (error) {
    if (isEmpty(bodies.self) || !(error instanceof TenancyError)) throw error;
    return inPart(written, prior, asked, error);
  }
  return outcomeOfUpdate(written, { prior, asked, first: wholeOf(family, bodies, patched) });
}

interface Patched {
  self?: ObjectValue | undefined;
  primary?: ObjectValue | undefined;
}

/** The records of the answers. If a record was not written to, prior is enough. */
function wholeOf(
  family: ListedRecordFamily,
  bodies: Bodies,
  { self, primary }: Patched,
): Records | undefined {
  const isShown = isEmpty(bodies.self) || isWhole(self, family);
  const isPartShown =
    isEmpty(bodies.primary) || (family.part !== undefined && isWhole(primary, family.part.of));
  return isShown && isPartShown ? { self: self ?? {}, primary } : undefined;
}

/** The record is changed, its part isn't: the state says what is live. */
async function inPart(
  written: Written,
  prior: ObjectValue,
  asked: readonly Asked[],
  error: TenancyError,
): Promise<Outcome> {
  const { attributes } = written.family.description;
  const own = asked.filter(({ path }) => attributes[path[0] ?? ""]?.of === "self");
  const planned: Record<string, ObjectValue[string]> = { ...written.planned };
  for (const [name, { of }] of Object.entries(attributes))
    if (of === "primary") planned[name] = prior[name] ?? null;
  const outcome = await outcomeOfUpdate({ ...written, planned }, { prior, asked: own, first: undefined });
  return { ...outcome, findings: [...error.toFindings(), ...outcome.findings] };
}

/**
 * The record that is written to, read again unless the engine has judged it.
 * @param isPartWritten whether its part is written to, and read again, too
 */
async function readUnchanged(
  family: ListedRecordFamily,
  connection: Connection,
  { prior, expected }: UpdateRequest,
  isPartWritten: boolean,
): Promise<Known> {
  const id = idOfState(prior);
  const title = titleOf(family, prior) ?? id;
  const partId = family.part?.id ?? "";
  if (expected === "judged") return { id, title, primaryId: textOf(prior[partId]) };
  const live = await readAgain(family, connection, prior);
  if (live === undefined)
    throw movedOn.error({ noun: family.description.noun, key: title, what: "it is gone" });
  const primaryId = textOf(live[partId]);
  const endpoint = family.part?.of.endpoint(connection.client);
  // Without anything to compare it with, the part is not asked for.
  const isPartRead = isPartWritten && primaryId !== undefined && expected !== undefined;
  const primary = isPartRead ? await endpoint?.find(primaryId) : undefined;
  requireUnchanged(family, { self: live, primary }, prior, expected);
  return { id, title, primaryId };
}

// What a PATCH is made of.

interface Dispatch {
  /** The prior state, with the unknown rights that the update takes away. */
  readonly prior: ObjectValue;
  /** Wholly known, except for values that only the service will tell. */
  readonly planned: ObjectValue;
  readonly changes: readonly AttributeChange[];
  readonly secrets: readonly Path[];
}

function dispatchOf(attributes: Attributes, request: UpdateRequest): Dispatch {
  const { prior, planned, config, granted = [], recordVersions } = request;
  const changes = diff(attributes, prior, planned);
  return {
    prior: isBecomingExact(prior, planned) ? withUnknownRights(prior, granted) : prior,
    planned,
    changes: [...changes, ...becomingExact(attributes, config, prior, planned, changes)],
    secrets: secretsDue(attributes, { prior, planned, recordOnly: recordVersions }),
  };
}

function isBecomingExact(prior: ObjectValue, planned: ObjectValue): boolean {
  return keepsUndeclared(prior) && !keepsUndeclared(planned);
}

/** State that keeps undeclared rights does not hold them. Those that this version does not know could then not be named in a body. */
function withUnknownRights(prior: ObjectValue, granted: readonly string[]): ObjectValue {
  const { permissions } = prior;
  const unknown = granted.filter((right) => !isKnownRight(right)).map((right) => [right, true] as const);
  return {
    ...prior,
    permissions: { ...Object.fromEntries(unknown), ...(isObject(permissions) && permissions) },
  };
}

/**
 * Declared permissions that become authoritative take rights away, also where the declared ones stay as they are; those that are not declared
 * stay as they are, whatever state says.
 */
function becomingExact(
  attributes: Attributes,
  config: ObjectValue,
  prior: ObjectValue,
  planned: ObjectValue,
  changes: readonly AttributeChange[],
): readonly AttributeChange[] {
  const { permissions: attribute } = attributes;
  if (attribute === undefined || !isBecomingExact(prior, planned) || (config["permissions"] ?? null) === null)
    return [];
  if (changes.some(({ path }) => path[0] === "permissions")) return [];
  return [
    {
      path: ["permissions"],
      attribute,
      before: prior["permissions"] ?? null,
      after: planned["permissions"] ?? null,
    },
  ];
}

function isEmpty(body: ObjectValue): boolean {
  return Object.keys(body).length === 0;
}

// A write goes only to the very record that was planned for (design: Unchanged).

/**
 * If the sequence number is the expected one, nothing has changed. If it is another one, or there is none, the members decide: some
 * services raise the number without a change, be it at every GET.
 * @param expected by default identity, key and account of `prior`
 * @throws movedOn where the live record is another one, or has changed
 */
export function requireUnchanged(
  family: ListedRecordFamily,
  live: Records,
  prior: ObjectValue,
  expected: Expectation | undefined,
): void {
  const { inventory, description } = family;
  const { seq: _seq, partSeq: _partSeq, ...identity } = inventory.expectation({ self: prior });
  const now = inventory.expectation(live);
  const difference =
    differenceOf(now, expected ?? identity) ??
    (expected === undefined || isSameVersion(now, expected)
      ? undefined
      : changedMembers(family, live, prior));
  if (difference !== undefined)
    throw movedOn.error({
      noun: description.noun,
      key: titleOf(family, prior) ?? idOfState(prior),
      what: difference,
    });
}

/** Whether sequence numbers prove that nothing has changed. A part that was not read is not judged. */
export function isSameVersion(live: Expectation, expected: Expectation): boolean {
  if (live.seq === undefined || live.seq !== expected.seq) return false;
  return live.partSeq === undefined || live.partSeq === expected.partSeq;
}

/** The members that are not as they were, as a clause; undefined if there are none. */
function changedMembers(
  { description: { attributes }, inventory }: ListedRecordFamily,
  live: Records,
  prior: ObjectValue,
): string | undefined {
  const changes = diff(attributes, prior, inventory.stateOf(live, prior));
  return changes.length === 0
    ? undefined
    : `${changes.map(({ path }) => formatPath(path)).join(", ")} changed`;
}

/** Why the record is another one, as a clause; undefined if it is the same. A value that one side does not know is not compared. */
export function differenceOf(live: Expectation, expected: Expectation): string | undefined {
  const other = otherRecord(live, expected);
  if (other !== undefined) return other;
  if (differ(live.uuid?.toLowerCase(), expected.uuid?.toLowerCase()))
    return `its uuid is ${live.uuid}, not ${expected.uuid}`;
  if (differ(nameOf(live), nameOf(expected))) return `its name is ${JSON.stringify(live.key)} now`;
  if (differ(live.accountId, expected.accountId)) return `it belongs to the account ${live.accountId} now`;
  return undefined;
}

function nameOf({ key }: Expectation): string | undefined {
  return key === undefined ? undefined : normalForm(key);
}

// Refusals of the service, reported at the attributes that they are about (design: Talking to the service).

/**
 * Runs a write; what the service says of a member of the body becomes a finding at the attribute that the member came from.
 * @throws validationRefused with paths of attributes
 */
export async function atAttributes<T>(attributes: Attributes, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!validationRefused.is(error)) throw error;
    throw validationRefused.error(
      error.request,
      error.facts.map((field) => atAttribute(attributes, field)),
    );
  }
}

function atAttribute(attributes: Attributes, field: RefusedField): RefusedField {
  const path = attributeOfMember(attributes, field.path);
  if (path !== undefined || field.path.length === 0) return { ...field, path: path ?? [] };
  return { ...field, path: [], message: `${field.path.join(".")}: ${field.message}` };
}

// Records that the lists do not hold may be gone, or only unlisted (design: Complete lists).

/** The live record of a known object, read by itself. */
function readAgain(
  family: ListedRecordFamily,
  { client }: Connection,
  prior: ObjectValue,
): Promise<CommonRecord | undefined> {
  return family.endpoint(client).find(idOfState(prior));
}

/**
 * The live record of a known object.
 * @returns undefined where it is proven to be gone
 * @throws notVerified
 */
export async function unlessGone(
  family: ListedRecordFamily,
  connection: Connection,
  prior: ObjectValue,
): Promise<CommonRecord | undefined> {
  const { description, inventory } = family;
  const id = idOfState(prior);
  const found = await readAgain(family, connection, prior);
  if (found !== undefined) return found;
  const snapshot = await connection.directory.snapshot();
  const isListed = inventory.listed(id, snapshot) !== undefined;
  const reason = isListed ? "the list still has it" : await doubtOf(family, connection, snapshot, prior);
  if (reason === undefined) return undefined;
  const key = JSON.stringify(titleOf(family, prior) ?? null);
  throw notVerified.error(
    `${description.noun} ${key} (id ${id}) is not found, and that proves nothing: ${reason}`,
  );
}

/** What lives in an account is absent where its account is listed, or is proven to be gone itself. */
async function doubtOf(
  family: ListedRecordFamily,
  { client }: Connection,
  snapshot: Snapshot,
  prior: ObjectValue,
): Promise<string | undefined> {
  const id = textOf(prior[ACCOUNT]);
  if (!isInAccount(family) || (id !== undefined && snapshot.account(id) !== undefined))
    return whyAbsenceUnproven(family.seenWith, snapshot)?.reason;
  const isGone = id !== undefined && (await client.accounts.find(id)) === undefined;
  return isGone
    ? whyAbsenceUnproven(ACCOUNTS_SEEN_WITH, snapshot)?.reason
    : `its account ${id ?? ""} is not listed`;
}
