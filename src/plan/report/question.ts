/** Answers questions about a report: the same evaluation, filtered. */
import { reportUnknown } from "../../problems";
import { ALL_RIGHTS } from "../../service";
import { compareText, nearest, normalForm } from "../../lib/values";
import { accessMarksOf } from "../rights";
import type { Report, ReportedService, ReportedUser, ReportQuestion } from "./model";

/** Means of access other than rights that a question may name. */
const OTHER_MEANS = ["access.web", "access.api", "account_admin", "destructive", "privileged"] as const;

/** `no effect`: held, and of no use at present. */
type May = "yes" | "no effect" | "unknown" | "no";

/**
 * True if a user has this access.
 * @param what a right, or one of {@link OTHER_MEANS}
 */
export function may(user: ReportedUser, what: string): May {
  switch (what) {
    case "access.web":
      return unlessIdle(user, user.access.web);
    case "access.api":
      return unlessIdle(user, user.access.api);
    case "account_admin":
      return unlessIdle(user, user.account_admin);
    case "destructive":
    case "privileged": {
      const isMeant = (right: string) => accessMarksOf(right).includes(what);
      // Administrators of the account can give away and take over everything in it.
      if (what === "privileged" && user.account_admin === true && user.idle.length === 0) return "yes";
      if (user.rights === null) return user.idle.length > 0 ? "no effect" : "unknown";
      if (user.takes_effect.some(isMeant)) return "yes";
      const holds = user.rights.some(isMeant) || (what === "privileged" && user.account_admin === true);
      return holds ? "no effect" : "no";
    }
    default:
      if (user.rights === null) return user.idle.length > 0 ? "no effect" : "unknown";
      if (user.takes_effect.includes(what)) return "yes";
      return user.rights.includes(what) ? "no effect" : "no";
  }
}

function unlessIdle({ idle }: ReportedUser, right: boolean | null): May {
  if (right === false) return "no";
  if (idle.length > 0) return right === true ? "no effect" : "no";
  return right === true ? "yes" : "unknown";
}

/** Every right that is known or that some profile holds, in a fixed order. */
export function rightsIn({ services }: Pick<Report, "services">): readonly string[] {
  const known = new Set<string>(ALL_RIGHTS);
  const others = new Set<string>();
  for (const { users } of services)
    for (const { rights } of users)
      for (const right of rights ?? []) if (!known.has(right)) others.add(right);
  return [...ALL_RIGHTS, ...[...others].sort(compareText)];
}

/**
 * The part of a whole report that answers a question.
 * @param earlier may have shown what is gone by now
 * @throws reportUnknown where nothing is called so
 */
export function answerQuestion(report: Report, question: ReportQuestion, earlier?: Report): Report {
  demandKnown({ services: [...report.services, ...(earlier?.services ?? [])] }, question);
  return filterReport(report, question);
}

/** The result of {@link answerQuestion}, without an error for an unknown name. */
export function filterReport(report: Report, question: ReportQuestion): Report {
  const { who_can: right, user, account } = question;
  if (right === null && user === null && account === null) return report;
  return {
    ...report,
    question,
    services: report.services.map((service) => partOfService(service, question)),
  };
}

function partOfService(
  service: ReportedService,
  { who_can: right, user, account }: ReportQuestion,
): ReportedService {
  const people = service.users.filter(
    (one) =>
      (user === null || isSameText(one.login, user)) &&
      (account === null || isSameText(one.account ?? "", account)),
  );
  const users =
    right === null ? people : people.filter((one) => ["yes", "unknown"].includes(may(one, right)));
  const logins = new Set(users.map(({ login }) => login));
  const names = new Set(users.map((one) => one.account));
  const isShown = (name: string | null) =>
    right === null && user === null ? name !== null && isSameText(name, account ?? "") : names.has(name);
  return {
    ...service,
    accounts: service.accounts.filter(({ name }) => isShown(name)),
    users,
    held_without_effect:
      right === null
        ? []
        : people
            .filter((one) => may(one, right) === "no effect")
            .map((one) => ({ login: one.login, because: reasonsOf(one) })),
    other_tokens: service.other_tokens.filter(
      ({ login }) => right === null && account === null && user !== null && isSameText(login, user),
    ),
    findings: service.findings.filter(({ login, account: name }) =>
      login === null ? right === null && user === null && isShown(name) : logins.has(login),
    ),
  };
}

/** The reasons why a user's access has no effect. */
function reasonsOf({ idle }: Pick<ReportedUser, "idle">): readonly string[] {
  return idle.length > 0 ? idle : ["its scope is empty"];
}

function isSameText(a: string, b: string): boolean {
  return normalForm(a) === normalForm(b);
}

function demandKnown(
  report: Pick<Report, "services">,
  { who_can: right, user, account }: ReportQuestion,
): void {
  const users = report.services.flatMap((service) => service.users);
  if (right !== null) {
    const known = [...rightsIn(report), ...OTHER_MEANS];
    const alike = known.filter((one) => one.endsWith(`.${right}`));
    demand("right", right, known, alike);
  }
  if (account !== null)
    demand(
      "account",
      account,
      report.services.flatMap((service) => service.accounts.map(({ name }) => name)),
    );
  if (user !== null)
    demand("user", user, [
      ...users.map(({ login }) => login),
      ...report.services.flatMap((service) => service.other_tokens.map(({ login }) => login)),
    ]);
}

/** @param alike names that are meant at once */
function demand(
  kind: "right" | "user" | "account",
  name: string,
  known: readonly string[],
  alike: readonly string[] = [],
): void {
  if (known.some((one) => isSameText(one, name))) return;
  const near = alike.length > 0 ? alike : [nearest(name, known) ?? []].flat();
  throw reportUnknown.error({ kind, name, near });
}
