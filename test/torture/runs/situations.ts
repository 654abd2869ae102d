/** The situations that histories are for. A campaign says in how many histories it reached each of them: a drawing that reaches nothing judges nothing. */
import type { Witness } from "../invariants/invariant";
import { accountIn, userIn, seesEveryAccount } from "../invariants/whose";
import { isDeletion, referenceIn, writesOf } from "../invariants/writes";
import type { DemandedApproval } from "../model/approval";
import { declaredUsers } from "../model/declaration";
import { declaredUuid } from "../model/uuids";
import { providersIn } from "../model/synthesize";
import { isLogIn, shownRecords, type Exchange } from "../world/exchange";
import { accountNamed, profileWithLogin, tokenWith } from "../world/snapshot";

/** @param isFirst true for the first run of a history */
type Test = (witness: Witness, isFirst: boolean) => boolean;

/** True of each: a run was in the situation. */
const TESTS = {
  "a revocation was requested": ({ exchanges }) => exchanges.some(isRevocation),
  "a revocation was done": ({ exchanges }) =>
    exchanges.some((one) => isRevocation(one) && one.commits.length > 0),
  "a revocation was refused": (witness) => revocationsOf(witness).some(({ truth }) => truth.status >= 400),
  "a revocation was ignored": (witness) => revocationsOf(witness).some(({ truth }) => truth.status < 300),
  "a token was rotated": ({ state }) =>
    (state.after?.tokens ?? []).some(({ login, name, record }) =>
      state.before?.tokens.some(
        (old) => old.login === login && old.name === name && old.record.serial !== record.serial,
      ),
    ),
  "a password that the run set ended tokens": ({ exchanges }) =>
    exchanges.some(
      ({ method, commits }) =>
        method !== "DELETE" && commits.some((one) => one.kind === "token" && !one.after),
    ),
  "a token may have been created that nobody knows": ({ state }) =>
    (state.before?.everywhere.intents ?? []).length > 0,
  "a declared user was not activated": (witness) =>
    someUserMet(witness, ({ activated }) => activated === false),
  "a declared user had no access to the API": (witness) =>
    someUserMet(witness, ({ access }) => access.api === false),
  "the account of a declared user was disabled": (witness) =>
    someUserMet(witness, ({ account_id: id }) => witness.before.accounts.get(id)?.disabled === true),
  "the state had a token of a user who may do nothing": (witness) =>
    someUserMet(witness, (user) => keptLogins(witness).includes(user.login) && isSuspended(user, witness)),
  "a record had a forged uuid": meetsForger,
  "the state knew tokens under another address": ({ state, outcome }) =>
    outcome.planned.length > 0 &&
    state.before?.isKnown === false &&
    state.before.everywhere.tokens.length > 0,
  "a token's user had a new id": (witness) =>
    keptTokens(witness).some(({ record: { serial, user_id: user } }) => {
      const live = tokenWith(serial, witness.before);
      return live !== undefined && user !== undefined && live.user_id !== user;
    }),
  "the id of a token in the state was another token's": (witness) =>
    keptTokens(witness).some(({ record: { id, serial } }) => {
      const live = witness.before.tokens.get(id);
      return live !== undefined && live.serial !== serial;
    }),
  "somebody else's record had the declared uuid": (witness) =>
    witness.outcome.codes.length + witness.outcome.planned.length > 0 && meetsNamesake(witness),
  "a record with a declared uuid was managed": ({ uuids, state, outcome }) =>
    uuids === "free" &&
    outcome.planned.length > 0 &&
    Object.values(state.before?.objects ?? {}).some(({ record }) => record !== undefined),
  "the caller did not see every account": (witness) =>
    !seesEveryAccount(witness) &&
    witness.outcome.planned.length + witness.outcome.codes.length > 0 &&
    witness.before.accounts.size > 1,
  "a token in the state was out of the caller's sight": (witness) =>
    !seesEveryAccount(witness) &&
    witness.outcome.planned.length + witness.outcome.codes.length > 0 &&
    keptLogins(witness).some((login) => !login.endsWith("@ops")),
  "a one-time code had been used before": ({ exchanges }) =>
    exchanges.some((one) => isLogIn(one) && one.status === 401) &&
    exchanges.some((one) => isLogIn(one) && one.status === 201),
  "approval was demanded and missing": ({ outcome }) => outcome.codes.includes("TENANCY_APPROVAL_NEEDED"),
  "entries covered all that was done": (witness) =>
    witness.approval !== undefined && witness.outcome.end === "ok" && writesOf(witness).length > 0,
  "an entry had ended": ({ approval }) => approval?.entries.some(hasEnded) === true,
  "entries were for other plans alone": ({ approval, outcome }) =>
    approval !== undefined &&
    approval.entries.length > 0 &&
    outcome.codes.includes("TENANCY_APPROVAL_NEEDED") &&
    !approval.entries.some(hasEnded),
  "the service had no revocation": ({ service, state }) =>
    !service.revocation && (state.before?.tokens ?? []).length > 0,
  "a declared contact was hidden by the service": ({ service, declaration }) =>
    service.contacts === "names" &&
    Object.values(declaration.accounts).some(({ company }) => company !== undefined),
  "a run was refused because of a twin": ({ outcome }) => outcome.codes.includes("TENANCY_TWIN_RECORDS"),
  "a sibling stack stood in the app": ({ hasSibling, outcome }) => hasSibling && outcome.planned.length > 0,
  "several provider configurations were in use": ({ declaration, aliases, outcome }) =>
    outcome.planned.length > 0 && providersIn(declaration, aliases) > 1,
  "a user was deleted": (witness) => isDeleted(witness, "user-profile"),
  "an account was deleted": (witness) => isDeleted(witness, "account"),
  "a record of others was imported": (witness) =>
    witness.verb !== "plan" && witness.outcome.end === "ok" && takesIn(witness),
  "an imported record was deleted": (witness) =>
    witness.engine === "embedded" &&
    writesOf(witness).some(({ commits }) =>
      commits.some(({ kind, before, after }) => {
        if (kind === "token" || before === undefined || after !== undefined) return false;
        const key = kind === "account" ? `account:${before.name}` : `user_profile:${before.login}`;
        return witness.state.before?.objects[key]?.record?.serial === before.serial;
      }),
    ),
  "the first run was killed after a write": (witness, isFirst) =>
    isFirst && witness.outcome.end === "killed" && writesOf(witness).length > 0,
  // The engine's own runs print nothing: the reader stops them.
  "nobody read a run to its end": ({ reader, outcome }) =>
    reader !== undefined && (outcome.isUnread === true || outcome.end === "failed"),
} satisfies Readonly<Record<string, Test>>;

