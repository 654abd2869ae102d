import type { UserProfile } from "../../../src/lib/simulator";
import { profileWithLogin } from "../world/snapshot";
import type { Invariant } from "./invariant";
import { writesOf } from "./writes";

export const ownCredential: Invariant = {
  title: "the credential that started the run still works afterwards, with no fewer rights",
  violations: (witness) => {
    const { flags, self, before } = witness;
    if (flags.allowSelfChange) return [];
    // A user without a password does not log in with one, so the run loses nothing if creating a token sets one for a moment.
    const hasPassword = profileWithLogin(before, self.login)?.password !== null;
    return writesOf(witness).flatMap(({ method, path, commits }) =>
      commits.flatMap((commit) => {
        if (commit.kind === "token" && commit.before?.id === self.tokenId && commit.after === undefined)
          return [`${method} ${path} revoked the run's own token`];
        if (commit.kind !== "profile" || commit.before?.login !== self.login) return [];
        if (commit.after === undefined) return [`${method} ${path} deleted the run's own user`];
        return harm(commit.before, commit.after, hasPassword).map(
          (what) => `${method} ${path} of the run's own user ${what}`,
        );
      }),
    );
  },
};

/** Losses of the run's user among the things that the run needs. The user may lose other rights. */
function harm(before: UserProfile, after: UserProfile, hasPassword: boolean): readonly string[] {
  const unless = (had: boolean, has: boolean, what: string) => (had && !has ? [`took ${what}`] : []);
  const { permissions: had } = before;
  const { permissions: has } = after;
  return [
    ...unless(had.realm.rights.manage_accounts, has.realm.rights.manage_accounts, "manage_accounts"),
    ...unless(had.user.rights.manage_users, has.user.rights.manage_users, "manage_users"),
    ...unless(before.access.api, after.access.api, "API access"),
    ...unless(before.activated, after.activated, "its activation"),
    ...(before.password === after.password || !hasPassword ? [] : ["changed its password"]),
    ...(before.two_factor === after.two_factor ? [] : ["changed its two-factor"]),
    ...(before.level === after.level ? [] : ["changed its level"]),
  ];
}
