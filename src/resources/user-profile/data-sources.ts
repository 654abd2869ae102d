/** What can be asked of user profiles. */
import type { ProfileRecord } from "../../api";
import {
  allComputed,
  describe,
  flag,
  groups,
  integer,
  members,
  text,
  textSet,
  type Attributes,
} from "../../schema";
import { shownMembers, volatile, volatileMembers } from "../common";
import type { DataSource } from "../family";
import { checkOneOf, hasPrefix, inOrder, requireOne, shownState } from "../record/lookup";
import { text as textOf } from "../record/members";
import { userProfileMembers } from "./description";

const sessions = groups("Sessions of the user.", {
  serial: text("Serial number."),
  id: text("Id."),
  created_ms: integer("When it began, in milliseconds since 1970."),
  last_ms: integer("When it was used last, in milliseconds since 1970."),
  addr: text("Address that the last request came from."),
});

const shown: Attributes = allComputed({
  ...userProfileMembers,
  ...shownMembers,
  timezone: text("Time zone, `local`."),
  ...members(
    { name: "two_factor", description: "Two-factor authentication." },
    {
      yubikey_id: text("Yubikey that is bound to the profile."),
      security_email_bounce: flag("Whether mail to the address for recovery bounced.").readFrom(
        "security_email.bounce",
      ),
    },
  ),
  ...members(
    { name: "xmd", description: "Extensible metadata record." },
    {
      id: text("Id of the extensible metadata record."),
      ref: text("Reference key of the extensible metadata record."),
      mtime: integer("Time of its last modification, in milliseconds since 1970."),
      tags: textSet("Tags of the extensible metadata record."),
      self: flag("Whether the extensible metadata record is the profile's own."),
      data: text("Data of the extensible metadata record."),
    },
  ),
  ...volatileMembers,
  sessions,
});
const CHANGING = [...Object.keys(volatileMembers), "sessions", "xmd_mtime"];
const KEYS = ["id", "serial", "login"] as const;

const one: DataSource = {
  description: describe(
    "user_profile",
    "A user profile that exists, by exactly one of `id`, `serial` and `login`.",
    {
      ...shown,
      id: text("Id of the user profile."),
      serial: text("Serial number of the user profile."),
      login: text("Full login, `username@account`; of a primary user profile, the account's name."),
      volatile: volatile(CHANGING),
    },
  ),
  check: (config) => checkOneOf(KEYS, config),
  async read({ directory }, config) {
    const snapshot = await directory.snapshot();
    const record = requireOne<ProfileRecord>(
      "user profile",
      KEYS,
      config,
      (key) => snapshot.profile(key) ?? snapshot.profileWithLogin(key),
    );
    return shownState(one.description.attributes, CHANGING, record, config);
  },
};

const many: DataSource = {
  description: describe("user_profiles", "All user profiles that the caller can see, or some of them.", {
    account_id: text("Id of the account that they belong to."),
    login_prefix: text("What the logins begin with."),
    volatile: volatile(CHANGING),
    user_profiles: groups("The user profiles, in the order of their logins.", shown).computed(),
  }),
  check: () => [],
  async read({ directory }, config) {
    const snapshot = await directory.snapshot();
    const id = textOf(config["account_id"]);
    const prefix = textOf(config["login_prefix"]);
    const inAccount = id === undefined ? snapshot.profiles : snapshot.profilesOf(id);
    const wanted = inAccount.filter(({ login }) => hasPrefix(login, prefix));
    return {
      account_id: id ?? null,
      login_prefix: prefix ?? null,
      volatile: config["volatile"] ?? null,
      user_profiles: inOrder(wanted, ({ login }) => textOf(login)).map((record) =>
        shownState(shown, CHANGING, record, config),
      ),
    };
  },
};

export const dataSources: readonly DataSource[] = [one, many];
