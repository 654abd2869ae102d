/** Defines the entries of the state other than memories, each by a table of its members. Members are spelt as in the file. */
import { normalForm, NOT_IN_SNAPSHOT, type ObjectValue, type Shape, shapes, type Value } from "../lib/values";

/** The record of a token (spec 2.5) as the service answered it, with all its members. */
export interface TokenRecord extends ObjectValue {
  readonly id: string;
  readonly serial: string;
  /** The secret; null if it is sealed. */
  readonly access_token: string | null;
  /** The secret for its readers, as an age message. @default it is not sealed */
  readonly access_token_sealed?: string | null;
}

/** A token that was replaced, and is still valid until it is revoked. */
export interface ReplacedToken {
  readonly id: string;
  readonly serial: string;
  /** The secret; null if it is sealed. */
  readonly access_token: string | null;
  /** The secret for its readers, as an age message. @default it is not sealed */
  readonly access_token_sealed?: string | null;
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
  /** The declared keepers at the time of creating tokens; null if none were declared. */
  readonly keepers: Value;
  /** True if a value among the keepers came from something sensitive at that time. @default false */
  readonly sensitive_keepers?: boolean;
  /** The recipients of the sealed token. @default it is not sealed */
  readonly seal_to?: readonly string[] | undefined;
  /** The retention of replaced tokens, as last applied. @default not known */
  readonly retention?: KeptRetention;
  /** Oldest last. */
  readonly previous: readonly ReplacedToken[];
  /** The tokens that the service was proven to refuse. @default none */
  readonly refused?: readonly RefusedToken[];
}

/** The values of `retain_previous_for`, `retain_previous` and `rotate_after`. None can be sensitive. */
export interface KeptRetention {
  readonly for: string;
  readonly count: number | bigint;
  /** @default the token is not rotated by its age */
  readonly rotate_after?: string;
}

/** A note that a token has ended outside: its refusal had no other reason. */
export interface RefusedToken {
  readonly serial: string;
  /** When that was proven, ISO 8601. */
  readonly refused_at: string;
}

/** A note that a token is about to be created; `id` identifies it. */
export interface Intent {
  /** Chosen by the caller, a random uuid for instance. */
  readonly id: string;
  readonly login: string;
  readonly name: string;
  /** `password` or `temporary_password`. */
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
  /** The secret: only with it can be proven that the service refuses the token. Null if it is sealed. */
  readonly access_token: string | null;
  /** The secret for its readers, as an age message. @default it is not sealed */
  readonly access_token_sealed?: string | null;
  /** By which a sealed token is known again, as the service wrote it. @default not known */
  readonly created_at?: string | null;
  /** Id of the user profile that it acts for, where that is known. */
  readonly user_id?: string;
  /** When it was tried last, ISO 8601. */
  readonly failed_at: string;
}

/** A declared token whose user was live before the part of the state was made: an earlier state may know the token. */
export interface PossiblyIssuedToken {
  readonly login: string;
  /** Null means every token of the user, since the names were not known. */
  readonly name: string | null;
  /** A user who is created again under the same login has no token left. */
  readonly user_id: string;
}

/** A password that a user gets so that a token can be created, and that is not proven to be gone again; `user_id` identifies it. */
export interface TemporaryPassword {
  readonly login: string;
  readonly user_id: string;
  /** ISO 8601. */
  readonly set_at: string;
}

/** A token whose secret was in a state that an earlier key opens; `serial` identifies it. It stays noted after the token has ended. */
export interface ExposedToken {
  readonly login: string;
  readonly name: string;
  readonly serial: string;
  /** When the key was changed, ISO 8601. */
  readonly exposed_at: string;
}

/** True if the token is declared, and none of its keepers is sensitive. */
export type HasPlainKeepers = (token: TokenIdentity) => boolean;

/** One kind of entry: parsed, written and published by its table. */
export interface EntryKind<Identity, Entry extends Identity> {
  /** The member of the part that lists them. */
  readonly member: string;
  /** True for a member that is written only where there is an entry. */
  readonly isRare: boolean;
  readonly shape: Shape<Entry>;
  keyOf(identity: Identity): string;
  publish(entry: Entry, hasPlainKeepers: HasPlainKeepers): ObjectValue;
  /** Gives a published entry the form of a kept one. Its secrets are empty. */
  restore(published: ObjectValue): ObjectValue;
}

