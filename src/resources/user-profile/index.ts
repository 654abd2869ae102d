/** Assembles the family of user profiles, the people and machines of an account. */
import type { Client, Login, ProfileRecord } from "../../api";
import { otpRequired, TenancyError, unauthenticated } from "../../problems";
import {
  allComputed,
  type Attributes,
  describe,
  flag,
  groups,
  integer,
  members,
  text,
  textSet,
} from "../../schema";
import { type Connection, doubtOfAccount, doubtOfProfile, type Snapshot } from "../../service";
import type { ObjectValue } from "../../values";
import { shownMembers, volatile, volatileMembers } from "../common";
import type { DataSource, Family, Outcome, Resource, Verdict } from "../family";
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
import { userProfile, userProfileMembers } from "./description";
import { inventory, kind, profileState } from "./inventory";
import { createProfile, deleteProfile, proposeProfile, updateProfile } from "./write";

export { accountOf } from "./description";
export { keyOfRecord, kind } from "./inventory";

// Data sources of user profiles.

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

const dataSources: readonly DataSource[] = [one, many];

/** Reading a user profile that is known. */
async function readProfile(connection: Connection, prior: ObjectValue): Promise<Outcome | undefined> {
  const self =
    (await connection.directory.profile(idIn(prior))) ??
    (await unlessGone(kind, connection, prior, (snapshot) => doubtOf(connection, snapshot, prior)));
  if (self === undefined) return undefined;
  const records = { self };
  return { state: profileState(records, prior), records, diagnostics: [] };
}

/** A profile is absent where its account is listed, or is proven to be gone itself. */
async function doubtOf(
  { client }: Connection,
  snapshot: Snapshot,
  prior: ObjectValue,
): Promise<string | undefined> {
  const id = textOf(prior["account_id"]);
  const account = id === undefined ? undefined : snapshot.account(id);
  if (account !== undefined) return doubtOfProfile(undefined, snapshot)?.reason;
  const isGone = id !== undefined && (await client.accounts.find(id)) === undefined;
  return isGone ? doubtOfAccount(snapshot)?.reason : `its account ${id ?? ""} is not listed`;
}

/** `verify_password`: whether the declared password is still the user's, by a log-in attempt (design: What is managed). */
function verifyPassword(
  { client }: Connection,
  config: ObjectValue,
  live: ObjectValue,
): Promise<Verdict> | undefined {
  const password = textOf(config["password_wo"]);
  const username = textOf(live["login"]);
  if (config["verify_password"] !== true || password === undefined || username === undefined)
    return undefined;
  return verdictOn(client, { username, password }, live);
}

async function verdictOn(client: Client, login: Login, live: ObjectValue): Promise<Verdict> {
  if (live["password_set"] === false) return "refused";
  if (live["activated"] === false) return { unknown: "the user is not activated" };
  if (live["access_api"] === false) return { unknown: "the user has no API access" };
  try {
    await client.logIn(login);
    return "accepted";
  } catch (error) {
    if (otpRequired.is(error)) return { unknown: "the user logs in with two factors" };
    if (unauthenticated.is(error)) return "refused";
    if (error instanceof TenancyError) return { unknown: error.message };
    throw error;
  }
}

export const resource: Resource = {
  description: userProfile,
  inventory,
  check: (config) => checkRecord(userProfile.attributes, config),
  propose: proposeProfile,
  read: readProfile,
  import: (connection, id) => importRecord(kind, connection, id),
  foresee: (connection, config, replaced) => foresee(kind, connection, config, replaced),
  verify: verifyPassword,
  create: createProfile,
  update: updateProfile,
  delete: deleteProfile,
};

export const family: Family = { resource, dataSources };
