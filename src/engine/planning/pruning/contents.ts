/** What is in the accounts that are to go, asked of the service before anything is touched. */
import type { Contents } from "../../../plan";
import { strangersIn, type Container } from "../../../resources";
import { goingIds, type Prune } from "./prune";

export async function contentsOf(prunes: readonly Prune[]): Promise<readonly Contents[]> {
  const going = goingIds(prunes);
  return Promise.all(
    prunes.flatMap((prune) => {
      const { container } = prune.resource;
      return container === undefined ? [] : [contentsOfOne(prune, container, going)];
    }),
  );
}

async function contentsOfOne(
  { target: { connection, snapshot }, change }: Prune,
  container: Container,
  going: ReadonlySet<string>,
): Promise<Contents> {
  const accountId = change.sighting?.id ?? "";
  const { provider } = change;
  const held = await container.contentsOf(connection, accountId, snapshot);
  if (held === undefined) return { provider, accountId, findings: [], others: 0 };
  const stay = held.users.filter(({ id }) => !going.has(id));
  // Users of ours who are not part of this run would cease unseen.
  const kept = stay.some(({ isOurs }) => isOurs)
    ? ["users that are ours, and are not deleted by this plan"]
    : [];
  return {
    provider,
    accountId,
    findings: [...held.storage, ...strangersIn(held, going), ...kept],
    others: stay.length,
  };
}
