import { formatPath, normalForm, type Path, type Value } from "../values";
import { keyedDigest } from "./digest";
import type { LiveObject, ObjectMemory, SentVersion } from "./memory";
import { matchesHash, saltedHash } from "./secret-hash";

/** What a ledger remembers of live objects. What is remembered of another uuid under the same key is as good as absent. */
export class ObjectMemories {
  readonly #memories: Map<string, ObjectMemory>;
  readonly #digestKey: Buffer;
  readonly #changed: () => void;

  /** @param changed called before each change; throws where none is allowed */
  constructor(memories: Map<string, ObjectMemory>, digestKey: Buffer, changed: () => void) {
    this.#memories = memories;
    this.#digestKey = digestKey;
    this.#changed = changed;
  }

  /** The version of a write-only value that was sent last, or noted for a live record without sending. */
  sentVersion(object: LiveObject, path: Path): SentVersion | undefined {
    return this.#of(object)?.writeOnly.get(formatPath(path));
  }

  /** Whether a version of any write-only value is remembered. */
  hasSentVersion(object: LiveObject): boolean {
    const memory = this.#of(object);
    return memory !== undefined && [...memory.writeOnly.values()].some(({ version }) => version !== null);
  }

  /** @param secret the value itself, of which only a salted hash is kept; left out where it is not at hand */
  async recordVersion(
    object: LiveObject,
    path: Path,
    version: SentVersion["version"],
    secret?: string,
  ): Promise<void> {
    const hash = secret === undefined ? null : await saltedHash(secret);
    this.#changed();
    this.#make(object).writeOnly.set(formatPath(path), { version, hash });
  }

  /**
   * Whether the secret is the one recorded. Takes some milliseconds of a core on purpose; ask for many at once.
   * @returns undefined where there is nothing to compare with
   */
  async isSameSecret(object: LiveObject, path: Path, secret: string): Promise<boolean | undefined> {
    return matchesHash(secret, this.sentVersion(object, path)?.hash ?? "");
  }

  /**
   * Whether a value that the service masks or leaves out is the one remembered.
   * @returns undefined where none is remembered
   */
  isSameValue(object: LiveObject, path: Path, value: Value): boolean | undefined {
    const digest = this.#of(object)?.digests.get(formatPath(path));
    return digest === undefined ? undefined : digest === this.#digest(object, path, value);
  }

  rememberValue(object: LiveObject, path: Path, value: Value): void {
    this.#changed();
    this.#make(object).digests.set(formatPath(path), this.#digest(object, path, value));
  }

  /** The object is deleted: so is what was remembered of it. */
  forget(key: string): void {
    this.#changed();
    this.#memories.delete(normalKey(key));
  }

  #of({ key, uuid }: LiveObject): ObjectMemory | undefined {
    const memory = this.#memories.get(normalKey(key));
    return memory?.uuid === uuid.toLowerCase() ? memory : undefined;
  }

  #make(object: LiveObject): ObjectMemory {
    const known = this.#of(object);
    if (known !== undefined) return known;
    const memory = { uuid: object.uuid.toLowerCase(), writeOnly: new Map(), digests: new Map(), unknown: {} };
    this.#memories.set(normalKey(object.key), memory);
    return memory;
  }

  #digest({ key }: LiveObject, path: Path, value: Value): string {
    return keyedDigest(this.#digestKey, normalKey(key), formatPath(path), value);
  }
}

function normalKey(key: string): string {
  return normalForm(key);
}
