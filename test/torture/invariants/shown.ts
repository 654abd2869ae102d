/** The plan as its reader sees it, and its work: the reader has nothing else to decide by. */
import { commitsBetween, tokenWith, type Commit, type Snapshot } from "../world/snapshot";
import { type Invariant, isWarned, type Listed, type PlannedAction, type Witness } from "./invariant";
import { rivalsSinceLook } from "./races";
import { isTakenForRevoked } from "./tokens";
import type { TokenName } from "../model/declaration";
import { userIn } from "./whose";
import { referenceIn, writesOf, type Write } from "./writes";

/**
 * What ceases counts as listed if the plan told programs of it, before anything was done, under its own exact name. Not judged: how the
 * plan is told to people, who read groups; a token that a service ends with a password; what came to be after the plan, or after the
 * last look, since nobody can list that; of a token that another run has put into the state meanwhile, only that tokens are told of; and a run of its own plan whose output nobody read. Terraform lists what is in its state alone:
 * there a user who goes with an account is listed with the account.
 */
export const unlistedLosses: Invariant = {
  title: "every record that ceases was listed in the plan that was shown",
  violations: (witness) => {
    if (witness.reviewed === undefined && witness.outcome.isUnread === true) return [];
    return writesOf(witness).flatMap((write) =>
      write.commits.flatMap((commit) => {
        if (commit.after !== undefined || isListed(commit, write, witness)) return [];
        return [`${write.method} ${write.path} took ${nameOf(commit)} unlisted`];
      }),
    );
  },
};

function isListed(commit: Commit, write: Write, witness: Witness): boolean {
  const { before } = commit;
  if (before === undefined || isNew(commit, write, witness)) return true;
  switch (commit.kind) {
    case "account":
      return isGoing("tenancy_account", nameOf(commit), witness);
    case "profile": {
      const { login, account_admin: isPrimary, account_id: account } = commit.before ?? { login: "" };
      if (isGoing("tenancy_user_profile", login, witness)) return true;
      const goesToo = write.commits.some(
        (other) => other.kind === "account" && other.after === undefined && other.before?.id === account,
      );
      return goesToo && (isPrimary === true || witness.engine === "terraform");
    }
    case "token": {
      const { serial, user_id: user } = commit.before ?? { serial: "", user_id: "" };
      const goesToo = write.commits.some(
        (other) => other.kind === "profile" && other.after === undefined && other.before?.id === user,
      );
      return goesToo || write.method !== "DELETE" || isRevocationListed(serial, witness);
    }
  }
}

/**
 * A revocation is told as the change of a declared token, as the delete of a token, or with the user or the account that goes. Where the plan
 * tells of an update attribute by attribute, it names the serial.
 */
function isRevocationListed(serial: string, witness: Witness): boolean {
  const { state } = witness;
  // A plan tells of a failed revocation as a failure, and each apply tries it again.
  if (state.before?.failedRevocations.some((failed) => failed.serial === serial) === true) return true;
  const known = [...(state.before?.tokens ?? []), ...(state.after?.tokens ?? [])];
  const isKnown = known.some(({ record, previous }) =>
    [record, ...previous].some((one) => one.serial === serial),
  );
  if (!isKnown && state.isShared === true)
    return listedBy(witness).some(
      ({ type, action }) => type === "tenancy_authorization" && action !== "none",
    );
  return known.some(({ login, name, record, previous }) => {
    if (![record, ...previous].some((one) => one.serial === serial)) return false;
    const isChanged = listedBy(witness).some(
      ({ type, action, key, shown: text }) =>
        type === "tenancy_authorization" &&
        key === `${login}/${name}` &&
        action !== "none" &&
        (action !== "update" || text === undefined || text.includes(serial)),
    );
    return (
      isChanged ||
      isGoing("tenancy_user_profile", login, witness) ||
      isGoing("tenancy_account", accountIn(login), witness)
    );
  });
}

