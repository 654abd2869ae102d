/** Refusals of the guards. */
import { counted, shellWord } from "../lib/values";
import { type Finding, problem, SeveralFindings, warning } from "./problem";
import { either, sentences, ways, type Words } from "./words";

/** Guards stopped the plan; holds every refusal. */
export class PlanRefused extends SeveralFindings {
  constructor(findings: readonly Finding[]) {
    super("TENANCY_PLAN_REFUSED", findings);
  }
}

/** Most records that a refusal names. */
const MOST_NAMED = 40;

/** Names the records that a refused plan would delete. */
function deletedText(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const more = names.length > MOST_NAMED ? `, and ${names.length - MOST_NAMED} more` : "";
  return `To be deleted: ${names.slice(0, MOST_NAMED).join(", ")}${more}.`;
}

/** The flag that shows the refused plan also applies it. `destroy` may need it as well, so no whole command is named. */
function seeingDeletes(total: number, say: Words): string {
  const flag = say.flagWith("max_deletes", String(total));
  return sentences(
    "Nothing was written.",
    say.command(`To see the plan, add \`${flag}\` to \`tenancy plan\`, which deletes nothing.`) ??
      `To see the plan, plan with ${flag}: that deletes nothing.`,
    say.command("If the plan is right, apply with the same flag."),
  );
}

/** Most of our records would be deleted, which is rarely intended. */
export const massDeletion = problem<{
  why: string;
  count: number;
  /** Number of deletes at all services, which `--max-deletes` limits. */
  total: number;
  /** Titles of the objects that would be deleted. */
  names: readonly string[];
}>({
  code: "TENANCY_TOO_MANY_DELETES",
  summary: ({ why, count }) => `${counted(count, "record")} would be deleted: ${why}`,
  detail: ({ names }) => deletedText(names),
  advice: ({ total }, say) => seeingDeletes(total, say),
});

/** One run would delete more records than it may without permission. */
export const tooManyDeletes = problem<{
  /** At the service that is named, or at the only one. */
  count: number;
  limit: number;
  /** At all services, which `--max-deletes` is about. */
  total: number;
  origin?: string | undefined;
  /** Titles of the objects that would be deleted. */
  names: readonly string[];
}>({
  code: "TENANCY_TOO_MANY_DELETES",
  summary: ({ count, limit, origin }) => {
    const [where, there] = origin === undefined ? ["", ""] : [` at ${origin}`, " there"];
    return `${counted(count, "record")} would be deleted${where}, and this run may delete ${limit}${there}`;
  },
  detail: ({ names }) => deletedText(names),
  advice: ({ total }, say) => seeingDeletes(total, say),
});

/** A delete of something that the configuration protects with `prevent_destroy`. */
export const preventDestroy = problem<string>({
  code: "TENANCY_PREVENT_DESTROY",
  summary: (key) => `"${key}" would be deleted, but its lifecycle says prevent_destroy`,
  advice: (_, say) => `Remove ${say.name("prevent_destroy")} if that is intended.`,
});

/** The primary user profile of an account is declared or imported on its own. */
export const primaryProfile = problem<string>({
  code: "TENANCY_PRIMARY_PROFILE",
  summary: (login) => `the primary user profile ${JSON.stringify(login)} is part of its account`,
  advice: (_, say) => `Declare its permissions, level, access and password on the ${say.account()}.`,
});

/** The plan would delete, disable or weaken the credential that the run works with. */
export const selfChange = problem<{
  key: string;
  /** The effect, as in "takes its API access". */
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
});

/** An account would be deleted without permission. */
export const accountDeletionRefused = problem<string>({
  code: "TENANCY_ACCOUNT_DELETION",
  summary: (name) => `account "${name}" would be deleted, with the tenant's storage`,
  advice: (name, say) =>
    `If that is intended: ${either(
      `apply ${say.set("deletion_protection", false)} first`,
      say.command(`pass ${shellWord(`--allow-account-deletion=${name}`)}`),
    )}.`,
});

/** An account that is to be deleted still holds something. */
export const accountNotEmpty = problem<{
  name: string;
  /** Contents of the account, a few words each. */
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
});

/** The service's lists may be incomplete, so a missing object may still exist. */
export const incompleteLists = problem<{
  origin: string;
  /** The gap in the lists, as a clause. */
  missing: string;
  changes: number;
  /** Key of the kept token whose user the lists lack. */
  token?: string | undefined;
}>({
  code: "TENANCY_INCOMPLETE_LISTS",
  summary: ({ origin, missing }) => `the lists of ${origin} are incomplete: ${missing}`,
  detail: ({ changes }) =>
    `${changes} planned ${changes === 1 ? "create or delete depends" : "creates and deletes depend"} on them.`,
  advice: ({ token }, say) => {
    const revoke = say.command(`tenancy token revoke ${shellWord(token ?? "")}`) ?? "`revokeToken`";
    return sentences(
      "Nothing was written. Run it again; if this persists, check what the credential may list.",
      token === undefined
        ? undefined
        : `If that user was deleted, have the service answer 404 for the id, or end the search for it: ${revoke}.`,
    );
  },
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
});

/** The lists of a service have summaries as their elements, and not all of them were completed. */
export const summariesLeft = warning<{ records: readonly string[] }>({
  code: "TENANCY_LIST_REFUSED",
  title: "Some records are known only in summary",
  summary: ({ records }) =>
    `the service's lists leave out members of records, and ${records.length === 1 ? "1 record was" : `${records.length} records were`} not read one by one`,
  detail: ({ records }) =>
    `Their other members are not shown: they are neither compared nor reported. Among them: ${records.slice(0, 5).join(", ")}.`,
  advice: "Use a credential that may read each of them, or one that sees fewer accounts and users.",
});

/** A write during a read-only run. */
export const readOnly = problem<{ method: string; path: string }>({
  code: "TENANCY_READ_ONLY",
  summary: ({ method, path }) => `${method} ${path} is a write, and this run only reads`,
  advice: "Nothing was sent. This is a bug: please report it.",
});
