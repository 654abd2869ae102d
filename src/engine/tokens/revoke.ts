/** Revokes the tokens of a name (`tenancy token revoke`) until the service refuses them. */
import {
  type TenancyState,
  type FailedRevocation,
  type Intent,
  type StatePart,
  openState,
  type TokenEntry,
  type TokenIdentity,
} from "../../state";
import {
  ambiguousToken,
  asWarning,
  type Diagnostic,
  type Finding,
  noSuchToken,
  selfChange,
  TenancyError,
  throwAll,
  worded,
  wordsFor,
} from "../../problems";
import { type ProviderSettings, providerSettingsOf } from "../../service";
import { isCalled, tokenKey } from "./identity";
import { removeToken } from "../entries/names";
import type { PlanOptions, StackSource } from "../options";
import { Services } from "../run";
import { failedRevocationsOf, revokeNoted } from "./revocations";
import { lockOptionsOf, stateOptionsOf } from "../state";
import {
  declarationNear,
  declaredTokens,
  type PendingTokenCreation,
  pendingTokenCreation,
  tokenPartsIn,
  type TokenProvider,
} from "./list";

/** The plan or result of a revocation, without any secret. */
export interface TokenRevocation {
  /** Origin of the service. */
  readonly origin: string;
  /** The stack whose token it is. */
  readonly stack: string;
  /** Its provider configuration: `tenancy` or `tenancy.alias`. */
  readonly provider: string;
  /** `login/name`. */
  readonly key: string;
  /** Serial numbers of the tokens that are revoked, the current one first. */
  readonly serials: readonly string[];
  /** True if the current token is among them. */
  readonly isWhole: boolean;
  /** Notes of interrupted token creations that are forgotten. */
  readonly intents: readonly PendingTokenCreation[];
  /** The address of the declaration, if there is one: the next apply then creates a new token. */
  readonly declaredAt: string | undefined;
  /** Failures after everything was done. @default nothing */
  readonly warnings?: readonly Diagnostic[];
}

/**
 * The revocation that {@link revokeToken} would make. Sends nothing, and changes nothing.
 * @param source undefined: the environment alone
 * @throws TENANCY_UNKNOWN_NAME
 */
export async function findToken(
  source: StackSource | undefined,
  name: string,
  options: PlanOptions,
): Promise<TokenRevocation> {
  const state = openState(stateOptionsOf(options, source?.name));
  const matter = await lookUp(state, source, name, options);
  return revocationOf(matter, await declaredAt(matter, source, options));
}

/**
 * Revokes tokens, and forgets tokens that the service provably refuses. All others stay in the state, and every apply tries them again.
 * @param options `agree`: asked before anything is sent, while the state is locked against other runs
 * @returns undefined if `agree` said no
 * @throws TENANCY_UNKNOWN_NAME, TENANCY_SELF_CHANGE; TENANCY_NOT_REVOKED, or the error of the service
 */
export async function revokeToken(
  source: StackSource | undefined,
  name: string,
  options: PlanOptions & { readonly agree?: (revocation: TokenRevocation) => Promise<boolean> },
): Promise<TokenRevocation | undefined> {
  const state = openState(stateOptionsOf(options, source?.name));
  await state.lock(lockOptionsOf(options));
  try {
    const matter = await lookUp(state, source, name, options);
    const address = await declaredAt(matter, source, options);
    if ((await options.agree?.(revocationOf(matter, address))) === false) return undefined;
    const notes = matter.revocable.length > 0 ? await revokeAll(matter, state, options) : [];
    matter.intents.forEach((intent) => matter.part.intents.remove(intent));
    await state.save();
    const revocation = revocationOf(matter, address);
    const warnings = worded([...notes, ...(await unlocked(state))], wordsFor(options.reader));
    return warnings.length === 0 ? revocation : { ...revocation, warnings };
  } finally {
    await state.unlock().catch(() => undefined);
  }
}

