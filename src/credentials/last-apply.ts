/**
 * Remembers what the last apply left of each object, so that drift can tell who has changed a value. Only digests are kept, never values:
 * they are keyed with a key of the part's own, and cut short, since they only have to tell values apart.
 */
import { createHash, hash } from "node:crypto";
import {
  type ChangedSinceApply,
  type Layout,
  type AppliedValues,
  type AppliedMemory,
  normalForm,
  onceForEach,
  sortedJson,
  stringifyJson,
  type Value,
} from "../lib/values";
import { type RememberedObject, memoryOf, type ObjectMemory, recallOf } from "./memories";
import { asText, Misshapen, Shape } from "./shape";

/** What a part keeps of its last apply, besides what it remembers of each object. */
export interface LastApplyPart {
  /** The names that the digests of an object stand for, by a short id. */
  readonly layouts: Map<string, Layout>;
  /** Keys of objects that a run set out to write, and of which it is not noted what it left. */
  readonly pending: Set<string>;
  /** Whether every object that an apply left is remembered: then one that is not remembered was never left by an apply. */
  whole: boolean;
}

/** Lengths of digests in base64, six bits a character. */
const WHOLE = 12;
const VALUE = 4;
const DECLARATION = 12;
/** In place of the digest of a value that the service does not show. */
const NOT_SHOWN = "AAAA";
/** In place of a declaration's digest. */
const NOT_DECLARED = "-";
const NOT_KNOWN = "?";

/** Part of {@link ObjectMemory}: `layout digests declaration`, separated by blanks. */
const FORM = /^([\w-]{8}) ([A-Za-z0-9+/]+=*) ([A-Za-z0-9+/]{12}|[-?])$/;

/** The memory of a ledger. Changes are in memory until the store is saved. */
export class LastApply {
  readonly #memories: Map<string, ObjectMemory>;
  readonly #part: LastApplyPart;
  readonly #key: Buffer;
  readonly #changed: () => void;

  /** @param changed called before each change; throws where none is allowed */
  constructor(memories: Map<string, ObjectMemory>, part: LastApplyPart, key: Buffer, changed: () => void) {
    this.#memories = memories;
    this.#part = part;
    this.#key = key;
    this.#changed = changed;
  }

  get isWhole(): boolean {
    return this.#part.whole;
  }

