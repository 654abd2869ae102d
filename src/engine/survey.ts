/** Surveys a service before anything is planned: its lists, the caller, our records, and whether the tokens of the store are still good. */
import { readingClock } from "../api";
import type { Ledger } from "../credentials";
import type { Owners } from "../ownership";
import type { Surveyed } from "../plan";
import { idOf } from "../resources";
import { type Connection, incompleteness, type Snapshot } from "../service";
import type { KnownSecrets } from "../lib/values";
import { listedFamilies } from "./families";
import { oursIn, type ReadTarget } from "./stages";
import { notedRefusals } from "./store";

interface SurveyRequest {
  readonly provider: string;
  readonly connection: Connection;
  readonly owners: Owners;
  /** The store's entries, read while the lists are on their way. */
  readonly ledger: () => Promise<Ledger>;
  /** Token that the run works with, where it is one. */
  readonly token: string | undefined;
  readonly secrets: KnownSecrets;
}

/** The lists, the caller and our records, as one target. */
export async function survey(request: SurveyRequest): Promise<ReadTarget> {
  const { provider, connection, owners, token, secrets } = request;
  const readAt = readingClock();
  const [snapshot, ledger] = await Promise.all([connection.directory.snapshot(), request.ledger()]);
  for (const { record, previous } of ledger.tokens.list())
    secrets.addFrom([{ ...record }, ...previous.map((one) => ({ ...one }))]);
  return {
    provider,
    origin: connection.client.origin,
    owners,
    connection,
    ledger,
    snapshot,
    incomplete: incompleteness(snapshot),
    readAt,
    ours: oursIn(snapshot, owners),
    token,
    ownToken: token === undefined ? undefined : serialOf(token, ledger),
    refused: notedRefusals(ledger),
    unlisted: new Set(),
    warnings: [],
    secrets,
    caller: callerName(snapshot, connection),
  };
}

/** The facts that guards look at, of one of the run's targets. */
export function surveyedOf(target: ReadTarget, targets: readonly ReadTarget[]): Surveyed {
  const { provider, origin, owners, snapshot, incomplete, tokenOfUnlisted } = target;
  return {
    provider,
    origin,
    owner: owners.current,
    snapshot,
    incomplete,
    tokenOfUnlisted,
    get owned() {
      return ownedRecords(target);
    },
    ownToken: target.ownToken ?? serialAmong(targets, target),
  };
}

/** A token that a provider works with may be kept for the owner of another provider of the same service. */
function serialAmong(targets: readonly ReadTarget[], { origin, token }: ReadTarget): string | undefined {
  if (token === undefined) return undefined;
  return targets
    .filter((one) => one.origin === origin)
    .map(({ ledger }) => serialOf(token, ledger))
    .find((serial) => serial !== undefined);
}

/** Every record that is ours. An account counts together with its primary profile, as it does when it is deleted. */
function ownedRecords({ ours, ledger }: ReadTarget): ReadonlyMap<string, number> {
  const records = listedFamilies().flatMap(({ resource }) =>
    ours(resource).map(
      ({ records: { self } }) =>
        [`${resource.description.type} ${idOf(self)}`, resource.container?.records ?? 1] as const,
    ),
  );
  const tokens = ledger.tokens.list().map(({ record }) => [`token ${record.serial}`, 1] as const);
  return new Map([...records, ...tokens]);
}

function serialOf(token: string, ledger: Ledger): string | undefined {
  return ledger.tokens
    .list()
    .flatMap(({ record, previous }) => [record, ...previous])
    .find(({ access_token: secret }) => secret === token)?.serial;
}

function callerName(snapshot: Snapshot, connection: Connection): string {
  const { login } = snapshot.callerProfile ?? {};
  const { name } = snapshot.callerAccount ?? {};
  return (
    connection.username ?? login ?? (name === undefined || name === null ? "a token" : `a token of ${name}`)
  );
}
