/** Updates a record: makes the PATCH from the changes, and sends the secrets that are due. */
import type { CommonRecord } from "../../api";
import { recordDifference } from "../../ownership";
import { notVerified, movedOn, type RefusedField, TenancyError, validationRefused } from "../../problems";
import {
  type AttributeChange,
  attributeOfMember,
  type Attributes,
  changesBetween,
  type Records,
  shownValue,
  updateBody,
} from "../../schema";
import {
  ACCOUNTS_SEEN_WITH,
  type Connection,
  whyAbsenceUnproven,
  impliedRights,
  isKnownRight,
  type Snapshot,
} from "../../service";
import { formatPath, isObject, type ObjectValue, textOf, UNKNOWN } from "../../lib/values";
import { unsetBy } from "../common";
import type { Expectation, Outcome, UpdateRequest } from "../family";
import { grantable, inEffect } from "../ends";
import { areRightsOpen, grantedIn, keepsUndeclared } from "../permissions";
import {
  ACCOUNT_ID,
  idOfState,
  isInAccount,
  isWhole,
  type ListedRecordFamily,
  secretsDue,
  titleOf,
} from "./kind";
import {
  declaredValues,
  outcomeOfUpdate,
  sentByUpdate,
  type SentValue,
  stateAfterWrite,
  type Written,
} from "./outcome";

/** Changes an object in place: a PATCH of its record, and one of its part, each with just the changed members (design: Managed attributes). */
export async function updateRecord(
  family: ListedRecordFamily,
  connection: Connection,
  request: UpdateRequest,
): Promise<Outcome> {
  const { part, description } = family;
  const { attributes, noun } = description;
  const { client, directory } = connection;
  const { planned, config, granted: notedRights = [], recordVersions } = request;
  const statePrior = request.prior;

  // The requests are made from the effective state: an end changes rights whose declaration stays the same.
  const now = connection.now();
  const prior = inEffect(statePrior);
  const effective = grantable(planned, statePrior, now);
  const changes = [...changesBetween(attributes, prior, effective)];
  changes.push(...becomingExact(attributes, config, prior, effective, changes));
  changes.push(...(await hiddenUnset(family, connection, request)));
  const extra = family.extraUpdate?.(config, prior);
  const bodiesWith = (grantedRights: readonly string[]) => {
    const update = {
      prior: isBecomingExact(prior, planned) ? withUnknownRights(prior, notedRights) : prior,
      planned: areRightsOpen(config) ? withGranted(effective, grantedRights) : effective,
      changes,
      config,
      secrets: secretsDue(changes, recordVersions),
    };
    const ownBody = { ...updateBody(attributes, update, "self"), ...extra?.body };
    return { ownBody, partBody: updateBody(attributes, update, "primary") };
  };
  let { ownBody, partBody } = bodiesWith(notedRights);
  const isOwnSent = Object.keys(ownBody).length > 0;
  const isPartSent = Object.keys(partBody).length > 0 && part !== undefined;
  if (!isOwnSent && !isPartSent)
    return { state: stateAfterWrite(attributes, planned, statePrior), findings: [] };

  const { id, title, primaryId = "", live } = await readUnchanged(family, connection, request, isPartSent);
  // A right that was taken away since the plan stays so.
  const liveRights = live && grantedIn(attributes, live);
  if (liveRights !== undefined) ({ ownBody, partBody } = bodiesWith(liveRights));
  if (isPartSent && primaryId === "")
    throw movedOn.error({ noun, key: title, what: "it has no primary user profile" });

  const write: Written = { family, client, text: title, planned, effective };
  const sentValues = [
    ...sentByUpdate(changes),
    ...declaredValues(attributes, config, effective, changes),
    ...Object.entries(extra?.shows ?? {}).map(([name, value]): SentValue => ({
      path: [name],
      attribute: attributes[name]!,
      value,
    })),
  ];
  try {
    let self: ObjectValue | undefined;
    let primary: ObjectValue | undefined;
    if (isOwnSent) self = await atAttributes(attributes, () => family.endpoint(client).update(id, ownBody));
    try {
      if (isPartSent)
        primary = await atAttributes(attributes, () => part.of.endpoint(client).update(primaryId, partBody));
    } catch (error) {
      if (!isOwnSent || !(error instanceof TenancyError)) throw error;
      return await outcomeWithoutPart(write, statePrior, { sentValues, error, now });
    }
    // If a record was not written to, prior is enough.
    const areWhole = (!isOwnSent || isWhole(self, family)) && (!isPartSent || isWhole(primary, part.of));
    const first = areWhole ? { self: self ?? {}, primary } : undefined;
    return await outcomeOfUpdate(write, { prior: statePrior, sent: sentValues, first, now });
  } finally {
    directory.invalidate();
  }
}

