import type { Account, UserProfile } from "../../../src/lib/simulator";
import type { Commit } from "../world/snapshot";
import type { Invariant, Witness } from "./invariant";
import { accountIn, userIn } from "./whose";
import { isShowing, rivalsSinceLook } from "./races";
import { hasLeftPassword, isPasswordSetByRun, writesOf, type Write } from "./writes";

/** Members that change with every update. */
const ALWAYS = ["mtime", "seq"];

export const undeclaredChanges: Invariant = {
  title: "an update changes only what is declared, and passwords only with their version",
  violations: (witness) =>
    writesOf(witness).flatMap((write) =>
      write.commits.flatMap((commit) =>
        changedMembers(commit)
          .filter(
            (member) =>
              !mayChange(member, commit, witness) &&
              !(member === "password" && isRaced(write, commit, witness)),
          )
          .map((member) => `${write.method} ${write.path} changed ${member}, which it had no reason to`),
      ),
    ),
};

function changedMembers({ before, after }: Commit): readonly string[] {
  if (before === undefined || after === undefined) return [];
  const was = before as unknown as Record<string, unknown>;
  return Object.entries(after)
    .filter(([member, value]) => was[member] !== value && !ALWAYS.includes(member))
    .map(([member]) => member);
}

/** True if somebody else changed the record after the last look at it. */
function isRaced(write: Write, { before }: Commit, witness: Witness): boolean {
  const id = before?.id ?? "";
  return rivalsSinceLook(write, witness, isShowing(id)).some(({ after }) => after?.id === id);
}

function mayChange(member: string, commit: Commit, witness: Witness): boolean {
  if (commit.kind === "account" && commit.before !== undefined)
    return mayChangeAccount(member, commit.before, witness);
  if (commit.kind === "profile" && commit.before !== undefined)
    return mayChangeProfile(member, commit.before, commit.after, witness);
  return false;
}

function mayChangeAccount(member: string, { name }: Account, { declaration }: Witness): boolean {
  const account = accountIn(declaration, name);
  if (member === "primary_contact") return account?.company !== undefined;
  return member === "limits" && account?.vssNum !== undefined;
}

function mayChangeProfile(
  member: string,
  before: UserProfile,
  after: UserProfile | undefined,
  witness: Witness,
): boolean {
  const { declaration } = witness;
  if (before.account_admin) {
    const account = accountIn(declaration, before.login);
    if (member === "level") return account?.level !== undefined;
    if (member !== "password") return false;
    return (
      hasLeftPassword(before.id, witness) ||
      isDue(`account:${before.login}`, before, account?.password, witness)
    );
  }
  const user = userIn(declaration, before.login);
  switch (member) {
    case "email":
    case "email_verified":
      return user?.email !== undefined;
    case "level":
      return user?.level !== undefined;
    case "permissions":
      return user?.rights !== undefined;
    case "password":
      if (hasLeftPassword(before.id, witness)) return true;
      // A token for a user without a password sets one for a moment. If that one stays, the next token's takes its place.
      if (user !== undefined && user.password === undefined)
        return (
          Object.keys(user.tokens).length > 0 &&
          (before.password === null || after?.password === null || isPasswordSetByRun(before, witness))
        );
      return isDue(`user_profile:${before.login}`, before, user?.password, witness);
    default:
      return false;
  }
}

/** True if the state remembers another version than is declared, or the user asks for it. */
function isDue(
  key: string,
  { uuid }: UserProfile,
  version: number | undefined,
  { engine, state, flags, before }: Witness,
): boolean {
  if (version === undefined) return false;
  if (flags.resetPasswords) return true;
  const objects = state.before?.objects[key];
  const owner = key.startsWith("account:")
    ? [...before.accounts.values()].find(({ name }) => `account:${name}` === key)?.uuid
    : uuid;
  const lastPassword = objects?.uuid === owner ? objects?.write_only["password_wo"] : undefined;
  if (engine === "terraform") return lastPassword?.version !== version;
  return lastPassword !== undefined && lastPassword.version !== version;
}
