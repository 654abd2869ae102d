/** Assembles the family of accounts, the tenants of the service. */
import type { AccountRecord } from "../../api";
import { allComputed, type Attributes, describe, groups, integer, readState, text } from "../../schema";
import { type Connection, doubtOfAccount, type Snapshot } from "../../service";
import type { ObjectValue } from "../../values";
import { shownMembers, volatile, volatileMembers } from "../common";
import type { DataSource, Family, Outcome, Resource } from "../family";
import {
  checkOneOf,
  checkRecord,
  foresee,
  hasPrefix,
  idIn,
  importRecord,
  inOrder,
  requireOne,
  shownState,
  text as textOf,
  unlessGone,
} from "../record";
import { account, accountMembers, shownContact, USAGE_COUNTERS } from "./description";
import { accountState, container, inventory, kind } from "./inventory";
import { createAccount, deleteAccount, mayDeleteAccount, proposeAccount, updateAccount } from "./write";

// Data sources of accounts.

const shown: Attributes = allComputed({
  ...accountMembers,
  primary_contact: shownContact("Whom to ask about the account."),
  billing_contact: shownContact("Whom to bill."),
  ...shownMembers,
  ...volatileMembers,
});
const CHANGING = Object.keys(volatileMembers);
const KEYS = ["id", "serial", "name"] as const;

const one: DataSource = {
  description: describe("account", "An account that exists, by exactly one of `id`, `serial` and `name`.", {
    ...shown,
    id: text("Id of the account."),
    serial: text("Serial number of the account."),
    name: text("Name of the account."),
    volatile: volatile(CHANGING),
  }),
  check: (config) => checkOneOf(KEYS, config),
  async read({ directory }, config) {
    const snapshot = await directory.snapshot();
    const record = requireOne<AccountRecord>(
      "account",
      KEYS,
      config,
      (key) => snapshot.account(key) ?? snapshot.accountNamed(key),
    );
    return shownState(one.description.attributes, CHANGING, record, config);
  },
};

const many: DataSource = {
  description: describe("accounts", "All accounts that the caller can see, or some of them.", {
    account_id: text("Id of the account that is wanted."),
    name_prefix: text("What the names begin with."),
    volatile: volatile(CHANGING),
    accounts: groups("The accounts, in the order of their names.", shown).computed(),
  }),
  check: () => [],
  async read({ directory }, config) {
    const { accounts } = await directory.snapshot();
    const id = textOf(config["account_id"]);
    const prefix = textOf(config["name_prefix"]);
    const wanted = accounts.filter(
      (account) => (id === undefined || account.id === id) && hasPrefix(account.name, prefix),
    );
    return {
      account_id: id ?? null,
      name_prefix: prefix ?? null,
      volatile: config["volatile"] ?? null,
      accounts: inOrder(wanted, ({ name }) => name).map((record) =>
        shownState(shown, CHANGING, record, config),
      ),
    };
  },
};

const usage: DataSource = {
  description: describe("account_usage", "What an account holds.", {
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
    return { ...readState(usage.description.attributes, { self: record }, null), account_id: id };
  },
};

const dataSources: readonly DataSource[] = [one, many, usage];

/** Reading an account that is known, with its primary user profile. */
async function readAccount(connection: Connection, prior: ObjectValue): Promise<Outcome | undefined> {
  const { directory } = connection;
  const self = (await directory.account(idIn(prior))) ?? (await unlessGone(kind, connection, prior, doubtOf));
  if (self === undefined) return undefined;
  const profile = textOf(self.admin_profile_id);
  const primary = profile === undefined ? undefined : await directory.profile(profile);
  const records = { self, primary };
  return { state: accountState(records, prior), records, diagnostics: [] };
}

function doubtOf(snapshot: Snapshot): string | undefined {
  return doubtOfAccount(snapshot)?.reason;
}

export const resource: Resource = {
  description: account,
  inventory,
  container,
  check: (config) => checkRecord(account.attributes, config),
  propose: proposeAccount,
  read: readAccount,
  import: (connection, id) => importRecord(kind, connection, id),
  foresee: (connection, config, replaced) => foresee(kind, connection, config, replaced),
  mayDelete: mayDeleteAccount,
  create: createAccount,
  update: updateAccount,
  delete: deleteAccount,
};

export const family: Family = { resource, dataSources };
