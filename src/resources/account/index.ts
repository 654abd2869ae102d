/** Accounts, the tenants of the service: the rules for accounts alone (spec 2.2, 4.3). */
import type { AccountRecord, ProfileRecord, UsageRecord } from "../../api";
import {
  activationRecorded,
  accountDeletionRefused,
  accountNotEmpty,
  type Finding,
  deletedAlready,
  movedOn,
  notFound,
  notInSnapshot,
  templateRecorded,
} from "../../problems";
import { allComputed, describe, integer, readState, text } from "../../schema";
import { ACCOUNTS_SEEN_WITH, type Connection, isPrimary } from "../../service";
import { isInteger, type ObjectValue, plainText, textOf } from "../../lib/values";
import { volatileMembers } from "../common";
import type { Container, Contents, DataSource, DeleteRequest, RecordResource } from "../family";
import { dataSourcesOf, idOfState, idOf, makeFamily, type RecordFamily } from "../record";
import { profiles } from "../user-profile";
import { account, shownAccount, USAGE_COUNTERS } from "./description";

// An account may be deleted if it holds no storage, and no users except the ones that the same run deletes (design: Accounts).

/** An account and its primary user profile are made and deleted together. */
const container: Container = {
  records: 2,
  async contentsOf(connection, id, snapshot) {
    const live = snapshot.account(id);
    return live && contentsOfAccount(connection, live, snapshot.profilesOf(id));
  },
};

/** @param seenProfiles every user profile that the caller sees */
async function contentsOfAccount(
  { client }: Connection,
  record: AccountRecord,
  seenProfiles: readonly ProfileRecord[],
): Promise<Contents> {
  const users = seenProfiles.filter(({ account_id: of }) => of === record.id);
  const usage = await usageOrNotTaken(() => client.accounts.usage(idOf(record)));
  return {
    storage: usage === NOT_TAKEN ? [] : holdings(usage, users.length),
    ...(usage === NOT_TAKEN && { isUsageUnknown: true }),
    users: users
      .filter((user) => !isPrimary(user, record))
      .map((user) => ({ id: idOf(user), login: textOf(user.login) ?? idOf(user) })),
  };
}

/** A snapshot without usage counters is planned from. */
const NOT_TAKEN = "not taken";

async function usageOrNotTaken(
  read: () => Promise<UsageRecord>,
): Promise<UsageRecord | typeof NOT_TAKEN | undefined> {
  try {
    return await read();
  } catch (error) {
    if (notInSnapshot.is(error)) return NOT_TAKEN;
    if (notFound.is(error) || deletedAlready.is(error)) return undefined;
    throw error;
  }
}

/**
 * Users are counted, also the primary one; the list of profiles shows their owners. The specification does not define which profiles
 * `profile_num` counts. They may be user profiles, and then there are as many as users, or iSCSI initiator profiles.
 */
function holdings(usage: UsageRecord | undefined, users: number): readonly string[] {
  if (usage === undefined) return ["its usage cannot be read"];
  const { user_num: userCount } = usage;
  return Object.keys(USAGE_COUNTERS).flatMap((name) => {
    const count = usage[name];
    if (!isInteger(count)) return [`its usage does not show ${name}`];
    if (name === "user_num") return count <= users ? [] : [`${name} is ${count}`];
    if (name === "profile_num" && count === userCount) return [];
    return Number(count) === 0 ? [] : [`${name} is ${count}`];
  });
}

/**
 * The users that would be deleted along with their account, each in a few words.
 * @param going ids of further objects that the same plan deletes: a user among them is deleted on purpose
 */
export function usersStaying({ users }: Contents, going: ReadonlySet<string> = new Set()): readonly string[] {
  return users
    .filter(({ id }) => !going.has(id))
    .map(({ login }) => `the user ${plainText(login, 128)} would be deleted with it`);
}

