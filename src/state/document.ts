/** Defines the format of the state: a versioned JSON document of parts. See docs/manual/reference/state-format.md. */
import { randomBytes } from "node:crypto";
import { corruptState, newerState, stateNotOurs } from "../problems";
import {
  isInteger,
  isObject,
  Misshapen,
  type ObjectValue,
  parseJson,
  shapes,
  stringifyJson,
  type Value,
} from "../lib/values";
import { type Entries, type AnyKind, KIND_NAMES, type KindName, KINDS } from "./entries";
import { moveEntries } from "./moved-entries";
import { noObjects, type ObjectsPart, readObjects, writeObjects } from "./object-document";

export const STATE_FORMAT = "tenancy-state";
export const FORMAT_VERSION = 3;

/**
 * Reads the members of a plain document, or of the text in an encrypted one.
 * @throws corruptState, newerState
 */
export function readHeader(text: string, state: string): ObjectValue {
  return checkedHeader(parseState(text, state), state);
}

/** @throws corruptState, newerState */
export function checkedHeader(header: Value, state: string): ObjectValue {
  if (!isObject(header) || header.format !== STATE_FORMAT)
    throw corruptState.error({ state, fault: "it is not a state" });
  const { version } = header;
  if (!isInteger(version) || version < 1)
    throw corruptState.error({ state, fault: "its format has no version" });
  if (version > FORMAT_VERSION) throw newerState.error({ state, version, known: FORMAT_VERSION });
  if (version < FORMAT_VERSION)
    throw corruptState.error({
      state,
      fault: `its format has the version ${version}, which no release reads`,
    });
  if (Object.hasOwn(header, "encryption"))
    throw corruptState.error({ state, fault: "it is encrypted in a format that no release reads" });
  return header;
}

function parseState(text: string, state: string): Value {
  try {
    return parseJson(text);
  } catch {
    // The parser's own message quotes the text, secrets included.
    throw corruptState.error({ state, fault: text.trim() === "" ? "it is empty" : "it is not JSON" });
  }
}

/** The error to throw for one that was met while reading: a wrong shape means that the state is damaged. */
export function corruptWhereMisshapen(error: unknown, state: string): unknown {
  return error instanceof Misshapen ? corruptState.error({ state, fault: error.message }) : error;
}

/** Two projects with stacks of one name would delete each other's objects. Null: not known. @throws stateNotOurs */
export function refuseOtherProject(state: string, own: string | null, actual: string | null): void {
  if (own !== null && actual !== null && actual !== own)
    throw stateNotOurs.error({ state, member: "project", own, actual });
}

/** The names of each object: the one to show, and those of the object, its user and its account. The object ends with each of them. */
export type DeclaredNames = readonly (readonly string[])[];

const stacksShape = shapes.mapOf(shapes.mapOf(shapes.listOf(shapes.listOf(shapes.text))));

/** Decides by the part that has the entry, and its key, such as `user_profile:jane@acme` or `authorization:jane@acme/ci`. */
export type MovesFrom = (from: PartName, key: string) => boolean;

/** Finds the entries that move into a part, by the names that the state has noted of stacks. */
export type Moves = (to: PartName, namesByStack: ReadonlyMap<string, DeclaredNames>) => Promise<MovesFrom>;

/** An object or a token that has come from another part. */
export interface MovedEntry {
  /** As in `user_profile:jane@acme`. */
  readonly key: string;
  readonly stack: string;
  readonly provider: string;
}

/** All parts that are kept together. */
export class StateDocument {
  /** Counts changes, so that saving knows whether there is something to write. */
  revision = 0;
  /** Keys of the parts that were kept before this run. */
  readonly #kept: ReadonlySet<string>;

  private constructor(
    /** True if it was stored before this run. */
    readonly existed: boolean,
    /** False for a document that was read without the lock: changing it could undo changes of another run. */
    public writable: boolean,
    readonly parts: Map<string, Part>,
    /** Names of the objects that each stack of the app declared when it was synthesized last: by stack, then by service. */
    readonly stacks: Map<string, Readonly<Record<string, DeclaredNames>>>,
    private readonly project: string | null,
    private readonly unknown: ObjectValue,
  ) {
    this.#kept = new Set(parts.keys());
  }

  /** @param project its id; null where it is not known */
  static empty(writable: boolean, project: string | null = null): StateDocument {
    return new StateDocument(false, writable, new Map(), new Map(), project, {});
  }

