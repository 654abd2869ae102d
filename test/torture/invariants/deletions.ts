/** When a record may be deleted, and when nothing may. */
import { shownRecords } from "../world/exchange";
import { type Invariant, isWarned, type Witness } from "./invariant";
import { accountIn, isOurAccount, isOurProfile, isRecorded, isRemoved, userIn } from "./whose";
import { isDeletion, writesOf, type Write } from "./writes";

export const deletions: Invariant = {
  title: "each delete is of something undeclared, unchanged since it was read, and permitted",
  violations: (witness) => {
    const deletes = writesOf(witness).filter(isDeletion);
    return deletes.flatMap((write) => [
      ...stillDeclared(write, witness),
      ...changedSinceRead(write, witness),
      ...notPermitted(write, witness),
      ...notTheRecorded(write, witness),
    ]);
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

/**
 * What had changed between the run's first and last reading of the record, unless the plan told of the change. Nobody can see what others
 * write after the last reading.
 */
function changedSinceRead(
  { index, path, commits }: Write,
  { exchanges, outcome }: Witness,
): readonly string[] {
  return commits.flatMap(({ kind, before, after }) => {
    if (kind === "token" || before === undefined || after !== undefined) return [];
    if (!path.endsWith(before.id) && !path.endsWith(before.serial)) return [];
    // Terraform plans a destroy in a process of its own, after the one that read the state.
    if (isWarned("TENANCY_DELETED_AS_IT_IS", nameOf(before), outcome.printed)) return [];
    const readings = exchanges
      .filter((exchange) => exchange.index < index)
      .flatMap((exchange) => shownRecords(exchange).get(before.id) ?? []);
    const [first] = readings;
    const last = readings.at(-1);
    if (first === undefined || last === undefined) return [`DELETE ${path} of what the run never read`];
    const members = changedMembers(first, last);
    return members.length === 0
      ? []
      : [`DELETE ${path} although ${members.join(", ")} had changed since the plan`];
  });
}

/** Members that change by themselves, or because the run deletes objects inside. */
const RESTLESS = new Set(["seq", "mtime", "ec", "sessions"]);

function changedMembers(before: object, after: object): readonly string[] {
  const was = before as Record<string, unknown>;
  return Object.entries(after)
    .filter(([name, value]) => !RESTLESS.has(name) && JSON.stringify(was[name]) !== JSON.stringify(value))
    .map(([name]) => name);
}

function notPermitted({ commits, path }: Write, witness: Witness): readonly string[] {
  const { engine, declaration, flags, verb, before: start, state } = witness;
  return commits.flatMap(({ kind, before, after }) => {
    if (after !== undefined || before === undefined || kind !== "account") return [];
    const isAllowed =
      engine === "terraform"
        ? state.before?.objects[`account:${before.name}`]?.isProtected === false
        : flags.allowAccountDeletion ||
          isRemoved(declaration, before.name) ||
          (verb === "destroy" && accountIn(declaration, before.name)?.protected === false);
    const violations = isAllowed
      ? []
      : [`DELETE ${path}: nobody allowed to delete the account ${before.name}`];
    const isUnmanaged =
      !isOurAccount(before, witness) &&
      !isRecorded(before.serial, `account:${before.name}`, witness) &&
      !isRemoved(declaration, before.name);
    if (engine === "embedded" && verb === "destroy" && isUnmanaged)
      violations.push(`destroy took the account ${before.name}, which is not managed by this owner`);
    const holdsStorage = (start.accounts.get(before.id)?.usage.vdisk_num ?? 0) > 0;
    if (holdsStorage && !flags.allowNonempty)
      violations.push(`DELETE ${path}: the account ${before.name} held storage`);
    return violations;
  });
}

/** A user whose uuid is not ours is deleted by itself only where the state has recorded exactly that user, or `new Deletion(…)` names the user. */
function notTheRecorded({ commits, path }: Write, witness: Witness): readonly string[] {
  const { engine, declaration, state, exchanges } = witness;
  if (engine === "terraform" || path.startsWith("/api/account/")) return [];
  return commits.flatMap(({ kind, before, after }) => {
    if (kind !== "profile" || before === undefined || after !== undefined) return [];
    const [username = "", account = ""] = before.login.split("@");
    if (isOurProfile(before, witness) || isRemoved(declaration, account, username)) return [];
    const isOfThisRun = exchanges.some((exchange) =>
      exchange.commits.some((one) => one.before === undefined && one.after?.serial === before.serial),
    );
    const record = state.before?.objects[`user_profile:${before.login}`]?.record;
    const isSame =
      record?.id === before.id &&
      record.serial === before.serial &&
      record.ctime === before.ctime &&
      record.account_id === before.account_id;
    return isSame || isOfThisRun ? [] : [`DELETE ${path} of a user who is not exactly the recorded one`];
  });
}

function nameOf(record: { readonly name: string } | { readonly login: string }): string {
  return "name" in record ? record.name : record.login;
}
