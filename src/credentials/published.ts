/**
 * The public part of the store: what planning needs of it, and nothing that is secret. No token, no key, and no hash or digest of
 * anything.
 */
import { randomBytes } from "node:crypto";
import type { ObjectValue, Value } from "../lib/values";
import { isInteger, isObject, NOT_IN_SNAPSHOT } from "../lib/values";
import { FORMAT, FORMAT_VERSION, type Part, StoreDocument } from "./document";
import type { DoubtfulToken, Intent, TokenEntry, TokenIdentity } from "./entries";
import { deriveKey, keyedDigest, type ObjectMemory, UNTOLD, writeRecord } from "./memories";
import { Misshapen, Shape } from "./shape";
import { type Ledger, ledgerIn } from "./ledger";

/** What the declarations say: only what they show not to be sensitive is published. */
export interface DeclaredValues {
  /** True if the token is declared, and none of its keepers is sensitive. */
  hasPlainKeepers(token: TokenIdentity): boolean;
  /**
   * The declared value of an attribute that the service does not show: null where none is declared, undefined where it is sensitive or not known.
   * @param object kind and natural key, such as `user_profile:jane@acme`
   */
  valueOf(object: string, path: string): Value | undefined;
}

/** The public part of one store, for one service. */
export interface PublishedStore {
  /** Whether there is a store at all. */
  readonly exists: boolean;
  readonly parts: readonly ObjectValue[];
}

/** What is published of an owner's entries for one service. */
export function publishedPart(part: Part, declared: DeclaredValues): ObjectValue {
  return {
    owner: part.owner,
    tokens: [...part.tokens.values()].map((entry) => publishedToken(entry, declared)),
    intents: [...part.intents.values()].map(({ id, login, name, login_with, started_at }: Intent) => ({
      id,
      login,
      name,
      login_with,
      started_at,
    })),
    failed_revocations: [...part.failedRevocations.values()].map(
      ({ login, name, id, serial, user_id, failed_at }) => ({
        login,
        name,
        id,
        serial,
        ...(user_id !== undefined && { user_id }),
        failed_at,
      }),
    ),
    doubtful_tokens: [...part.doubtfulTokens.values()].map(({ login, name, user_id }: DoubtfulToken) => ({
      login,
      name,
      user_id,
    })),
    ...(part.ephemeralPasswords.size > 0 && {
      ephemeral_passwords: [...part.ephemeralPasswords.values()].map(({ login, user_id, set_at }) => ({
        login,
        user_id,
        set_at,
      })),
    }),
    objects: Object.fromEntries(
      [...part.objects]
        .filter(
          ([key, memory]) =>
            memory.writeOnly.size + memory.digests.size > 0 ||
            memory.record !== undefined ||
            wasLeft(key, memory, part),
        )
        .map(([key, memory]) => [key, publishedMemory(key, memory, part, declared)]),
    ),
  };
}

function publishedToken(
  {
    login,
    name,
    record,
    keepers,
    sensitive_keepers: wereSensitive = false,
    retention,
    previous,
    refused = [],
  }: TokenEntry,
  declared: DeclaredValues,
): Value {
  const { id, serial } = record;
  // The declaration may have changed since: keepers that were sensitive when they were stored stay so.
  const areShown = !wereSensitive && declared.hasPlainKeepers({ login, name });
  return {
    login,
    name,
    id,
    serial,
    user_id: textOrNull(record["user_id"]),
    created_at: textOrNull(record["created_at"]),
    keepers: areShown ? keepers : null,
    keepers_left_out: keepers !== null && !areShown,
    ...(retention !== undefined && { retention: { for: retention.for, count: retention.count } }),
    previous: previous.map((token) => ({
      id: token.id,
      serial: token.serial,
      created_at: token.created_at,
      retired_at: token.retired_at,
    })),
    ...(refused.length > 0 && {
      refused: refused.map(({ serial: one, refused_at }) => ({ serial: one, refused_at })),
    }),
  };
}

/** Whether the last apply left the object, so that a plan can say that it was deleted since. What it left is for drift, which has the store itself. */
function wasLeft(key: string, { left }: ObjectMemory, { lastApply }: Part): boolean {
  return left !== undefined && !lastApply.pending.has(key);
}

