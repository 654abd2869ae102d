/** The shown content of an access review: findings, access, accounts and quotas. */
import {
  may,
  type Report,
  type ReportedAccount,
  type ReportedService,
  type ReportFinding,
  ownershipLabels,
} from "../../plan";
import { counted, groupedBy, plainText } from "../../lib/values";
import {
  fact,
  groupAlike,
  groupAlways,
  joinTexts,
  namedMembers,
  membersText,
  name,
  type Row,
  row,
  type Section,
  section,
  sentence,
  type Text,
  value,
  type View,
  view,
  word,
} from "./document";
import { phrases, snapshotNotice } from "./plan";
import { type ReportViewOptions, tokenText, userSections } from "./report-users";

/** Everything that a report found, or the part that was asked for. */
export function reportView(report: Report, { all = false, page = false }: ReportViewOptions = {}): View {
  const several = report.services.length > 1;
  const showsAll = all || report.question.who_can !== null || report.question.user !== null;
  const sections = report.services.flatMap((service, index) => {
    const at = (id: string, title: string) => ({
      id: several ? `${id}-${index + 1}` : id,
      title: several ? `${title} · ${plainText(service.origin)}` : title,
    });
    return [
      findingSection(service, at("findings", "Findings"), { all, page }),
      ...userSections(report, service, at, { all: showsAll, page }),
      tokenSection(service, at("tokens", "Tokens of users that no list shows")),
      accountSection(service, at("accounts", "Accounts"), showsAll),
      quotaSection(service, at("quotas", "Quotas"), { all: showsAll, page }),
    ];
  });
  return view({ ...headOf(report, report.made_at), summary: reportSummary(report), sections });
}

/** Title and notices, which are read before anything else. */
export function headOf(
  { services, question, taken_at: takenAt, notes }: Report,
  madeAt: string,
): Pick<View, "kind" | "madeAt" | "title" | "lines" | "notice"> {
  const topics = [
    ...(question.who_can === null ? [] : [[word("who can "), name(question.who_can)]]),
    ...(question.user === null ? [] : [[word("user "), name(question.user)]]),
    ...(question.account === null ? [] : [[word("account "), name(question.account)]]),
  ];
  const notices: readonly Text[] = [
    ...(takenAt === null ? [] : [snapshotNotice(takenAt, madeAt)]),
    ...services.flatMap(({ incomplete, origin }) =>
      incomplete === null
        ? []
        : [[word("Not proven to be all of "), name(origin), word(": "), sentence(incomplete), word(".")]],
    ),
    ...notes.map((note): Text => [sentence(note)]),
  ];
  return {
    kind: "Report",
    madeAt,
    title: [word("Access review"), ...topics.flatMap((one) => [word(" · "), ...one])],
    lines: services.map(({ origin, caller, stacks }): Text => [
      name(origin),
      word(" as "),
      name(caller),
      ...(stacks.length === 0
        ? [word(" · no state is known")]
        : [
            word(stacks.length === 1 ? " · stack " : " · stacks "),
            ...joinTexts(
              stacks.map((one) => [name(one)]),
              ", ",
            ),
          ]),
    ]),
    ...(notices.length > 0 && { notice: joinTexts(notices, " ") }),
  };
}

function reportSummary({ services, question }: Report): Text {
  const users = services.flatMap((service) => service.users);
  const findings = services.flatMap((service) => service.findings);
  const unknown =
    question.who_can === null
      ? 0
      : users.filter((user) => may(user, question.who_can ?? "") === "unknown").length;
  const whom =
    question.who_can === null
      ? `${counted(users.length, "user")} in ${counted(
          services.reduce((sum, { accounts }) => sum + accounts.length, 0),
          "account",
        )}`
      : `${counted(users.length - unknown, "user")} can${unknown === 0 ? "" : `, and of ${unknown} it is not known`}`;
  const severities = phrases(
    (["high", "medium", "low"] as const).map(
      (severity) => [findings.filter((finding) => finding.severity === severity).length, severity] as const,
    ),
  );
  const detail = severities.length === 0 ? "" : `: ${severities.join(", ")}`;
  return [word(`${whom}, ${counted(findings.length, "finding")}${detail}.`)];
}

// Findings.

const TITLES: Readonly<Record<ReportFinding["kind"], string>> = {
  no_two_factor: "dangerous rights without a second factor",
  two_factor_unknown: "dangerous rights, and a second factor that is not shown",
  access_ended: "access that has ended and is still granted",
  access_ending: "access that ends within seven days",
  undeclared_user: "undeclared users",
  retained_account: "accounts that are no longer declared",
  exposed_token: "tokens that an earlier key of the state opens",
  old_token: "old tokens",
  quota: "quotas that are nearly used up",
};

/**
 * Findings by their severity and kind, on a page below headings. Alike ones are one row unless everything is asked for; defaults of the service would
 * drown the rest.
 */
