/**
 * Keyed digests of one object's values. A digest shows that a value is still the same. Without the store's key, digests reveal nothing, not
 * even that two objects have equal values.
 */
import { createHash, hash, hkdfSync } from "node:crypto";
import {
  type AppliedMemory,
  type AppliedValues,
  type ChangedSinceApply,
  type Layout,
  normalForm,
  onceForEach,
  sortedJson,
  stringifyJson,
  type Value,
} from "../lib/values";

/**
 * A key of its own for each purpose, so that digests made for one say nothing about those made for another.
 * @param secret the random key of a part of the store
 * @returns 32 bytes
 */
export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `tenancy ${purpose}`, 32));
}

/** Lengths of digests in base64, six bits a character. The packed ones only have to distinguish values. */
const SENT = 16;
const WHOLE = 12;
const VALUE = 4;
const DECLARATION = 12;
/** In place of the digest of a value that the service does not show. */
const NOT_SHOWN = "AAAA";
/** In place of a declaration's digest. */
const NOT_DECLARED = "-";
const NOT_KNOWN = "?";

/** `layout digests declaration`, separated by blanks: thousands of objects have one each, so it is one short text. */
const PACKED = /^([\w-]{8}) ([A-Za-z0-9+/]+=*) ([A-Za-z0-9+/]{12}|[-?])$/;

/**
 * Makes the digests of one object. There are dozens for each of thousands of objects, so none is an HMAC. Each begins with a key of the
 * object's own, which fills a block of SHA-256 and appears nowhere. Each is cut short, so that it cannot be extended to the digest of a
 * longer text.
 */
export class ObjectDigests {
  /** 64 characters: as many as SHA-256 takes at a time. */
  readonly #key: string;

  /** @param object kind and natural key, such as `user_profile:jane@acme` */
  constructor(key: Buffer, object: string) {
    this.#key = hash("sha256", key.toString("hex") + normalForm(object), "hex");
  }

  /** Digest of a value that was sent, and that the service does not show. */
  sent(path: string, value: Value): string {
    return this.#digest(`sent ${path} ${sortedJson(value)}`, SENT);
  }

  /**
   * Packs the object's values after an apply.
   * @param declaration null for an object that stays although it is not declared; undefined if it is not wholly known
   */
  pack(appliedValues: AppliedValues, declaration: Value | undefined): string {
    const { layout, isSet } = appliedValues;
    const texts = textsOf(appliedValues);
    const values = layout.paths.map((path, index) => this.#value(path, texts[index])).join("");
    const flags = this.#flags(layout.flags, isSet);
    return `${layoutId(layout)} ${this.#whole(appliedValues, texts)}${values}${flags} ${this.#declaration(declaration)}`;
  }

  /** Compares the digests of all values together and of the declaration, for a fraction of the work of {@link pack}. */
  isPacked(packed: string, appliedValues: AppliedValues, declaration: Value | undefined): boolean {
    const [id = "", digests = "", declarationDigest = ""] = packed.split(" ");
    return (
      id === layoutId(appliedValues.layout) &&
      declarationDigest === this.#declaration(declaration) &&
      digests.startsWith(this.#whole(appliedValues, textsOf(appliedValues)))
    );
  }

  /** @returns undefined for a text that is damaged, or of a layout that is not known */
  unpack(packed: string, layouts: ReadonlyMap<string, Layout>): AppliedMemory | undefined {
    const [, id = "", digests = "", declarationDigest = ""] = PACKED.exec(packed) ?? [];
    const layout = layouts.get(id);
    if (layout === undefined || digests.length !== sizeOf(layout)) return undefined;
    return {
      wasDeclared: declarationDigest !== NOT_DECLARED,
      isDeclaredAlike: (declaration) =>
        declarationDigest === NOT_KNOWN ? undefined : declarationDigest === this.#declaration(declaration),
      departure: (now) => this.#differences(layout, digests, now),
      hasLeft: (path, value) => {
        const then = digestAt(digests, layout.paths.indexOf(path));
        return then === undefined ? undefined : then === this.#value(path, jsonOf(value));
      },
    };
  }

  #differences(layout: Layout, digests: string, now: AppliedValues): ChangedSinceApply {
    const texts = textsOf(now);
    if (digests.startsWith(this.#whole(now, texts))) return NO_DIFFERENCE;
    const columns = new Map(layout.paths.map((path, index) => [path, index]));
    const digestOf = (path: string) => digestAt(digests, columns.get(path) ?? -1);
    const paths = now.layout.paths.filter((path, index) => {
      const then = digestOf(path);
      // A value that the service did not show then, or does not show now, cannot be compared.
      return texts[index] !== undefined && then !== undefined && then !== this.#value(path, texts[index]);
    });
    const isShown = (name: string) =>
      digestOf(name) !== undefined && texts[now.layout.paths.indexOf(name)] !== undefined;
    const shownGroups = new Set([...new Set(now.layout.flags.map(groupOf))].filter(isShown));
    const knownFlags = new Set(layout.flags);
    const flagsThen = this.#setFlags(layout.flags, digests.slice(WHOLE + VALUE * layout.paths.length));
    const flags = now.layout.flags.filter(
      (flag) =>
        knownFlags.has(flag) && shownGroups.has(groupOf(flag)) && flagsThen.has(flag) !== now.isSet(flag),
    );
    return { paths, flags };
  }

  /** Digest of all values. A value that is not shown differs from every other one. */
  #whole({ layout, isSet }: AppliedValues, texts: readonly (string | undefined)[]): string {
    return this.#digest(`whole [${texts.join(",")}] ${layout.flags.filter(isSet).join(" ")}`, WHOLE);
  }

  /** @param text undefined for a value that is not shown */
  #value(path: string, text: string | undefined): string {
    if (text === undefined) return NOT_SHOWN;
    const digest = this.#digest(`value ${path} ${text}`, VALUE);
    return digest === NOT_SHOWN ? "AAAB" : digest;
  }

  #declaration(declaration: Value | undefined): string {
    if (declaration === undefined) return NOT_KNOWN;
    if (declaration === null) return NOT_DECLARED;
    return this.#digest(`declaration ${sortedJson(declaration)}`, DECLARATION);
  }