  /**
   * @param header all members of the document, see {@link readHeader}
   * @param project id of the project that reads it; null where it is not known: then every project's documents count
   * @throws corruptState, stateNotOurs
   */
  static read(
    header: ObjectValue,
    state: string,
    writable: boolean,
    project: string | null = null,
  ): StateDocument {
    try {
      const { format: _format, version: _version, project: keptId, ...members } = header;
      const { parts: list, stacks: lines = {}, ...unknown } = members;
      const keptProject = shapes.optional(shapes.text)(keptId, "project") ?? project;
      refuseOtherProject(state, project, keptProject);
      const parts = new Map<string, Part>();
      shapes.anyList(list, "parts").forEach((value, index) => {
        const part = readPart(value, `parts[${index}]`);
        if (parts.has(partKey(part)))
          throw new Misshapen(`parts[${index}]`, "the only part of its origin, stack and provider");
        parts.set(partKey(part), part);
      });
      const stacks = new Map(Object.entries(stacksShape(lines, "stacks")));
      return new StateDocument(true, writable, parts, stacks, keptProject, unknown);
    } catch (error) {
      throw corruptWhereMisshapen(error, state);
    }
  }

  has(name: PartName): boolean {
    return this.parts.has(partKey(name));
  }

  /** True if the part was stored before this run. */
  wasKept(name: PartName): boolean {
    return this.#kept.has(partKey(name));
  }

  /** The parts of other names that were kept before this run. */
  keptBeside(name: PartName): readonly Part[] {
    return [...this.parts].flatMap(([key, part]) =>
      key !== partKey(name) && this.#kept.has(key) ? [part] : [],
    );
  }

  /** Moves entries of the other parts into a part. */
  move(target: PartName, isMoved: MovesFrom): readonly MovedEntry[] {
    const to = this.part(target);
    const movedEntries = this.keptBeside(target).flatMap((from) => {
      const { stack, provider } = from;
      return moveEntries(from, to, (key) => isMoved(from, key)).map((key) => ({ key, stack, provider }));
    });
    if (movedEntries.length === 0) return movedEntries;
    this.parts.set(partKey(target), to);
    if (this.writable) this.changed();
    return movedEntries;
  }

  /** The part of that name; a new one where there is none. */
  part(name: PartName): Part {
    const key = partKey(name);
    const part = this.parts.get(key) ?? newPart(name);
    if (this.writable) this.parts.set(key, part);
    return part;
  }

  /** Puts a part in, whole. */
  put(part: Part): void {
    this.changed();
    this.parts.set(partKey(part), part);
  }

  /** Takes a part out. */
  remove(name: PartName): void {
    if (this.parts.delete(partKey(name))) this.revision += 1;
  }

  /** Notes the names of the objects that a stack declares at a service; none if it declares nothing there. */
  noteStack(stack: string, origin: string, names: DeclaredNames): void {
    this.changed();
    const { [origin]: _earlier, ...others } = this.stacks.get(stack) ?? {};
    const line = names.length === 0 ? others : { ...others, [origin]: names };
    if (Object.keys(line).length === 0) this.stacks.delete(stack);
    else this.stacks.set(stack, line);
  }

  /** Ids of the managed records of a service and of their accounts, by the natural keys of the records. */
  recordedIds(origin: string): ReadonlyMap<string, readonly string[]> {
    const ids = new Map<string, readonly string[]>();
    for (const part of this.parts.values())
      for (const [key, { record }] of part.origin === origin ? part.objects.objects : []) {
        const name = key.slice(key.indexOf(":") + 1);
        if (record === undefined || record.past === true) continue;
        ids.set(name, [
          ...(ids.get(name) ?? []),
          ...[record.id, record.account_id].flatMap((id) => id ?? []),
        ]);
      }
    return ids;
  }

  /** @throws Error if it may not be changed: that is a mistake of the caller. */
  changed(): void {
    if (!this.writable) throw new Error("the state must not be changed without its lock");
    this.revision += 1;
  }

  /** Notes every token as exposed, since the key of the state is changed; digests outside of the state get another key, too. */
  expose(at: Date): void {
    this.changed();
    for (const [name, part] of this.parts) {
      const { tokens, failedRevocations, exposedTokens } = part.entries;
      const records = [...tokens.values()].flatMap((token) =>
        [token.record, ...token.previous].map(({ serial }) => ({ ...token, serial })),
      );
      for (const { login, name: token, serial } of [...records, ...failedRevocations.values()])
        exposedTokens.set(serial, { login, name: token, serial, exposed_at: at.toISOString() });
      this.parts.set(name, { ...part, digestKey: randomBytes(KEY_BYTES) });
    }
  }

  toValue(): ObjectValue {
    const parts = [...this.parts.values()].map(writePart);
    const stacks = this.stacks.size > 0 && { stacks: Object.fromEntries(this.stacks) };
    const project = this.project !== null && { project: this.project };
    return { format: STATE_FORMAT, version: FORMAT_VERSION, ...project, parts, ...stacks, ...this.unknown };
  }