  markWhole(): void {
    if (this.#part.whole) return;
    this.#changed();
    this.#part.whole = true;
  }

  /** Whether a run set out to write the object, and did not note what it left. */
  isPending(key: string): boolean {
    return this.#part.pending.has(normalForm(key));
  }

  /** Notes what a run is about to write: if the run is killed, later ones must not take what it left for somebody else's change. */
  markPending(keys: readonly string[]): void {
    const missing = keys.map(normalForm).filter((key) => !this.#part.pending.has(key));
    if (missing.length === 0) return;
    this.#changed();
    missing.forEach((key) => this.#part.pending.add(key));
  }

  /** It is known again what is left of these: they were not touched. */
  unmarkPending(keys: readonly string[]): void {
    const settled = keys.map(normalForm).filter((key) => this.#part.pending.has(key));
    if (settled.length === 0) return;
    this.#changed();
    settled.forEach((key) => this.#part.pending.delete(key));
  }

  /** Whether an object of this key was left, be it another one than the live one. */
  hasLeft(key: string): boolean {
    return this.#memories.get(normalForm(key))?.left !== undefined;
  }

  /** Objects that an apply left. */
  objects(): readonly RememberedObject[] {
    return [...this.#memories].flatMap(([key, { uuid, left }]) =>
      left === undefined ? [] : [{ key, uuid }],
    );
  }

  /** What is remembered of the object; undefined where nothing is, or an object of another uuid was left under its key. */
  of(object: RememberedObject): AppliedMemory | undefined {
    const [, id = "", digests = "", declaration = ""] =
      FORM.exec(recallOf(this.#memories, object)?.left ?? "") ?? [];
    const layout = this.#part.layouts.get(id);
    if (layout === undefined || digests.length !== sizeOf(layout)) return undefined;
    const digester = new Digester(this.#key, object.key);
    return {
      wasDeclared: declaration !== NOT_DECLARED,
      isDeclaredAlike: (declared) =>
        declaration === NOT_KNOWN ? undefined : declaration === digester.declaration(declared),
      departure: (now) => departureFrom(layout, digests, digester, now),
      hasLeft(path, value) {
        const then = digestAt(digests, layout.paths.indexOf(path));
        return then === undefined ? undefined : then === digester.value(path, jsonOf(value));
      },
    };
  }

  /**
   * Notes what an apply left of an object.
   * @param declaration null for an object that is left although it is not declared; undefined where it is not wholly known
   */
  keep(object: RememberedObject, left: AppliedValues, declaration: Value | undefined): void {
    if (this.isKept(object, left, declaration)) return;
    this.#changed();
    this.#noteLayout(left.layout);
    memoryOf(this.#memories, object).left = this.#textOf(object, left, declaration);
    this.unmarkPending([object.key]);
  }

  /** Whether {@link keep} would change nothing. */
  isKept(object: RememberedObject, left: AppliedValues, declaration: Value | undefined): boolean {
    const known = recallOf(this.#memories, object)?.left;
    if (known === undefined || this.isPending(object.key)) return false;
    // Most objects are as they were: their digest as a whole tells, for a fraction of the work.
    const [id = "", digests = "", declared = ""] = known.split(" ");
    if (id !== layoutId(left.layout)) return false;
    const digester = new Digester(this.#key, object.key);
    return (
      declared === declarationText(digester, declaration) &&
      digests.startsWith(digester.whole(left, textsOf(left)))
    );
  }

  /** The object is gone. */
  drop(key: string): void {
    const memory = this.#memories.get(normalForm(key));
    if (memory?.left !== undefined) {
      this.#changed();
      memory.left = undefined;
    }
    this.unmarkPending([key]);
  }

  #textOf(object: RememberedObject, left: AppliedValues, declaration: Value | undefined): string {
    const digester = new Digester(this.#key, object.key);
    const { paths, flags } = left.layout;
    const texts = textsOf(left);
    const values = paths.map((path, index) => digester.value(path, texts[index])).join("");
    const digests = digester.whole(left, texts) + values + digester.flags(flags, left.isSet);
    return `${layoutId(left.layout)} ${digests} ${declarationText(digester, declaration)}`;
  }

  #noteLayout(layout: Layout): void {
    const id = layoutId(layout);
    if (!this.#part.layouts.has(id)) this.#part.layouts.set(id, layout);
  }
}

// Digests: of all values together, of each by itself, one bit of each flag, and of the declaration.

/**
 * Makes the digests of one object. There are dozens for each of thousands of objects, so none is an HMAC: each begins with a key of the
 * object's own, which fills a block of SHA-256 and is shown nowhere, and is cut short, so that nobody can go on from one to that of a
 * longer text.
 */
class Digester {
  /** 64 characters: as many as SHA-256 takes at a time. */
  readonly #key: string;

  constructor(key: Buffer, object: string) {
    this.#key = hash("sha256", key.toString("hex") + normalForm(object), "hex");
  }

  /** Of all values, as {@link textsOf} writes them: one that is not shown is told apart from every value. */
  whole({ layout, isSet }: AppliedValues, texts: readonly (string | undefined)[]): string {
    return this.#digest(`whole [${texts.join(",")}] ${layout.flags.filter(isSet).join(" ")}`).slice(0, WHOLE);
  }

  /** @param text undefined for a value that is not shown */
  value(path: string, text: string | undefined): string {
    if (text === undefined) return NOT_SHOWN;
    const digest = this.#digest(`value ${path} ${text}`).slice(0, VALUE);
    return digest === NOT_SHOWN ? "AAAB" : digest;
  }

  /** Each flag is a bit, turned around or not as the key says: without the key it tells nothing. */
  flags(names: readonly string[], isSet: (flag: string) => boolean): string {
    const bits = this.#mask(names);
    names.forEach((name, index) => {
      if (isSet(name)) bits[index >> 3] = (bits[index >> 3] ?? 0) ^ (1 << (index & 7));
    });
    return bits.toString("base64");
  }

  /** Which flags were set. */
  setFlags(names: readonly string[], text: string): ReadonlySet<string> {
    const mask = this.#mask(names);
    const bits = Buffer.from(text, "base64");
    return new Set(names.filter((_name, index) => bitAt(bits, index) !== bitAt(mask, index)));
  }

  declaration(declared: Value): string {
    return this.#digest(`declaration ${sortedJson(declared)}`).slice(0, DECLARATION);
  }

  #mask(names: readonly string[]): Buffer {
    const size = Math.ceil(names.length / 8);
    const blocks: Buffer[] = [];
    for (let index = 0; index * 32 < size; index++)
      blocks.push(hash("sha256", `${this.#key}flags ${index}`, "buffer"));
    return Buffer.concat(blocks, size);
  }

  #digest(text: string): string {
    return hash("sha256", this.#key + text, "base64");
  }
}

/** The values of a layout as JSON; undefined for one that is not shown. */
function textsOf({ layout, values }: AppliedValues): readonly (string | undefined)[] {
  return layout.paths.map((_path, index) => {
    const value = values[index];
    return value === undefined ? undefined : jsonOf(value);
  });
}

function jsonOf(value: Value): string {
  return typeof value === "string" || value === null || typeof value === "boolean"
    ? JSON.stringify(value)
    : stringifyJson(value);
}

function bitAt(bytes: Buffer, index: number): number {
  return ((bytes[index >> 3] ?? 0) >> (index & 7)) & 1;
}

function declarationText(digester: Digester, declaration: Value | undefined): string {
  if (declaration === undefined) return NOT_KNOWN;
  return declaration === null ? NOT_DECLARED : digester.declaration(declaration);
}

function departureFrom(
  layout: Layout,
  digests: string,
  digester: Digester,
  now: AppliedValues,
): ChangedSinceApply {
  const texts = textsOf(now);
  if (digests.startsWith(digester.whole(now, texts))) return NO_DEPARTURE;
  const columns = new Map(layout.paths.map((path, index) => [path, index]));
  const paths = now.layout.paths.filter((path, index) => {
    const text = texts[index];
    const then = digestAt(digests, columns.get(path) ?? -1);
    // What the service did not show then, or does not show now, tells nothing.
    return text !== undefined && then !== undefined && then !== digester.value(path, text);
  });
  const isKnown = new Set(layout.flags);
  const isShown = (name: string) =>
    digestAt(digests, columns.get(name) ?? -1) !== undefined &&
    now.values[now.layout.paths.indexOf(name)] !== undefined;
  const shown = new Set([...new Set(now.layout.flags.map(groupOf))].filter(isShown));
  const were = digester.setFlags(layout.flags, digests.slice(WHOLE + VALUE * layout.paths.length));
  return {
    paths,
    flags: now.layout.flags.filter(
      (flag) => isKnown.has(flag) && shown.has(groupOf(flag)) && were.has(flag) !== now.isSet(flag),
    ),
  };
}

/** The value that a flag is a part of. */
function groupOf(flag: string): string {
  return flag.slice(0, flag.indexOf("."));
}

const NO_DEPARTURE: ChangedSinceApply = { paths: [], flags: [] };

/** Undefined where the value was not shown, or has no place. */
function digestAt(digests: string, index: number): string | undefined {
  if (index < 0) return undefined;
  const start = WHOLE + VALUE * index;
  const digest = digests.slice(start, start + VALUE);
  return digest === NOT_SHOWN ? undefined : digest;
}

// Layouts: the names that digests stand for are kept once for all objects of a family.

const layoutId = onceForEach(({ paths, flags }: Layout) =>
  createHash("sha256")
    .update(JSON.stringify([paths, flags]))
    .digest("base64url")
    .slice(0, 8),
);

function sizeOf({ paths, flags }: Layout): number {
  return WHOLE + VALUE * paths.length + Math.ceil(Math.ceil(flags.length / 8) / 3) * 4;
}

// In the file: the member `last_apply` of a part, which is there only if there is something to say.

export const NO_APPLY_YET = (): LastApplyPart => ({ layouts: new Map(), pending: new Set(), whole: false });

/** @throws Misshapen */
export function readLastApply(value: Value | undefined, place: string): LastApplyPart {
  if (value === undefined) return NO_APPLY_YET();
  const shape = new Shape(value, place);
  const whole = shape.member("whole");
  if (typeof whole !== "boolean") throw new Misshapen(shape.at("whole"), "a boolean");
  return {
    layouts: shape.map("layouts", (one, at) => {
      const layout = new Shape(one, at);
      return { paths: layout.list("values", asText), flags: layout.list("flags", asText) };
    }),
    pending: new Set(shape.list("pending", asText)),
    whole,
  };
}

/** @returns undefined where there is nothing to keep */
export function writeLastApply(
  { layouts, pending, whole }: LastApplyPart,
  memories: Iterable<ObjectMemory>,
): Value | undefined {
  const used = new Set<string>();
  for (const { left } of memories) if (left !== undefined) used.add(left.slice(0, left.indexOf(" ")));
  if (used.size === 0 && pending.size === 0 && !whole) return undefined;
  return {
    whole,
    pending: [...pending],
    layouts: Object.fromEntries(
      [...layouts]
        .filter(([id]) => used.has(id))
        .map(([id, { paths, flags }]) => [id, { values: [...paths], flags: [...flags] }]),
    ),
  };
}

/** Adds what a former part holds. The digests of the two have other keys, so what is remembered of objects does not pass over. */
export function inheritLastApply(part: LastApplyPart, former: LastApplyPart): void {
  former.pending.forEach((key) => part.pending.add(key));
  part.whole = false;
}