/** Judged at plan. Users in the account are judged by the apply: the same plan may delete them first. */
async function mayDelete(connection: Connection, request: DeleteRequest): Promise<readonly Finding[]> {
  const { prior } = request;
  const name = textOf(prior["name"]) ?? idOfState(prior);
  if (!isDeletionAllowed(request)) return [accountDeletionRefused.at(name)];
  if (mayHoldSomething(request)) return [];
  const { directory } = connection;
  const record = await directory.account(idOfState(prior));
  if (record === undefined) return [];
  const snapshot = await directory.snapshot();
  const { storage: findings } = await contentsOfAccount(connection, record, snapshot.profiles);
  return findings.length === 0 ? [] : [accountNotEmpty.at({ name, findings })];
}

/**
 * Refuses to delete an account that has a new user since the plan: the user would be deleted without being shown or counted.
 * @param users every user that the caller sees now
 * @param seenIds ids of the users that the plan saw in the account
 * @throws movedOn
 */
export function requireNoNewcomers(
  account: AccountRecord,
  users: readonly ProfileRecord[],
  seenIds: ReadonlySet<string>,
): void {
  const newcomer = users.find((user) => user.account_id === account.id && !seenIds.has(idOf(user)));
  if (newcomer === undefined) return;
  const login = plainText(newcomer.login ?? "", 128);
  throw movedOn.error({
    noun: "account",
    key: textOf(account.name) ?? "",
    what: `the user ${login} has come into it`,
  });
}

/**
 * The last check before the DELETE, which destroys the tenant's storage: only an account whose deletion is allowed is deleted, and only while it is empty.
 */
async function beforeDelete(
  connection: Connection,
  record: AccountRecord,
  request: DeleteRequest,
): Promise<void> {
  const name = textOf(record.name) ?? idOfState(request.prior);
  if (!isDeletionAllowed(request)) throw accountDeletionRefused.error(name);
  const { seen: seenIds } = request;
  if (mayHoldSomething(request) && seenIds === undefined) return;
  const profiles = await connection.client.profiles.list();
  if (seenIds !== undefined) requireNoNewcomers(record, profiles, seenIds);
  if (mayHoldSomething(request)) return;
  const contents = await contentsOfAccount(connection, record, profiles);
  const findings = [...contents.storage, ...usersStaying(contents)];
  if (findings.length > 0) throw accountNotEmpty.error({ name, findings });
}

function isDeletionAllowed({ allowed: isAllowed, prior }: DeleteRequest): boolean {
  return isAllowed ?? flagIn(prior, "deletion_protection") === false;
}

function mayHoldSomething({ allowNonempty, prior }: DeleteRequest): boolean {
  return allowNonempty ?? flagIn(prior, "allow_nonempty_delete") === true;
}

function flagIn(prior: ObjectValue, name: string): boolean | undefined {
  const value = prior[name];
  return typeof value === "boolean" ? value : undefined;
}

// The usage of an account, for data sources alone.

const usageSource: DataSource = {
  description: describe("account_usage", "Usage of an account.", {
    account_id: text("Id of the account.").required(),
    ...allComputed(
      Object.fromEntries(
        Object.entries(USAGE_COUNTERS).map(([name, description]) => [name, integer(description)]),
      ),
    ),
  }),
  check: () => [],
  async read({ client }, config) {
    const id = textOf(config["account_id"]) ?? "";
    const record = await client.accounts.usage(id);
    return { ...readState(usageSource.description.attributes, { self: record }, null), account_id: id };
  },
};

// The family.

const accounts: RecordFamily<AccountRecord> & { readonly shownAs: string } = {
  description: account,
  endpoint: (client) => client.accounts,
  key: ["name"],
  shownAs: "name",
  whole: ["id", "serial", "name", "admin_profile_id", "limits"],
  seenWith: ACCOUNTS_SEEN_WITH,
  part: { of: profiles, id: "admin_profile_id", uuid: "user_uuid" },
  removedBy: "account",
  container,
  warn: (changes) =>
    changes.flatMap(({ path: [name] }) =>
      name === "template" ? [templateRecorded.at()] : name === "activated" ? [activationRecorded.at()] : [],
    ),
  mayDelete,
  beforeDelete,
};

export const family = makeFamily(accounts, [
  ...dataSourcesOf(accounts, {
    attributes: shownAccount,
    volatile: Object.keys(volatileMembers),
    one: "An account",
  }),
  usageSource,
]);

export const resource: RecordResource = family.resource;
