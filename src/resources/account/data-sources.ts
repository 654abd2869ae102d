/** What can be asked of accounts. */
import type { AccountRecord } from "../../api";
import { allComputed, describe, groups, integer, readState, text, type Attributes } from "../../schema";
import { shownMembers, volatile, volatileMembers } from "../common";
import type { DataSource } from "../family";
import { checkOneOf, hasPrefix, inOrder, requireOne, shownState } from "../record/lookup";
import { text as textOf } from "../record/members";
import { shownContact } from "./contact";
import { accountMembers } from "./description";
import { USAGE_COUNTERS } from "./usage";

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

export const dataSources: readonly DataSource[] = [one, many, usage];