function findingSection(
  { findings }: ReportedService,
  head: Pick<Section, "id" | "title">,
  { all, page }: Required<ReportViewOptions>,
): Section | undefined {
  if (!page) return section({ ...head, form: "facts" }, findingRows(findings, all));
  const kinds = [...groupedBy(findings, ({ severity, kind }) => `${severity} ${kind}`).values()];
  const headings = kinds.map(([{ kind, severity }]) => ({ title: TITLES[kind], severity }));
  return section({ ...head, form: "facts", headings }, ...kinds.map((some) => findingRows(some, all)));
}

function findingRows(findings: readonly ReportFinding[], all: boolean): readonly Row[] {
  const likeness = ({ kind, by_default: byDefault, says, advice }: ReportFinding) =>
    byDefault ? kind : JSON.stringify([kind, says, advice]);
  return groupAlways(findings, likeness, all).map((group) => {
    const [first] = group;
    const isGroup = group.length > 1;
    return row({
      name: isGroup
        ? [word(`${group.length} ${first.by_default ? "as the service makes them" : "alike"}`)]
        : [name(first.subject)],
      facts: [
        fact(first.severity, [
          [isGroup && first.by_default ? word(TITLES[first.kind]) : sentence(first.says)],
        ]),
        fact("action", [[sentence(first.advice)]]),
      ],
      ...(isGroup && { members: namedMembers(group.map(({ subject }) => subject)) }),
      count: group.length,
      weight: first.by_default ? "aside" : "vital",
    });
  });
}

// Tokens and accounts.

function tokenSection(
  { other_tokens: tokens }: ReportedService,
  head: Pick<Section, "id" | "title">,
): Section | undefined {
  return section(
    { ...head, form: "rows" },
    tokens.map((token) => row({ name: [name(token.login)], about: tokenText(token), weight: "vital" })),
  );
}

function accountSection(
  { accounts }: ReportedService,
  head: Pick<Section, "id" | "title">,
  all: boolean,
): Section | undefined {
  const columns = ["account", "users", "state", "ownership"];
  const accountsWithCells = accounts.map((account) => ({ account, cells: accountCells(account) }));
  const rows = groupAlike(accountsWithCells, ({ cells }) => JSON.stringify(cells), all).map((group) => {
    const names = membersText(namedMembers(group.map(({ account }) => account.name)));
    return row({
      name: group.length === 1 ? names : [word(`${group.length} alike: `), ...names],
      cells: group[0].cells,
      count: group.length,
    });
  });
  return section({ ...head, form: "table", columns }, rows);
}

function accountCells({ users, disabled, ownership }: ReportedAccount): readonly Text[] {
  return [
    [word(String(users))],
    [word(disabled === null ? "not shown" : disabled ? "disabled" : "")],
    [sentence(ownershipLabels(ownership).join(", "))],
  ];
}

/** Up to so many quotas are all shown; of more, those of which most is used. */
const MOST_QUOTAS = 25;

/** Accounts without a limit first, then those of which most is used. */
function quotaSection(
  { accounts }: ReportedService,
  head: Pick<Section, "id" | "title">,
  { all, page }: Required<ReportViewOptions>,
): Section | undefined {
  const quotas = accounts
    .flatMap(({ name: account, quotas: own }) => own.map((quota) => ({ account, ...quota })))
    .map((quota) => ({
      ...quota,
      share: quota.limit === null ? Infinity : Number(quota.used ?? 0) / Math.max(1, Number(quota.limit)),
    }))
    .sort((a, b) => (a.share === b.share ? Number(b.used ?? 0) - Number(a.used ?? 0) : b.share - a.share));
  const likeness = ({ name: quota, limit, used }: (typeof quotas)[number]) =>
    limit === null ? JSON.stringify([quota, String(used)]) : undefined;
  const rows = groupAlways(quotas, likeness, all && !page).map((group) => {
    const [{ name: quota, limit, used }] = group;
    const members = namedMembers(group.map(({ account }) => account));
    const isGroup = group.length > 1;
    return row({
      name: [...(isGroup ? [word(`${group.length} alike: `)] : []), ...membersText(members)],
      cells: [
        [name(quota)],
        [limit === null ? word("no limit") : value(String(limit))],
        [used === null ? word("unknown") : value(String(used))],
      ],
      ...(isGroup && { members }),
      count: group.length,
      weight: "aside",
      gauge: {
        limit: limit === null ? null : Number(limit),
        ...(used !== null && { used: Number(used) }),
      },
    });
  });
  const shownRows = all || page ? rows : rows.slice(0, MOST_QUOTAS);
  const columns = ["account", "quota", "limit", "used"];
  return section(
    { ...head, form: "table", columns, omittedCount: rows.length - shownRows.length },
    shownRows,
  );
}
