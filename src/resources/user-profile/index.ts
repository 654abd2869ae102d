/** User profiles, the people and machines of an account: the rules for profiles alone (spec 2.3, 4.4). */
import type { ProfileRecord } from "../../api";
import { type AttributeChange, text } from "../../schema";
import { isPrimary, PROFILES_SEEN_WITH } from "../../service";
import { isList, type ObjectValue, type Value } from "../../lib/values";
import { volatileMembers } from "../common";
import type { RecordResource } from "../family";
import { dataSourcesOf, makeFamily, type RecordFamily } from "../record";
import { accountOfLogin, usernameOf, shownProfile, userProfile } from "./description";

export { accountOfLogin } from "./description";

// Passwords.

/** True if the password is to be taken away. */
function unsetsPassword(unset: Value = null): boolean {
  return isList(unset) && unset.includes("password_wo");
}

/** The PATCH that takes the password away. */
const WITHOUT_PASSWORD = { body: { password: null }, shows: { password_set: false } };

/**
 * True if an update takes a password away: there is one, or that cannot be known, and one was declared last or `unset` has just come to name it.
 */
function takesPasswordAway(config: ObjectValue, prior: ObjectValue): boolean {
  if (!unsetsPassword(config["unset"])) return false;
  const set = prior["password_set"] ?? null;
  const wasDeclared = (prior["password_wo_version"] ?? null) !== null;
  return set === true || (set === null && (wasDeclared || !unsetsPassword(prior["unset"])));
}

/**
 * True if a change of a live user, or of an account's primary user, sets another password or takes the password away: a service may end the
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

// The family.

export const profiles: RecordFamily<ProfileRecord> & { readonly shownAs: string } = {
  description: userProfile,
  endpoint: (client) => client.profiles,
  key: ["account_id", "username"],
  textOf: ([account = "", username = ""]) => `${username}@${account}`,
  shownAs: "login",

  /** The account's name as listed, or else as the login has it. */
  namesOf(record, account) {
    const login = record.login ?? "";
    const name = account?.name ?? accountOfLogin(login);
    const ending = `@${name}`;
    return [name, login.endsWith(ending) ? login.slice(0, -ending.length) : usernameOf(login)];
  },

  accountIn: accountOfLogin,

  whole: ["id", "serial", "login", "permissions"],
  seenWith: PROFILES_SEEN_WITH,
  removedBy: "login",
  isPart: isPrimary,

  adjust: (planned, config, prior) =>
    unsetsPassword(config["unset"]) && prior["password_set"] === true
      ? { ...planned, password_set: false }
      : planned,
  extraUpdate: (config, prior) => (takesPasswordAway(config, prior) ? WITHOUT_PASSWORD : undefined),
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