function isGoing(type: Listed["type"], name: string, witness: Witness): boolean {
  return listedBy(witness).some(
    (listed) =>
      listed.type === type &&
      listed.key === name &&
      (listed.action === "delete" || listed.action === "replace"),
  );
}

function listedBy({ reviewed, outcome }: Witness): readonly Listed[] {
  return (reviewed ?? outcome).listed;
}

/** Natural key of a record; a token's is its serial. The login of a primary profile is the name of its account. */
function nameOf(commit: Commit): string {
  switch (commit.kind) {
    case "account":
      return (commit.before ?? commit.after)?.name ?? "";
    case "profile":
      return (commit.before ?? commit.after)?.login ?? "";
    case "token":
      return (commit.before ?? commit.after)?.serial ?? "";
  }
}

function isNew(commit: Commit, write: Write, witness: Witness): boolean {
  const id = commit.before?.id ?? "";
  const { accounts, profiles, tokens } = atPlan(witness);
  const wasThere = { account: accounts, profile: profiles, token: tokens }[commit.kind].has(id);
  if (!wasThere && (commit.kind === "token" || witness.engine === "terraform")) return true;
  return rivalsSinceLook(write, witness, ({ method }) => method === "GET").some(
    ({ after }) => after !== undefined && after.id === id,
  );
}

/** The live records when the planning began. */
function atPlan({ reviewed, before }: Witness): Snapshot {
  return reviewed?.before ?? before;
}

/**
 * A run that ends well has done what it showed. Not judged: a change in an account in which somebody else changed something since the planning
 * began; an update that was planned by a list of old; and the update of a token that is no rotation, which changes what the state keeps. An update is done
 * if the service accepted any update of the record: that all of it is as declared is asked in peace.
 */
export const unfinishedPlans: Invariant = {
  title: "a run that ends well leaves nothing of what it showed undone",
  violations: (witness) => {
    const { verb, outcome, reviewed } = witness;
    if (outcome.end !== "ok" || verb === "plan") return [];
    return (reviewed?.planned ?? outcome.planned)
      .filter((planned) => isUndone(planned, witness) && !isRaced(planned, witness))
      .map(({ action, address }) => `the ${action} of ${address} was shown, and is not done`);
  },
};

function isUndone(planned: PlannedAction, witness: Witness): boolean {
  if (planned.type === "tenancy_authorization") return isTokenUndone(planned, witness);
  const { action, key } = planned;
  switch (action) {
    case "create":
      return !isOwnDeed(planned, isCreation, witness) && !isLive(planned, witness);
    case "delete":
      return !isOwnDeed(planned, isDeletion, witness) && isLive(planned, witness);
    case "replace":
      return !isOwnDeed(planned, isDeletion, witness) || !isOwnDeed(planned, isCreation, witness);
    case "update":
      return (
        !isSent(key, witness) &&
        !isOnlyKept(key, witness) &&
        !witness.exchanges.some(({ strike }) => strike?.kind === "lagging list")
      );
    default:
      return false;
  }
}

const isCreation = ({ before, after }: Commit) => before === undefined && after !== undefined;
const isDeletion = ({ before, after }: Commit) => before !== undefined && after === undefined;

/** True if the run did it itself, even if somebody has undone it since. */
function isOwnDeed(
  { type, key }: PlannedAction,
  isIt: (commit: Commit) => boolean,
  witness: Witness,
): boolean {
  return writesOf(witness).some(({ commits }) =>
    commits.some(
      (commit) =>
        isIt(commit) &&
        nameOf(commit) === key &&
        // The primary contact of an account is its primary profile.
        (commit.kind === "profile" || (commit.kind === "account" && type === "tenancy_account")),
    ),
  );
}

/** True if the service accepted an update of the record. What is sent may be what the service has already, as a password may. */
function isSent(key: string, { exchanges, before, after }: Witness): boolean {
  const records = [before, after].flatMap(({ accounts, profiles }) => [
    ...[...accounts.values()].filter(({ name }) => name === key),
    ...[...profiles.values()].filter(({ login }) => login === key),
  ]);
  return exchanges.some(
    ({ method, path, truth }) =>
      method === "PATCH" &&
      truth !== undefined &&
      truth.status < 300 &&
      records.some(({ id, serial }) => [id, serial].includes(referenceIn(path))),
  );
}

