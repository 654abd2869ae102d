/** What is in the accounts that are to go, asked of the service before anything is touched. */
import type { Contents } from "../../../plan";
import { isPrimary } from "../../../resources";
import { contentsOf as accountContents } from "../../../resources/account/emptiness";
import type { Prune } from "./prune";

export async function contentsOf(prunes: readonly Prune[]): Promise<readonly Contents[]> {
  const going = new Set(prunes.map(({ change }) => change.sighting?.id));
  const accounts = prunes.filter(({ change }) => change.description.name === "account");
  return Promise.all(accounts.map((account) => contentsOfAccount(account, going)));
}

async function contentsOfAccount(
  { target, change }: Prune,
  going: ReadonlySet<string | undefined>,
): Promise<Contents> {
  const { snapshot, connection } = target;
  const accountId = change.sighting?.id ?? "";
  const record = snapshot.account(accountId);
  if (record === undefined) return { accountId, findings: [], others: 0 };
  const profiles = snapshot.profilesOf(accountId);
  const { storage, strangers } = await accountContents(connection, record, profiles);
  const stay = profiles.filter((user) => !isPrimary(user, record) && !going.has(user.id ?? undefined));
  // Users of ours who are not part of this run would cease unseen.
  const kept =
    stay.length > strangers.length ? ["users that are ours, and are not deleted by this plan"] : [];
  return { accountId, findings: [...storage, ...strangers, ...kept], others: stay.length };
}
