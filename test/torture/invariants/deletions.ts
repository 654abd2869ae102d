/** When a record may be deleted, and when nothing may. */
import { shownRecords, type Exchange } from "../world/exchange";
import type { Invariant, Witness } from "./invariant";
import { accountIn, isOurAccount, isOurProfile, isRemoved, userIn } from "./whose";
import { isDeletion, writesOf, type Write } from "./writes";

export const deletions: Invariant = {
  title:
    "each delete is of something undeclared, unchanged since it was read, permitted, within the limit, and after all other writes",
  violations: (witness) => {
    const deletes = writesOf(witness).filter(isDeletion);
    if (deletes.length === 0) return [];
    return [
      ...deletes.flatMap((write) => [
        ...stillDeclared(write, witness),
        ...changedSinceRead(write, witness),
        ...notPermitted(write, witness),
      ]),
      ...tooMany(deletes, witness),
      ...outOfOrder(deletes, witness),
      ...afterFailure(witness),
      ...shortInput(deletes, witness),
    ];
  },
};

function stillDeclared({ commits, path }: Write, { declaration, verb }: Witness): readonly string[] {
  if (verb === "destroy") return [];
  return commits.flatMap(({ kind, before, after }) => {
    if (after !== undefined || before === undefined || kind === "token") return [];
    const isDeclared =
      kind === "account"
        ? accountIn(declaration, before.name) !== undefined
        : before.account_admin
          ? accountIn(declaration, before.login) !== undefined
          : userIn(declaration, before.login) !== undefined;
    return isDeclared ? [`DELETE ${path} took the ${kind} ${nameOf(before)}, which is declared`] : [];
  });
}

/** What somebody wrote after the last look could not be seen by anybody. */
function changedSinceRead({ index, path, commits }: Write, { exchanges }: Witness): readonly string[] {
  return commits.flatMap(({ kind, before, after }) => {
    if (kind === "token" || before === undefined || after !== undefined) return [];
    if (!path.endsWith(before.id) && !path.endsWith(before.serial)) return [];
    const seen = exchanges
      .filter((exchange) => exchange.index < index)
      .flatMap((exchange) => shownRecords(exchange).get(before.id) ?? []);
    const [first] = seen;
    const last = seen.at(-1);
    if (first === undefined || last === undefined) return [`DELETE ${path} of what the run never read`];
    const members = changedMembers(first, last);
    return members.length === 0
      ? []
      : [`DELETE ${path} although ${members.join(", ")} had changed since the plan`];
  });
}

/** What changes by itself, or by what the run deletes inside. */
const RESTLESS = new Set(["seq", "mtime", "ec", "sessions"]);

function changedMembers(before: object, after: object): readonly string[] {
  const was = before as Record<string, unknown>;
  return Object.entries(after)
    .filter(([name, value]) => !RESTLESS.has(name) && JSON.stringify(was[name]) !== JSON.stringify(value))
    .map(([name]) => name);
}

function notPermitted({ commits, path }: Write, witness: Witness): readonly string[] {
  const { declaration, flags, verb, before: start } = witness;
  return commits.flatMap(({ kind, before, after }) => {
    if (after !== undefined || before === undefined || kind !== "account") return [];
    const declared = accountIn(declaration, before.name);
    const isAllowed =
      flags.allowAccountDeletion ||
      isRemoved(declaration, before.name) ||
      (verb === "destroy" && declared?.protected === false);
    const violations = isAllowed
      ? []
      : [`DELETE ${path}: nobody allowed to delete the account ${before.name}`];
    if (verb === "destroy" && !isOurAccount(before) && !isRemoved(declaration, before.name))
      violations.push(`destroy took the account ${before.name}, which isn't ours`);
    const holdsStorage = (start.accounts.get(before.id)?.usage.vdisk_num ?? 0) > 0;
    if (holdsStorage && !flags.allowNonempty)
      violations.push(`DELETE ${path}: the account ${before.name} held storage`);
    return violations;
  });
}

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
    [...before.accounts.values()].filter(isOurAccount).length +
    [...before.profiles.values()].filter(isOurProfile).length +
    (witness.store.before?.tokens.length ?? 0);
  const limit = Math.max(ALWAYS, Math.min(AT_MOST, Math.floor(owned / 4)));
  if (count > limit) return [`${count} records ceased, of ${owned} owned: the limit is ${limit}`];
  return count * 2 > owned ? [`${count} records ceased, more than half of the ${owned} owned`] : [];
}

/** After the last create and update. Tokens of what is being deleted go before it. */
function outOfOrder([first]: readonly Write[], witness: Witness): readonly string[] {
  return writesOf(witness)
    .filter(({ method, index }) => method !== "DELETE" && index > (first?.index ?? 0))
    .map(({ method, path }) => `${method} ${path} came after the delete ${first?.path ?? ""}`);
}

function afterFailure({ outcome }: Witness): readonly string[] {
  const failure = outcome.failures.find(({ deed }) => deed !== "delete");
  return failure === undefined
    ? []
    : [`something was deleted although the ${failure.deed} of ${failure.address} failed`];
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

function nameOf(record: { readonly name: string } | { readonly login: string }): string {
  return "name" in record ? record.name : record.login;
}
