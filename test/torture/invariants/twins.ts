/** Users who cannot be told from each other (V4). */
import type { Commit, Snapshot } from "../world/snapshot";
import type { Invariant, Witness } from "./invariant";
import { hasTwin } from "./whose";
import { takesAwayLeftPassword, writesOf } from "./writes";

/** Not judged: twins that a run could not see from its begin to its end, since a list left one out or others wrote meanwhile. */
export const twins: Invariant = {
  title: "two users who cannot be told apart get nothing, and neither is deleted",
  violations: (witness) => {
    const isBlurred = witness.exchanges.some(
      ({ strike, rivals }) =>
        strike?.kind === "lagging list" ||
        strike?.kind === "short list" ||
        rivals.before.length + rivals.after.length > 0,
    );
    if (isBlurred) return [];
    return writesOf(witness)
      .filter((write) => !takesAwayLeftPassword(write, witness))
      .flatMap(({ method, path, commits }) =>
        commits
          .filter((commit) => isOfTwin(commit, witness))
          .map(() => `${method} ${path} hit a user who has a twin`),
      );
  },
};

function isOfTwin(commit: Commit, { before }: Witness): boolean {
  if (commit.kind === "account") return false;
  const id = commit.kind === "profile" ? commit.before?.id : createdFor(commit);
  const user = id === undefined ? undefined : twinIn(id, before);
  return user !== undefined;
}

/** User of a token that came to be; a token that ends gives nothing to anybody. */
function createdFor({ before, after }: Extract<Commit, { readonly kind: "token" }>): string | undefined {
  return before === undefined ? after?.user_id : undefined;
}

function twinIn(id: string, live: Snapshot) {
  const user = live.profiles.get(id);
  return user !== undefined && hasTwin(user, live) ? user : undefined;
}
