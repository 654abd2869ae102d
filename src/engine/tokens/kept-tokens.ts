/** What a credential store keeps of tokens, without any secret: fit to be shown. */
import type { FailedRevocation, Intent, Ledger, TokenEntry } from "../../credentials";

/** The tokens of one service and owner. */
export interface KeptTokens {
  /** Which store. */
  readonly store: string;
  readonly origin: string;
  readonly owner: string;
  /** Whether the store keeps anything for this service and owner, be it without a token. */
  readonly exists: boolean;
  readonly tokens: readonly KeptToken[];
  readonly intents: readonly OpenMinting[];
  readonly failedRevocations: readonly OpenRevocation[];
  /** Declared tokens that an earlier, lost store may know; minting them takes `--init-store`. */
  readonly doubtful: readonly DoubtfulToken[];
}

export interface DoubtfulToken {
  readonly login: string;
  /** Null: any token of the login. */
  readonly name: string | null;
}

export interface KeptToken {
  readonly login: string;
  readonly name: string;
  readonly serial: string;
  /** As the service wrote it; null where it said nothing. */
  readonly createdAt: string | null;
  /** The service's digest of the secret; null where it gave none. */
  readonly digest: string | null;
  /** Replaced tokens that are good until they are revoked, newest first. */
  readonly previous: readonly PreviousToken[];
}

export interface PreviousToken {
  readonly serial: string;
  readonly createdAt: string | null;
  /** When it was replaced, ISO 8601. */
  readonly retiredAt: string;
}

/** A minting that was begun, and of which nobody knows the end. */
export interface OpenMinting {
  /** Of the note; `tenancy token revoke ID` forgets it. */
  readonly id: string;
  readonly login: string;
  readonly name: string;
  readonly mintWith: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** A token that is to be revoked, and was not refused so far. */
export interface OpenRevocation {
  readonly login: string;
  readonly name: string;
  readonly serial: string;
  /** When it was tried last, ISO 8601. */
  readonly failedAt: string;
}

export function keptTokens(store: string, ledger: Ledger): KeptTokens {
  return {
    store,
    origin: ledger.origin,
    owner: ledger.owner,
    exists: ledger.exists,
    tokens: ledger.tokens.list().map(keptToken),
    intents: ledger.intents.list().map(openMinting),
    failedRevocations: ledger.failedRevocations.list().map(openRevocation),
    doubtful: ledger.doubtfulTokens.list().map(({ login, name }) => ({ login, name })),
  };
}

function keptToken({ login, name, record, previous }: TokenEntry): KeptToken {
  return {
    login,
    name,
    serial: record.serial,
    createdAt: textOf(record["created_at"]),
    digest: textOf(record["access_token_digest"]),
    previous: previous.map(({ serial, created_at, retired_at }) => ({
      serial,
      createdAt: created_at,
      retiredAt: retired_at,
    })),
  };
}

export function openMinting({ id, login, name, mint_with, started_at }: Intent): OpenMinting {
  return { id, login, name, mintWith: mint_with, startedAt: started_at };
}

function openRevocation({ login, name, serial, failed_at }: FailedRevocation): OpenRevocation {
  return { login, name, serial, failedAt: failed_at };
}

function textOf(member: unknown): string | null {
  return typeof member === "string" ? member : null;
}