  /** Each flag is a bit, and the key decides if the bit is inverted: without the key it reveals nothing. */
  #flags(names: readonly string[], isSet: (flag: string) => boolean): string {
    const bits = this.#mask(names);
    names.forEach((name, index) => {
      if (isSet(name)) bits[index >> 3] = (bits[index >> 3] ?? 0) ^ (1 << (index & 7));
    });
    return bits.toString("base64");
  }

  #setFlags(names: readonly string[], text: string): ReadonlySet<string> {
    const mask = this.#mask(names);
    const bits = Buffer.from(text, "base64");
    return new Set(names.filter((_name, index) => bitAt(bits, index) !== bitAt(mask, index)));
  }

  #mask(names: readonly string[]): Buffer {
    const size = Math.ceil(names.length / 8);
    const blocks: Buffer[] = [];
    for (let index = 0; index * 32 < size; index++)
      blocks.push(hash("sha256", `${this.#key}flags ${index}`, "buffer"));
    return Buffer.concat(blocks, size);
  }

  #digest(text: string, length: number): string {
    return hash("sha256", this.#key + text, "base64").slice(0, length);
  }
}

const NO_DIFFERENCE: ChangedSinceApply = { paths: [], flags: [] };

/** The layout that a packed text names. */
export function layoutIn(packed: string): string {
  return packed.slice(0, packed.indexOf(" "));
}

/** A short id of a layout, so that its names are kept once for all objects of a family. */
export const layoutId = onceForEach(({ paths, flags }: Layout) =>
  createHash("sha256")
    .update(JSON.stringify([paths, flags]))
    .digest("base64url")
    .slice(0, 8),
);

function sizeOf({ paths, flags }: Layout): number {
  return WHOLE + VALUE * paths.length + Math.ceil(Math.ceil(flags.length / 8) / 3) * 4;
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

/** Undefined if the value was not shown, or has no place. */
function digestAt(digests: string, index: number): string | undefined {
  if (index < 0) return undefined;
  const start = WHOLE + VALUE * index;
  const digest = digests.slice(start, start + VALUE);
  return digest === NOT_SHOWN ? undefined : digest;
}

function bitAt(bytes: Buffer, index: number): number {
  return ((bytes[index >> 3] ?? 0) >> (index & 7)) & 1;
}

/** The value that a flag is a part of. */
function groupOf(flag: string): string {
  return flag.slice(0, flag.indexOf("."));
}