async function declaredAt({ key }: TokenMatter, source: StackSource | undefined, options: PlanOptions) {
  return declarationNear(key, await declaredTokens(source, options))?.address;
}

/** The revoked tokens are reported even if the lock cannot be released. @returns why it cannot */
async function unlocked(state: TenancyState): Promise<readonly Finding[]> {
  try {
    await state.unlock();
    return [];
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    return asWarning(error);
  }
}

/**
 * Forgets every interrupted token creation of the stack: a person has looked for these tokens at the service. Sends nothing.
 * @param source undefined: the environment alone
 * @param options `agree`: asked while the state is locked against other runs; not asked where there is none
 * @returns the forgotten creations; undefined if `agree` said no
 */
export async function forgetUnknownTokens(
  source: StackSource | undefined,
  options: PlanOptions & {
    readonly agree?: (creations: readonly PendingTokenCreation[]) => Promise<boolean>;
  },
): Promise<readonly PendingTokenCreation[] | undefined> {
  const state = openState(stateOptionsOf(options, source?.name));
  await state.lock(lockOptionsOf(options));
  try {
    const parts = await openParts(state, source, options);
    const creations = parts.flatMap(({ part }) => part.intents.list().map(pendingTokenCreation));
    if (creations.length === 0) return [];
    if ((await options.agree?.(creations)) === false) return undefined;
    for (const { part } of parts) for (const intent of part.intents.list()) part.intents.remove(intent);
    await state.save();
    return creations;
  } finally {
    await state.unlock().catch(() => undefined);
  }
}

async function lookUp(
  state: TenancyState,
  source: StackSource | undefined,
  name: string,
  options: PlanOptions,
): Promise<TokenMatter> {
  return matterOf(name, await openParts(state, source, options), state.description, new Date());
}

async function openParts(
  state: TenancyState,
  source: StackSource | undefined,
  options: PlanOptions,
): Promise<readonly ProviderPart[]> {
  const parts: ProviderPart[] = [];
  for (const provider of await tokenPartsIn(state, source, options))
    parts.push({ provider, part: await state.part(provider.part) });
  return parts;
}

/** @returns warnings */
async function revokeAll(
  matter: TokenMatter,
  state: TenancyState,
  options: PlanOptions,
): Promise<readonly Finding[]> {
  const { provider, part, revocable } = matter;
  const settings = providerSettingsOf(provider.config, options.environment ?? {});
  if (options.allowSelfChange !== true) refuseOwnToken(matter, settings);
  const services = new Services(options);
  try {
    const { writing } = await services.open(settings);
    services.letRequestsEnd();
    // If this run is interrupted, every later one continues to revoke.
    forget(matter);
    revocable.forEach((one) => part.failedRevocations.put(one));
    await state.save();
    const { failures, warnings } = await revokeNoted(writing, part, revocable);
    await state.save();
    throwAll(failures);
    return warnings;
  } finally {
    await services.close();
  }
}

/** A revoked token does not stay in the state as a token. */
function forget({ part, token, revocable }: TokenMatter): void {
  if (token !== undefined) return removeToken(part, token);
  const { tokens } = part;
  const serials = new Set(revocable.map(({ serial }) => serial));
  for (const entry of tokens.list()) {
    const previous = entry.previous.filter(({ serial }) => !serials.has(serial));
    if (previous.length < entry.previous.length) tokens.put({ ...entry, previous });
  }
}

function refuseOwnToken({ key, revocable }: TokenMatter, { credentials }: ProviderSettings): void {
  if (credentials.kind !== "token") return;
  if (!revocable.some(({ access_token: secret }) => secret === credentials.token)) return;
  throw selfChange.error({ key, harm: "revokes it" });
}

function revocationOf(matter: TokenMatter, address: string | undefined): TokenRevocation {
  const { part, key, token, revocable, intents } = matter;
  return {
    ...part.name,
    key,
    serials: revocable.map(({ serial }) => serial),
    isWhole: token !== undefined,
    intents: intents.map(pendingTokenCreation),
    declaredAt: token === undefined ? undefined : address,
  };
}

