/** The part of a store that belongs to one origin and one owner. */
import { randomBytes } from "node:crypto";
import type { ObjectValue, Value } from "../values";
import { decodeBase64 } from "./base64";
import {
  doubtfulTokenKind,
  failedRevocationKind,
  intentKind,
  tokenKind,
  type DoubtfulToken,
  type EntryKind,
  type FailedRevocation,
  type Intent,
  type TokenEntry,
} from "./entries";
import { readMemory, writeMemory, type ObjectMemory } from "./memory";
import { Misshapen, Shape } from "./shape";

const KEY_BYTES = 32;

/** Which part: entries go to their own origin, and are used by their own owner. */
export interface PartName {
  /** Scheme, host and port, as `URL.origin` writes them. */
  readonly origin: string;
  readonly owner: string;
}

export interface Part extends PartName {
  /** Random; what digests are keyed with. */
  readonly key: Buffer;
  readonly tokens: Map<string, TokenEntry>;
  readonly objects: Map<string, ObjectMemory>;
  readonly intents: Map<string, Intent>;
  readonly failedRevocations: Map<string, FailedRevocation>;
  readonly doubtfulTokens: Map<string, DoubtfulToken>;
  readonly unknown: ObjectValue;
}

/**
 * The one form of a part's name.
 * @param url an origin, or any address on it
 * @throws TypeError where that is no address with an origin.
 */
export function partName(url: string, owner: string): PartName {
  const origin = URL.canParse(url) ? new URL(url).origin : "null";
  if (origin === "null") throw new TypeError("what has an origin is an http or https address");
  return { origin, owner: owner.normalize("NFC") };
}

export function partKey({ origin, owner }: PartName): string {
  return JSON.stringify([origin, owner]);
}

export function newPart({ origin, owner }: PartName): Part {
  return {
    origin,
    owner,
    key: randomBytes(KEY_BYTES),
    tokens: new Map(),
    objects: new Map(),
    intents: new Map(),
    failedRevocations: new Map(),
    doubtfulTokens: new Map(),
    unknown: {},
  };
}

/** @throws Misshapen */
export function readPart(value: Value, place: string): Part {
  const shape = new Shape(value, place);
  const key = decodeBase64(shape.text("key"));
  if (key?.length !== KEY_BYTES) throw new Misshapen(shape.at("key"), `${KEY_BYTES} bytes in base64`);
  return {
    origin: shape.text("origin"),
    owner: shape.text("owner"),
    key,
    tokens: readEntries(shape, tokenKind),
    objects: shape.map("objects", readMemory),
    intents: readEntries(shape, intentKind),
    failedRevocations: readEntries(shape, failedRevocationKind),
    doubtfulTokens:
      shape.member(doubtfulTokenKind.member) === undefined
        ? new Map()
        : readEntries(shape, doubtfulTokenKind),
    unknown: shape.unknown(),
  };
}

export function writePart(part: Part): Value {
  return {
    origin: part.origin,
    owner: part.owner,
    key: part.key.toString("base64"),
    tokens: [...part.tokens.values()] as unknown as Value,
    objects: Object.fromEntries([...part.objects].map(([key, memory]) => [key, writeMemory(memory)])),
    intents: [...part.intents.values()] as unknown as Value,
    failed_revocations: [...part.failedRevocations.values()] as unknown as Value,
    ...(part.doubtfulTokens.size > 0 && {
      doubtful_tokens: [...part.doubtfulTokens.values()] as unknown as Value,
    }),
    ...part.unknown,
  };
}

function readEntries<Identity, Entry extends Identity>(
  shape: Shape,
  kind: EntryKind<Identity, Entry>,
): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  shape.list(kind.member, (value, place) => {
    const entry = kind.check(value, place);
    const key = kind.keyOf(entry);
    if (entries.has(key)) throw new Misshapen(place, "the only entry of its name");
    entries.set(key, entry);
  });
  return entries;
}