/** The record is changed and its part is not: the state has the live values of the part. */
async function outcomeWithoutPart(
  write: Written,
  prior: ObjectValue,
  {
    sentValues,
    error,
    now,
  }: { readonly sentValues: readonly SentValue[]; readonly error: TenancyError; readonly now: Date },
): Promise<Outcome> {
  const { attributes } = write.family.description;
  const own = sentValues.filter(({ path }) => attributes[path[0] ?? ""]?.of === "self");
  const planned: Record<string, ObjectValue[string]> = { ...write.planned };
  for (const [name, { of }] of Object.entries(attributes))
    if (of === "primary") planned[name] = prior[name] ?? null;
  const partial = { ...write, planned, effective: inEffect(planned) };
  const outcome = await outcomeOfUpdate(partial, { prior, sent: own, first: undefined, now });
  return { ...outcome, findings: [...error.toFindings(), ...outcome.findings] };
}

/**
 * The record that is written to, read again unless the engine has judged it.
 * @param isPartWritten true if its part is written to, and has to be read again, too
 * @returns `primaryId` is that of the part; `live` is undefined if nothing was read
 */
async function readUnchanged(
  family: ListedRecordFamily,
  connection: Connection,
  { prior, expected: expectation }: UpdateRequest,
  isPartWritten: boolean,
): Promise<{
  readonly id: string;
  readonly title: string;
  readonly primaryId?: string | undefined;
  readonly live?: Records;
}> {
  const id = idOfState(prior);
  const title = titleOf(family, prior) ?? id;
  const partId = family.part?.id ?? "";
  if (expectation === "compared") return { id, title, primaryId: textOf(prior[partId]) };
  const live = await readAgain(family, connection, prior);
  if (live === undefined)
    throw movedOn.error({ noun: family.description.noun, key: title, what: "it is gone" });
  const primaryId = textOf(live[partId]);
  const endpoint = family.part?.of.endpoint(connection.client);
  // Without anything to compare it with, the part is not asked for.
  const isPartRead = isPartWritten && primaryId !== undefined && expectation !== undefined;
  const primary = isPartRead ? await endpoint?.find(primaryId) : undefined;
  requireUnchanged(family, { self: live, primary }, prior, expectation);
  return { id, title, primaryId, live: { self: live, primary } };
}

// Rights that a PATCH takes away although their declaration stays the same.

function isBecomingExact(prior: ObjectValue, planned: ObjectValue): boolean {
  return keepsUndeclared(prior) && !keepsUndeclared(planned);
}

/**
 * A state with kept undeclared rights does not contain these rights. Rights that this version does not know could then not be named in a body.
 */
function withUnknownRights(prior: ObjectValue, grantedRights: readonly string[]): ObjectValue {
  return withGranted(
    prior,
    grantedRights.filter((right) => !isKnownRight(right)),
  );
}

/**
 * A state with further rights, unless it decides about them. It denies only rights that it names: an answer may leave out others. A deprecated
 * right that follows from the others is not one of them: sent, it would outlive them.
 */
function withGranted(state: ObjectValue, grantedRights: readonly string[]): ObjectValue {
  const { permissions = null } = state;
  const implied = impliedRights((right) => grantedRights.includes(right));
  const entries = grantedRights.filter((right) => !implied.has(right)).map((right) => [right, true] as const);
  return {
    ...state,
    undeclared_rights: "keep",
    permissions: { ...Object.fromEntries(entries), ...(isObject(permissions) && permissions) },
  };
}

/**
 * Values that `unset` has just come to name, and that neither a state nor an answer shows: they may be live. The embedded engine plans them as
 * changes, because its state remembers the values that it has taken away.
 */
