/** Finds the access that a change takes from the run's own user, account or token (design: Never ourselves). Pure. */
import type { AttributeChange } from "../schema";
import type { Snapshot } from "../service";
import { isUnknown, type ObjectValue, type Path, type Value } from "../lib/values";
import { retainedTokens, retainedByRotation, previousOf, retentionOf, tokensOf } from "./authorization";
import { inEffect } from "./ends";
import { takesRight } from "./permissions";

/** A planned change of an object. */
export interface Intention {
  /** Name of the description: `account`, `user_profile`, `authorization`. */
  readonly kind: string;
  readonly action: "create" | "update" | "replace" | "delete" | "none";
  /** Id of the live record. */
  readonly id: string | undefined;
  readonly before: ObjectValue | null;
  readonly after: ObjectValue | null;
  readonly changes: readonly AttributeChange[];
  /** Time by which replaced tokens are judged. */
  readonly asOf: Date | undefined;
}

/** The user of the run. */
export interface Self {
  readonly snapshot: Snapshot;
  /** True if a token, as state holds it, is the one that the run works with. */
  readonly worksWith: (token: ObjectValue) => boolean;
  /** True if a caller with an unknown account counts as every user: only if the user can allow the change. */
  readonly mayBeAnyone: boolean;
}

interface Effect {
  /** As a clause: "takes its API access". */
  readonly what: string;
  /** The attribute that does it. */
  readonly attribute?: Path;
}

/** The effect of the change on a run that works with the object; undefined if there is none. */
export function selfChangeOf(intention: Intention): Effect | undefined {
  const { kind, action } = intention;
  if (action === "none" || action === "create") return undefined;
  switch (kind) {
    case "account":
    case "user_profile":
      return action === "update" ? effectOnUser(intention) : { what: "deletes it" };
    case "authorization":
      return revokedBy(intention).length > 0 ? { what: "revokes it" } : undefined;
    default:
      return undefined;
  }
}

/** True if the run itself works with the object, or may do so. */
export function isOwn(intention: Intention, self: Self): boolean {
  const { kind, action, id, before } = intention;
  switch (kind) {
    case "account":
      return action === "update" ? isCaller(before?.["admin_profile_id"], self) : mayBeCallers(id, self);
    case "user_profile":
      return isCaller(id, self);
    case "authorization":
      return revokedBy(intention).some(self.worksWith);
    default:
      return false;
  }
}

/** True for the caller's own profile. If that is unknown, every profile of its account may be it. */
function isCaller(profileId: Value | undefined, self: Self): boolean {
  if (typeof profileId !== "string") return false;
  const { snapshot } = self;
  const own = snapshot.callerProfile;
  if (own !== undefined) return own.id === profileId;
  const accountId = snapshot.profile(profileId)?.account_id;
  return mayBeCallers(typeof accountId === "string" ? accountId : undefined, self);
}

function mayBeCallers(accountId: string | undefined, { snapshot, mayBeAnyone }: Self): boolean {
  const own = snapshot.callerAccount;
  return own === undefined ? mayBeAnyone : own.id === accountId;
}

/** The facts that must stay true for the run to go on. */
const GRANTS: Readonly<Record<string, string>> = {
  access_api: "takes its API access",
};

/** The rights that a run works with. */
const NEEDED_RIGHTS = ["realm.manage_accounts", "user.manage_users"] as const;

/** The attributes that a log-in depends on. */
const FACTOR_CHANGES: Readonly<Record<string, string>> = {
  password_wo_version: "changes its password",
  password_set: "changes its password",
  two_factor_auth: "changes its two-factor authentication",
  two_factor_otp_wo_version: "changes its two-factor authentication",
  two_factor_secret_wo_version: "changes its two-factor authentication",
  two_factor_private_id_wo_version: "changes its two-factor authentication",
  level: "changes its level",
};

function effectOnUser({ changes, before, after }: Intention): Effect | undefined {
  for (const change of changes) {
    const [name = ""] = change.path;
    if (DECIDING.has(name)) {
      const right = NEEDED_RIGHTS.find((one) => takesRight(one, before ?? {}, after ?? {}));
      if (right !== undefined) return { what: `takes its right ${right}`, attribute: ["permissions"] };
      const [hasAccess, keepsAccess] = [before, after].map((one) => inEffect(one ?? {})["access_api"]);
      if (name === "ended" && hasAccess !== false && keepsAccess === false)
        return { what: GRANTS["access_api"] ?? "", attribute: ["access_until"] };
    } else {
      const what = effectOfAttribute(name, change);
      if (what !== undefined) return { what, attribute: change.path };
    }
  }
  return undefined;
}

/** Attributes that decide about rights together. */
const DECIDING: ReadonlySet<string> = new Set([
  "permissions",
  "undeclared_rights",
  "permissions_until",
  "ended",
]);

function effectOfAttribute(name: string, { before, after, attribute }: AttributeChange): string | undefined {
  if (attribute.presence === "computed" && isUnknown(after)) return undefined;
  // A value that the service does not show may be there.
  return before !== false && after !== true ? (GRANTS[name] ?? FACTOR_CHANGES[name]) : FACTOR_CHANGES[name];
}

/** The tokens that a change revokes: a deleted one, and replaced ones that an update does not keep. */
function revokedBy({ action, before, after, asOf }: Intention): readonly ObjectValue[] {
  if (before === null) return [];
  const tokens = tokensOf(before);
  if (action !== "update") return tokens;
  const stay = new Set(leftBy(before, after ?? {}, asOf).map(({ serial }) => serial));
  return tokens.filter(({ serial }) => !stay.has(serial));
}

/** The tokens that stay valid after an update, except for the one that a rotation creates. */
function leftBy(before: ObjectValue, after: ObjectValue, asOf: Date | undefined): readonly ObjectValue[] {
  if (!isUnknown(after["previous"])) return [after, ...previousOf(after)];
  if (isUnknown(after["serial"])) return retainedByRotation(before, after, asOf);
  // Only the apply will know the retention, and so the tokens that stay.
  return [after, ...retainedTokens(previousOf(before), retentionOf(after), asOf)];
}