export type TokenIdentity = Pick<TokenEntry, "login" | "name">;

/** One member of an entry. Members that no table names are kept, and never published. */
interface EntryField {
  readonly shape: Shape<unknown>;
  /** Left out where the member is secret. Undefined as a result leaves the member out. */
  readonly publish?: (value: Value | undefined) => Value | undefined;
  readonly restore?: (published: Value | undefined) => Value | undefined;
}

type MemberTable<Entry> = Readonly<Record<Extract<keyof Entry, string>, EntryField>>;

const { text, textOrNull, flag, integer, anything, optional, listOf, objectOf } = shapes;

/** Replaces a secret of the state in a snapshot's part. No plan uses it as a secret: plans from a snapshot are marked. */
const NO_SECRET = "";

const asItIs = (value: Value | undefined) => value;
const isPublic = (shape: Shape<unknown>): EntryField => ({ shape, publish: asItIs, restore: asItIs });
const isSecret: EntryField = { shape: textOrNull, restore: () => NO_SECRET };
/** No secret, but of no use without the state either. */
const isSealedSecret: EntryField = { shape: optional(textOrNull) };
const isPublicText = {
  shape: optional(anything),
  publish: (value: Value | undefined) => (typeof value === "string" ? value : null),
  restore: (value: Value | undefined) => value ?? null,
};

function shapeOf<Entry>(table: Readonly<Record<string, EntryField>>): Shape<Entry> {
  const members = Object.entries(table).map(([name, field]) => [name, field.shape] as const);
  return objectOf(Object.fromEntries(members)) as Shape<Entry>;
}

function publishedIn(table: Readonly<Record<string, EntryField>>, entry: object): ObjectValue {
  return membersOf(table, (name, { publish }) => publish?.((entry as ObjectValue)[name]));
}

function restoredIn(table: Readonly<Record<string, EntryField>>, published: ObjectValue): ObjectValue {
  return membersOf(table, (name, { restore }) => restore?.(published[name]));
}