// Finding the tokens of a name in the state.

/** A provider configuration, with its part of the state. */
interface ProviderPart {
  readonly provider: TokenProvider;
  readonly part: StatePart;
}

interface TokenMatter extends ProviderPart {
  /** `login/name`. */
  readonly key: string;
  /** The token that goes with all that belongs to it. */
  readonly token: TokenEntry | undefined;
  /** Every token that can be revoked, including replaced tokens and tokens that an earlier run could not revoke. */
  readonly revocable: readonly FailedRevocation[];
  /** Interrupted token creations: nothing can be revoked, and the note may be removed after a check by hand. */
  readonly intents: readonly Intent[];
}

/**
 * The id of an interrupted token creation, or the serial number of a replaced token, means that alone. A name, `login/name` or serial number
 * of a token means the token with all that belongs to it; where there is none, interrupted token creations of that name.
 * @throws noSuchToken, ambiguousToken
 */
function matterOf(name: string, parts: readonly ProviderPart[], state: string, now: Date): TokenMatter {
  const readings = [creationWithId, tokenWithSerial, tokensWithName, creationsWithName];
  for (const reading of readings) {
    const matters = parts.flatMap((open) => reading(name, open, now));
    if (matters.length > 1) throw ambiguousToken.error({ name, candidates: matters.map(candidate) });
    if (matters[0] !== undefined) return matters[0];
  }
  const known = parts.flatMap(({ part }) => part.tokens.list().map(tokenKey));
  throw noSuchToken.error({ name, state, known });
}

type MatterReading = (name: string, open: ProviderPart, now: Date) => readonly TokenMatter[];

const creationWithId: MatterReading = (name, open) =>
  open.part.intents
    .list()
    .filter(({ id }) => id === name)
    .map((intent) => ({
      ...open,
      key: tokenKey(intent),
      token: undefined,
      revocable: [],
      intents: [intent],
    }));

const tokenWithSerial: MatterReading = (name, open, now) => {
  const { tokens, failedRevocations } = open.part;
  const replacedTokens = tokens.list().flatMap((entry) => failedRevocationsOf(entry, now).slice(1));
  return [...replacedTokens, ...failedRevocations.list()]
    .filter(({ serial }) => serial === name)
    .slice(0, 1)
    .map((one) => ({ ...open, key: tokenKey(one), token: undefined, revocable: [one], intents: [] }));
};

const tokensWithName: MatterReading = (name, open, now) => {
  const entries = open.part.tokens.list();
  const notedRevocations = open.part.failedRevocations.list();
  const matchingTokens = [
    ...entries.filter(({ login, name: own, record: { serial } }) =>
      isCalled(name, { login, name: own, serial }),
    ),
    ...notedRevocations.filter((one) => isCalled(name, one)),
  ];
  return keysOf(matchingTokens).map((key) => {
    const token = entries.find((entry) => tokenKey(entry) === key);
    const own = token === undefined ? [] : failedRevocationsOf(token, now);
    const serials = new Set(own.map(({ serial }) => serial));
    const more = notedRevocations.filter((one) => tokenKey(one) === key && !serials.has(one.serial));
    return { ...open, key, token, revocable: [...own, ...more], intents: [] };
  });
};

const creationsWithName: MatterReading = (name, open) => {
  const matchingIntents = open.part.intents
    .list()
    .filter((intent) => isCalled(name, { ...intent, serial: intent.id }));
  return keysOf(matchingIntents).map((key) => ({
    ...open,
    key,
    token: undefined,
    revocable: [],
    intents: matchingIntents.filter((intent) => tokenKey(intent) === key),
  }));
};

function keysOf(identities: readonly TokenIdentity[]): readonly string[] {
  return [...new Set(identities.map(tokenKey))];
}

function candidate({ key, token, part }: TokenMatter): string {
  return `${key} (${token === undefined ? "" : `${token.record.serial}, `}${part.name.origin})`;
}
