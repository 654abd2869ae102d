/** Lists the findings of a report, with advice. */
import { sentences, TYPESCRIPT as say, ways } from "../../problems";
import { dayOf, ENDED_ACCESS } from "../../resources";
import { compareText, counted, shellWord } from "../../lib/values";
import type { AccessMark } from "../plan";
import { accessMarksOf } from "../rights";
import type { ReportedAccount, ReportedService, ReportedToken, ReportedUser, ReportFinding } from "./model";

/** A quota of which so much is used is nearly used up. */
const NEARLY = 0.9;

const ORDER: readonly ReportFinding["kind"][] = [
  "no_two_factor",
  "two_factor_unknown",
  "access_ended",
  "access_ending",
  "undeclared_user",
  "retained_account",
  "exposed_token",
  "old_token",
  "quota",
];

const SEVERITIES: readonly ReportFinding["severity"][] = ["high", "medium", "low"];

/** By severity, then in the order of their kinds; chosen values come before the service's defaults. */
export function findingsOf(
  service: Omit<ReportedService, "findings">,
  { now, maxTokenAgeDays }: { readonly now: Date; readonly maxTokenAgeDays: number },
): readonly ReportFinding[] {
  const accounts = new Map(service.accounts.map((account) => [account.name, account]));
  const working = countsOf(service.users);
  const findings = [
    ...service.users.flatMap((user) => [
      ...secondFactor(user),
      ...endedAccess(user, dayOf(now)),
      ...endingAccess(user, now),
      ...findUndeclaredUser(user, accounts.get(user.account ?? "")),
      ...user.tokens.flatMap((token) => tokenFindings(token, user.account, maxTokenAgeDays)),
    ]),
    ...service.other_tokens.flatMap((token) => tokenFindings(token, null, maxTokenAgeDays)),
    ...service.accounts.flatMap((account) => [
      ...findRetainedAccount(account, working.get(account.name)),
      ...quotaFindings(account),
    ]),
  ];
  return findings.sort(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
      Number(a.by_default) - Number(b.by_default) ||
      compareText(a.subject, b.subject),
  );
}

function secondFactor(user: ReportedUser): readonly ReportFinding[] {
  const { login, account, two_factor: factor, password_set: hasPassword } = user;
  const marks = user.marks.filter(isDanger);
  const administers = user.account_admin === true && user.idle.length === 0;
  if ((marks.length === 0 && !administers) || (factor !== "none" && factor !== null)) return [];
  const dangers = user.takes_effect.filter((right) => accessMarksOf(right).some(isDanger));
  const isDefault = user.by_default && user.primary;
  // `account_admin` comes with the account, and cannot be removed.
  const [what, none, less, least] =
    marks.length > 0
      ? [
          `has ${marks.join(" and ")} rights`,
          "and no second factor",
          `take away ${fewNames(dangers)}`,
          `Take away what it does not need (${fewNames(dangers)})`,
        ]
      : [
          "administers its account",
          "and has no second factor",
          "suspend it while it is not needed (`access_web` and `access_api` false)",
          "Suspend it while it is not needed (`access_web` and `access_api` false)",
        ];
  return [
    {
      kind: factor === null ? "two_factor_unknown" : "no_two_factor",
      subject: login,
      severity: isDefault ? "low" : factor === null || marks.length === 0 ? "medium" : "high",
      account,
      login,
      says:
        factor === null
          ? `${what}, and the service does not show whether there is a second factor`
          : `${what} ${none}${hasPassword === false ? "; it has no password, so only tokens open it" : ""}`,
      advice:
        factor === null
          ? "Read it with a caller to whom the service shows the second factor."
          : hasPassword === false
            ? `${least}, and rotate its tokens.`
            : `Have the user set up a second factor, or ${less}.`,
      by_default: isDefault,
    },
  ];
}

/** The danger of an unknown right is not known. */
function isDanger(mark: AccessMark): boolean {
  return mark !== "unknown right";
}

const MOST_LISTED_NAMES = 4;

