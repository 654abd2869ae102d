/** What a plan shows, and whether it is done: the plan is all that its reader decides by. */
import { isTakenForRevoked } from "./tokens";
import type { Commit } from "../world/snapshot";
import type { Invariant, PlannedAction, Witness } from "./invariant";
import { rivalsSinceLook } from "./races";
import { writesOf, type Write } from "./writes";

/** Tokens go with their users, and are counted there; what comes into an account after the last look, nobody can list. */
export const shown: Invariant = {
  title: "every record that ceases was listed in the plan that was shown",
  violations: (witness) => {
    if (witness.reviewed === undefined && witness.outcome.isUnread === true) return [];
    const { printed: texts, planned } = witness.reviewed ?? witness.outcome;
    // What programs are told of a delete is its address.
    const listed = new Set(
      planned.flatMap(({ action, key }) => (action === "delete" || action === "replace" ? [key] : [])),
    );
    return writesOf(witness).flatMap((write) =>
      write.commits.flatMap((commit) => {
        const name = ceasing(commit);
        if (name === undefined || listed.has(name) || texts.some((text) => text.includes(name))) return [];
        return isNew(commit, write, witness) ? [] : [`${write.method} ${write.path} took ${name} unlisted`];
      }),
    );
  },
};

function ceasing(commit: Commit): string | undefined {
  return commit.after === undefined ? nameOf(commit) : undefined;
}

/** A primary profile has its account's name; undefined for a token. */
function nameOf(commit: Commit): string | undefined {
  if (commit.kind === "account") return (commit.before ?? commit.after)?.name;
  return commit.kind === "profile" ? (commit.before ?? commit.after)?.login : undefined;
}

function isNew(commit: Commit, write: Write, witness: Witness): boolean {
  return rivalsSinceLook(write, witness, ({ method }) => method === "GET").some(
    ({ after }) => after !== undefined && after.id === commit.before?.id,
  );
}

/** A run that ends well has done what it showed. Runs during which others changed something are not judged. */
export const done: Invariant = {
  title: "a run that ends well leaves nothing of what it showed undone",
  violations: (witness) => {
    const { verb, outcome, reviewed, exchanges } = witness;
    if (outcome.end !== "ok" || verb === "plan") return [];
    if (exchanges.some(({ rivals }) => rivals.before.length + rivals.after.length > 0)) return [];
    return (reviewed?.planned ?? outcome.planned)
      .filter((planned) => isUndone(planned, witness))
      .map(({ action, address }) => `the ${action} of ${address} was shown, and is not done`);
  },
};

/** False if the run did it itself, even if another run has undone it since. */
function isUndone({ type, action, key }: PlannedAction, witness: Witness): boolean {
  const { before, after, store } = witness;
  if (action !== "create" && action !== "delete") return false;
  const isCreate = action === "create";
  const isOwnDeed = writesOf(witness).some(({ commits }) =>
    commits.some((commit) => nameOf(commit) === key && (commit.after !== undefined) === isCreate),
  );
  if (isOwnDeed) return false;
  switch (type) {
    case "tenancy_account":
      return isCreate !== [...after.accounts.values()].some(({ name }) => name === key);
    case "tenancy_user_profile":
      return isCreate !== [...after.profiles.values()].some(({ login }) => login === key);
    case "tenancy_authorization": {
      const isIt = ({ login, name }: { login: string; name: string }) => `${login}/${name}` === key;
      if (isCreate) return store.after?.tokens.some(isIt) !== true;
      const { id: revoked = "", serial = "" } = store.before?.tokens.find(isIt)?.record ?? {};
      if (isTakenForRevoked(serial, witness)) return false;
      return before.tokens.has(revoked) && after.tokens.has(revoked);
    }
  }
}
