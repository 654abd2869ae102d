/** Defines the entries of the store other than memories. Members are spelt as in the file, and members that are not named here are kept. */
import { isInteger, normalForm, type ObjectValue, type Value } from "../lib/values";
import { Misshapen, Shape } from "./shape";

/** The record of a token (spec 2.5) as the service answered it, with whatever members it has. */
export interface TokenRecord extends ObjectValue {
  readonly id: string;
  readonly serial: string;
  /** The secret. */
  readonly access_token: string;
}

/** A token that was replaced, and is still good until it is revoked. */
export interface ReplacedToken {
  readonly id: string;
  readonly serial: string;
  /** The secret. */
  readonly access_token: string;
  /** As the service wrote it; null if the service said nothing. */
  readonly created_at: string | null;
  /** When its successor was kept, ISO 8601. */
  readonly retired_at: string;
}

/** A persistent token; `login` and `name` identify it. */
export interface TokenEntry {
  readonly login: string;
  readonly name: string;
  readonly record: TokenRecord;
  /** The declared keepers at the time of creating tokens; null where none were declared. */
  readonly keepers: Value;
  /** True if a value among the keepers came from something sensitive at that time. @default false */
  readonly sensitive_keepers?: boolean;
  /** How long replaced tokens are kept, as last applied. @default not known */
  readonly retention?: KeptRetention;
  /** Oldest last. */
  readonly previous: readonly ReplacedToken[];
  /** Which of these tokens the service was proven to refuse. @default none */
  readonly refused?: readonly RefusedToken[];
}

/** The values of `retain_previous_for` and `retain_previous`. Neither can be sensitive. */
export interface KeptRetention {
  readonly for: string;
  readonly count: number | bigint;
}

/** A note that a token has ended outside: its refusal had no other reason. */
export interface RefusedToken {
  readonly serial: string;
  /** When that was proven, ISO 8601. */
  readonly refused_at: string;
}

/** A note that a token is about to be created; `id` identifies it. */
export interface Intent {
  /** Chosen by whoever opens it, a random uuid for instance. */
  readonly id: string;
  readonly login: string;
  readonly name: string;
  /** `password`, `switch_user` or `temporary_password`. */
  readonly login_with: string;
  /** ISO 8601. */
  readonly started_at: string;
}

/** A token that should be revoked, and isn't yet; `serial` identifies it. */
export interface FailedRevocation {
  readonly login: string;
  readonly name: string;
  readonly id: string;
  readonly serial: string;
  /** The secret: only with it can be proven that the service refuses the token. */
  readonly access_token: string;
  /** Id of the user profile that it acts for, where that is known. */
  readonly user_id?: string;
  /** When it was tried last, ISO 8601. */
  readonly failed_at: string;
}

/** A declared token whose user was live before the part of the store was made: an earlier store may know the token. */
export interface DoubtfulToken {
  readonly login: string;
  /** Null means every token of the user, since the names were not known. */
  readonly name: string | null;
  /** A user who is created again under the same login has no token left. */
  readonly user_id: string;
}

/** A password that a user gets so that a token can be created, and that is not proven to be gone again; `user_id` identifies it. */
export interface EphemeralPassword {
  readonly login: string;
  readonly user_id: string;
  /** ISO 8601. */
  readonly set_at: string;
}

/** How one kind of entry is told apart, checked when read as when put: what was put can be read again. */
export interface EntryKind<Identity, Entry extends Identity> {
  /** The member of the part that lists them. */
  readonly member: string;
  keyOf(identity: Identity): string;
  /** @throws Misshapen */
  check(value: Value, place: string): Entry;
}

export type TokenIdentity = Pick<TokenEntry, "login" | "name">;

export const tokenKind: EntryKind<TokenIdentity, TokenEntry> = {
  member: "tokens",
  keyOf: ({ login, name }) => JSON.stringify([normalForm(login), normalForm(name)]),
  check(value, place) {
    const shape = texts(value, place, ["login", "name"]);
    texts(shape.member("record"), shape.at("record"), ["id", "serial", "access_token"]);
    if (shape.member("keepers") === undefined) throw new Misshapen(shape.at("keepers"), "there");
    if (!["boolean", "undefined"].includes(typeof shape.member("sensitive_keepers")))
      throw new Misshapen(shape.at("sensitive_keepers"), "true or false");
    const retention = shape.member("retention");
    if (retention !== undefined) requireRetention(new Shape(retention, shape.at("retention")));
    shape.list("previous", (previous, at) => {
      const created = texts(previous, at, ["id", "serial", "access_token", "retired_at"]).member(
        "created_at",
      );
      if (created !== null && typeof created !== "string")
        throw new Misshapen(`${at}.created_at`, "a string or null");
    });
    if (shape.member("refused") !== undefined)
      shape.list("refused", (one, at) => texts(one, at, ["serial", "refused_at"]));
    return value as unknown as TokenEntry;
  },
};

function requireRetention(shape: Shape): void {
  shape.text("for");
  if (!isInteger(shape.member("count"))) throw new Misshapen(shape.at("count"), "an integer");
}

export const intentKind: EntryKind<Pick<Intent, "id">, Intent> = {
  member: "intents",
  keyOf: ({ id }) => id,
  check(value, place) {
    texts(value, place, ["id", "login", "name", "login_with", "started_at"]);
    return value as unknown as Intent;
  },
};

export const failedRevocationKind: EntryKind<Pick<FailedRevocation, "serial">, FailedRevocation> = {
  member: "failed_revocations",
  keyOf: ({ serial }) => serial,
  check(value, place) {
    const shape = texts(value, place, ["login", "name", "id", "serial", "access_token", "failed_at"]);
    if (shape.member("user_id") !== undefined) shape.text("user_id");
    return value as unknown as FailedRevocation;
  },
};

export const doubtfulTokenKind: EntryKind<Pick<DoubtfulToken, "login" | "name">, DoubtfulToken> = {
  member: "doubtful_tokens",
  keyOf: ({ login, name }) =>
    JSON.stringify([normalForm(login), typeof name === "string" ? normalForm(name) : null]),
  check(value, place) {
    const name = texts(value, place, ["login", "user_id"]).member("name");
    if (name !== null && typeof name !== "string") throw new Misshapen(`${place}.name`, "a string or null");
    return value as unknown as DoubtfulToken;
  },
};

export const ephemeralPasswordKind: EntryKind<Pick<EphemeralPassword, "user_id">, EphemeralPassword> = {
  member: "ephemeral_passwords",
  keyOf: ({ user_id }) => user_id,
  check(value, place) {
    texts(value, place, ["login", "user_id", "set_at"]);
    return value as unknown as EphemeralPassword;
  },
};

function texts(value: Value | undefined, place: string, names: readonly string[]): Shape {
  const shape = new Shape(value, place);
  for (const name of names) shape.text(name);
  return shape;
}

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
