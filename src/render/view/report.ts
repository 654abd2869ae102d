/** Says what is shown of an access review: what deserves a look, who may do what, and the accounts. */
import {
  may,
  marksOf,
  type Report,
  type ReportedAccount,
  type ReportedService,
  type ReportedUser,
  type ReportFinding,
  whoseWords,
} from "../../plan";
import { durationText } from "../../values";
import { marked } from "./access";
import {
  type Fact,
  grouped,
  groupedAlways,
  joined,
  membersOf,
  name,
  type Row,
  row,
  type Section,
  section,
  sentence,
  type Text,
  type View,
  word,
} from "./document";

/** Everything that a report found, or the part that was asked for. @param all whether nobody is grouped */
export function reportView(report: Report, { all = false }: { readonly all?: boolean } = {}): View {
  const several = report.services.length > 1;
  const showsAll = all || report.question.who_can !== null || report.question.user !== null;
  const sections = report.services.flatMap((service, index) => {
    const at = (id: string, title: string) => ({
      id: several ? `${id}-${index + 1}` : id,
      title: several ? `${title} · ${bare(service.origin)}` : title,
    });
    return [
      findingSection(service, at("findings", "Findings"), all),
      ...userSections(report, service, at, showsAll),
      tokenSection(service, at("tokens", "Tokens of users that no list shows")),
      accountSection(service, at("accounts", "Accounts"), showsAll),
    ];
  });
  return {
    ...headOf(report, report.made_at),
    summary: summaryOf(report),
    alert: [],
    sections: sections.filter((one) => one !== undefined),
    findings: [],
  };
}

/** What it is about, and what has to be known before anything else is read. */
export function headOf(
  { services, question, taken_at: takenAt, notes }: Report,
  madeAt: string,
): Pick<View, "title" | "lines" | "notice"> {
  const asked = [
    ...(question.who_can === null ? [] : [[word("who can "), name(question.who_can)]]),
    ...(question.user === null ? [] : [[word("user "), name(question.user)]]),
    ...(question.account === null ? [] : [[word("account "), name(question.account)]]),
  ];
  const notices: readonly Text[] = [
    ...(takenAt === null
      ? []
      : [
          [
            word(`From a snapshot that is ${durationText(Date.parse(madeAt) - Date.parse(takenAt))} old (`),
            name(takenAt),
            word("); nobody was asked."),
          ],
        ]),
    ...services.flatMap(({ incomplete, origin }) =>
      incomplete === null
        ? []
        : [[word("Not proven to be all of "), name(origin), word(": "), sentence(incomplete), word(".")]],
    ),
    ...notes.map((note): Text => [sentence(note)]),
  ];
  return {
    title: [word("Access review"), ...asked.flatMap((one) => [word(" · "), ...one])],
    lines: services.map(({ origin, caller, owners }): Text => [
      name(origin),
      word(" as "),
      name(caller),
      ...(owners.length === 0
        ? [word(" · no owner is named")]
        : [
            word(owners.length === 1 ? " · owner " : " · owners "),
            ...joined(
              owners.map((one) => [name(one)]),
              ", ",
            ),
          ]),
    ]),
    ...(notices.length > 0 && { notice: joined(notices, " ") }),
  };
}

function bare(text: string): string {
  return name(text).text;
}

