/**
 * Keeps created tokens: an intent on disk before creating tokens, the token on disk after it, and only then success is reported (design: Tokens).
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
  type CredentialStore,
  DEFAULT_STORE_PATH,
  type FailedRevocation,
  type KeptRetention,
  type Ledger,
  mintingRefusal,
  type ReplacedToken,
  type OpenStoreOptions,
  type TokenEntry,
  type TokenIdentity,
  type TokenRecord,
} from "../credentials";
import { TenancyError } from "../problems";
import { authorizationMembers, type MintIntent, previousOf, revoke, type TokenKeeper } from "../resources";
import type { Connection, Snapshot } from "../service";
import {
  isInteger,
  normalForm,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  type Path,
  type Value,
} from "../lib/values";
import type { PlanOptions } from "./options";
import type { Rotation } from "./planned-object";
import type { ReadTarget, WriteTarget } from "./target";

/** A token, and those that it replaced, as tokens that are still to be revoked. */
export function failedRevocationsOf(entry: TokenEntry, at: Date): readonly FailedRevocation[] {
  const { login, name, record, previous } = entry;
  const userId = record["user_id"];
  return [record, ...previous].map(({ id, serial, access_token }) => ({
    login,
    name,
    id,
    serial,
    access_token,
    ...(typeof userId === "string" && { user_id: userId }),
    failed_at: at.toISOString(),
  }));
}

interface KeeperOptions {
  readonly store: CredentialStore;
  readonly ledger: Ledger;
  readonly now: () => Date;
  /** The service as the plan saw it. */
  readonly snapshot: Snapshot;
  /** Paths of what is sensitive in the declaration of the token. */
  readonly sensitive: readonly Path[];
  /** The rotation that was asked for. */
  readonly rotation?: Rotation | undefined;
  /** Called before anything is noted or sent. @throws TenancyError where the token must not be created */
  readonly demand: (token: TokenIdentity) => void;
}

export function tokenKeeper(options: KeeperOptions): TokenKeeper {
  const { store, ledger, now, snapshot, sensitive, rotation, demand } = options;
  return {
    userIdOf: (login) => snapshot.profileWithLogin(login)?.id ?? undefined,
    keptFor(login) {
      const ending = new Set(ledger.failedRevocations.list().map(({ serial }) => serial));
      return ledger.tokens
        .list()
        .filter((entry) => normalForm(entry.login) === normalForm(login))
        .flatMap(({ record, previous }) => [record, ...previous])
        .filter(({ serial }) => !ending.has(serial));
    },
    temporaryPasswords: {
      has: (userId) => ledger.temporaryPasswords.get({ user_id: userId }) !== undefined,
      async note(login, userId) {
        ledger.temporaryPasswords.put({ login, user_id: userId, set_at: now().toISOString() });
        await store.save();
      },
      forget: (userId) => void ledger.temporaryPasswords.remove({ user_id: userId }),
    },
    async noteRefused(serials) {
      noteRefused(ledger, serials, now());
      await store.save();
    },
    async intend(login, name, loginWith): Promise<MintIntent> {
      demand({ login, name });
      const intent = {
        id: randomUUID(),
        login,
        name,
        login_with: loginWith,
        started_at: now().toISOString(),
      };
      ledger.intents.put(intent);
      await store.save();
      return {
        async keep(state) {
          const undo = putToken(ledger, tokenOfState(state, sensitive, rotation), now());
          ledger.intents.remove(intent);
          const doubt = ledger.doubtfulTokens.get({ login, name });
          ledger.doubtfulTokens.remove({ login, name });
          try {
            await store.save();
          } catch (error) {
            undo();
            ledger.intents.put(intent);
            if (doubt !== undefined) ledger.doubtfulTokens.put(doubt);
            throw error;
          }
        },
        async drop() {
          ledger.intents.remove(intent);
          await store.save();
        },
      };
    },
  };
}

/**
 * Puts a token into the ledger. One that it takes the place of, and that it does not keep as a previous one, is revoked until it is
 * refused.
 * @returns what makes the ledger as it was
 */
function putToken({ tokens, failedRevocations }: Ledger, token: TokenEntry, at: Date): () => void {
  const before = tokens.get(token);
  const serials = new Set([token.record, ...token.previous].map(({ serial }) => serial));
  const replaced =
    before === undefined ? [] : failedRevocationsOf(before, at).filter(({ serial }) => !serials.has(serial));
  replaced.forEach((one) => failedRevocations.put(one));
  const refused = (before?.refused ?? []).filter(({ serial }) => serials.has(serial));
  tokens.put({ ...token, ...(before?.refused !== undefined && { refused }) });
  return () => {
    replaced.forEach(({ serial }) => failedRevocations.remove({ serial }));
    tokens.remove(token);
    if (before !== undefined) tokens.put(before);
  };
}

