/** Looks at a service before anything is planned: both lists, the caller, and our records. */
import { readingClock } from "../api";
import type { Ledger } from "../credentials";
import type { Owners } from "../ownership";
import type { Surveyed } from "../plan";
import { idOf } from "../resources";
import { type Connection, incompleteness, type Snapshot } from "../service";
import { listedFamilies } from "./families";
import type { Target } from "./stages";

interface SurveyRequest {
  readonly provider: string;
  readonly connection: Connection;
  readonly owners: Owners;
  /** The store's entries, read while the lists are on their way. */
  readonly ledger: () => Promise<Ledger>;
  /** Token that the run works with, where it is one. */
  readonly token: string | undefined;
}

export async function survey(request: SurveyRequest): Promise<Target> {
  const { provider, connection, owners, token } = request;
  const readAt = readingClock();
  const [snapshot, ledger] = await Promise.all([connection.directory.snapshot(), request.ledger()]);
  return {
    provider,
    origin: connection.client.origin,
    owners,
    connection,
    ledger,
    snapshot,
    incomplete: incompleteness(snapshot),
    readAt,
    ours: ({ inventory }, isAsked) => inventory?.ours(snapshot, owners, isAsked) ?? [],
    ownToken: token === undefined ? undefined : serialOf(token, ledger),
    refused: new Map(),
    unlisted: new Set(),
    warnings: [],
    caller: callerName(snapshot, connection),
  };
}

/** The facts that guards look at. */
export function surveyedOf(target: Target): Surveyed {
  const { provider, origin, owners, caller, snapshot, incomplete, ownToken } = target;
  return {
    provider,
    origin,
    owner: owners.current,
    caller,
    snapshot,
    incomplete,
    get owned() {
      return ownedRecords(target);
    },
    ownToken,
  };
}

/** Every record that is ours. An account counts together with its primary profile, as it does when it is deleted. */
function ownedRecords({ ours, ledger }: Target): ReadonlyMap<string, number> {
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
