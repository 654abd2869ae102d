/** The two parts of a login, `username@account`. The account's name may hold an `@`, the username may not. */
import type { ObjectValue } from "../../values";

export function loginOf(username: string, account: string): string {
  return `${username}@${account}`;
}

/** Part before the first `@`; the primary user profile's login has none and is the account's name. */
export function usernameOf(login: string): string {
  const at = login.indexOf("@");
  return at === -1 ? login : login.slice(0, at);
}

/** Part after the first `@`. */
export function accountOf(login: string): string {
  const at = login.indexOf("@");
  return at === -1 ? login : login.slice(at + 1);
}

/** The record with `username`, which no answer shows (spec 2.3). */
export function withUsername(record: ObjectValue): ObjectValue {
  const { login } = record;
  return typeof login === "string" ? { ...record, username: usernameOf(login) } : record;
}
