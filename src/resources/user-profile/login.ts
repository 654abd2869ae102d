/** The two parts of a login, `username@account`. The account's name may hold an `@`, the username may not. */
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
