/** All records of the service, in memory, and on disk where there is a data file. */
import { parseJson, toJson } from "../json";
import type { Account } from "../records/account";
import type { Authorization } from "../records/authorization";
import type { Session } from "../records/session";
import type { UserProfile } from "../records/user-profile";
import type { Journal } from "./journal";
import { Table, type Tombstone } from "./table";

/** The records of each table. */
interface Records {
  readonly accounts: Account;
  readonly profiles: UserProfile;
  readonly authorizations: Authorization;
  readonly sessions: Session;
}

type TableName = keyof Records;

/** One row put or removed. */
export type Change = {
  readonly [T in TableName]:
    { readonly table: T; readonly put: Records[T] } | { readonly table: T; readonly remove: Tombstone };
}[TableName];

/** A table, seen as one that takes every row. */
interface Puts {
  put(row: Records[TableName]): void;
}

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
  #journal: Journal | undefined;
  #durable: Promise<void> = Promise.resolve();

  /** Takes up what the journal holds, and writes to it from now on. */
  async attach(journal: Journal): Promise<void> {
    await journal.open({
      replay: (line) => {
        for (const change of parseJson(line) as readonly Change[]) this.#apply(change);
      },
      snapshot: () => this.#snapshot(),
    });
    this.#journal = journal;
  }

  /** Makes all changes, or after a crash none of them. They are seen at once, and safe when {@link durable} resolves. */
  commit(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    for (const change of changes) this.#apply(change);
    if (this.#journal === undefined) return;
    this.#durable = this.#journal.append(toJson(changes));
    // Whoever waits hears of a failure; where nobody does, it must not end the process.
    this.#durable.catch(() => undefined);
  }

  /** Resolves when all that was committed so far is on disk. */
  durable(): Promise<void> {
    return this.#durable;
  }

  async close(): Promise<void> {
    await this.#journal?.close();
  }

  #apply(change: Change): void {
    // The compiler can't see that a change's row is of its table's type; `Change` sees to it.
    if ("put" in change) (this[change.table] as Puts).put(change.put);
    else this[change.table].remove(change.remove);
  }

  *#snapshot(): Generator<string> {
    for (const table of ["accounts", "profiles", "authorizations", "sessions"] as const) {
      for (const row of this[table].values()) yield toJson([{ table, put: row }]);
      for (const tombstone of this[table].tombstones()) yield toJson([{ table, remove: tombstone }]);
    }
  }
}