  toText(): string {
    // One line for each object, for people and their tools: a quote before a word and a colon begins its name.
    return `${stringifyJson(this.toValue()).replaceAll(/[{,](?="\w+:)/g, "$&\n")}\n`;
  }
}

// One part: the entries of one provider configuration of a stack, for one origin.

const KEY_BYTES = 32;

/** The name of a part: entries are sent to their own origin, and used by their own stack and provider configuration. */
export interface PartName {
  /** Scheme, host and port, as `URL.origin` writes them. */
  readonly origin: string;
  readonly stack: string;
  /** `tenancy` or `tenancy.alias`. */
  readonly provider: string;
}

export interface Part extends PartName {
  /** Random; the key of digests outside of the state, such as those of saved plans. */
  readonly key: Buffer;
  /** Random; the key of digests outside of the state after a change of the state's key. @default {@link key} */
  readonly digestKey?: Buffer;
  readonly entries: Entries;
  readonly objects: ObjectsPart;
  /** Members that a later release has added. They are kept, so that writing loses nothing. */
  readonly unknown: ObjectValue;
}

/**
 * The one form of a part's name.
 * @param url an origin, or any address on it
 * @throws TypeError if that is no address with an origin.
 */
export function partName(url: string, stack: string, provider: string): PartName {
  const origin = URL.canParse(url) ? new URL(url).origin : "null";
  if (origin === "null") throw new TypeError("an address with an origin begins with http or https");
  return { origin, stack, provider };
}

export function partKey({ origin, stack, provider }: PartName): string {
  return JSON.stringify([origin, stack, provider]);
}

function newPart({ origin, stack, provider }: PartName): Part {
  const entries = entriesIn(() => []);
  const key = randomBytes(KEY_BYTES);
  return { origin, stack, provider, key, entries, objects: noObjects(), unknown: {} };
}

const { text, objectOf, where } = shapes;

const keyShape = where(text, `${KEY_BYTES} bytes in base64`, (value) => {
  const bytes = Buffer.from(value, "base64");
  // The one proper form of it alone.
  return bytes.length === KEY_BYTES && bytes.toString("base64") === value;
});

const partShape = objectOf({
  origin: text,
  stack: text,
  provider: text,
  key: keyShape,
  digest_key: shapes.optional(keyShape),
});

/** @throws Misshapen */
function readPart(value: Value, place: string): Part {
  const { origin, stack, provider, key, digest_key: digestKey } = partShape(value, place);
  const {
    origin: _origin,
    stack: _stack,
    provider: _provider,
    key: _key,
    digest_key: _digestKey,
    objects: objectValues,
    ...members
  } = value as ObjectValue;
  const entries = entriesIn((kind) => {
    const { [kind.member]: list } = members;
    if (list === undefined && kind.isRare) return [];
    return shapes.anyList(list, `${place}.${kind.member}`);
  }, place);
  const lists = new Set(KIND_NAMES.map((name) => KINDS[name].member));
  const unknown = Object.fromEntries(Object.entries(members).filter(([name]) => !lists.has(name)));
  return {
    origin,
    stack,
    provider,
    key: Buffer.from(key, "base64"),
    ...(digestKey !== undefined && { digestKey: Buffer.from(digestKey, "base64") }),
    entries,
    objects: readObjects(objectValues, `${place}.objects`),
    unknown,
  };
}

/** @throws Misshapen */
function entriesIn(listOf: (kind: AnyKind) => readonly Value[], place = ""): Entries {
  const read = (name: KindName) => {
    const kind: AnyKind = KINDS[name];
    const entries = new Map<string, unknown>();
    listOf(kind).forEach((value, index) => {
      const at = `${place}.${kind.member}[${index}]`;
      const entry = kind.shape(value, at);
      const key = kind.keyOf(entry);
      if (entries.has(key)) throw new Misshapen(at, "the only entry of its name");
      entries.set(key, entry);
    });
    return [name, entries] as const;
  };
  return Object.fromEntries(KIND_NAMES.map(read)) as unknown as Entries;
}

function writePart({ origin, stack, provider, key, digestKey, entries, objects, unknown }: Part): Value {
  const lists = KIND_NAMES.flatMap((name) => {
    const list = [...entries[name].values()] as unknown as Value;
    const { member, isRare } = KINDS[name];
    return isRare && entries[name].size === 0 ? [] : [[member, list] as const];
  });
  const objectValues = writeObjects(objects);
  return {
    origin,
    stack,
    provider,
    key: key.toString("base64"),
    ...(digestKey !== undefined && { digest_key: digestKey.toString("base64") }),
    ...Object.fromEntries(lists),
    ...(objectValues !== undefined && { objects: objectValues }),
    ...unknown,
  };
}
