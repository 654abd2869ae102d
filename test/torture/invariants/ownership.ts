import { writesOf, type Write } from "./writes";
import { rivalsSinceLook } from "./races";
import type { Invariant, Witness } from "./invariant";
import { accountIn, isInState, isOurAccount, isOurProfile, isRecorded, isRemoved, userIn } from "./whose";

/** Cascades count, too: records that go with their account are hit. */
export const ownership: Invariant = {
  title: "no write hits a record that is neither ours nor imported nor expressly allowed",
  violations: (witness) =>
    writesOf(witness).flatMap((write) =>
      write.commits.flatMap((commit) => {
        const record = commit.after ?? commit.before;
        if (record === undefined || isAllowed(commit, write, witness)) return [];
        const name = "name" in record ? record.name : "login" in record ? record.login : record.serial;
        return [
          `${write.method} ${write.path} hit the ${commit.kind} ${name}, which is not managed by this owner`,
        ];
      }),
    ),
};

function isAllowed(commit: Write["commits"][number], write: Write, witness: Witness): boolean {
  const { declaration, flags, before } = witness;
  switch (commit.kind) {
    case "account": {
      const account = commit.after ?? commit.before;
      if (account === undefined || isOurAccount(account, witness)) return true;
      const key = `account:${account.name}`;
      if (isInState(witness, key) || isRecorded(account.serial, key, witness)) return true;
      if (commit.after === undefined)
        return declaration.removed.some(
          ({ account: name, username, identified }) =>
            name === account.name && username === undefined && identified,
        );
      return accountIn(declaration, account.name)?.imported === true;
    }
    case "profile": {
      const profile = commit.after ?? commit.before;
      if (profile === undefined || isOurProfile(profile, witness)) return true;
      const kind = profile.account_admin ? "account" : "user_profile";
      const key = `${kind}:${profile.login}`;
      if (isInState(witness, key) || isRecorded(profile.serial, key, witness)) return true;
      const isCascade = commit.after === undefined && write.path.startsWith("/api/account/");
      if (isCascade && (profile.account_admin || flags.allowNonempty)) return true;
      const [username = "", account = profile.login] = profile.login.split("@");
      if (profile.account_admin) return accountIn(declaration, profile.login)?.imported === true;
      if (commit.after === undefined)
        return (
          isRemoved(declaration, account, username) || isRacedCascade(profile.account_id, write, witness)
        );
      return userIn(declaration, profile.login)?.imported === true;
    }
    case "token": {
      const token = commit.after ?? commit.before;
      const isCascade = commit.after === undefined && !write.path.startsWith("/api/authorization/");
      if (token === undefined || isCascade) return true;
      if (commit.before !== undefined) return isOurToken(token.serial, witness);
      const user = witness.after.profiles.get(token.user_id) ?? before.profiles.get(token.user_id);
      return user === undefined || userIn(declaration, user.login) !== undefined;
    }
  }
}

/** A token is ours if this product created it: nobody else's is in the state. */
function isOurToken(serial: string, { chronicle, exchanges }: Witness): boolean {
  return (
    chronicle.createdTokens.some((token) => token.serial === serial) ||
    exchanges.some(({ truth }) => truth?.body.includes(serial) === true)
  );
}

/** Somebody's user came into the account after the last look at it. */
function isRacedCascade(accountId: string, write: Write, witness: Witness): boolean {
  return rivalsSinceLook(write, witness, ({ method }) => method === "GET").some(
    ({ kind, after }) => kind === "profile" && after !== undefined && after.account_id === accountId,
  );
}
