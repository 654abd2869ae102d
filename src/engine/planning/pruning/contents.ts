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

/** Who ceases with an account, and stands in no other line of the plan, is named in the account's. */
export function listingOthers(prunes: readonly Prune[], contents: readonly Contents[]): Prune[] {
  return prunes.map((prune) => {
    const { provider, sighting } = prune.change;
    const others = contents.flatMap((held) =>
      prune.resource.container !== undefined && held.provider === provider && held.accountId === sighting?.id
        ? held.others
        : [],
    );
    if (others.length === 0) return prune;
    const notes = [...prune.change.notes, ...others.map((login) => `takes the user ${login} along`)];
    return { ...prune, change: { ...prune.change, notes } };
  });
}

async function contentsOfOne(
  { target: { connection, snapshot }, change }: Prune,
  container: Container,
  going: ReadonlySet<string>,
): Promise<Contents> {
  const accountId = change.sighting?.id ?? "";
  const { provider } = change;
  const held = await container.contentsOf(connection, accountId, snapshot);
  if (held === undefined) return { provider, accountId, findings: [], others: [] };
  const stay = held.users.filter(({ id }) => !going.has(id));
  // Users of ours who are not part of this run would cease unseen.
  const kept = stay.some(({ isOurs }) => isOurs)
    ? ["users that are ours, and are not deleted by this plan"]
    : [];
  return {
    provider,
    accountId,
    findings: [...held.storage, ...strangersIn(held, going), ...kept],
    others: stay.map(({ login }) => login),
  };
}
