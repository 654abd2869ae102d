/** Promises about deletes that the embedded engine gives beyond Terraform's own order of work. */
import { shownRecords, type Exchange } from "../world/exchange";
import type { Invariant, Witness } from "./invariant";
import type { Account, UserProfile } from "../../../src/lib/simulator";
import { isOurAccount, isOurProfile } from "./whose";
import { isDeletion, takesAwayLeftPassword, writesOf, type Write } from "./writes";

export const pruning: Invariant = {
  title:
    "deletes are within the limit, after all other writes, and never after a failure or for want of input",
  violations: (witness) => {
    const deletes = writesOf(witness).filter(isDeletion);
    if (deletes.length === 0) return [];
    return [
      ...tooMany(deletes, witness),
      ...outOfOrder(deletes, witness),
      ...afterFailure(witness),
      ...shortInput(deletes, witness),
    ];
  },
};

const ALWAYS = 5;
const AT_MOST = 25;

function tooMany(deletes: readonly Write[], witness: Witness): readonly string[] {
  const { flags, verb, before } = witness;
  const count = deletes
    .flatMap(({ commits }) => commits)
    .filter(({ kind, after }) => after === undefined && kind !== "token").length;
  if (flags.maxDeletes !== undefined)
    return count > flags.maxDeletes ? [`${count} records ceased, ${flags.maxDeletes} were allowed`] : [];
  if (verb === "destroy") return [];
  const owned =
    [...before.accounts.values()].filter((account) => isOursOrRecorded(account, "account", witness)).length +
    [...before.profiles.values()].filter((profile) => isOursOrRecorded(profile, "user_profile", witness))
      .length +
    (witness.state.before?.tokens.length ?? 0);
  const limit = Math.max(ALWAYS, Math.min(AT_MOST, Math.floor(owned / 4)));
  if (count > limit) return [`${count} records ceased, of ${owned} owned: the limit is ${limit}`];
  return count * 2 > owned ? [`${count} records ceased, more than half of the ${owned} owned`] : [];
}

/** The state makes a record ours whose uuid does not; the primary user profile of a recorded account counts with it. */
function isOursOrRecorded(record: Account | UserProfile, kind: string, witness: Witness): boolean {
  const name = "login" in record ? record.login : record.name;
  const isPrimary = "login" in record && record.account_admin;
  if ("login" in record ? isOurProfile(record, witness) : isOurAccount(record, witness)) return true;
  const { objects } = witness.state.before ?? {};
  if (isPrimary) return objects?.[`account:${name}`]?.record !== undefined;
  return objects?.[`${kind}:${name}`]?.record?.serial === record.serial;
}

/** After the last create and update. Tokens of what is being deleted go before it; passwords that creating tokens has left are taken away at the end. */
function outOfOrder([first]: readonly Write[], witness: Witness): readonly string[] {
  return writesOf(witness)
    .filter(({ method, index }) => method !== "DELETE" && index > (first?.index ?? 0))
    .filter((write) => !takesAwayLeftPassword(write, witness))
    .map(({ method, path }) => `${method} ${path} came after the delete ${first?.path ?? ""}`);
}

function afterFailure({ outcome }: Witness): readonly string[] {
  const failure = outcome.failures.find(({ operation }) => operation !== "delete");
  return failure === undefined
    ? []
    : [`something was deleted although the ${failure.operation} of ${failure.address} failed`];
}

function shortInput([first]: readonly Write[], { exchanges, self, before }: Witness): readonly string[] {
  const lists = (path: string): Exchange | undefined =>
    exchanges.find(
      (exchange) => exchange.path === path && exchange.method === "GET" && exchange.status === 200,
    );
  const accounts = lists("/api/account");
  const profiles = lists("/api/user-profile");
  if (accounts === undefined || profiles === undefined) return ["something was deleted without lists"];
  const why = missingIn(shownRecords(accounts), shownRecords(profiles), self.login, before);
  return why === undefined ? [] : [`DELETE ${first?.path ?? ""} although ${why}`];
}

type Shown = ReturnType<typeof shownRecords>;

/** Lists are whole when the caller is in them, and all that they refer to. */
function missingIn(accounts: Shown, profiles: Shown, login: string, { profiles: live }: Witness["before"]) {
  const caller = [...live.values()].find((profile) => profile.login === login);
  if (caller !== undefined && !accounts.has(caller.account_id)) return "the caller's account was not listed";
  for (const { account_id: account = "" } of profiles.values())
    if (!accounts.has(account)) return `the account ${account} was not listed`;
  for (const { admin_profile_id: primary = "" } of accounts.values())
    if (!profiles.has(primary)) return `the profile ${primary} was not listed`;
  return undefined;
}
