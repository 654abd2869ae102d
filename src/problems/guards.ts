/** Refusals of the guards. */
import { counted } from "../lib/values";
import { Entry, type Finding, problem, SeveralFindings, warning } from "./problem";
import { either, sentences, ways } from "./words";

export const planRefused = new Entry({
  code: "TENANCY_PLAN_REFUSED",
  explain: `
One or more guards refused the plan, each with its own code. All guards are judged before the first write, and one refusal stops the whole
run: nothing was written.`,
});

/** Guards stopped the plan; holds every refusal. */
export class PlanRefused extends SeveralFindings {
  constructor(findings: readonly Finding[]) {
    super(planRefused, findings);
  }
}

/** Most of our records would be deleted, which is rarely intended. */
export const massDeletion = problem<{
  why: string;
  count: number;
  /** Number of deletes at all services, which `--max-deletes` limits. */
  total: number;
}>({
  code: "TENANCY_MASS_DELETION",
  summary: ({ why, count }) => `${counted(count, "record")} would be deleted: ${why}`,
  advice: ({ total }, say) =>
    `Nothing was written. If that is intended: ${say.flagWith("max_deletes", String(total))}.`,
  explain: `
The stack declares nothing, or the plan would delete over half of what the owner has. An empty stack is far more often an import
that failed or a variable that was not set than a decision. Nothing was written. If it is intended, pass \`--max-deletes N\`, or use
\`tenancy destroy\`.`,
});

/** One run would delete more records than it may without permission. */
export const tooManyDeletes = problem<{
  /** At the service that is named, or at the only one. */
  count: number;
  allowed: number;
  /** At all services, which `--max-deletes` is about. */
  total: number;
  origin?: string | undefined;
}>({
  code: "TENANCY_TOO_MANY_DELETES",
  summary: ({ count, allowed, origin }) => {
    const [where, there] = origin === undefined ? ["", ""] : [` at ${origin}`, " there"];
    return `${counted(count, "record")} would be deleted${where}, and this run may delete ${allowed}${there}`;
  },
  advice: ({ total }, say) =>
    `Nothing was written. If that is intended: ${say.flagWith("max_deletes", String(total))}.`,
  explain: `
Unless told otherwise, a run deletes at most 5 records of a service, or a quarter of what the owner has there, up to 25. Every record that ceases
counts, once: users, tokens, and what an account takes with it. So a mistake in the code is noticed before it does much harm. Nothing was written. Read
the plan; if it is what you want, pass \`--max-deletes N\` with the number that it names.`,
});

/** A delete of something that the configuration protects with `prevent_destroy`. */
export const preventDestroy = problem<string>({
  code: "TENANCY_PREVENT_DESTROY",
  summary: (key) => `"${key}" would be deleted, but its lifecycle says prevent_destroy`,
  advice: (_, say) => `Remove ${say.name("prevent_destroy")} if that is intended.`,
  explain: `
The object is declared with \`lifecycle { prevent_destroy = true }\`, and the plan would delete or replace it. Nothing was written.
Remove that setting if the delete is intended.`,
});

/** The primary user profile of an account is declared or imported on its own. */
export const primaryProfile = problem<string>({
  code: "TENANCY_PRIMARY_PROFILE",
  summary: (login) => `the primary user profile ${JSON.stringify(login)} is part of its account`,
  advice: (_, say) => `Declare its permissions, level, access and password on the ${say.account()}.`,
  explain: `
An account comes with a primary user profile, whose login is the account's name. It is part of the account: its permissions, level, access
and password are attributes of \`tenancy_account\`. Two declarations of it would undo each other's work.`,
});

/** The plan would delete, disable or weaken the credential that the run works with. */
export const selfChange = problem<{
  key: string;
  /** What it does, as in "takes its API access". */
  harm: string;
  /** The providers that work with it, if the change goes through another one. */
  providers?: readonly string[];
}>({
  code: "TENANCY_SELF_CHANGE",
  summary: ({ key, harm, providers = [] }) =>
    providers.length === 0
      ? `the run works with "${key}", and this ${harm}`
      : `the run works with "${key}" through ${providers.join(" and ")}, and this ${harm}`,
  advice: (_, say) => ways("run it with another credential", say.command("pass --allow-self-change")),
  explain: `
The plan deletes or disables the credential that the run itself works with, takes its \`manage_accounts\`, \`manage_users\` or API access,
changes its password, two-factor authentication or level, or revokes its token. Such a run could lock itself out half-way. Nothing was
written. Run it with another credential, or pass \`--allow-self-change\`. With a token, the service does not say which user it belongs to;
then every user of its account counts. In the embedded engine, the credentials of all provider aliases of the service count.`,
});

