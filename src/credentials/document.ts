/** The format of what is kept: a versioned JSON document of parts. See docs/credential-store.md. */
import { CorruptStore, NewerStore } from "../errors";
import { isInteger, isObject, parseJson, stringifyJson, type ObjectValue, type Value } from "../values";
import { inherit } from "./inherit";
import { newPart, partKey, readPart, writePart, type Part, type PartName } from "./part";
import { Misshapen, Shape } from "./shape";

export const FORMAT = "tenancy-credentials";
export const FORMAT_VERSION = 1;

/**
 * Reads the members that plain and encrypted documents share.
 * @throws CorruptStore, NewerStore
 */
export function readHeader(text: string, store: string): ObjectValue {
  const header = parse(text, store);
  if (!isObject(header) || header.format !== FORMAT)
    throw new CorruptStore(store, "it is not a credential store");
  const { version } = header;
  if (!isInteger(version) || version < 1) throw new CorruptStore(store, "its format has no version");
  if (version > FORMAT_VERSION) throw new NewerStore(store, version, FORMAT_VERSION);
  return header;
}

function parse(text: string, store: string): Value {
  try {
    return parseJson(text);
  } catch {
    // The parser's own message quotes the text, secrets included.
    throw new CorruptStore(store, text.trim() === "" ? "it is empty" : "it is not JSON");
  }
}

/** What to throw for an error met while reading: a wrong shape means that the store is damaged. */
export function corruptWhereMisshapen(error: unknown, store: string): unknown {
  return error instanceof Misshapen ? new CorruptStore(store, error.message) : error;
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
    /** False for what is read without holding the lock: changing it could undo what another run keeps. */
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
   * @throws CorruptStore
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
