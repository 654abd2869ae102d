/** The situations that histories are for. A campaign tells in how many histories it reached each of them: what is drawn and not reached judges nothing. */
import type { Witness } from "../invariants/invariant";
import { accountIn, isOurAccount, isOurProfile, userIn } from "../invariants/whose";
import { isDeletion, referenceIn, writesOf } from "../invariants/writes";
import { declaredUsers } from "../model/declaration";
import { providersIn } from "../model/synthesize";
import { shownRecords, type Exchange } from "../world/exchange";
import { profileWithLogin, tokenWith } from "../world/snapshot";

/** @param isFirst whether the history has had no run before */
type Test = (witness: Witness, isFirst: boolean) => boolean;

/** Each with what tells that a run was in it. */
export const SITUATIONS: Readonly<Record<string, Test>> = {
  "a revocation was requested": ({ exchanges }) => exchanges.some(isRevocation),
  "a revocation was done": ({ exchanges }) =>
    exchanges.some((one) => isRevocation(one) && one.commits.length > 0),
  "a revocation was refused": (witness) => revocationsOf(witness).some(({ truth }) => truth.status >= 400),
  "a revocation was ignored": (witness) => revocationsOf(witness).some(({ truth }) => truth.status < 300),
  "a token was rotated": ({ store }) =>
    (store.after?.tokens ?? []).some(({ login, name, record }) =>
      store.before?.tokens.some(
        (old) => old.login === login && old.name === name && old.record.serial !== record.serial,
      ),
    ),
  "a password that the run set ended tokens": ({ exchanges }) =>
    exchanges.some(
      ({ method, commits }) =>
        method !== "DELETE" && commits.some((one) => one.kind === "token" && !one.after),
    ),
  "a token may have been minted unseen": ({ store }) => (store.before?.everywhere.intents ?? []).length > 0,
  "a user who is not activated was met": (witness) =>
    someUserMet(witness, ({ activated }) => activated === false),
  "a user without access to the API was met": (witness) =>
    someUserMet(witness, ({ access }) => access.api === false),
  "a user of a disabled account was met": (witness) =>
    someUserMet(witness, ({ account_id: id }) => witness.before.accounts.get(id)?.disabled === true),
  "a kept token of such a user was met": (witness) =>
    someUserMet(witness, (user) => keptLogins(witness).includes(user.login) && isSuspended(user, witness)),
  "a forged uuid was met without an owner key": (witness) => meetsForger(witness) && !isKeyed(witness),
  "a forged uuid was met under an owner key": (witness) => meetsForger(witness) && isKeyed(witness),
  "the store knew tokens under another address": ({ store, outcome }) =>
    outcome.planned.length > 0 &&
    store.before?.isKnown === false &&
    store.before.everywhere.tokens.length > 0,
  "a token's user had a new id": (witness) =>
    keptTokens(witness).some(({ record: { serial, user_id: user } }) => {
      const live = tokenWith(serial, witness.before);
      return live !== undefined && user !== undefined && live.user_id !== user;
    }),
  "a kept token's id was another token's": (witness) =>
    keptTokens(witness).some(({ record: { id, serial } }) => {
      const live = witness.before.tokens.get(id);
      return live !== undefined && live.serial !== serial;
    }),
  "a service without revocation kept a token": ({ service, store }) =>
    !service.revocation && (store.before?.tokens ?? []).length > 0,
  "a declared contact was hidden by the service": ({ service, declaration }) =>
    service.contacts === "names" &&
    Object.values(declaration.accounts).some(({ company }) => company !== undefined),
  "a run was refused because of a twin": ({ outcome }) => outcome.codes.includes("TENANCY_TWIN_RECORDS"),
  "a sibling stack stood in the app": ({ hasSibling, outcome }) => hasSibling && outcome.planned.length > 0,
  "a sibling stack named the same owner": ({ hasMeetingOwners }) => hasMeetingOwners,
  "several provider configurations were in use": ({ declaration, aliases, outcome }) =>
    outcome.planned.length > 0 && providersIn(declaration, aliases) > 1,
  "a user was deleted": (witness) => isDeleted(witness, "user-profile"),
  "an account was deleted": (witness) => isDeleted(witness, "account"),
  "a record of others was taken in": (witness) =>
    witness.verb !== "plan" && witness.outcome.end === "ok" && takesIn(witness),
  "the first run was killed after a write": (witness, isFirst) =>
    isFirst && witness.outcome.end === "killed" && writesOf(witness).length > 0,
  // The engine's own runs print nothing: the reader stops them.
  "nobody read a run to its end": ({ reader, outcome }) =>
    reader !== undefined && (outcome.isUnread === true || outcome.end === "failed"),
};

function isRevocation({ method, path }: Pick<Exchange, "method" | "path">): boolean {
  return method === "DELETE" && path.startsWith("/api/authorization/");
}

/** Requests that the service has answered, while the token lives on. */
function revocationsOf({ exchanges, after }: Witness) {
  return exchanges.flatMap(({ truth, ...one }) => {
    const reference = referenceIn(one.path);
    const lives = [...after.tokens.values()].some(
      ({ id, serial }) => id === reference || serial === reference,
    );
    return isRevocation(one) && truth !== undefined && lives ? [{ truth }] : [];
  });
}

type Profile = Parameters<typeof isOurProfile>[0];

/** Met: the run got as far as a plan, and the user is declared or the store holds a token of the user. */
function someUserMet(witness: Witness, test: (user: Profile) => boolean): boolean {
  if (witness.outcome.planned.length === 0) return false;
  const declared = declaredUsers(witness.declaration).map(({ login }) => login);
  return [...declared, ...keptLogins(witness)].some((login) => {
    const user = profileWithLogin(witness.before, login);
    return user !== undefined && test(user);
  });
}

function isSuspended({ activated, access, account_id: id }: Profile, { before }: Witness): boolean {
  return activated === false || access.api === false || before.accounts.get(id)?.disabled === true;
}

function keptTokens({ store }: Witness) {
  return store.before?.tokens ?? [];
}

function keptLogins({ store }: Witness): readonly string[] {
  return (store.before?.tokens ?? []).map(({ login }) => login);
}

function isKeyed({ owners: { keys } }: Witness): boolean {
  return keys !== undefined && !keys.takesUnkeyed;
}

function meetsForger({ exchanges, makers }: Witness): boolean {
  return exchanges.some((one) =>
    [...shownRecords(one).values()].some(({ serial = "" }) => makers.get(serial) === "forger"),
  );
}

function isDeleted(witness: Witness, collection: string): boolean {
  return writesOf(witness).some((one) => isDeletion(one) && one.path.startsWith(`/api/${collection}/`));
}

function takesIn(witness: Witness): boolean {
  const { accounts, profiles } = witness.before;
  const isTaken = (imported: boolean | undefined, isOurs: boolean) => imported === true && !isOurs;
  return (
    [...accounts.values()].some((account) =>
      isTaken(accountIn(witness.declaration, account.name)?.imported, isOurAccount(account, witness)),
    ) ||
    [...profiles.values()].some((user) =>
      isTaken(userIn(witness.declaration, user.login)?.imported, isOurProfile(user, witness)),
    )
  );
}