function summaryOf({ services, question }: Report): Text {
  const users = services.flatMap((service) => service.users);
  const findings = services.flatMap((service) => service.findings);
  const own = findings.filter(({ by_default: byDefault }) => !byDefault).length;
  const unknown =
    question.who_can === null
      ? 0
      : users.filter((user) => may(user, question.who_can ?? "") === "unknown").length;
  const counted =
    question.who_can === null
      ? `${count(users.length, "user")} in ${count(
          services.reduce((sum, { accounts }) => sum + accounts.length, 0),
          "account",
        )}`
      : `${count(users.length - unknown, "user")} can${unknown === 0 ? "" : `, and of ${unknown} it is not known`}`;
  return [
    word(
      `${counted}, ${count(findings.length, "finding")}${own < findings.length ? ` (${findings.length - own} as the service makes them)` : ""}.`,
    ),
  ];
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

// Findings.

const TITLES: Readonly<Record<ReportFinding["kind"], string>> = {
  no_two_factor: "dangerous rights without a second factor",
  two_factor_unknown: "dangerous rights, and a second factor that is not shown",
  undeclared_user: "users whom nobody declares",
  retained_account: "accounts that are no longer declared",
  old_token: "old tokens",
  quota: "quotas that are nearly used up",
};

/** What the service gives by itself would drown the rest, so that it is one row unless everything is asked for. */
function findingSection(
  { findings }: ReportedService,
  head: Pick<Section, "id" | "title">,
  all: boolean,
): Section | undefined {
  const groups = all
    ? findings.map((one) => [one])
    : groupedAlways(findings, ({ kind, by_default: byDefault, says, advice }) =>
        byDefault ? kind : JSON.stringify([kind, says, advice]),
      );
  const rows = groups.flatMap((group): readonly Row[] => {
    const [first] = group;
    if (first === undefined) return [];
    const isGroup = group.length > 1;
    return [
      row({
        name: isGroup
          ? [word(`${group.length} ${first.by_default ? "as the service makes them" : "alike"}`)]
          : [name(first.subject)],
        facts: [
          fact("what", [[isGroup && first.by_default ? word(TITLES[first.kind]) : sentence(first.says)]]),
          fact("do", [[sentence(first.advice)]]),
        ],
        ...(isGroup && { members: membersOf(group.map(({ subject }) => subject)) }),
        count: group.length,
        weight: first.by_default ? "aside" : "vital",
      }),
    ];
  });
  return section({ ...head, form: "facts" }, rows);
}

export function fact(label: string, items: readonly Text[]): Fact {
  return { label: word(label), items };
}

// Users.

type Heading = (id: string, title: string) => Pick<Section, "id" | "title">;

function userSections(
  { question }: Report,
  service: ReportedService,
  at: Heading,
  all: boolean,
): readonly (Section | undefined)[] {
  const { users, held_without_effect: held } = service;
  const { who_can: right } = question;
  if (right === null)
    return [section({ ...at("users", "Who may do what"), form: "facts" }, ...userRows(users, all))];
  const can = users.filter((user) => may(user, right) === "yes");
  const unknown = users.filter((user) => may(user, right) === "unknown");
  return [
    section({ ...at("users", `Who can`), form: "facts" }, ...userRows(can, all)),
    section({ ...at("unknown", "Not known"), form: "facts" }, ...userRows(unknown, all)),
    section(
      { ...at("held", "Holds it, without effect at present"), form: "rows" },
      held.map(({ login, because }) =>
        row({ name: [name(login)], about: [sentence(because.join(", "))], weight: "vital" }),
      ),
    ),
  ];
}

/** The users of an account belong together. Those alike are one row in a large report. */
function userRows(users: readonly ReportedUser[], all: boolean): readonly (readonly Row[])[] {
  const shown = users.map((user) => ({ user, facts: factsOf(user) }));
  const groups = all ? shown.map((one) => [one]) : grouped(shown, ({ facts }) => JSON.stringify(facts));
  const rows = new Map<string | null, Row[]>();
  for (const group of groups) {
    const [first] = group;
    if (first === undefined) continue;
    const isGroup = group.length > 1;
    const made = row({
      name: isGroup ? [word(`${group.length} alike`)] : [name(first.user.login)],
      facts: first.facts,
      ...(isGroup && { members: membersOf(group.map(({ user }) => user.login)) }),
      count: group.length,
      weight: first.user.marks.length > 0 ? "vital" : "usual",
    });
    const others = rows.get(first.user.account);
    if (others === undefined) rows.set(first.user.account, [made]);
    else others.push(made);
  }
  return [...rows.values()];
}

function factsOf(user: ReportedUser): readonly Fact[] {
  const { rights, idle, access, tokens, two_factor: factor, last_activity: last } = user;
  const state = [
    ...idle,
    ...(user.activated === null ? ["activation not shown"] : []),
    ...(user.account === null ? ["its account is not listed"] : []),
  ];
  const ways = (["web", "api"] as const).flatMap((way): readonly Text[] =>
    access[way] === false ? [] : [[word(access[way] === null ? `${way} (not shown)` : way)]],
  );
  return [
    ...(state.length === 0
      ? []
      : [
          fact(
            "state",
            state.map((one) => [sentence(one)]),
          ),
        ]),
    fact(
      rights === null ? "rights" : rights.length === 1 ? "1 right" : `${rights.length} rights`,
      rights === null ? [[word("not shown")]] : rightsText(user, rights),
    ),
    ...(user.account_admin === true ? [fact("admin", [[word("administers the account")]])] : []),
    ...scopeFact("services", user.vss_scope, rights, "vss."),
    ...scopeFact("nodes", user.node_scope, rights, "node."),
    fact("access", ways.length === 0 ? [[word("none")]] : ways),
    fact("2nd factor", [[factor === null ? word("not shown") : name(factor)]]),
    fact("last seen", [[last === null ? word("unknown") : name(last)]]),
    ...(tokens.length === 0 ? [] : [fact(tokens.length === 1 ? "token" : "tokens", tokens.map(tokenText))]),
    fact(
      "whose",
      whoseWords(user.whose).map((one): Text => [sentence(one)]),
    ),
  ];
}

function rightsText(
  { preset, by_default: byDefault, takes_effect: effective, idle }: ReportedUser,
  rights: readonly string[],
): readonly Text[] {
  if (rights.length === 0) return [[word("none")]];
  // What has no effect is in brackets: a suspended user is no danger at present.
  const without = idle.length > 0 ? [] : rights.filter((right) => !effective.includes(right));
  const told: readonly Text[] =
    preset === null
      ? rights.map((right) => [name(right), ...marked(effective.includes(right) ? marksOf(right) : [])])
      : [[name(preset), ...marked(effective.flatMap(marksOf))]];
  return [
    ...told,
    ...(byDefault ? [[word("as the service gives by itself")]] : []),
    ...(idle.length > 0 ? [[word("without effect")]] : []),
    ...(without.length > 0 ? [[word(`${without.length} of them without effect`)]] : []),
  ];
}

/** A scope says something only of those who hold rights of its group. */
function scopeFact(
  label: string,
  ids: readonly string[] | null,
  rights: readonly string[] | null,
  group: string,
): readonly Fact[] {
  if (rights?.some((right) => right.startsWith(group)) !== true || ids?.[0] === "*") return [];
  if (ids === null) return [fact(label, [[word("not shown")]])];
  return [fact(label, ids.length === 0 ? [[word("none")]] : ids.map((id) => [name(id)]))];
}

function tokenText({ name: own, serial, age_days: age, state }: ReportedUser["tokens"][number]): Text {
  return [
    name(own),
    word(" "),
    name(serial),
    word(age === null ? ", age unknown" : `, ${count(age, "day")} old`),
    ...(state === "replaced" ? [word(", replaced")] : []),
  ];
}

function tokenSection(
  { other_tokens: tokens }: ReportedService,
  head: Pick<Section, "id" | "title">,
): Section | undefined {
  return section(
    { ...head, form: "rows" },
    tokens.map((token) => row({ name: [name(token.login)], about: tokenText(token), weight: "vital" })),
  );
}

// Accounts.

function accountSection(
  { accounts }: ReportedService,
  head: Pick<Section, "id" | "title">,
  all: boolean,
): Section | undefined {
  const columns = ["account", "users", "state", "whose", "quotas"];
  const shown = accounts.map((account) => ({ account, cells: cellsOf(account) }));
  const groups = all ? shown.map((one) => [one]) : grouped(shown, ({ cells }) => JSON.stringify(cells));
  const rows = groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const names = membersOf(group.map(({ account }) => account.name));
    const text: Text =
      group.length === 1
        ? [name(first.account.name)]
        : [word(`${group.length} alike: `), ...joined(names.shown, ", "), word(`, … ${names.more} more`)];
    return [
      row({
        name: text,
        cells: first.cells,
        count: group.length,
        ...(group.length > 1 && { members: names }),
      }),
    ];
  });
  return section({ ...head, form: "table", columns }, rows);
}

function cellsOf({ users, disabled, whose, quotas }: ReportedAccount): readonly Text[] {
  return [
    [word(String(users))],
    [word(disabled === null ? "not shown" : disabled ? "disabled" : "")],
    [sentence(whoseWords(whose).join(", "))],
    [
      sentence(
        quotas
          .map(({ name: quota, limit, used }) => `${quota} ${used === null ? "" : `${used} of `}${limit}`)
          .join(", "),
      ),
    ],
  ];
}
