/** What a run that demands approval may do: nothing that broadens access, unless an entry of today allows it. */
import type { UserProfile } from "../../../src/lib/simulator";
import { STACK } from "../../support/synthesized-app";
import { OWNER } from "../model/declaration";
import type { Commit } from "../world/snapshot";
import type { Invariant, Witness } from "./invariant";
import { writesOf } from "./writes";

/** Not judged: the service's address in an entry, since all entries of a history are for one service. */
export const approved: Invariant = {
  title: "where approval is demanded, nobody gains anything that no entry of today allows",
  violations: (witness) => {
    const { approval } = witness;
    if (approval === undefined) return [];
    const today = new Date().toISOString().slice(0, 10);
    const allowed = approval.entries
      .filter(({ stack, owner, until }) => stack === STACK && owner === OWNER && until >= today)
      .flatMap(({ allows }) => allows);
    return writesOf(witness).flatMap(({ method, path, commits }) =>
      commits
        .flatMap((commit) => unapprovedIn(commit, allowed, witness))
        .map((what) => `${method} ${path}: ${what}, and no entry allows it`),
    );
  },
};

function unapprovedIn(commit: Commit, allowed: readonly string[], witness: Witness): readonly string[] {
  switch (commit.kind) {
    case "account":
      return [];
    case "token": {
      if (commit.before !== undefined || commit.after === undefined) return [];
      const user = witness.after.profiles.get(commit.after.user_id)?.login;
      if (user === undefined) return [];
      const isAllowed = ["token", "rotates token"].some((words) =>
        allowed.some((line) => line.startsWith(`${inLine(user)} ${words} `)),
      );
      return isAllowed ? [] : [`${user} gains a token`];
    }
    case "profile": {
      const { before, after } = commit;
      if (after === undefined) return [];
      const had = new Set(before && rightsOf(before));
      const user = inLine(after.login);
      const gained = rightsOf(after).filter((right) => !had.has(right) && !gives(allowed, user, right));
      const isRaised = before !== undefined && after.level < before.level;
      const isRaisable = allowed.some((line) => line.startsWith(`${user} level raised to `));
      return [
        ...gained.map((right) => `${after.login} gains ${right}`),
        ...(isRaised && !isRaisable ? [`the level of ${after.login} is raised`] : []),
      ];
    }
  }
}

/** A dangerous right has a line of its own, with its mark. */
function gives(allowed: readonly string[], user: string, right: string): boolean {
  return allowed.some((line) => {
    const [, rights] = line.split(`${user} gains `);
    if (rights === undefined || !line.startsWith(user)) return false;
    if (rights.startsWith("every right")) return !rights.includes(right);
    return rights
      .replace(/ \([a-z, ]+\)$/, "")
      .split(", ")
      .includes(right);
  });
}

/** A login as lines write it: names of other characters than letters and digits are quoted. */
function inLine(login: string): string {
  return login
    .split("@")
    .map((name) => (/^[\w*][\w.:+*-]*$/.test(name) ? name : JSON.stringify(name)))
    .join("@");
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
