import type { Value } from "../values";
import type { EntryKind } from "./entries";

/** The entries of one kind in a ledger. Changes are in memory until the store is saved. */
export class EntryList<Identity, Entry extends Identity> {
  readonly #entries: Map<string, Entry>;
  readonly #kind: EntryKind<Identity, Entry>;
  readonly #changed: () => void;

  /** @param changed called before each change; throws where none is allowed */
  constructor(entries: Map<string, Entry>, kind: EntryKind<Identity, Entry>, changed: () => void) {
    this.#entries = entries;
    this.#kind = kind;
    this.#changed = changed;
  }

  get(identity: Identity): Entry | undefined {
    return this.#entries.get(this.#kind.keyOf(identity));
  }

  /** In the order in which they came. */
  list(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /**
   * Adds the entry, or replaces the one of the same identity; members that only the old one has are kept.
   * @throws Misshapen where it could not be read again.
   */
  put(entry: Entry): void {
    this.#kind.check(entry as Value, this.#kind.member);
    this.#changed();
    const key = this.#kind.keyOf(entry);
    this.#entries.set(key, { ...this.#entries.get(key), ...entry });
  }

  /** @returns whether it was there */
  remove(identity: Identity): boolean {
    this.#changed();
    return this.#entries.delete(this.#kind.keyOf(identity));
  }
}