async function hiddenUnset(
  family: ListedRecordFamily,
  connection: Connection,
  { prior, config, expected: expectation }: UpdateRequest,
): Promise<readonly AttributeChange[]> {
  const { attributes } = family.description;
  const unsetBefore = unsetBy(attributes, prior);
  const names = [...unsetBy(attributes, config)].filter(
    (name) => attributes[name]?.shown && !unsetBefore.has(name) && (prior[name] ?? null) === null,
  );
  if (names.length === 0 || expectation === "compared") return [];
  const live = await readAgain(family, connection, prior);
  return names.flatMap((path) => {
    const attribute = attributes[path]!;
    return live === undefined || shownValue(attribute, path, live) !== undefined
      ? []
      : [{ path: [path], attribute, before: UNKNOWN, after: null }];
  });
}

/**
 * Declared permissions that become authoritative remove rights, even if the declared rights stay the same. Undeclared permissions stay as
 * they are, with any state.
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

// A write goes only to the very record that was planned for (design: Unchanged).

/**
 * @param expectation by default identity, key and account of `prior`
 * @throws movedOn if the live record is another one, or has changed
 */
export function requireUnchanged(
  family: ListedRecordFamily,
  live: Records,
  prior: ObjectValue,
  expectation: Expectation | undefined,
): void {
  const { seq: _seq, partSeq: _partSeq, ...identity } = family.inventory.expectation({ self: prior });
  const what =
    expectation === undefined
      ? recordDifference(family.inventory.expectation(live), identity, ["uuid"])
      : differenceSince(family, live, prior, expectation);
  if (what === undefined) return;
  throw movedOn.error({
    noun: family.description.noun,
    key: titleOf(family, prior) ?? idOfState(prior),
    what,
  });
}

/**
 * The difference between a live record and the one that was planned for, as a clause; undefined if there is none. If the sequence number is the expected
 * one, nothing has changed. If it is another one, or there is none, the members decide: some services raise the number without a change, be it at every GET.
 */
export function differenceSince(
  { inventory, description }: Pick<ListedRecordFamily, "inventory" | "description">,
  live: Records,
  prior: ObjectValue,
  expectation: Expectation,
): string | undefined {
  const now = inventory.expectation(live);
  const difference = recordDifference(now, expectation, ["uuid"]);
  if (difference !== undefined || isSameVersion(now, expectation)) return difference;
  const changes = changesBetween(description.attributes, prior, inventory.stateOf(live, prior));
  return changes.length === 0
    ? undefined
    : `${changes.map(({ path }) => formatPath(path)).join(", ")} changed`;
}

/** True if sequence numbers prove that nothing has changed. A part that was not read is not judged. */
export function isSameVersion(live: Expectation, expectation: Expectation): boolean {
  if (live.seq === undefined || live.seq !== expectation.seq) return false;
  return live.partSeq === undefined || live.partSeq === expectation.partSeq;
}

// Refusals of the service, reported at the attributes that they are about (design: Talking to the service).

/**
 * Runs a write. The service's message about a member of the body becomes a finding at the member's attribute.
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
 * @returns undefined if it is proven to be gone
 * @throws notVerified
 */
export async function unlessGone(
  family: ListedRecordFamily,
  connection: Connection,
  prior: ObjectValue,
): Promise<CommonRecord | undefined> {
  const { description, inventory } = family;
  const id = idOfState(prior);
  const liveRecord = await readAgain(family, connection, prior);
  if (liveRecord !== undefined) return liveRecord;
  const snapshot = await connection.directory.snapshot();
  const isListed = inventory.listed(id, snapshot) !== undefined;
  const reason = isListed ? "the list still has it" : await whyMaybeLive(family, connection, snapshot, prior);
  if (reason === undefined) return undefined;
  const key = JSON.stringify(titleOf(family, prior) ?? null);
  throw notVerified.error(
    `${description.noun} ${key} (id ${id}) is not found, and that proves nothing: ${reason}`,
  );
}

/** An object in an account is absent if its account is listed, or is proven to be gone itself. */
async function whyMaybeLive(
  family: ListedRecordFamily,
  { client }: Connection,
  snapshot: Snapshot,
  prior: ObjectValue,
): Promise<string | undefined> {
  const id = textOf(prior[ACCOUNT_ID]);
  if (!isInAccount(family) || (id !== undefined && snapshot.account(id) !== undefined))
    return whyAbsenceUnproven(family.seenWith, snapshot)?.reason;
  const isGone = id !== undefined && (await client.accounts.find(id)) === undefined;
  return isGone
    ? whyAbsenceUnproven(ACCOUNTS_SEEN_WITH, snapshot)?.reason
    : `its account ${id ?? ""} is not listed`;
}
