/** Whether an account may be deleted without harm to anybody: no storage in it, and no users of others (design: Accounts). */
import type { AccountRecord, ProfileRecord, UsageRecord } from "../../api";
import { NotFound, Gone } from "../../errors";
import { proofOf, type Owners } from "../../ownership";
import { isInteger } from "../../values";
import { isPrimary } from "../directory";
import type { Connection, Container, Contents } from "../family";
import { text } from "../record/members";
import { idOf } from "../record/seek";
import { keyOfRecord } from "../user-profile/inventory";
import { USAGE_COUNTERS } from "./usage";

/** These count users as well, the primary one included; whose they are the list of profiles tells. */
const USER_COUNTERS: ReadonlySet<string> = new Set(["profile_num", "user_num"]);

/** An account lives and ceases together with its primary user profile. */
export const container: Container = {
  records: 2,
  async contentsOf(connection, id, snapshot) {
    const account = snapshot.account(id);
    return account && contentsOf(connection, account, snapshot.profilesOf(id));
  },
};

/** @param profiles every profile that the caller sees */
export async function contentsOf(
  { client, owners }: Connection,
  account: AccountRecord,
  profiles: readonly ProfileRecord[],
): Promise<Contents> {
  const users = profiles.filter(({ account_id: of }) => of === account.id);
  const usage = await usageOf(() => client.accounts.usage(idOf(account)));
  return {
    storage: holdings(usage, users.length),
    users: users
      .filter((user) => !isPrimary(user, account))
      .map((user) => ({
        id: idOf(user),
        login: text(user.login) ?? idOf(user),
        isOurs: isOurs(user, account, owners),
      })),
  };
}

async function usageOf(read: () => Promise<UsageRecord>): Promise<UsageRecord | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotFound || error instanceof Gone) return undefined;
    throw error;
  }
}

function holdings(usage: UsageRecord | undefined, users: number): readonly string[] {
  if (usage === undefined) return ["its usage cannot be read"];
  return Object.keys(USAGE_COUNTERS).flatMap((name) => {
    const count = usage[name];
    if (!isInteger(count)) return [`its usage does not show ${name}`];
    const allowed = USER_COUNTERS.has(name) ? users : 0;
    return count <= allowed ? [] : [`${name} is ${count}`];
  });
}

function isOurs(user: ProfileRecord, account: AccountRecord, owners: Owners | undefined): boolean {
  return owners !== undefined && proofOf(user.uuid ?? "", keyOfRecord(user, account), owners) !== undefined;
}