function membersOf(
  table: Readonly<Record<string, EntryField>>,
  valueOf: (name: string, field: EntryField) => Value | undefined,
): ObjectValue {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, field]) => {
      const value = valueOf(name, field);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** An object in an entry, with a table of its own. */
function inner(table: Readonly<Record<string, EntryField>>): EntryField {
  return {
    shape: shapeOf(table),
    publish: (value) => publishedIn(table, shapes.anyObject(value, "")),
    restore: (value) => restoredIn(table, shapes.anyObject(value, "record")),
  };
}

/** A list of such objects. */
function rows(table: Readonly<Record<string, EntryField>>, isOptional = false): EntryField {
  const shape = listOf(shapeOf(table));
  const each = (change: (row: ObjectValue) => ObjectValue) => (value: Value | undefined) =>
    value === undefined ? undefined : (value as readonly ObjectValue[]).map(change);
  return {
    shape: isOptional ? optional(shape) : shape,
    publish: each((row) => publishedIn(table, row)),
    restore: each((row) => restoredIn(table, row)),
  };
}

function entryKind<Identity, Entry extends Identity>(
  member: string,
  keyOf: (identity: Identity) => string,
  table: MemberTable<Entry>,
  isRare = false,
): EntryKind<Identity, Entry> {
  return {
    member,
    isRare,
    keyOf,
    shape: shapeOf<Entry>(table),
    publish: (entry) => publishedIn(table, entry as object),
    restore: (published) => restoredIn(table, published),
  };
}

const tokenTable: MemberTable<TokenEntry> = {
  login: isPublic(text),
  name: isPublic(text),
  record: inner({
    id: isPublic(text),
    serial: isPublic(text),
    access_token: isSecret,
    access_token_sealed: isSealedSecret,
    user_id: isPublicText,
    created_at: isPublicText,
  }),
  keepers: { shape: anything },
  sensitive_keepers: { shape: optional(flag) },
  seal_to: isPublic(optional(listOf(text))),
  retention: isPublic(optional(objectOf({ for: text, count: integer, rotate_after: optional(text) }))),
  previous: rows({
    id: isPublic(text),
    serial: isPublic(text),
    access_token: isSecret,
    access_token_sealed: isSealedSecret,
    created_at: isPublic(textOrNull),
    retired_at: isPublic(text),
  }),
  refused: rows({ serial: isPublic(text), refused_at: isPublic(text) }, true),
};

const plainTokens = entryKind<TokenIdentity, TokenEntry>(
  "tokens",
  ({ login, name }) => JSON.stringify([normalForm(login), normalForm(name)]),
  tokenTable,
);

export const tokenKind: EntryKind<TokenIdentity, TokenEntry> = {
  ...plainTokens,
  /** Keepers are public if the declaration shows that none is sensitive, and none was sensitive when they were stored either. */
  publish(entry, hasPlainKeepers) {
    const { keepers, sensitive_keepers: wereSensitive = false } = entry;
    const areShown = !wereSensitive && hasPlainKeepers(entry);
    return {
      ...plainTokens.publish(entry, hasPlainKeepers),
      keepers: areShown ? keepers : null,
      keepers_left_out: keepers !== null && !areShown,
    };
  },
  restore(published) {
    const { keepers = null, keepers_left_out: isLeftOut } = published;
    return { ...plainTokens.restore(published), keepers: isLeftOut === true ? NOT_IN_SNAPSHOT : keepers };
  },
};

export const intentKind = entryKind<Pick<Intent, "id">, Intent>("intents", ({ id }) => id, {
  id: isPublic(text),
  login: isPublic(text),
  name: isPublic(text),
  login_with: isPublic(text),
  started_at: isPublic(text),
});

export const failedRevocationKind = entryKind<Pick<FailedRevocation, "serial">, FailedRevocation>(
  "failed_revocations",
  ({ serial }) => serial,
  {
    login: isPublic(text),
    name: isPublic(text),
    id: isPublic(text),
    serial: isPublic(text),
    access_token: isSecret,
    access_token_sealed: isSealedSecret,
    created_at: isPublic(optional(textOrNull)),
    user_id: isPublic(optional(text)),
    failed_at: isPublic(text),
  },
);

export const possiblyIssuedKind = entryKind<Pick<PossiblyIssuedToken, "login" | "name">, PossiblyIssuedToken>(
  "doubtful_tokens",
  ({ login, name }) => JSON.stringify([normalForm(login), name === null ? null : normalForm(name)]),
  { login: isPublic(text), name: isPublic(textOrNull), user_id: isPublic(text) },
  true,
);

export const temporaryPasswordKind = entryKind<Pick<TemporaryPassword, "user_id">, TemporaryPassword>(
  "temporary_passwords",
  ({ user_id }) => user_id,
  { login: isPublic(text), user_id: isPublic(text), set_at: isPublic(text) },
  true,
);

export const exposedTokenKind = entryKind<Pick<ExposedToken, "serial">, ExposedToken>(
  "exposed_tokens",
  ({ serial }) => serial,
  {
    login: isPublic(text),
    name: isPublic(text),
    serial: isPublic(text),
    exposed_at: isPublic(text),
  },
  true,
);

/** A kind of entry, of any type. */
export interface AnyKind {
  readonly member: string;
  readonly isRare: boolean;
  readonly shape: Shape<object>;
  keyOf(entry: object): string;
  publish(entry: object, hasPlainKeepers: HasPlainKeepers): ObjectValue;
  restore(published: ObjectValue): ObjectValue;
}

/** The kinds of entries, by the names that a part of the state has for them in memory. */
export const KINDS = {
  tokens: tokenKind,
  intents: intentKind,
  failedRevocations: failedRevocationKind,
  possiblyIssued: possiblyIssuedKind,
  temporaryPasswords: temporaryPasswordKind,
  exposedTokens: exposedTokenKind,
};

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

/** All entries of a part, by kind and by their keys. */
export type Entries = {
  readonly [Name in KindName]: Map<string, ReturnType<(typeof KINDS)[Name]["shape"]>>;
};

/** The entries of one kind in a part. Changes are in memory until the state is saved. */
export class EntryList<Identity, Entry extends Identity> {
  readonly #entries: Map<string, Entry>;
  readonly #kind: EntryKind<Identity, Entry>;
  readonly #changed: () => void;

  /** @param beforeChange called before each change; throws if none is allowed */
  constructor(entries: Map<string, Entry>, kind: EntryKind<Identity, Entry>, beforeChange: () => void) {
    this.#entries = entries;
    this.#kind = kind;
    this.#changed = beforeChange;
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
   * @throws Misshapen if it could not be read again.
   */
  put(entry: Entry): void {
    this.#kind.shape(entry as Value, this.#kind.member);
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
