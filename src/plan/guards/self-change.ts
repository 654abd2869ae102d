/** A run does not saw off the branch that it sits on: the user, account and token that it works with. */
import { SelfChange } from "../../errors";
import { isObject, type Value } from "../../values";
import type { Change } from "../change";
import { surveyOf, type Draft, type Surveyed } from "../draft";
import type { Guard } from "./guard";

export const selfChange: Guard = (draft) => {
  if (draft.permits.selfChange) return [];
  return draft.changes.flatMap((change) => {
    const survey = surveyOf(draft, change);
    const harm = survey === undefined ? undefined : harmToCaller(change, survey, draft);
    return harm === undefined
      ? []
      : new SelfChange(change.key, harm, { address: change.address }).toDiagnostics();
  });
};

/** What the change would take from the caller, as a clause; undefined where it takes nothing. */
function harmToCaller(change: Change, survey: Surveyed, draft: Draft): string | undefined {
  if (change.action === "none" || change.action === "create") return undefined;
  switch (change.description.name) {
    case "account": {
      const isOwn = survey.snapshot.callerAccount?.id === change.sighting?.id;
      if (!isOwn) return undefined;
      return change.action === "update"
        ? harmToProfile(change, survey, primaryOf(change))
        : "deletes the account that the run acts in";
    }
    case "user_profile":
      return harmToProfile(change, survey, change.sighting?.id);
    case "authorization":
      return harmToToken(change, survey, draft);
    default:
      return undefined;
  }
}

function harmToProfile(change: Change, survey: Surveyed, profileId: string | undefined): string | undefined {
  if (profileId === undefined || !isCaller(profileId, survey)) return undefined;
  if (change.action !== "update") return "deletes the user that the run acts as";
  return change.attributes
    .map(({ path, after }) => harmOfAttribute(path, after))
    .find((harm) => harm !== undefined);
}

/** The caller's own profile; where that is unknown, every profile of its account may be it. */
function isCaller(profileId: string, { snapshot }: Surveyed): boolean {
  const own = snapshot.callerProfile;
  if (own !== undefined) return own.id === profileId;
  const account = snapshot.callerAccount?.id;
  return typeof account === "string" && snapshot.profilesOf(account).some(({ id }) => id === profileId);
}

function harmOfAttribute(path: readonly string[], after: Value): string | undefined {
  const name = path.join(".");
  if (name === "permissions.realm.rights.manage_accounts" && after !== true)
    return "takes its right realm.manage_accounts";
  if (name === "permissions.user.rights.manage_users" && after !== true)
    return "takes its right user.manage_users";
  if (name === "permissions" && !isObject(after)) return "takes its rights";
  if (name === "access.api" && after !== true) return "takes its API access";
  if (name === "activated" && after !== true) return "deactivates it";
  if (
    name === "password_wo_version" ||
    (name === "unset" && Array.isArray(after) && after.includes("password_wo"))
  )
    return "changes its password";
  if (path[0] === "two_factor" && path[1] !== "security_email")
    return "changes its two-factor authentication";
  if (name === "level") return "changes its level";
  return undefined;
}

function harmToToken(change: Change, survey: Surveyed, _draft: Draft): string | undefined {
  if (survey.ownToken === undefined || change.action === "update") return undefined;
  return change.before?.["serial"] === survey.ownToken
    ? "revokes the token that the run works with"
    : undefined;
}

function primaryOf(change: Change): string | undefined {
  const id = change.before?.["admin_profile_id"];
  return typeof id === "string" ? id : undefined;
}