function isLive({ type, key }: PlannedAction, { after }: Witness): boolean {
  return type === "tenancy_account"
    ? [...after.accounts.values()].some(({ name }) => name === key)
    : [...after.profiles.values()].some(({ login }) => login === key);
}

/**
 * What the service does not hold changes without a request: that a password is no longer declared, that the first version of one is noted, or that
 * Terraform protects an account or has a value unset.
 */
function isOnlyKept(key: string, { state, outcome, reviewed }: Witness): boolean {
  const isRecorded = isWarned("is recorded, and the value is not sent", key, (reviewed ?? outcome).printed);
  return (
    isRecorded ||
    [`account:${key}`, `user_profile:${key}`].some((kept) => {
      const was = state.before?.objects[kept];
      const is = state.after?.objects[kept];
      const isDropped = ([name, { version }]: [string, { version: unknown }]) =>
        typeof version === "number" && typeof is?.write_only[name]?.version !== "number";
      // Of what is taken in, the plan may alter nothing but such values; that the rest is as declared is asked in peace.
      const isTakenIn = was === undefined && is !== undefined;
      const isOtherwiseUnset = String(was?.unset ?? "") !== String(is?.unset ?? "");
      return (
        was?.isProtected !== is?.isProtected ||
        isTakenIn ||
        isOtherwiseUnset ||
        Object.entries(was?.write_only ?? {}).some(isDropped)
      );
    })
  );
}

function isTokenUndone({ action, key }: PlannedAction, witness: Witness): boolean {
  const { before, after, state } = witness;
  const isIt = ({ login, name }: { login: string; name: string }) => `${login}/${name}` === key;
  const was = state.before?.tokens.find(isIt)?.record;
  const is = state.after?.tokens.find(isIt)?.record;
  switch (action) {
    case "create":
    case "replace":
      return is === undefined || is.serial === was?.serial;
    case "update":
      return isRotation(key, witness) && (is === undefined || is.serial === was?.serial);
    case "delete":
      if (was === undefined || isTakenForRevoked(was.serial, witness)) return false;
      return tokenWith(was.serial, before) !== undefined && tokenWith(was.serial, after) !== undefined;
    default:
      return false;
  }
}

/** True if other keepers are declared than are kept with the token: then its update is a rotation. */
function isRotation(key: string, { declaration, state }: Witness): boolean {
  const [login = "", name = ""] = key.split("/");
  const storedToken = state.before?.tokens.find((token) => token.login === login && token.name === name);
  const declaredToken = userIn(declaration, login)?.tokens[name as TokenName];
  return (
    storedToken !== undefined &&
    declaredToken !== undefined &&
    storedToken.keepers?.rotation !== String(declaredToken.keepers)
  );
}

function isRaced({ key }: PlannedAction, witness: Witness): boolean {
  const { exchanges, before } = witness;
  const others = [
    ...commitsBetween(atPlan(witness), before),
    ...exchanges.flatMap(({ rivals }) => [...rivals.before, ...rivals.after]),
  ];
  const [owner = ""] = key.split("/");
  return others.some((commit) => {
    const account = placeOf(commit, witness);
    return account === undefined || account === accountIn(owner);
  });
}

/** Name of the account in which a record is; undefined where nobody knows any more. */
function placeOf(commit: Commit, { before, after }: Witness): string | undefined {
  if (commit.kind !== "token") return accountIn(nameOf(commit));
  const user = (commit.before ?? commit.after)?.user_id ?? "";
  const login = (before.profiles.get(user) ?? after.profiles.get(user))?.login;
  return login === undefined ? undefined : accountIn(login);
}

/** The login of a primary profile is the name of its account. */
function accountIn(login: string): string {
  return login.split("@").at(-1) ?? login;
}