function fewNames(names: readonly string[]): string {
  const more = names.length - MOST_LISTED_NAMES;
  return [...names.slice(0, MOST_LISTED_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** Access whose last day is over, and that no apply has taken away. */
function endedAccess(user: ReportedUser, today: string): readonly ReportFinding[] {
  const { login, account, takes_effect: effective } = user;
  const overdueEnds = user.ends.filter(
    ({ until, granted: isGranted }) => until < today && isGranted !== false,
  );
  if (overdueEnds.length === 0) return [];
  const isDangerous = overdueEnds.some(
    ({ what }) => effective.includes(what) && accessMarksOf(what).length > 0,
  );
  return [
    {
      kind: "access_ended",
      subject: login,
      severity: isDangerous ? "high" : "medium",
      account,
      login,
      says: `still has ${endsText(overdueEnds)}, which has ended`,
      advice: sentences(say.command("Take it away: tenancy apply --ended."), "Or declare a later end."),
      by_default: false,
    },
  ];
}

function endingAccess(user: ReportedUser, now: Date): readonly ReportFinding[] {
  const { login, account } = user;
  const [today, last] = [dayOf(now), dayOf(new Date(now.getTime() + ENDING_MS))];
  const ending = user.ends.filter(
    ({ until, granted: isGranted }) => until >= today && until <= last && isGranted !== false,
  );
  if (ending.length === 0) return [];
  return [
    {
      kind: "access_ending",
      subject: login,
      severity: "low",
      account,
      login,
      says: `has ${endsText(ending)}`,
      advice: "If it is needed for longer, declare a later end.",
      by_default: false,
    },
  ];
}

/** Access that ends so soon is a finding: seven days. */
const ENDING_MS = 7 * 86_400_000;

function endsText(ends: ReportedUser["ends"]): string {
  return fewNames(
    ends.map(({ what, until }) => `${what === ENDED_ACCESS ? "web and API access" : what} until ${until}`),
  );
}

/** An undeclared user in a declared account. */
function findUndeclaredUser(
  user: ReportedUser,
  account: ReportedAccount | undefined,
): readonly ReportFinding[] {
  const { login, primary, ownership } = user;
  if (primary || account?.ownership.declared !== true || ownership.declared !== false) return [];
  const isManaged = ownership.claim === "managed";
  return [
    {
      kind: "undeclared_user",
      subject: login,
      severity: isManaged ? "low" : user.marks.length > 0 ? "high" : "medium",
      account: account.name,
      login,
      says: isManaged
        ? `is in the account ${account.name}, and is no longer declared`
        : `is in the account ${account.name}, and no declaration knows it`,
      advice: isManaged
        ? "The next apply deletes it; declare it if it is to stay."
        : ways(`declare it, and ${say.importIt()}`, "delete it at the service"),
      by_default: false,
    },
  ];
}

function tokenFindings(
  token: ReportedToken,
  account: string | null,
  maxTokenAgeDays: number,
): readonly ReportFinding[] {
  const { login, name, serial, exposed_at: exposedAt } = token;
  if (exposedAt === null) return oldToken(token, account, maxTokenAgeDays);
  const exposed: ReportFinding = {
    kind: "exposed_token",
    subject: `${login}/${name} (${serial})`,
    severity: "high",
    account,
    login,
    says: `is valid, and everybody who has the key that the state had until ${exposedAt} can read it`,
    advice: sentences(say.command("Replace and revoke it: tenancy token rotate --exposed.")),
    by_default: false,
  };
  return [exposed, ...oldToken(token, account, maxTokenAgeDays)];
}

function oldToken(
  { login, name, serial, age_days: age, state }: ReportedToken,
  account: string | null,
  most: number,
): readonly ReportFinding[] {
  if (age === null || age <= most) return [];
  return [
    {
      kind: "old_token",
      subject: `${login}/${name} (${serial})`,
      severity: state === "current" ? "medium" : "low",
      account,
      login,
      says: `is a token that is ${age} days old, and may be ${most} days old`,
      advice:
        state === "current"
          ? sentences(say.command(`Rotate it: tenancy token rotate ${shellWord(`${login}/${name}`)}.`))
          : "It was replaced: see that its consumers have the new one, and apply, which revokes it when its time is over.",
      by_default: false,
    },
  ];
}

interface Working {
  readonly users: number;
  readonly tokens: number;
}

function countsOf(users: readonly ReportedUser[]): ReadonlyMap<string, Working> {
  const counts = new Map<string, Working>();
  for (const { account, idle, tokens } of users) {
    if (account === null || idle.length > 0) continue;
    const { users: others, tokens: more } = counts.get(account) ?? { users: 0, tokens: 0 };
    counts.set(account, { users: others + 1, tokens: more + tokens.length });
  }
  return counts;
}

/** A managed account that is no longer declared. */
function findRetainedAccount(
  { name, ownership }: ReportedAccount,
  working: Working | undefined,
): readonly ReportFinding[] {
  if (ownership.claim !== "managed" || ownership.declared !== false) return [];
  const { users, tokens } = working ?? { users: 0, tokens: 0 };
  const still =
    users === 0
      ? "no user of it can log in"
      : `${counted(users, "user")}${tokens === 0 ? "" : ` and ${counted(tokens, "token")}`} in it still ${users + tokens === 1 ? "works" : "work"}`;
  return [
    {
      kind: "retained_account",
      subject: name,
      severity: users + tokens > 0 ? "medium" : "low",
      account: name,
      login: null,
      says: `is managed and no longer declared; ${still}`,
      advice: ways(`delete it with ${say.removal()}`, "declare it again"),
      by_default: false,
    },
  ];
}

function quotaFindings({ name, quotas: all }: ReportedAccount): readonly ReportFinding[] {
  return all.flatMap(({ name: quota, limit, used: usedAmount }) => {
    if (
      limit === null ||
      usedAmount === null ||
      usedAmount <= 0 ||
      Number(usedAmount) < Number(limit) * NEARLY
    )
      return [];
    return [
      {
        kind: "quota" as const,
        subject: `${name} ${quota}`,
        severity: usedAmount >= limit ? ("medium" as const) : ("low" as const),
        account: name,
        login: null,
        says: `is nearly used up: ${usedAmount} of ${limit}`,
        advice: `Raise ${say.name(quota)}, or remove what is no longer needed.`,
        by_default: false,
      },
    ];
  });
}
