/** Defines the format of the store: a versioned JSON document of parts. See docs/credential-store.md. */
import { randomBytes } from "node:crypto";
import { corruptStore, newerStore } from "../problems";
import {
  isInteger,
  isObject,
  normalForm,
  type ObjectValue,
  parseJson,
  stringifyJson,
  type Value,
} from "../lib/values";
import {
  type DoubtfulToken,
  doubtfulTokenKind,
  type EntryKind,
  type EphemeralPassword,
  ephemeralPasswordKind,
  type FailedRevocation,
  failedRevocationKind,
  type Intent,
  intentKind,
  type ReplacedToken,
  type TokenEntry,
  tokenKind,
} from "./entries";
import {
  inheritLastApply,
  type LastApplyPart,
  NO_APPLY_YET,
  readLastApply,
  writeLastApply,
} from "./last-apply";
import { isEmpty, type ObjectMemory, readMemory, writeMemory } from "./memories";
import { decodeBase64, Misshapen, Shape } from "./shape";

export const FORMAT = "tenancy-credentials";
export const FORMAT_VERSION = 1;

/**
 * Reads the members that plain and encrypted documents share.
 * @throws corruptStore, newerStore
 */
export function readHeader(text: string, store: string): ObjectValue {
  const header = parse(text, store);
  if (!isObject(header) || header.format !== FORMAT)
    throw corruptStore.error({ store, fault: "it is not a credential store" });
  const { version } = header;
  if (!isInteger(version) || version < 1)
    throw corruptStore.error({ store, fault: "its format has no version" });
  if (version > FORMAT_VERSION) throw newerStore.error({ store, found: version, known: FORMAT_VERSION });
  return header;
}

function parse(text: string, store: string): Value {
  try {
    return parseJson(text);
  } catch {
    // The parser's own message quotes the text, secrets included.
    throw corruptStore.error({ store, fault: text.trim() === "" ? "it is empty" : "it is not JSON" });
  }
}

/** The error to throw for one that was met while reading: a wrong shape means that the store is damaged. */
export function corruptWhereMisshapen(error: unknown, store: string): unknown {
  return error instanceof Misshapen ? corruptStore.error({ store, fault: error.message }) : error;
}

/** All parts that are kept together. */
export class StoreDocument {
  /** Counts changes, so that saving knows whether there is something to write. */
  revision = 0;
  /** Keys of the parts that were kept before this run. */
  readonly #kept: ReadonlySet<string>;

  private constructor(
    /** Whether it was kept before this run. */
    readonly existed: boolean,
    /** False for a document that was read without the lock: changing it could undo changes of another run. */
    public writable: boolean,
    readonly parts: Map<string, Part>,
    private readonly unknown: ObjectValue,
  ) {
    this.#kept = new Set(parts.keys());
  }

  static empty(writable: boolean): StoreDocument {
    return new StoreDocument(false, writable, new Map(), {});
  }

  /**
   * @param header all members of the document, see {@link readHeader}
   * @throws corruptStore
   */
  static read(header: ObjectValue, store: string, writable: boolean): StoreDocument {
    try {
      const shape = new Shape(header, "");
      ["format", "version"].forEach((name) => shape.member(name));
      const parts = new Map<string, Part>();
      shape.list("parts", (value, place) => {
        const part = readPart(value, place);
        if (parts.has(partKey(part))) throw new Misshapen(place, "the only part of its origin and owner");
        parts.set(partKey(part), part);
      });
      return new StoreDocument(true, writable, parts, shape.unknown());
    } catch (error) {
      throw corruptWhereMisshapen(error, store);
    }
  }

  has(name: PartName): boolean {
    return this.parts.has(partKey(name));
  }

  /** Whether the part was kept before this run. */
  wasKept(name: PartName): boolean {
    return this.#kept.has(partKey(name));
  }

  /** The parts of other names that were kept before this run. */
  keptBeside(name: PartName): readonly Part[] {
    return [...this.parts].flatMap(([key, part]) =>
      key !== partKey(name) && this.#kept.has(key) ? [part] : [],
    );
  }

  /** The part of that name; a new one where there is none. */
  part(name: PartName): Part {
    const key = partKey(name);
    const part = this.parts.get(key) ?? newPart(name);
    if (this.writable) this.parts.set(key, part);
    return part;
  }

  /** Gives a former part's entries to the part of that name: all of them, key included, where there is none yet. */
  inherit(name: PartName, former: Part): void {
    const part = this.parts.get(partKey(name));
    if (part === undefined) this.parts.set(partKey(name), { ...former, ...name });
    else inherit(part, former);
    this.revision += 1;
  }

  /** Takes a part out. */
  remove(name: PartName): Part | undefined {
    const part = this.parts.get(partKey(name));
    if (this.parts.delete(partKey(name))) this.revision += 1;
    return part;
  }

  /** @throws Error where it may not be changed: that is a mistake of the caller. */
  changed(): void {
    if (!this.writable) throw new Error("the credential store must not be changed without its lock");
    this.revision += 1;
  }

  toText(): string {
    const parts = [...this.parts.values()].map(writePart);
    return `${stringifyJson({ format: FORMAT, version: FORMAT_VERSION, parts, ...this.unknown }, 2)}\n`;
  }
}

