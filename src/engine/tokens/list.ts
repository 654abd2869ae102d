/** Reads the tokens of the state (`tenancy token list`, `token write`), without any request or change. */
import {
  type TenancyState,
  type FailedRevocation,
  type Intent,
  type StatePart,
  type PossiblyIssuedToken,
  openState,
  type PartName,
  partName,
  type TokenEntry,
} from "../../state";
import { ambiguousToken, noSuchToken, TenancyError } from "../../problems";
import { endOf, endOfLife, openSealed, retentionOf } from "../../resources";
import { serviceAndOwnerOf } from "../../service";
import type { ObjectValue } from "../../lib/values";
import { rotationDayOf } from "./entry";
import { isCalled, tokenKey } from "./identity";
import { fitConfigurationsIn } from "../evaluate/providers";
import { evaluateStack } from "../evaluate/stack";
import { keyPattern, tokenFamily } from "../families";
import type { PlanOptions, StackSource } from "../options";
import type { OfflineObject } from "../planned-object";
import { stateOptionsOf } from "../state";

/**
 * The tokens in the state, for each provider configuration of the stacks. Sends no request, and needs no credentials.
 * @returns one entry for each; without secrets
 * @throws TENANCY_SYNTHESIS_FAILED, TENANCY_UNKNOWN_NAME, InvalidConfiguration, and the errors of reading the state
 */
export async function listTokens(
  sources: readonly StackSource[],
  options: PlanOptions,
): Promise<readonly KeptTokens[]> {
  const tokens: KeptTokens[] = [];
  for (const source of sources.length === 0 ? [undefined] : sources) {
    const state = openState(stateOptionsOf(options, source?.name));
    const declaredObjects = await declaredTokens(source, options);
    for (const { part } of await tokenPartsIn(state, source, options))
      tokens.push(keptTokens(state.description, await state.part(part), declaredObjects));
  }
  return tokens;
}

// The listed tokens, without their secrets.

/** The tokens of one provider configuration. */
export interface KeptTokens {
  /** Which state. */
  readonly state: string;
  /** Origin of the service. */
  readonly origin: string;
  /** The stack whose they are. */
  readonly stack: string;
  /** Its provider configuration: `tenancy` or `tenancy.alias`. */
  readonly provider: string;
  /** True if the state keeps anything for this provider configuration, even if it is no token. */
  readonly exists: boolean;
  /** By login and name. */
  readonly tokens: readonly KeptToken[];
  /** Tokens that the service may have and the state lacks: a run was about to create them, and the result is not known. */
  readonly intents: readonly PendingTokenCreation[];
  /** Tokens that are still to be revoked. */
  readonly failedRevocations: readonly PendingRevocation[];
  /** Declared tokens that an earlier, lost state may know; to create them takes `--init-state`. */
  readonly doubtful: readonly Pick<PossiblyIssuedToken, "login" | "name">[];
}

/** A token of the state, without its secret. */
export interface KeptToken {
  /** Login of its user: `csi@acme`. */
  readonly login: string;
  /** As it is declared. */
  readonly name: string;
  /** Serial number at the service. */
  readonly serial: string;
  /** As the service wrote it; null if the service said nothing. */
  readonly createdAt: string | null;
  /** True if the service never ends it by itself, so that it is valid until it is revoked. */
  readonly persistent: boolean;
  /** When the service ends it, ISO 8601; null of a persistent one, and where that is not known. */
  readonly endsAt: string | null;
  /** First day, in UTC, on which the token is due for rotation by its `rotate_after`: `2027-03-01`; null where it never is. */
  readonly rotatesOn: string | null;
  /** The service's digest of the secret; null where it gave none. */
  readonly digest: string | null;
  /** Replaced tokens that are valid until they are revoked, newest first. */
  readonly previous: readonly PreviousToken[];
  /** Time at which a run proved that the service refuses the token, although it was not revoked here: ISO 8601; null without such a proof. The next apply replaces it. */
  readonly refusedAt: string | null;
}

