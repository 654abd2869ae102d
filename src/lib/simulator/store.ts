/** All records of the service, in memory. */
import type { Account } from "./account";
import type { Authorization, Session } from "./tokens";
import type { UserProfile } from "./user-profile";

/** The records of each table. */
interface TableRecords {
  readonly accounts: Account;
  readonly profiles: UserProfile;
  readonly authorizations: Authorization;
  readonly sessions: Session;
}

type TableName = keyof TableRecords;

/** One row put or removed. */
export type StoreChange = {
  readonly [T in TableName]:
    { readonly table: T; readonly put: TableRecords[T] } | { readonly table: T; readonly remove: Tombstone };
}[TableName];

export class Store {
  readonly accounts = new Table<Account, "name" | "uuid">(
    "account",
    { name: (account) => account.name, uuid: (account) => account.uuid.toLowerCase() },
    {},
  );
  readonly profiles = new Table<UserProfile, "login" | "uuid", "account_id">(
    "user_profile",
    { login: (profile) => profile.login, uuid: (profile) => profile.uuid.toLowerCase() },
    { account_id: (profile) => profile.account_id },
  );
  readonly authorizations = new Table<Authorization, "token", "user_id">(
    "authorization",
    { token: (authorization) => authorization.access_token_digest },
    { user_id: (authorization) => authorization.user_id },
  );
  readonly sessions = new Table<Session, "token", "user_id">(
    "session",
    { token: (session) => session.access_token_digest },
    { user_id: (session) => session.user_id },
  );

  commit(changes: readonly StoreChange[]): void {
    for (const change of changes)
      // The compiler can't see that a change's row is of its table's type; `StoreChange` sees to it.
      if ("put" in change)
        (this[change.table] as { put(row: TableRecords[TableName]): void }).put(change.put);
      else this[change.table].remove(change.remove);
  }

  /**
   * Copies all tables.
   * @returns restores them: later records are lost without a trace, and their ids are used again
   */
  backup(): () => void {
    const restores = Object.values(this).flatMap((member: unknown) =>
      member instanceof Table ? [member.backup()] : [],
    );
    return () => restores.forEach((restore) => restore());
  }
}

export interface StoredRow {
  readonly id: string;
  readonly serial: string;
  /** Grows with each change. @default it never changes */
  readonly seq?: number;
}

/** The rest of a deleted record, so that it answers 410. */
export interface Tombstone {
  readonly id: string;
  readonly serial: string;
  readonly uuid?: string;
  readonly account_id: string;
}

export function tombstoneOf({ id, serial, uuid, account_id }: Tombstone): Tombstone {
  return { id, serial, ...(uuid !== undefined && { uuid }), account_id };
}

type Key<R> = (row: R) => string;

/** The records of one type in the order of their creation, with the ids of deleted ones. */
export class Table<R extends StoredRow, Unique extends string = never, Group extends string = never> {
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

  /** By id or serial. */
  find(ref: string): R | undefined {
    return this.#rows.get(ref) ?? this.#bySerial.get(ref);
  }

  findDeleted(ref: string): Tombstone | undefined {
    return this.#deleted.get(ref);
  }

  /** True if a deleted record had it. */
  hadUuid(uuid: string): boolean {
    const lowerCase = uuid.toLowerCase();
    return [...this.#deleted.values()].some((tombstone) => tombstone.uuid?.toLowerCase() === lowerCase);
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

  /** @returns makes the table as it is now */
  backup(): () => void {
    const rows = [...this.#rows.values()];
    const tombstones = new Set(this.#deleted.values());
    return () => {
      for (const row of [...this.#rows.values()]) this.drop(row);
      this.#deleted.clear();
      this.#lastNumber = 0;
      for (const row of rows) this.put(row);
      for (const tombstone of tombstones) this.remove(tombstone);
    };
  }

  #unindex(row: R): void {
    for (const [name, index] of this.#unique) index.delete(this.unique[name](row));
  }

  #noteNumber(id: string): void {
    this.#lastNumber = Math.max(this.#lastNumber, Number(id.slice(id.lastIndexOf(":") + 1)));
  }
}
