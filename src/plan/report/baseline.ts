/** Compares a report with an earlier one: new and removed entries. */
import { type Advice, baselineUnfit } from "../../problems";
import {
  compareText,
  isObject,
  Misshapen,
  normalForm,
  parseJson,
  shapes,
  type Value,
} from "../../lib/values";
import { type Report, REPORT_FORMAT, REPORT_VERSION, type ReportedService, type Ownership } from "./model";
import { filterReport } from "./question";

/** Entries that are new or gone since an earlier report, as `tenancy report --baseline --json` prints it. */
export interface ReportChanges {
  readonly format: "tenancy-report-changes";
  readonly version: 1;
  /** ISO 8601. */
  readonly made_at: string;
  /** When the baseline was made. */
  readonly since: string;
  readonly changes: readonly ReportChange[];
}

/** One thing that is new or gone. */
export interface ReportChange {
  readonly origin: string;
  readonly kind: "service" | "account" | "user" | "token" | "finding";
  /** Login, name of an account, `login/name` of a token, the kind and subject of a finding; of a service its origin. */
  readonly subject: string;
  readonly effect: "new" | "gone";
  /** The new or gone entry: a right, `two_factor none`, `not activated`; `exists` for the subject itself. */
  readonly what: string;
}

/**
 * Compares two reports in both directions. Ages, times, counters and last activities change by themselves, and are not compared.
 * @param file name of the baseline in errors
 * @throws TENANCY_FILE_UNUSABLE if the reports were made in different ways
 */
export function changesSince(report: Report, baseline: Report, file = "baseline"): ReportChanges {
  demandSameWay(report, baseline, file);
  const before = statementsOf(filterReport(baseline, report.question));
  const now = statementsOf(report);
  const only = (
    from: ReadonlyMap<string, Statement>,
    other: ReadonlyMap<string, Statement>,
    effect: ReportChange["effect"],
  ): readonly ReportChange[] =>
    [...from].flatMap(([key, statement]) => (other.has(key) ? [] : [{ ...statement, effect }]));
  const changes = [...only(now, before, "new"), ...only(before, now, "gone")].sort(
    (a, b) =>
      compareText(a.origin, b.origin) ||
      SUBJECT_KINDS.indexOf(a.kind) - SUBJECT_KINDS.indexOf(b.kind) ||
      compareText(a.subject, b.subject) ||
      compareText(b.effect, a.effect) ||
      compareText(a.what, b.what),
  );
  return {
    format: "tenancy-report-changes",
    version: 1,
    made_at: report.made_at,
    since: baseline.made_at,
    changes,
  };
}

const SUBJECT_KINDS: readonly ReportChange["kind"][] = ["service", "account", "user", "token", "finding"];

function demandSameWay(report: Report, baseline: Report, file: string): void {
  const { question } = baseline;
  const isWhole = Object.values(question).every((part) => part === null);
  const isSame = (["who_can", "user", "account"] as const).every(
    (name) => normalForm(question[name] ?? "") === normalForm(report.question[name] ?? ""),
  );
  const refuse = (facts: { readonly problem: string; readonly advice: Advice }) => {
    throw baselineUnfit.error({ file, ...facts });
  };
  if (!isWhole && !isSame)
    refuse({
      problem: "it answers another question",
      advice: (say) =>
        `Make it without ${say.flag("who_can")}, ${say.flag("user")} and ${say.flag("account")}.`,
    });
  if (baseline.usage !== report.usage)
    refuse({
      problem: `it was made with${baseline.usage ? "" : "out"} --usage`,
      advice: (say) => `Pass ${say.flag("usage")} ${baseline.usage ? "now, too" : "to both or to neither"}.`,
    });
  if (baseline.max_token_age_days !== report.max_token_age_days)
    refuse({
      problem: `it was made with --max-token-age ${baseline.max_token_age_days}d`,
      advice: (say) => `Pass ${say.flagWith("max_token_age", `${baseline.max_token_age_days}d`)} now, too.`,
    });
  if (baseline.project !== report.project)
    refuse({
      problem: baseline.project ? "it was made in a project" : "it was made outside of a project",
      advice: "Make both in the same folder.",
    });
}

// A report as statements, each of which is true or not.

type Statement = Omit<ReportChange, "effect">;

function statementsOf({ services }: Report): ReadonlyMap<string, Statement> {
  const statements = new Map<string, Statement>();
  for (const service of services)
    for (const [kind, subject, ...all] of subjectsOf(service))
      for (const what of all) {
        const statement = { origin: service.origin, kind, subject, what };
        statements.set(JSON.stringify([service.origin, kind, normalForm(subject), what]), statement);
      }
  return statements;
}

type SubjectKey = readonly [kind: ReportChange["kind"], subject: string, ...what: readonly string[]];