/** A token that was replaced, and is still valid. */
export interface PreviousToken {
  /** Serial number at the service. */
  readonly serial: string;
  /** When it was created, in ISO 8601; null where that is not known. */
  readonly createdAt: string | null;
  /** When it was replaced, ISO 8601. */
  readonly retiredAt: string;
  /** End of its retention, ISO 8601: the first apply after that revokes it. Null if the token is not declared, or its stack cannot be evaluated. */
  readonly goodUntil: string | null;
  /** When a run proved that the service refuses it, ISO 8601; null where none has. */
  readonly refusedAt: string | null;
}

/** A token creation that has begun and whose end is unknown. */
export interface PendingTokenCreation {
  /** Id of the note; `tenancy token revoke ID` forgets it. */
  readonly id: string;
  /** Login of its intended user. */
  readonly login: string;
  /** As it is declared. */
  readonly name: string;
  /** The way in which it was created: `password`, `temporary_password` … */
  readonly loginWith: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** A token that is to be revoked, and that the service has not refused so far. */
export interface PendingRevocation {
  /** Login of its user. */
  readonly login: string;
  /** As it was declared. */
  readonly name: string;
  /** Serial number at the service. */
  readonly serial: string;
  /** When it was tried last, ISO 8601. */
  readonly failedAt: string;
}

/** @param declaredObjects the known declarations of the stack */
function keptTokens(state: string, part: StatePart, declaredObjects: readonly OfflineObject[]): KeptTokens {
  return {
    state,
    ...part.name,
    exists: part.exists,
    tokens: part.tokens
      .list()
      .map((entry) => keptToken(entry, declarationNear(tokenKey(entry), declaredObjects))),
    intents: part.intents.list().map(pendingTokenCreation),
    failedRevocations: part.failedRevocations.list().map(pendingRevocation),
    doubtful: part.possiblyIssued.list().map(({ login, name }) => ({ login, name })),
  };
}

function keptToken(entry: TokenEntry, declaration: OfflineObject | undefined): KeptToken {
  const { login, name, record, previous, refused: refusalNotes = [] } = entry;
  const forMs = declaration === undefined ? undefined : retentionOf(declaration.config).forMs;
  const refusalTimes = new Map(refusalNotes.map(({ serial, refused_at }) => [serial, refused_at]));
  return {
    login,
    name,
    serial: record.serial,
    createdAt: nullUnlessText(record["created_at"]),
    persistent: (record["expires_in"] ?? null) === null,
    endsAt: endOfLife(record)?.toISOString() ?? null,
    rotatesOn: rotationDayOf(entry) ?? null,
    digest: nullUnlessText(record["access_token_digest"]),
    previous: previous.map(({ serial, created_at, retired_at }) => ({
      serial,
      createdAt: created_at,
      retiredAt: retired_at,
      goodUntil: endOf({ retired_at }, forMs)?.toISOString() ?? null,
      refusedAt: refusalTimes.get(serial) ?? null,
    })),
    refusedAt: refusalTimes.get(record.serial) ?? null,
  };
}

export function pendingTokenCreation({
  id,
  login,
  name,
  login_with,
  started_at,
}: Intent): PendingTokenCreation {
  return { id, login, name, loginWith: login_with, startedAt: started_at };
}

function pendingRevocation({ login, name, serial, failed_at }: FailedRevocation): PendingRevocation {
  return { login, name, serial, failedAt: failed_at };
}

function nullUnlessText(member: unknown): string | null {
  return typeof member === "string" ? member : null;
}

/** A provider configuration, whose part of the state has the tokens that are declared through it. */
export interface TokenProvider {
  readonly origin: string;
  /** URL of the service, without `/api`. */
  readonly baseUrl: string;
  readonly part: PartName;
  readonly config: ObjectValue;
}

/**
 * @param source undefined: the environment alone
 * @throws InvalidConfiguration, incompleteProvider
 */
export async function tokenProviders(
  source: StackSource | undefined,
  options: PlanOptions,
): Promise<readonly TokenProvider[]> {
  return [...(await fitConfigurationsIn(source, options))].map(([provider, config]) => {
    const { origin, baseUrl } = serviceAndOwnerOf(config, options.environment ?? {});
    return { origin, baseUrl, part: partName(origin, source?.name ?? "", provider), config };
  });
}

/**
 * The parts of the state with the tokens that are meant: those of the stack's provider configurations, and outside of a project all that
 * are kept for the environment's service.
 */
export async function tokenPartsIn(
  state: TenancyState,
  source: StackSource | undefined,
  options: PlanOptions,
): Promise<readonly TokenProvider[]> {
  const providers = await tokenProviders(source, options);
  if (source !== undefined) return providers;
  const everyPart: TokenProvider[] = [];
  for (const provider of providers)
    for (const { origin, stack, provider: name } of await state.parts(provider.origin))
      everyPart.push({ ...provider, part: partName(origin, stack, name) });
  return everyPart.length === 0 ? providers : everyPart;
}

// The secret of one token, for the program that works with it.

/** A token as its consumer needs it. A sealed one is opened with the identities in `TENANCY_IDENTITY`. Secret: never print it by the way. */
export interface TokenSecret {
  /** Login of its user. */
  readonly login: string;
  /** As it is declared. */
  readonly name: string;
  /** Serial number at the service. */
  readonly serial: string;
  /** The secret that a bearer presents. */
  readonly secret: string;
  /** Origin of the service that it is good for. */
  readonly origin: string;
  /** URL of the service, without `/api`. */
  readonly baseUrl: string;
  /** When a run proved that the service refuses it, ISO 8601; null where none has. The next apply replaces it where it is declared. */
  readonly refusedAt: string | null;
}

/**
 * The current token of a name, `login/name` or serial number. Sends nothing, and needs no credentials.
 * @param source undefined: the environment alone
 * @throws TENANCY_UNKNOWN_NAME; TENANCY_SEALED_UNREADABLE of a sealed token
 */
export async function readToken(
  source: StackSource | undefined,
  name: string,
  options: PlanOptions,
): Promise<TokenSecret> {
  const state = openState(stateOptionsOf(options, source?.name));
  const matchingTokens: (Omit<TokenSecret, "secret"> & Pick<TokenEntry, "record">)[] = [];
  const known: string[] = [];
  for (const { origin, baseUrl, part: partName } of await tokenPartsIn(state, source, options)) {
    const part = await state.part(partName);
    for (const entry of part.tokens.list()) {
      const { login, name: own, record } = entry;
      const { serial } = record;
      known.push(tokenKey(entry));
      if (isCalled(name, { login, name: own, serial }))
        matchingTokens.push({
          login,
          name: own,
          serial,
          record,
          origin,
          baseUrl,
          refusedAt: keptToken(entry, undefined).refusedAt,
        });
    }
  }
  const [token, ...others] = matchingTokens;
  if (token === undefined) throw noSuchToken.error({ name, state: state.description, known });
  if (others.length > 0)
    throw ambiguousToken.error({
      name,
      candidates: matchingTokens.map((one) => `${tokenKey(one)} (${one.serial}, ${one.origin})`),
    });
  const { record, ...facts } = token;
  const { access_token: secret, access_token_sealed: sealed } = record;
  return { ...facts, secret: secret ?? (await openSealed(sealed ?? "", options.environment ?? {})) };
}

// Tokens that a stack declares, as far as this is known without any request.

/** @returns none where the configuration cannot be evaluated */
export async function declaredTokens(
  source: StackSource | undefined,
  options: PlanOptions,
): Promise<readonly OfflineObject[]> {
  if (source === undefined) return [];
  try {
    const { evaluation: result } = await evaluateStack(source, options, {
      run: undefined,
      plannedAt: new Date(),
    });
    return result.offlineObjects.filter(({ type }) => type === tokenFamily().description.type);
  } catch (error) {
    if (error instanceof TenancyError) return [];
    throw error;
  }
}

/** @param key `login/name` */
export function declarationNear(key: string, tokens: readonly OfflineObject[]): OfflineObject | undefined {
  return tokens.find((token) => keyPattern(token.key).test(key));
}