// Tokens that have ended outside: the proof is noted, so that plans need not ask for it again (design: Tokens).

/** Notes tokens, current or previous ones, that the service was proven to refuse. */
function noteRefused({ tokens }: Ledger, serials: readonly string[], at: Date): void {
  for (const entry of tokens.list()) {
    const { record, previous, refused = [] } = entry;
    const notedSerials = new Set(refused.map(({ serial }) => serial));
    const newlyRefused = [record, ...previous].filter(
      ({ serial }) => serials.includes(serial) && !notedSerials.has(serial),
    );
    const notes = newlyRefused.map(({ serial }) => ({ serial, refused_at: at.toISOString() }));
    if (notes.length > 0) tokens.put({ ...entry, refused: [...refused, ...notes] });
  }
}

/** Notes a token that was found to have ended, and those of its previous ones that were found so with it. */
export function noteEnded(
  ledger: Ledger,
  { before, left }: { readonly before: ObjectValue; readonly left: ObjectValue | undefined },
  at: Date,
): void {
  const good = new Set(left === undefined ? [] : previousOf(left).map(({ serial }) => serial));
  const ended = [before, ...previousOf(before)].map(({ serial }) => serial).filter((one) => !good.has(one));
  noteRefused(ledger, ended.map(text), at);
}

/** Forgets such notes of tokens that the plan has tried, and that the service accepts after all. */
export function noteAccepted({ ledger: { tokens }, target }: Pick<WriteTarget, "ledger" | "target">): void {
  for (const entry of tokens.list()) {
    const { serial } = entry.record;
    const others = entry.refused?.filter((one) => one.serial !== serial);
    if (others?.length !== entry.refused?.length && isAccepted(serial, target))
      tokens.put({ ...entry, refused: others ?? [] });
  }
}

/** True if the store's notes on a token differ from the plan's trial of it. */
export function areTokenNotesOutdated({ ledger, refused }: ReadTarget): boolean {
  const noted = notedRefusals(ledger);
  return ledger.tokens
    .list()
    .some(({ record: { serial } }) => String(noted.get(serial)) !== String(refused.get(serial)));
}

/** Notes what the plan has found of the tokens that it has tried. */
export function noteTried({ ledger, target, connection }: WriteTarget): void {
  for (const { record, previous } of ledger.tokens.list()) {
    const good = target.refused.get(record.serial);
    if (good === undefined) continue;
    const ended = [record, ...previous].map(({ serial }) => serial).filter((one) => !good.includes(one));
    noteRefused(ledger, ended, connection.now());
  }
  noteAccepted({ ledger, target });
}

/** Forgets such notes of some tokens, current or previous ones. */
export function forgetRefused({ tokens }: Ledger, token: TokenIdentity, serials: readonly string[]): void {
  const entry = tokens.get(token);
  if (entry?.refused === undefined) return;
  tokens.put({ ...entry, refused: entry.refused.filter(({ serial }) => !serials.includes(serial)) });
}

/** Notes of this very run are newer than the plan. */
function isAccepted(serial: string, { ledger, refused }: WriteTarget["target"]): boolean {
  return notedRefusals(ledger).has(serial) && !refused.has(serial);
}

/** Serials of current tokens that are noted as refused, each with those of the tokens that it replaced and that may still be good. */
export function notedRefusals({ tokens }: Ledger): ReadonlyMap<string, readonly string[]> {
  return new Map(
    tokens.list().flatMap(({ record, previous, refused = [] }) => {
      const noted = new Set(refused.map(({ serial }) => serial));
      if (!noted.has(record.serial)) return [];
      return [[record.serial, previous.map(({ serial }) => serial).filter((serial) => !noted.has(serial))]];
    }),
  );
}

/**
 * Revokes tokens that are noted as to be revoked. The note of one goes once the service refuses it.
 * @returns why some of them are still noted
 */
export async function revokeNoted(
  connection: Connection,
  { failedRevocations }: Ledger,
  tokens: readonly FailedRevocation[],
): Promise<readonly TenancyError[]> {
  const failures: TenancyError[] = [];
  for (const { id, serial, access_token, login, user_id } of tokens) {
    try {
      await revoke(connection, { id, serial, access_token, login, user_id: user_id ?? null });
      failedRevocations.remove({ serial });
    } catch (error) {
      if (!(error instanceof TenancyError)) throw error;
      failures.push(error);
    }
  }
  return failures;
}

