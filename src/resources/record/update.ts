/** Updates a record: makes the PATCH from the changes, and sends the secrets that are due. */
import type { CommonRecord } from "../../api";
import { absenceUnproven, movedOn, type RefusedField, validationRefused } from "../../problems";
import {
  type AttributeChange,
  attributeOfMember,
  type Attributes,
  diff,
  isMasked,
  maskFits,
  updateBody,
} from "../../schema";
import { type Connection, isKnownRight, type Snapshot } from "../../service";
import { isObject, type ObjectValue, type Path } from "../../values";
import type { Expectation, UpdateRequest } from "../family";
import { keepsUndeclared } from "../permissions";
import { type RecordKind, secretsDue, text } from "./kind";

interface Dispatch {
  /** With the unknown rights that the update takes away. */
  readonly prior: ObjectValue;
  /** Wholly known, except for values that only the service will tell. */
  readonly planned: ObjectValue;
  readonly changes: readonly AttributeChange[];
  readonly secrets: readonly Path[];
}

export function dispatchOf(attributes: Attributes, planned: ObjectValue, request: UpdateRequest): Dispatch {
  const { prior, config, granted = [], recordVersions, sendMasked = false } = request;
  const changes = diff(attributes, prior, planned).filter((change) => sendMasked || !isBehindMask(change));
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
 * Declared permissions that become exact take rights away, also where the declared ones stay as they are; those that are not declared
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

/** A declared number that fits the mask of the live one is taken for that number: it is recorded, and not sent. */
function isBehindMask({ attribute, before, after }: AttributeChange): boolean {
  return (
    attribute.masked &&
    typeof before === "string" &&
    typeof after === "string" &&
    isMasked(before) &&
    maskFits(before, after)
  );
}

/** Body of the PATCH for one of the records; empty where nothing is to be sent to it. */
export function bodyOf(
  attributes: Attributes,
  dispatch: Dispatch,
  config: ObjectValue,
  of: "self" | "primary",
): ObjectValue {
  return updateBody(attributes, { ...dispatch, config }, of);
}

export function isEmpty(body: ObjectValue): boolean {
  return Object.keys(body).length === 0;
}

// A write goes only to the very record that was planned for (design: Unchanged).

/**
 * @param expected by default uuid, key and account of `prior`
 * @throws movedOn where the live record is another one, or has changed
 */
export function requireUnchanged<T extends CommonRecord>(
  { inventory, description }: RecordKind<T>,
  live: T,
  prior: ObjectValue,
  expected: Expectation | undefined,
): void {
  const { seq: _seq, ...identity } = inventory.expectation({ self: prior });
  const difference = differenceOf(inventory.expectation({ self: live }), expected ?? identity);
  if (difference !== undefined)
    throw movedOn.error({ noun: description.noun, key: identity.key ?? idIn(prior), what: difference });
}

/**
 * The live record of a known object, read by itself.
 * @throws movedOn where it is gone
 */
export async function readKnown<T extends CommonRecord>(
  kind: RecordKind<T>,
  { client }: Connection,
  prior: ObjectValue,
): Promise<T> {
  const id = idIn(prior);
  const found = await kind.calls(client).find(id);
  if (found !== undefined) return found.record;
  const key = kind.inventory.expectation({ self: prior }).key ?? id;
  throw movedOn.error({ noun: kind.description.noun, key, what: "it is gone" });
}

/** The difference, as a clause; undefined if there is none. A value that one side does not know is not compared. */
export function differenceOf(live: Expectation, expected: Expectation): string | undefined {
  if (differ(live.uuid?.toLowerCase(), expected.uuid?.toLowerCase()))
    return `its uuid is ${live.uuid}, not ${expected.uuid}`;
  if (differ(live.key?.normalize("NFC"), expected.key?.normalize("NFC")))
    return `its name is ${JSON.stringify(live.key)} now`;
  if (differ(live.accountId, expected.accountId)) return `it belongs to the account ${live.accountId} now`;
  if (differ(live.seq, expected.seq)) return `its sequence number is ${live.seq}, not ${expected.seq}`;
  return undefined;
}

function differ<T>(live: T | undefined, expected: T | undefined): boolean {
  return live !== undefined && expected !== undefined && live !== expected;
}

/** Id of a known object. */
export function idIn(prior: ObjectValue): string {
  const id = text(prior["id"]) ?? text(prior["serial"]);
  if (id === undefined) throw new TypeError("the state of a known object has no id");
  return id;
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
      error.facts.map((field) => translated(attributes, field)),
    );
  }
}

function translated(attributes: Attributes, field: RefusedField): RefusedField {
  const path = attributeOfMember(attributes, field.path);
  if (path !== undefined || field.path.length === 0) return { ...field, path: path ?? [] };
  return { ...field, path: [], message: `${field.path.join(".")}: ${field.message}` };
}

// Records that the lists do not hold may be gone, or only unlisted (design: Whole lists).

/**
 * The record of a known object, read by itself.
 * @param doubtOf why absence from the lists proves nothing; undefined where it does
 * @returns undefined where it is proven to be gone
 * @throws absenceUnproven
 */
export async function unlessGone<T extends CommonRecord>(
  kind: RecordKind<T>,
  { client, directory }: Connection,
  prior: ObjectValue,
  doubtOf: (snapshot: Snapshot) => Promise<string | undefined> | string | undefined,
): Promise<T | undefined> {
  const { description, inventory } = kind;
  const id = idIn(prior);
  const found = await kind.calls(client).find(id);
  if (found !== undefined) return found.record;
  const snapshot = await directory.snapshot();
  const isListed = inventory.listed(id, snapshot) !== undefined;
  const reason = isListed ? "the list still has it" : await doubtOf(snapshot);
  if (reason === undefined) return undefined;
  const key = JSON.stringify(inventory.expectation({ self: prior }).key ?? null);
  throw absenceUnproven.error(
    `${description.noun} ${key} (id ${id}) is not found, and that proves nothing: ${reason}`,
  );
}