export type Situation = keyof typeof TESTS;

export const SITUATIONS: Readonly<Record<Situation, Test>> = TESTS;

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

type Profile = NonNullable<ReturnType<typeof profileWithLogin>>;

/** Met: the run got as far as a plan, and the user is declared or the state holds a token of the user. */
function someUserMet(witness: Witness, test: (user: Profile) => boolean): boolean {
  if (witness.outcome.planned.length === 0) return false;
  const logins = declaredUsers(witness.declaration).map(({ login }) => login);
  return [...logins, ...keptLogins(witness)].some((login) => {
    const user = profileWithLogin(witness.before, login);
    return user !== undefined && test(user);
  });
}

function isSuspended({ activated, access, account_id: id }: Profile, { before }: Witness): boolean {
  return activated === false || access.api === false || before.accounts.get(id)?.disabled === true;
}

function keptTokens({ state }: Witness) {
  return state.before?.tokens ?? [];
}

function keptLogins({ state }: Witness): readonly string[] {
  return (state.before?.tokens ?? []).map(({ login }) => login);
}

function meetsForger({ exchanges, makers }: Witness): boolean {
  return exchanges.some((one) =>
    [...shownRecords(one).values()].some(({ serial = "" }) => makers.get(serial) === "forger"),
  );
}

function hasEnded({ until }: DemandedApproval["entries"][number]): boolean {
  return until < new Date().toISOString().slice(0, 10);
}

/** A record that no run made, under the uuid that the configuration declares for its name. */
function meetsNamesake({ uuids, before, makers, declaration }: Witness): boolean {
  const users = declaredUsers(declaration).some(({ login, account, username }) => {
    const user = profileWithLogin(before, login);
    const uuid = declaredUuid(uuids, { kind: "user_profile", names: [account, username] });
    return user !== undefined && uuid === user.uuid && makers.has(user.serial);
  });
  const accounts = Object.keys(declaration.accounts).some((name) => {
    const account = accountNamed(before, name);
    const uuid = declaredUuid(uuids, { kind: "account", names: [name] });
    return account !== undefined && uuid === account.uuid && makers.has(account.serial);
  });
  return users || accounts;
}

function isDeleted(witness: Witness, collection: string): boolean {
  return writesOf(witness).some((one) => isDeletion(one) && one.path.startsWith(`/api/${collection}/`));
}

function takesIn({
  before: { accounts, profiles },
  declaration,
  chronicle: { madeRecords },
}: Witness): boolean {
  const isTaken = (imported: boolean | undefined, { serial }: { readonly serial: string }) =>
    imported === true && !madeRecords.has(serial);
  return (
    [...accounts.values()].some((account) =>
      isTaken(accountIn(declaration, account.name)?.imported, account),
    ) || [...profiles.values()].some((user) => isTaken(userIn(declaration, user.login)?.imported, user))
  );
}