/** An account would be deleted without permission. */
export const accountDeletionRefused = problem<string>({
  code: "TENANCY_ACCOUNT_DELETION",
  summary: (name) => `account "${name}" would be deleted, with the tenant's storage`,
  advice: (name, say) =>
    `If that is intended: ${either(
      `apply ${say.set("deletion_protection", false)} first`,
      say.command(`pass --allow-account-deletion=${name}`),
    )}.`,
  explain: `
Deleting or replacing an account destroys the tenant's storage, so it has to be allowed: \`deletion_protection = false\` applied while the
account is declared, \`new Deletion(…)\` for an account that is no longer declared, or \`--allow-account-deletion=NAME\` for one run. One
refused delete stops the run before the first write.`,
});

/** An account that is to be deleted still holds something. */
export const accountNotEmpty = problem<{
  name: string;
  /** What is in it, each a few words. */
  findings: readonly string[];
}>({
  code: "TENANCY_ACCOUNT_NOT_EMPTY",
  summary: ({ name, findings }) => `account "${name}" is not empty: ${findings.join(", ")}`,
  advice: (_, say) =>
    ways(
      "empty it first",
      `apply ${say.set("allow_nonempty_delete", true)} to have it deleted with everything in it`,
      say.command("pass --allow-nonempty"),
    ),
  explain: `
An account is deleted only when it is empty: its usage counters are there and zero, and no user profile in it was made by somebody else.
Move or delete what is in it, or allow it to be deleted with its contents: \`allow_nonempty_delete = true\` applied while the account is
declared, or \`--allow-nonempty\` for one run.`,
});

/** The service's lists may be incomplete, so nothing follows from what they lack. */
export const incompleteLists = problem<{
  origin: string;
  /** What the lists lack, as a clause. */
  missing: string;
  changes: number;
  /** Key of the kept token whose user they lack. */
  token?: string | undefined;
}>({
  code: "TENANCY_INCOMPLETE_LISTS",
  summary: ({ origin, missing }) => `the lists of ${origin} are incomplete: ${missing}`,
  detail: ({ changes }) =>
    `${changes} planned ${changes === 1 ? "create or delete depends" : "creates and deletes depend"} on them.`,
  advice: ({ token }, say) => {
    const revoke = say.command(`tenancy token revoke ${token}`) ?? "`revokeToken`";
    return sentences(
      "Nothing was written. Run it again; if this persists, check what the credential may list.",
      token === undefined
        ? undefined
        : `If that user was deleted, have the service answer 404 for the id, or end the search for it: ${revoke}.`,
    );
  },
  explain: `
Before anything is created or deleted, the lists of accounts and user profiles must be complete: the caller must be in them, each
\`account_id\` and \`admin_profile_id\` must resolve, and no user of a kept token may be missing who is live by a look for the id. A short
list, from a busy server or a gateway, would otherwise turn what it lacks into creates, and what is left into deletes. Nothing was written.
Try again; if this persists, ask the service's operator, or check that the credential may list the account that it belongs to.`,
});

/** The service refuses the list of a family of which nothing is declared. */
export const listRefused = warning<{ noun: string; refusal: string }>({
  code: "TENANCY_LIST_REFUSED",
  title: "The service refuses a list",
  summary: ({ noun }) => `the service refuses the list of each ${noun}`,
  detail: ({ noun, refusal }) =>
    `${refusal}. Nothing of the kind is declared, so the run goes on. A ${noun} that we have made and that is no longer declared would not be found, ` +
    "and is not deleted; nor is any account, since there may be one in it.",
  advice:
    "If the caller should see them, give it the right to; if the service has none, there is nothing to do.",
  explain: `
The service answers a list with 403, 404, 405 or 410: the caller may not see it, or this service has nothing of the kind. A run that declares
something of the kind ends with the service's error. Otherwise it goes on, and takes the list for one that is not whole: nothing in it is known
to be ours or absent, and nothing that may contain such records is deleted. The lists of accounts and user profiles are always needed.`,
});

/** A write during what must only read. */
export const readOnly = problem<{ method: string; path: string }>({
  code: "TENANCY_READ_ONLY",
  summary: ({ method, path }) => `${method} ${path} is a write, and this run only reads`,
  advice: "Nothing was sent. This is a bug: please report it.",
  explain: `
Planning sends nothing but GET and log-in, and this is enforced where requests are made. If you see this, a part of this program tried to
write while planning: nothing was sent. Please report it.`,
});
