/** `tenancy token revoke`: what a name stands for is looked up, and then revoked until the service refuses it. */
import { openStore, type CredentialStore } from "../../credentials";
import { SelfChange, SeveralFailures, type Diagnostic, type TenancyError } from "../../errors";
import { settingsOf, type Settings } from "../../connection";
import { diagnose } from "../applying/diagnose";
import type { PlanOptions, StackSource } from "../options";
import { Services } from "../services";
import { revokeNoted } from "../store/revoke-noted";
import { storeOptionsOf } from "../store/store-options";
import { declarationOf } from "./declaration";
import { openMinting, type OpenMinting } from "./kept-tokens";
import { matterOf, type OpenPlace, type TokenMatter } from "./token-matter";
import { tokenPlaces } from "./token-places";

/** What is, or was, to be done about a token; holds no secret. */
export interface TokenRevocation {
  readonly origin: string;
  readonly owner: string;
  /** `login/name`. */
  readonly key: string;
  /** Serial numbers of the tokens that are revoked, the current one first. */
  readonly serials: readonly string[];
  /** Whether the current token is among them. */
  readonly isWhole: boolean;
  /** Notes of interrupted mintings that are forgotten. */
  readonly intents: readonly OpenMinting[];
  /** Where the token is still declared, so that the next apply mints a new one. */
  readonly declaredAt: string | undefined;
  /** What went wrong after everything was done. @default nothing */
  readonly warnings?: readonly Diagnostic[];
}

/**
 * What {@link revokeToken} would do. Contacts nobody, and changes nothing.
 * @param source undefined: what the environment says alone
 * @throws NoSuchToken, AmbiguousToken
 */
export async function findToken(
  source: StackSource | undefined,
  name: string,
  options: PlanOptions,
): Promise<TokenRevocation> {
  const store = openStore(storeOptionsOf(options));
  const matter = await lookUp(store, source, name, options);
  return revocationOf(matter, await declarationOf(matter.key, source, options));
}

/**
 * Revokes, and forgets what is proven to be refused. What is not stays noted, and is tried again at every apply.
 * @throws NoSuchToken, AmbiguousToken, SelfChange; NotRevoked, or whatever kept the service from refusing it
 */
export async function revokeToken(
  source: StackSource | undefined,
  name: string,
  options: PlanOptions,
): Promise<TokenRevocation> {
  const store = openStore(storeOptionsOf(options));
  await store.lock();
  try {
    const matter = await lookUp(store, source, name, options);
    if (matter.revocable.length > 0) await revokeAll(matter, store, options);
    matter.intents.forEach((intent) => matter.ledger.intents.remove(intent));
    await store.save();
    const done = revocationOf(matter, await declarationOf(matter.key, source, options));
    // What was revoked is told, even where the lock cannot be given back.
    const unlocking = await store
      .unlock()
      .catch((error: unknown) =>
        diagnose(error, {}).map((one): Diagnostic => ({ ...one, severity: "warning" })),
      );
    return unlocking === undefined ? done : { ...done, warnings: unlocking };
  } finally {
    await store.unlock().catch(() => undefined);
  }
}

async function lookUp(
  store: CredentialStore,
  source: StackSource | undefined,
  name: string,
  options: PlanOptions,
): Promise<TokenMatter> {
  const places: OpenPlace[] = [];
  for (const place of await tokenPlaces(source, options)) {
    const { origin, owners } = place;
    places.push({ place, ledger: await store.ledger(origin, owners.current, owners.previous) });
  }
  return matterOf(name, places, store.description, new Date());
}

async function revokeAll(matter: TokenMatter, store: CredentialStore, options: PlanOptions): Promise<void> {
  const { place, ledger, revocable } = matter;
  const settings = settingsOf(place.config, options.environment ?? {});
  if (options.allowSelfChange !== true) refuseOwnToken(matter, settings);
  const services = new Services(options);
  try {
    const { writing } = await services.open(settings);
    services.shield();
    // Should this run be cut short, every later one goes on revoking.
    forget(matter);
    revocable.forEach((one) => ledger.failedRevocations.put(one));
    await store.save();
    const failures = await revokeNoted(writing, ledger, revocable);
    await store.save();
    refuse(failures);
  } finally {
    await services.close();
  }
}

/** Nothing of what is revoked stays in the store as a token. */
function forget({ ledger: { tokens }, token, revocable }: TokenMatter): void {
  if (token !== undefined) {
    tokens.remove(token);
    return;
  }
  const serials = new Set(revocable.map(({ serial }) => serial));
  for (const entry of tokens.list()) {
    const previous = entry.previous.filter(({ serial }) => !serials.has(serial));
    if (previous.length < entry.previous.length) tokens.put({ ...entry, previous });
  }
}

function refuseOwnToken({ key, revocable }: TokenMatter, { credentials }: Settings): void {
  if (credentials.kind !== "token") return;
  if (!revocable.some(({ access_token: secret }) => secret === credentials.token)) return;
  throw new SelfChange(key, "revokes it");
}

function refuse(failures: readonly TenancyError[]): void {
  const [first, ...others] = failures;
  if (first === undefined) return;
  throw others.length === 0 ? first : new SeveralFailures(failures);
}

function revocationOf(matter: TokenMatter, declaredAt: string | undefined): TokenRevocation {
  const { ledger, key, token, revocable, intents } = matter;
  return {
    origin: ledger.origin,
    owner: ledger.owner,
    key,
    serials: revocable.map(({ serial }) => serial),
    isWhole: token !== undefined,
    intents: intents.map(openMinting),
    declaredAt: token === undefined ? undefined : declaredAt,
  };
}