/** The place of the credential store of a run, and its key. */
export function storeOptionsOf({
  store = {},
  projectFolder = ".",
  environment = {},
}: PlanOptions): OpenStoreOptions {
  const key = store.key ?? (environment["TENANCY_STORE_KEY"] || undefined);
  return {
    path: store.path ?? join(projectFolder, DEFAULT_STORE_PATH),
    ...(store.helper !== undefined && { helper: { command: store.helper } }),
    ...(key !== undefined && { key }),
    ...(store.encryptPlain === true && { encryptPlain: true }),
  };
}

/** Tells the user that the run waits while another one holds the store's lock. */
export function lockOptionsOf({ onProgress }: Pick<PlanOptions, "onProgress">) {
  return { onWait: () => onProgress?.("waiting for another run, which holds the credential store") };
}

/** Why nothing may be created in this run: a CI job without a store that outlives it (design: Tokens). */
export function refusalToMint(options: PlanOptions): TenancyError | undefined {
  const { store = {}, environment = {} } = options;
  return mintingRefusal({
    ci: (environment["CI"] ?? "") !== "" && environment["CI"] !== "false",
    key: storeOptionsOf(options).key !== undefined,
    helper: store.helper !== undefined,
    explicitPath: store.path !== undefined,
  });
}

// A token as the store keeps it, and as the state of a `tenancy_authorization`.

/** Members of the record that the attributes show; client-only attributes are as the configuration has them. */
export function stateOfToken(entry: TokenEntry, clientOnly: ObjectValue): ObjectValue {
  return {
    ...clientOnly,
    ...entry.record,
    login: entry.login,
    name: entry.name,
    keepers: entry.keepers,
    previous: entry.previous.map(({ serial, access_token, created_at, retired_at }) => ({
      serial,
      access_token,
      created_at,
      retired_at,
    })),
  };
}

/** The same, of a token as a snapshot holds it: what it lacks is marked. */
export function withoutSecrets({ record }: TokenEntry, state: ObjectValue): ObjectValue {
  const lacking = Object.keys(authorizationMembers).filter((member) => !(member in record));
  const earlier = previousOf(state).map((token) => ({ ...token, access_token: NOT_IN_SNAPSHOT }));
  return {
    ...state,
    ...Object.fromEntries([...lacking, "access_token"].map((member) => [member, NOT_IN_SNAPSHOT])),
    previous: earlier,
  };
}

/** The login and name by which the store knows a token. */
export function identityOf(state: ObjectValue): TokenIdentity {
  return { login: text(state["login"]), name: text(state["name"]) };
}

/** Paths of what no output may show of a kept token, whatever its present declaration says. */
export function sensitiveInToken(entry: TokenEntry | undefined): readonly Path[] {
  return entry?.sensitive_keepers === true ? [["keepers"]] : [];
}

/**
 * The store's entry of a token that was created, rotated or purged.
 * @param sensitive paths of what is sensitive in its declaration
 * @param rotation the rotation that was asked for; the retention of a compromised token's rotation holds only once, and is not kept
 */
export function tokenOfState(
  state: ObjectValue,
  sensitive: readonly Path[],
  rotation?: Rotation,
): TokenEntry {
  const members = Object.keys(authorizationMembers);
  const keepers = state["keepers"] ?? null;
  const record = Object.fromEntries(members.map((member) => [member, state[member] ?? null]));
  return {
    ...identityOf(state),
    record: record as unknown as TokenRecord,
    keepers,
    // Written also if they are not: put keeps the members that only the former entry has.
    sensitive_keepers: keepers !== null && sensitive.some(([name]) => name === "keepers"),
    ...(rotation?.compromised !== true && retentionIn(state)),
    previous: previousOf(state).map(previousToken),
  };
}

function retentionIn(state: ObjectValue): { readonly retention?: KeptRetention } {
  const { retain_previous_for: duration, retain_previous: count } = state;
  if (typeof duration !== "string" || !isInteger(count)) return {};
  return { retention: { for: duration, count } };
}

function previousToken(token: ObjectValue): ReplacedToken {
  return {
    // The id of a token that was replaced is not an attribute; its serial serves in its place (spec 4).
    id: text(token["id"] ?? token["serial"]),
    serial: text(token["serial"]),
    access_token: text(token["access_token"]),
    created_at: typeof token["created_at"] === "string" ? token["created_at"] : null,
    retired_at: text(token["retired_at"]),
  };
}

function text(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}
