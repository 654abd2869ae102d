/** What a change takes from a user, an account or a token, should the run itself work with it (design §7, "Never ourselves"). Pure. */
import type { AttributeChange } from "../schema";
import { isList, isObject, type ObjectValue, type Path, type Value } from "../values";
import type { Snapshot } from "./directory";

/** What is going to happen to an object. */
export interface Intention {
  /** Of the description: `account`, `user_profile`, `authorization`. */
  readonly kind: string;
  readonly action: "create" | "update" | "replace" | "delete" | "none";
  /** Id of the live record. */
  readonly id: string | undefined;
  readonly before: ObjectValue | null;
  readonly changes: readonly AttributeChange[];
}

/** Whom the run works as. */
export interface Self {
  readonly snapshot: Snapshot;
  /** Serial of the token that the run works with, where that is known. */
  readonly token: string | undefined;
}

export interface Harm {
  /** As a clause: "takes its API access". */
  readonly what: string;
  /** The attribute that does it. */
  readonly attribute?: Path;
}

/** What the change would do to whoever works with the object; undefined where that is nothing to them. */
export function harmOf({ kind, action, changes }: Intention): Harm | undefined {
  if (action === "none" || action === "create") return undefined;
  const ends = action !== "update";
  switch (kind) {
    case "account":
      return ends ? { what: "deletes it" } : harmToUser(changes);
    case "user_profile":
      return ends ? { what: "deletes it" } : harmToUser(changes);
    case "authorization":
      return ends ? { what: "revokes it" } : undefined;
    default:
      return undefined;
  }
}

/** Whether it is the run itself that works with the object. An unknown caller may be any user of its account. */
export function isOwn({ kind, action, id, before }: Intention, { snapshot, token }: Self): boolean {
  switch (kind) {
    case "account":
      if (id === undefined || snapshot.callerAccount?.id !== id) return false;
      return action !== "update" || isCaller(before?.["admin_profile_id"], snapshot);
    case "user_profile":
      return isCaller(id, snapshot);
    case "authorization":
      return token !== undefined && before?.["serial"] === token;
    default:
      return false;
  }
}

function isCaller(profileId: Value | undefined, snapshot: Snapshot): boolean {
  if (typeof profileId !== "string") return false;
  const own = snapshot.callerProfile;
  if (own !== undefined) return own.id === profileId;
  const account = snapshot.callerAccount?.id;
  return typeof account === "string" && snapshot.profilesOf(account).some(({ id }) => id === profileId);
}

function harmToUser(changes: readonly AttributeChange[]): Harm | undefined {
  for (const { path, after } of changes) {
    const what = harmOfAttribute(path, after);
    if (what !== undefined) return { what, attribute: path };
  }
  return undefined;
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
  if (name === "password_wo_version") return "changes its password";
  if (name === "unset" && isList(after) && after.includes("password_wo")) return "changes its password";
  if (path[0] === "two_factor" && path[1] !== "security_email")
    return "changes its two-factor authentication";
  if (name === "level") return "changes its level";
  return undefined;
}
