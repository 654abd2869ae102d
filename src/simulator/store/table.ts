/** The records of one type, in the order in which they were made, with what was deleted remembered. */

export interface Row {
  readonly id: string;
  readonly serial: string;
}

/** What remains of a deleted record, so that it answers 410. */
export interface Tombstone {
  readonly id: string;
  readonly serial: string;
  readonly uuid?: string;
  readonly account_id: string;
}

type Key<R> = (row: R) => string;

export class Table<R extends Row, Unique extends string = never, Group extends string = never> {
  readonly #rows = new Map<string, R>();
  readonly #bySerial = new Map<string, R>();
  readonly #deleted = new Map<string, Tombstone>();
  readonly #unique = new Map<Unique, Map<string, R>>();
  readonly #groups = new Map<Group, Map<string, Map<string, R>>>();
  #lastNumber = 0;

  /**
   * @param type first part of the ids
   * @param unique keys that no two rows share
   * @param groups keys by which many rows are found at once
   */
  constructor(
    readonly type: string,
    private readonly unique: Readonly<Record<Unique, Key<R>>>,
    private readonly groups: Readonly<Record<Group, Key<R>>>,
  ) {
    for (const name of Object.keys(unique) as Unique[]) this.#unique.set(name, new Map());
    for (const name of Object.keys(groups) as Group[]) this.#groups.set(name, new Map());
  }

  get size(): number {
    return this.#rows.size;
  }

  /** An id that no record ever had. */
  newId(): string {
    this.#lastNumber += 1;
    return `${this.type}:1:${this.#lastNumber}`;
  }

  values(): IterableIterator<R> {
    return this.#rows.values();
  }

  tombstones(): ReadonlySet<Tombstone> {
    return new Set(this.#deleted.values());
  }

  /** By id or serial. */
  find(ref: string): R | undefined {
    return this.#rows.get(ref) ?? this.#bySerial.get(ref);
  }

  findDeleted(ref: string): Tombstone | undefined {
    return this.#deleted.get(ref);
  }

  /** Whether a deleted record had it. */
  hadUuid(uuid: string): boolean {
    const wanted = uuid.toLowerCase();
    return [...this.#deleted.values()].some((deleted) => deleted.uuid?.toLowerCase() === wanted);
  }

  by(name: Unique, key: string): R | undefined {
    return this.#unique.get(name)?.get(key);
  }

  in(name: Group, key: string): readonly R[] {
    return [...(this.#groups.get(name)?.get(key)?.values() ?? [])];
  }

  put(row: R): void {
    const old = this.#rows.get(row.id);
    if (old !== undefined) this.#unindex(old);
    // A changed row keeps its place: `Map` remembers when a key came first.
    this.#rows.set(row.id, row);
    this.#bySerial.set(row.serial, row);
    for (const [name, index] of this.#unique) index.set(this.unique[name](row), row);
    for (const [name, group] of this.#groups) {
      const key = this.groups[name](row);
      const members = group.get(key) ?? new Map<string, R>();
      group.set(key, members.set(row.id, row));
    }
    this.#noteNumber(row.id);
  }

  remove(tombstone: Tombstone): void {
    const row = this.#rows.get(tombstone.id);
    if (row !== undefined) {
      this.#unindex(row);
      this.#rows.delete(row.id);
      this.#bySerial.delete(row.serial);
      for (const [name, group] of this.#groups) group.get(this.groups[name](row))?.delete(row.id);
    }
    this.#deleted.set(tombstone.id, tombstone).set(tombstone.serial, tombstone);
    this.#noteNumber(tombstone.id);
  }

  /** Forgets a row without a trace. */
  drop(row: R): void {
    this.remove({ id: row.id, serial: row.serial, account_id: "" });
    this.#deleted.delete(row.id);
    this.#deleted.delete(row.serial);
  }

  #unindex(row: R): void {
    for (const [name, index] of this.#unique) index.delete(this.unique[name](row));
  }

  #noteNumber(id: string): void {
    this.#lastNumber = Math.max(this.#lastNumber, Number(id.slice(id.lastIndexOf(":") + 1)));
  }
}
