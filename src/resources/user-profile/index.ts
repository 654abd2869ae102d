/** User profiles, the people and machines of an account: what only they do (spec 2.3, 4.4). */
import type { Client, Login, ProfileRecord } from "../../api";
import { otpRequired, TenancyError, unauthenticated } from "../../problems";
import { type AttributeChange, text } from "../../schema";
import { type Connection, isPrimary, PROFILES_SEEN_WITH } from "../../service";
import { isList, type ObjectValue, textOf, type Value } from "../../lib/values";
import { volatileMembers } from "../common";
import type { RecordResource, Verdict } from "../family";
import { dataSourcesOf, makeFamily, type RecordFamily } from "../record";
import { accountOf, loginOf, usernameOf, shownProfile, userProfile } from "./description";

export { accountOf } from "./description";

// Passwords.

/** Whether the password is to be taken away. */
function unsetsPassword(unset: Value = null): boolean {
  return isList(unset) && unset.includes("password_wo");
}

/** The PATCH that takes the password away. */
const WITHOUT_PASSWORD = { body: { password: null }, shows: { password_set: false } };

/** Whether an update takes a password away: there is one, or that cannot be known and `unset` has just come to name it. */
function takesPasswordAway(config: ObjectValue, prior: ObjectValue): boolean {
  if (!unsetsPassword(config["unset"])) return false;
  const set = prior["password_set"] ?? null;
  return set === true || (set === null && !unsetsPassword(prior["unset"]));
}

/**
 * Whether a change of a live user, or of an account's primary user, sets another password or takes the password away: a service may end the
 * user's tokens with it.
 */
export function updatesPassword(change: {
  readonly action: string;
  /** State before the change. */
  readonly before: ObjectValue | null;
  /** May be computed on demand: asked of updates alone. */
  readonly attributes: readonly AttributeChange[];
}): boolean {
  if (change.action !== "update") return false;
  const prior = change.before;
  return change.attributes.some(({ path: [name = ""], before, after }) => {
    switch (name) {
      // A version that is no longer declared sends nothing.
      case "password_wo_version":
        return after !== null;
      case "password_set":
        return after === false;
      case "unset":
        return unsetsPassword(after) && !unsetsPassword(before) && prior?.["password_set"] !== false;
      default:
        return false;
    }
  });
}

/** `verify_password`: whether the declared password is still the user's, by a log-in attempt (design: What is managed). */
function verifyPassword(
  { client }: Connection,
  config: ObjectValue,
  liveState: () => ObjectValue,
): Promise<Verdict> | undefined {
  const password = textOf(config["password_wo"]);
  if (config["verify_password"] !== true || password === undefined) return undefined;
  const live = liveState();
  const username = textOf(live["login"]);
  return username === undefined ? undefined : verdictOn(client, { username, password }, live);
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

// The family.

export const profiles: RecordFamily<ProfileRecord> & { readonly shownAs: string } = {
  description: userProfile,
  endpoint: (client) => client.profiles,
  key: ["account_id", "username"],
  textOf: ([account = "", username = ""]) => loginOf(username, account),
  shownAs: "login",

  /** The account's name as listed, or else as the login has it. */
  namesOf(record, account) {
    const login = record.login ?? "";
    const name = account?.name ?? accountOf(login);
    const ending = `@${name}`;
    return [name, login.endsWith(ending) ? login.slice(0, -ending.length) : usernameOf(login)];
  },

  accountIn: accountOf,

  whole: ["id", "serial", "login", "permissions"],
  seenWith: PROFILES_SEEN_WITH,
  removedBy: "login",
  isPart: isPrimary,

  adjust: (planned, config, prior) =>
    unsetsPassword(config["unset"]) && prior["password_set"] === true
      ? { ...planned, password_set: false }
      : planned,
  extraUpdate: (config, prior) => (takesPasswordAway(config, prior) ? WITHOUT_PASSWORD : undefined),
  verify: verifyPassword,
};

export const family = makeFamily(
  profiles,
  dataSourcesOf(profiles, {
    attributes: shownProfile,
    volatile: [...Object.keys(volatileMembers), "sessions", "xmd_mtime"],
    one: "A user profile",
    key: text("Full login, `username@account`; of a primary user profile, the account's name."),
  }),
);

export const resource: RecordResource = family.resource;
