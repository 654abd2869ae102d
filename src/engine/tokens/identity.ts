/** Names tokens: the login and name of a declared token, its key, and the ways in which people call it. */
import type { TokenEntry, TokenIdentity } from "../../state";
import type { Change } from "../../plan";
import { plansNewToken } from "../../resources";
import { normalForm, type ObjectValue, textOf } from "../../lib/values";
import type { DeclaredObject } from "../planned-object";

/** The declared login, or that of the run's own credentials; undefined while it is unknown. */
export function loginOf({ config, target }: Pick<DeclaredObject, "config" | "target">): string | undefined {
  const login = config["login"] ?? target.connection.username ?? null;
  return typeof login === "string" ? login : undefined;
}

/** Natural key of a token: `csi@acme/csi-prod`. */
export function tokenKey({ login, name }: Pick<TokenEntry, "login" | "name">): string {
  return `${login}/${name}`;
}

/** True if a planned change creates a new token, or one in the place of another. */
export function createsToken(change: Pick<Change, "action" | "after">): boolean {
  // First the action: the state of an unchanged record is expensive, and is made only on demand.
  return change.action !== "none" && plansNewToken(change.after ?? null);
}

/** True if people may call the token so: by its name, by `login/name`, or by its serial number. */
export function isCalled(nameOrSerial: string, token: TokenIdentity & { readonly serial: string }): boolean {
  return [token.name, tokenKey(token), token.serial].some(
    (one) => normalForm(one) === normalForm(nameOrSerial),
  );
}

/** The login and name by which the state knows a token. */
export function tokenIdentityOf(state: ObjectValue): TokenIdentity {
  return { login: textOf(state["login"]) ?? "", name: textOf(state["name"]) ?? "" };
}