function subjectsOf(service: ReportedService): readonly SubjectKey[] {
  const { origin, incomplete, accounts, users, other_tokens: others, findings } = service;
  const tokens = [...users.flatMap((user) => user.tokens), ...others];
  return [
    ["service", origin, EXISTS, ...(incomplete === null ? [] : [incomplete])],
    ...accounts.map(({ name, id, disabled, ownership, quotas }): SubjectKey => [
      "account",
      name,
      EXISTS,
      `id ${id}`,
      ...flagStatements("disabled", disabled),
      ...ownershipLabels(ownership),
      ...quotas.map((quota) => `${quota.name} ${quota.limit ?? "no limit"}`),
    ]),
    ...users.map((user): SubjectKey => [
      "user",
      user.login,
      EXISTS,
      `id ${user.id}`,
      ...(user.account === null ? [] : [`in ${user.account}`]),
      ...(user.rights ?? ["rights not shown"]),
      ...scopeStatements("vss_scope", user.vss_scope),
      ...scopeStatements("node_scope", user.node_scope),
      ...flagStatements("access.web", user.access.web),
      ...flagStatements("access.api", user.access.api),
      ...flagStatements("account_admin", user.account_admin),
      ...(user.level === null ? [] : [`level ${user.level}`]),
      ...user.idle.filter((reason) => reason !== "no access"),
      `two_factor ${user.two_factor ?? "not shown"}`,
      ...flagStatements("password", user.password_set),
      ...user.ends.map(({ what, until }) => `${what} until ${until}`),
      ...ownershipLabels(user.ownership),
    ]),
    ...tokens.map(({ login, name, serial, state }): SubjectKey => [
      "token",
      `${login}/${name}`,
      `${serial} ${state}`,
    ]),
    ...findings.map(({ kind, subject }): SubjectKey => ["finding", `${kind} ${subject}`, EXISTS]),
  ];
}

export const EXISTS = "exists";

function flagStatements(name: string, value: boolean | null): readonly string[] {
  return value === true ? [name] : value === null ? [`${name} not shown`] : [];
}

function scopeStatements(name: string, ids: readonly string[] | null): readonly string[] {
  return ids === null ? [`${name} not shown`] : ids.map((id) => `${name}.${id}`);
}

export function ownershipLabels({ claim, stack, declared: isDeclared }: Ownership): readonly string[] {
  const suffix = stack === null ? "" : ` (${stack})`;
  return [`${claim}${suffix}`, ...(isDeclared === null ? [] : [isDeclared ? "declared" : "not declared"])];
}

// Reading an earlier report.

/**
 * @param text output of `tenancy report --json`
 * @param file its name in errors
 * @throws TENANCY_FILE_UNUSABLE
 */
export function readReport(text: string, file = "baseline"): Report {
  let value: Value;
  try {
    value = parseJson(text);
  } catch {
    throw baselineUnfit.error({
      file,
      problem: text.trim() === "" ? "it is empty" : "it is not JSON, or was cut off",
    });
  }
  if (!isObject(value) || value["format"] !== REPORT_FORMAT)
    throw baselineUnfit.error({ file, problem: "it is no report of Tenancy" });
  if (value["version"] !== REPORT_VERSION)
    throw baselineUnfit.error({
      file,
      problem: `its format has another version than ${REPORT_VERSION}, which this release reads`,
    });
  try {
    reportShape(value, "");
  } catch (error) {
    throw error instanceof Misshapen ? baselineUnfit.error({ file, problem: error.message }) : error;
  }
  return value as unknown as Report;
}

const { text, flag, number, listOf, nullable, objectOf } = shapes;

const ownership = objectOf({
  claim: text,
  stack: nullable(text),
  declared: nullable(flag),
});
const tokens = listOf(objectOf({ login: text, name: text, serial: text, state: text }));

/** The members of a report that a comparison reads. */
const reportShape = objectOf({
  made_at: text,
  project: flag,
  usage: flag,
  max_token_age_days: number,
  question: objectOf({ who_can: nullable(text), user: nullable(text), account: nullable(text) }),
  services: listOf(
    objectOf({
      origin: text,
      incomplete: nullable(text),
      accounts: listOf(
        objectOf({
          name: text,
          id: text,
          disabled: nullable(flag),
          ownership,
          quotas: listOf(objectOf({ name: text, limit: nullable(number) })),
        }),
      ),
      users: listOf(
        objectOf({
          login: text,
          id: text,
          account: nullable(text),
          ownership,
          access: objectOf({ web: nullable(flag), api: nullable(flag) }),
          account_admin: nullable(flag),
          level: nullable(number),
          rights: nullable(listOf(text)),
          takes_effect: listOf(text),
          idle: listOf(text),
          vss_scope: nullable(listOf(text)),
          node_scope: nullable(listOf(text)),
          two_factor: nullable(text),
          password_set: nullable(flag),
          tokens,
          ends: listOf(objectOf({ what: text, until: text })),
        }),
      ),
      other_tokens: tokens,
      findings: listOf(
        objectOf({ kind: text, subject: text, account: nullable(text), login: nullable(text) }),
      ),
    }),
  ),
});