function publishedMemory(object: string, memory: ObjectMemory, part: Part, declared: DeclaredValues): Value {
  const key = deriveKey(part.key, "masked values");
  return {
    uuid: memory.uuid,
    ...(wasLeft(object, memory, part) && { left: true }),
    versions: Object.fromEntries(
      [...memory.writeOnly].map(([path, { version }]) => [path, isInteger(version) ? version : null]),
    ),
    // A declared value stands in the code already; whether it is the one that was sent is all that is added.
    unseen: Object.fromEntries(
      [...memory.digests].map(([path, digest]) => {
        const value = declared.valueOf(object, path);
        if (value === undefined) return [path, {}];
        return [path, { value, sent: digest === keyedDigest(key, object, path, value) }];
      }),
    ),
    ...(memory.onlyRecorded.size > 0 && { only_recorded: [...memory.onlyRecorded] }),
    ...(memory.record !== undefined && { record: writeRecord(memory.record) }),
  };
}

function textOrNull(value: Value | undefined): string | null {
  return typeof value === "string" ? value : null;
}

// Back again: a ledger that answers as the store's would, as far as it can tell.

/**
 * What an owner keeps for a service, as a snapshot tells it.
 * @param previousOwners former names of the owner, whose entries are the owner's as well
 * @throws Misshapen
 */
export async function ledgerOfPublished(
  { exists, parts }: PublishedStore,
  url: string,
  owner: string,
  previousOwners: readonly string[],
): Promise<Ledger> {
  const document = exists
    ? StoreDocument.read(
        { format: FORMAT, version: FORMAT_VERSION, parts: parts.map((part) => readPart(part, url)) },
        "of the snapshot",
        false,
      )
    : StoreDocument.empty(false);
  return ledgerIn(() => Promise.resolve(document), url, owner, previousOwners);
}

/** Stands where the store has a secret. No plan takes it for one: what is planned from a snapshot is marked. */
const NO_SECRET = "";

function readPart(value: ObjectValue, origin: string): Value {
  const shape = new Shape(value, "store");
  const key = randomBytes(32);
  return {
    origin: new URL(origin).origin,
    owner: shape.text("owner"),
    key: key.toString("base64"),
    tokens: shape.list("tokens", readToken),
    intents: shape.list("intents", (one) => one),
    failed_revocations: shape.list("failed_revocations", withoutSecret),
    doubtful_tokens: shape.list("doubtful_tokens", (one) => one),
    ...(shape.member("ephemeral_passwords") !== undefined && {
      ephemeral_passwords: shape.list("ephemeral_passwords", (one) => one),
    }),
    objects: Object.fromEntries(
      [...shape.map("objects", (memory) => memory)].map(([object, memory]) => [
        object,
        readMemory(object, memory, deriveKey(key, "masked values")),
      ]),
    ),
  };
}

function readToken(value: Value, place: string): Value {
  const shape = new Shape(value, place);
  const retention = shape.member("retention");
  return {
    login: shape.text("login"),
    name: shape.text("name"),
    record: {
      id: shape.text("id"),
      serial: shape.text("serial"),
      user_id: shape.member("user_id") ?? null,
      created_at: shape.member("created_at") ?? null,
      access_token: NO_SECRET,
    },
    keepers: shape.member("keepers_left_out") === true ? NOT_IN_SNAPSHOT : (shape.member("keepers") ?? null),
    ...(retention !== undefined && { retention }),
    previous: shape.list("previous", withoutSecret),
    refused: shape.member("refused") ?? [],
  };
}

function withoutSecret(value: Value, place: string): Value {
  if (!isObject(value)) throw new Misshapen(place, "an object");
  return { ...value, access_token: NO_SECRET };
}

/** Digests are made anew, under a key of this process alone. */
function readMemory(object: string, value: Value, key: Buffer): Value {
  const shape = new Shape(value, `objects.${object}`);
  const record = shape.member("record");
  const versions = shape.map("versions", (version) => ({ version, hash: null }));
  const unseen = shape.map("unseen", (one, place) => {
    const inner = new Shape(one, place);
    return { value: inner.member("value"), isSent: inner.member("sent") === true };
  });
  return {
    uuid: shape.text("uuid"),
    ...(shape.member("left") === true && { left: LEFT }),
    write_only: Object.fromEntries(versions),
    ...(record !== undefined && { record }),
    ...(shape.member("only_recorded") !== undefined && { only_recorded: shape.texts("only_recorded") }),
    digests: Object.fromEntries(
      [...unseen].map(([path, { value: declared, isSent }]) => [
        path,
        declared === undefined ? UNTOLD : isSent ? keyedDigest(key, object, path, declared) : OTHER,
      ]),
    ),
  };
}

/** The digest of no value. */
const OTHER = "other";

/** That the last apply left an object, without what it left. */
const LEFT = "left";