// One part: what belongs to one origin and one owner.

const KEY_BYTES = 32;

/** The name of a part: entries are sent to their own origin, and used by their own owner. */
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
  readonly lastApply: LastApplyPart;
  readonly intents: Map<string, Intent>;
  readonly failedRevocations: Map<string, FailedRevocation>;
  readonly doubtfulTokens: Map<string, DoubtfulToken>;
  readonly ephemeralPasswords: Map<string, EphemeralPassword>;
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
  return { origin, owner: normalForm(owner) };
}

export function partKey({ origin, owner }: PartName): string {
  return JSON.stringify([origin, owner]);
}

function newPart({ origin, owner }: PartName): Part {
  return {
    origin,
    owner,
    key: randomBytes(KEY_BYTES),
    tokens: new Map(),
    objects: new Map(),
    lastApply: NO_APPLY_YET(),
    intents: new Map(),
    failedRevocations: new Map(),
    doubtfulTokens: new Map(),
    ephemeralPasswords: new Map(),
    unknown: {},
  };
}

/** @throws Misshapen */
function readPart(value: Value, place: string): Part {
  const shape = new Shape(value, place);
  const key = decodeBase64(shape.text("key"));
  if (key?.length !== KEY_BYTES) throw new Misshapen(shape.at("key"), `${KEY_BYTES} bytes in base64`);
  return {
    origin: shape.text("origin"),
    owner: shape.text("owner"),
    key,
    tokens: readEntries(shape, tokenKind),
    objects: shape.map("objects", readMemory),
    lastApply: readLastApply(shape.member("last_apply"), shape.at("last_apply")),
    intents: readEntries(shape, intentKind),
    failedRevocations: readEntries(shape, failedRevocationKind),
    doubtfulTokens: readEntriesIfAny(shape, doubtfulTokenKind),
    ephemeralPasswords: readEntriesIfAny(shape, ephemeralPasswordKind),
    unknown: shape.unknown(),
  };
}

function writePart(part: Part): Value {
  const lastApply = writeLastApply(part.lastApply, part.objects.values());
  return {
    origin: part.origin,
    owner: part.owner,
    key: part.key.toString("base64"),
    tokens: [...part.tokens.values()] as unknown as Value,
    objects: Object.fromEntries(
      [...part.objects].flatMap(([key, memory]) => (isEmpty(memory) ? [] : [[key, writeMemory(memory)]])),
    ),
    ...(lastApply !== undefined && { last_apply: lastApply }),
    intents: [...part.intents.values()] as unknown as Value,
    failed_revocations: [...part.failedRevocations.values()] as unknown as Value,
    ...(part.doubtfulTokens.size > 0 && {
      doubtful_tokens: [...part.doubtfulTokens.values()] as unknown as Value,
    }),
    ...(part.ephemeralPasswords.size > 0 && {
      ephemeral_passwords: [...part.ephemeralPasswords.values()] as unknown as Value,
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

/** Of a member that a part without such entries lacks. */
function readEntriesIfAny<Identity, Entry extends Identity>(
  shape: Shape,
  kind: EntryKind<Identity, Entry>,
): Map<string, Entry> {
  return shape.member(kind.member) === undefined ? new Map<string, Entry>() : readEntries(shape, kind);
}

// Renamed owners: what an owner keeps passes to the owner that names it in `previous_owners`.

/**
 * Adds to a part what a former one of the same origin holds. Where both know a thing, the part's own knowledge counts; a token
 * that gives way so becomes a previous one, to be revoked as such.
 */
function inherit(part: Part, former: Part): void {
  for (const [key, token] of former.tokens) {
    const own = part.tokens.get(key);
    part.tokens.set(key, own === undefined ? token : { ...own, previous: withPrevious(own, token) });
  }
  for (const [key, memory] of former.objects)
    if (!part.objects.has(key)) part.objects.set(key, withoutDigests(memory));
  inheritLastApply(part.lastApply, former.lastApply);
  addMissing(part.intents, former.intents);
  addMissing(part.failedRevocations, former.failedRevocations);
  addMissing(part.doubtfulTokens, former.doubtfulTokens);
  addMissing(part.ephemeralPasswords, former.ephemeralPasswords);
}

function withPrevious(own: TokenEntry, former: TokenEntry): ReplacedToken[] {
  const { id, serial, access_token, created_at } = former.record;
  const outdated: ReplacedToken = {
    id,
    serial,
    access_token,
    created_at: typeof created_at === "string" ? created_at : null,
    retired_at: new Date().toISOString(),
  };
  const known = new Set([own.record, ...own.previous].map((token) => token.serial));
  const added = [outdated, ...former.previous].filter((token) => !known.has(token.serial));
  return [...own.previous, ...added];
}

/** Digests are keyed with the key of the part that they were made for. */
function withoutDigests(memory: ObjectMemory): ObjectMemory {
  const onlyRecorded = new Set([...memory.onlyRecorded].filter((path) => memory.writeOnly.has(path)));
  return { ...memory, digests: new Map(), onlyRecorded, left: undefined };
}

function addMissing<Entry>(entries: Map<string, Entry>, more: ReadonlyMap<string, Entry>): void {
  for (const [key, entry] of more) if (!entries.has(key)) entries.set(key, entry);
}
