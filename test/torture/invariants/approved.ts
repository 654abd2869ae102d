/** A run that demands approval broadens no access, unless an entry of today allows it. */
import type { UserProfile } from "../../../src/lib/simulator";
import { STACK } from "../../support/synthesized-app";
import { OWNER } from "../model/declaration";
import type { Commit } from "../world/snapshot";
import type { Invariant, Witness } from "./invariant";
import { writesOf } from "./writes";

/** Not judged: the service's address in an entry, since all entries of a history are for one service. */
export const unapprovedAccess: Invariant = {
  title: "where approval is demanded, nobody gains anything that no entry of today allows",
  violations: (witness) => {
    const { approval } = witness;
    if (approval === undefined) return [];
    const today = new Date().toISOString().slice(0, 10);
    const allowedLines = approval.entries
      .filter(({ stack, owner, until }) => stack === STACK && owner === OWNER && until >= today)
      .flatMap(({ allows }) => allows);
    return writesOf(witness).flatMap(({ method, path, commits }) =>
      commits
        .flatMap((commit) => unapprovedIn(commit, allowedLines, witness))
        .map((what) => `${method} ${path}: ${what}, and no entry allows it`),
    );
  },
};

function unapprovedIn(commit: Commit, lines: readonly string[], witness: Witness): readonly string[] {
  switch (commit.kind) {
    case "account":
      return [];
    case "token": {
      if (commit.before !== undefined || commit.after === undefined) return [];
      const user = witness.after.profiles.get(commit.after.user_id)?.login;
      if (user === undefined) return [];
      const isAllowed = ["token", "rotates token"].some((words) =>
        lines.some((line) => line.startsWith(`${inLine(user)} ${words} `)),
      );
      return isAllowed ? [] : [`${user} gains a token`];
    }
    case "profile": {
      const { before, after } = commit;
      if (after === undefined) return [];
      const had = new Set(before && rightsOf(before));
      const user = inLine(after.login);
      const newRights = rightsOf(after).filter((right) => !had.has(right) && !gives(lines, user, right));
      const isRaised = before !== undefined && after.level > before.level;
      const isRaisable = lines.some((line) => line.startsWith(`${user} level raised to `));
      return [
        ...newRights.map((right) => `${after.login} gains ${right}`),
        ...(isRaised && !isRaisable ? [`the level of ${after.login} is raised`] : []),
      ];
    }
  }
}

/** A dangerous right has a line of its own, with its mark. */
function gives(lines: readonly string[], user: string, right: string): boolean {
  return lines.some((line) => {
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
