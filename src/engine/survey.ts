/** Surveys a service before anything is planned: its lists, the caller, our records, and whether the tokens of the state are still valid. */
import { readingClock } from "../api";
import type { StatePart } from "../state";
import { type Connection, incompleteness, type Snapshot } from "../service";
import type { KnownSecrets } from "../lib/values";
import { listedFamilies } from "./families";
import { managedIn, type ReadTarget } from "./target";
import { notedRefusals } from "./tokens/refusals";

/** The lists, the caller and our records, as one target. */
export async function survey(request: {
  readonly provider: string;
  readonly connection: Connection;
  /** The state's entries, read while the lists are on their way. */
  readonly part: () => Promise<StatePart>;
  /** Token that the run works with, where it is one. */
  readonly token: string | undefined;
  readonly secrets: KnownSecrets;
}): Promise<ReadTarget> {
  const { provider, connection, token, secrets } = request;
  const readAt = readingClock();
  const [snapshot, part] = await Promise.all([connection.directory.snapshot(), request.part()]);
  for (const { record, previous } of part.tokens.list())
    secrets.addFrom([{ ...record }, ...previous.map((one) => ({ ...one }))]);
  const managedObjects = managedIn(snapshot, part);
  return {
    provider,
    origin: connection.client.origin,
    connection,
    part,
    snapshot,
    incomplete: incompleteness(snapshot),
    readAt,
    managed: managedObjects,
    countOwned: () => countOwned(managedObjects, part),
    token,
    ownToken: token === undefined ? undefined : serialOf(token, part),
    refused: notedRefusals(part),
    unlisted: new Set(),
    warnings: [],
    secrets,
    caller: callerName(snapshot, connection),
  };
}

/** A token that a provider works with may be stored for another provider configuration of the same service. */
export function withStoredOwnTokens(targets: readonly ReadTarget[]): readonly ReadTarget[] {
  return targets.map((target) => {
    const { token, origin } = target;
    if (target.ownToken !== undefined || token === undefined) return target;
    const ownToken = targets
      .filter((one) => one.origin === origin)
      .map(({ part }) => serialOf(token, part))
      .find((serial) => serial !== undefined);
    return { ...target, ownToken };
  });
}

function countOwned(managedObjects: ReadTarget["managed"], part: StatePart): number {
  return listedFamilies().reduce(
    (sum, { resource }) => sum + managedObjects(resource).length * (resource.container?.records ?? 1),
    part.tokens.list().length,
  );
}

function serialOf(token: string, part: StatePart): string | undefined {
  return part.tokens
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
