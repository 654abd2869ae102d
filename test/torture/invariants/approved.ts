/** A run that demands approval broadens no access, unless a pair of today's approvals is about it. */
import type { UserProfile } from "../../../src/lib/simulator";
import type { Pair } from "../../../src/plan";
import { STACK } from "../../support/synthesized-app";
import type { Commit } from "../world/snapshot";
import type { Invariant, Witness } from "./invariant";
import { writesOf } from "./writes";

/** Not judged: the service's address in an approval, since all approvals of a history are for one service. */
export const unapprovedAccess: Invariant = {
  title: "where approval is demanded, nobody gains anything that no pair of today approves",
  violations: (witness) => {
    const { approval } = witness;
    if (approval === undefined) return [];
    const today = new Date().toISOString().slice(0, 10);
    const pairs = approval.entries
      .filter(({ stack, until }) => stack === STACK && until >= today)
      .flatMap((entry) => entry.pairs);
    return writesOf(witness).flatMap(({ method, path, commits }) =>
      commits
        .flatMap((commit) => unapprovedIn(commit, pairs, witness))
        .map((what) => `${method} ${path}: ${what}, and no pair approves it`),
    );
  },
};

function unapprovedIn(commit: Commit, pairs: readonly Pair[], witness: Witness): readonly string[] {
  switch (commit.kind) {
    case "account":
      return [];
    case "token": {
      if (commit.before !== undefined || commit.after === undefined) return [];
      const user = witness.after.profiles.get(commit.after.user_id)?.login;
      if (user === undefined) return [];
      const isAllowed = pairs.some((one) => isAbout(one, user) && ("token" in one || "rotates" in one));
      return isAllowed ? [] : [`${user} gains a token`];
    }
    case "profile": {
      const { before, after } = commit;
      if (after === undefined) return [];
      const own = pairs.filter((one) => isAbout(one, after.login) && "until" in one);
      const had = new Set(before && rightsOf(before));
      const newRights = rightsOf(after).filter(
        (right) => !had.has(right) && !own.some((one) => gives(one, right)),
      );
      const isRaised = before !== undefined && after.level > before.level;
      const isRaisable = own.some((one) => one["level"] === String(after.level));
      return [
        ...newRights.map((right) => `${after.login} gains ${right}`),
        ...(isRaised && !isRaisable ? [`the level of ${after.login} is raised`] : []),
      ];
    }
  }
}

/** The primary user of an account has the account's name as its login. */
function isAbout(pair: Pair, login: string): boolean {
  return ["user", "account"].some((subject) => pair[subject] === login);
}

function gives({ permission, permissions = [], except = [] }: Pair, right: string): boolean {
  return permissions === "all"
    ? !except.includes(right)
    : permission === right || permissions.includes(right);
}

/** The rights that a user has, as `vss.format_disks`. */
export function rightsOf({ permissions }: Pick<UserProfile, "permissions">): readonly string[] {
  return Object.entries(permissions)
    .flatMap(([group, { rights }]) =>
      Object.entries(rights as Record<string, boolean>).flatMap(([right, isGranted]) =>
        isGranted ? [`${group}.${right}`] : [],
      ),
    )
    .sort();
}
