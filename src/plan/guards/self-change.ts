/** A run does not saw off the branch that it sits on: the user, account and token that it works with. */
import { SelfChange } from "../../errors";
import type { AttributeChange } from "../../schema";
import { kept, previousOf, retentionOf, retired } from "../../resources/authorization/previous";
import { isObject, isUnknown, startsWith, type ObjectValue, type Path, type Value } from "../../values";
import type { Change } from "../change";
import { surveyOf, type Draft, type Surveyed } from "../draft";
import type { Guard } from "./guard";

export const selfChange: Guard = (draft) => {
  if (draft.permits.selfChange) return [];
  return draft.changes.flatMap((change) => {
    const harm = harmToCaller(change, draft);
    return harm === undefined
      ? []
      : new SelfChange(change.key, harm, { address: change.address }).toDiagnostics();
  });
};

/** What the change would take from the caller, as a clause; undefined where it takes nothing. */
function harmToCaller(change: Change, draft: Draft): string | undefined {
  if (change.action === "none" || change.action === "create") return undefined;
  const survey = surveyOf(draft, change);
  if (survey === undefined) return undefined;
  switch (change.description.name) {
    case "account":
      if (change.action === "update") return harmToProfile(change, survey, primaryOf(change));
      return mayBeCallers(change.sighting?.id, survey) ? "deletes it" : undefined;
    case "user_profile":
      return harmToProfile(change, survey, change.sighting?.id);
    case "authorization":
      return harmToToken(change, survey, draft.asOf);
    default:
      return undefined;
  }
}

function harmToProfile(change: Change, survey: Surveyed, profileId: string | undefined): string | undefined {
  if (profileId === undefined || !isCaller(profileId, survey)) return undefined;
  if (change.action !== "update") return "deletes it";
  return change.attributes.map(harmOf).find((harm) => harm !== undefined);
}

/** The caller's own profile; where that is unknown, every profile of its account may be it. */
function isCaller(profileId: string, survey: Surveyed): boolean {
  const { snapshot } = survey;
  const own = snapshot.callerProfile;
  if (own !== undefined) return own.id === profileId;
  const accountId = snapshot.profile(profileId)?.account_id;
  return mayBeCallers(typeof accountId === "string" ? accountId : undefined, survey);
}

/** Where not even the account is known, it may be any. */
function mayBeCallers(accountId: string | undefined, { snapshot }: Surveyed): boolean {
  const own = snapshot.callerAccount;
  return own === undefined || own.id === accountId;
}

/** What must stay true for the run to go on. */
const GRANTS: readonly (readonly [path: Path, harm: string])[] = [
  [["permissions", "realm", "rights", "manage_accounts"], "takes its right realm.manage_accounts"],
  [["permissions", "user", "rights", "manage_users"], "takes its right user.manage_users"],
  [["access", "api"], "takes its API access"],
  [["activated"], "deactivates it"],
];

/** What a log-in depends on. Paths of groups stand for all that is in them. */
const FACTORS: readonly (readonly [path: Path, harm: string])[] = [
  [["password_wo_version"], "changes its password"],
  [["password_set"], "changes its password"],
  [["two_factor", "auth"], "changes its two-factor authentication"],
  [["two_factor", "otp_wo_version"], "changes its two-factor authentication"],
  [["two_factor", "secret_wo_version"], "changes its two-factor authentication"],
  [["two_factor", "private_id_wo_version"], "changes its two-factor authentication"],
  [["level"], "changes its level"],
];

/** A group that is planned as a whole, as one that is not known yet, is as good as each of its members. */
function harmOf({ path, before, after, attribute }: AttributeChange): string | undefined {
  if (attribute.presence === "computed" && isUnknown(after)) return undefined;
  const taken = GRANTS.find(
    ([grant]) => startsWith(grant, path) && takes(valueAt(before, grant, path), valueAt(after, grant, path)),
  );
  const touched = FACTORS.find(([factor]) => startsWith(factor, path));
  return (taken ?? touched)?.[1];
}

/** What the service does not show may be there. */
function takes(before: Value, after: Value): boolean {
  return before !== false && after !== true;
}

function valueAt(value: Value, full: Path, at: Path): Value {
  let inner = value;
  for (const step of full.slice(at.length)) {
    if (isUnknown(inner)) return inner;
    inner = isObject(inner) ? (inner[step] ?? null) : null;
  }
  return inner;
}

/** A token is revoked when it goes, and when it is among the replaced ones that an update does not keep. */
function harmToToken(change: Change, { ownToken }: Surveyed, asOf: Date): string | undefined {
  const { action, before } = change;
  if (ownToken === undefined || before === null) return undefined;
  const isIn = (tokens: readonly ObjectValue[]) => tokens.some(({ serial }) => serial === ownToken);
  if (!isIn([before, ...previousOf(before)])) return undefined;
  const stays = action === "update" && isIn(leftBy(before, change.after ?? {}, asOf));
  return stays ? undefined : "revokes it";
}

/** The tokens that are good after an update, but for the one that a rotation mints. */
function leftBy(before: ObjectValue, after: ObjectValue, asOf: Date): readonly ObjectValue[] {
  if (!isUnknown(after["previous"])) return [after, ...previousOf(after)];
  return kept([retired(before, asOf), ...previousOf(before)], retentionOf(after), asOf);
}

function primaryOf(change: Change): string | undefined {
  const id = change.before?.["admin_profile_id"];
  return typeof id === "string" ? id : undefined;
}
