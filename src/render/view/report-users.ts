/** Says what is shown of the users in an access review: in words, and for pages as a matrix of users and rights. */
import {
  accessMarksOf,
  may,
  type Report,
  type ReportedService,
  type ReportedUser,
  ownershipLabels,
} from "../../plan";
import { counted, groupedBy } from "../../lib/values";
import { markText } from "./access";
import {
  type Fact,
  fact,
  type Group,
  groupAlike,
  joinTexts,
  type Matrix,
  namedMembers,
  name,
  type Row,
  row,
  type Section,
  section,
  sentence,
  type Text,
  word,
} from "./document";
import { matrixOf } from "./matrix";

export interface ReportViewOptions {
  /** True if each user has a row, and no list is cut. @default false */
  readonly all?: boolean;
  /** True if it is for a page, which has room for a matrix of users and rights. @default false */
  readonly page?: boolean;
}

/** The access of all users. For a question about a right: users with it, users of unknown status, and users for whom it has no effect. */
export function userSections(
  { question }: Report,
  service: ReportedService,
  at: (id: string, title: string) => Pick<Section, "id" | "title">,
  options: Required<ReportViewOptions>,
): readonly (Section | undefined)[] {
  const { users, held_without_effect: ineffective } = service;
  const { who_can: right } = question;
  if (right === null) return [peopleSection(at("users", "Who may do what"), users, options)];
  const can = users.filter((user) => may(user, right) === "yes");
  const unknown = users.filter((user) => may(user, right) === "unknown");
  return [
    peopleSection(at("users", "Who can"), can, options),
    peopleSection(at("unknown", "Not known"), unknown, options),
    section(
      { ...at("held", "Holds it, without effect at present"), form: "rows" },
      ineffective.map(({ login, because }) =>
        row({ name: [name(login)], about: [sentence(because.join(", "))], weight: "vital" }),
      ),
    ),
  ];
}

function peopleSection(
  head: Pick<Section, "id" | "title">,
  users: readonly ReportedUser[],
  { all, page }: Required<ReportViewOptions>,
): Section | undefined {
  return section(
    { ...head, form: "facts", ...(page && { matrix: matrixOfUsers(users, all) }) },
    ...userRows(users, all),
  );
}

/** The users of an account belong together. Those alike are one row in a large report. */
function userRows(users: readonly ReportedUser[], all: boolean): readonly (readonly Row[])[] {
  const entries = users.map((user) => ({ user, facts: userFacts(user) }));
  const groups = groupAlike(entries, ({ facts }) => JSON.stringify(facts), all);
  return [...groupedBy(groups, ([{ user }]) => user.account).values()].map((some) => some.map(userRow));
}

function userRow(group: Group<{ readonly user: ReportedUser; readonly facts: readonly Fact[] }>): Row {
  const [{ user, facts }] = group;
  const isGroup = group.length > 1;
  return row({
    name: isGroup ? [word(`${group.length} alike`)] : [name(user.login)],
    facts,
    ...(isGroup && { members: namedMembers(group.map((one) => one.user.login)) }),
    count: group.length,
    weight: user.marks.length > 0 ? "vital" : "usual",
  });
}

function userFacts(user: ReportedUser): readonly Fact[] {
  const { rights, idle } = user;
  const state = [
    ...idle,
    ...(user.activated === null ? ["activation not shown"] : []),
    ...(user.account === null ? ["its account is not listed"] : []),
  ];
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
      rights === null ? "rights" : counted(rights.length, "right"),
      rights === null ? [[word("not shown")]] : rightsText(user, rights),
    ),
    ...factsBesidesRights(user),
  ];
}

function factsBesidesRights(user: ReportedUser): readonly Fact[] {
  const { rights, access, tokens, ends, two_factor: factor, last_activity: last } = user;
  const ways = (["web", "api"] as const).flatMap((way): readonly Text[] =>
    access[way] === false ? [] : [[word(access[way] === null ? `${way} (not shown)` : way)]],
  );
  const endTexts = ends.map(({ what, until, granted: isGranted }): Text => {
    return [name(what), word(` until ${until}${isGranted === false ? ", denied" : ""}`)];
  });
  return [
    ...(user.account_admin === true ? [fact("admin", [[word("administers the account")]])] : []),
    ...scopeFact("services", user.vss_scope, rights, "vss."),
    ...scopeFact("nodes", user.node_scope, rights, "node."),
    fact("access", ways.length === 0 ? [[word("none")]] : ways),
    ...(ends.length === 0 ? [] : [fact("ends", endTexts)]),
    fact("2nd factor", [[factor === null ? word("not shown") : name(factor)]]),
    fact("last seen", [
      [
        last === null
          ? word("unknown")
          : name(last.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)\S*Z$/, "$1 $2 UTC")),
      ],
    ]),
    ...(tokens.length === 0 ? [] : [fact(tokens.length === 1 ? "token" : "tokens", tokens.map(tokenText))]),
    fact(
      "ownership",
      ownershipLabels(user.ownership).map((one): Text => [sentence(one)]),
    ),
  ];
}

function rightsText(
  { preset, by_default: byDefault, takes_effect: effective, idle }: ReportedUser,
  rights: readonly string[],
): readonly Text[] {
  if (rights.length === 0) return [[word("none")]];
  // Rights without effect are in brackets: a suspended user is no danger at present.
  const without = idle.length > 0 ? [] : rights.filter((right) => !effective.includes(right));
  const texts: readonly Text[] =
    preset === null
      ? rights.map((right) => [
          name(right),
          ...markText(effective.includes(right) ? accessMarksOf(right) : []),
        ])
      : [[name(preset), ...markText(effective.flatMap(accessMarksOf))]];
  return [
    ...texts,
    ...(byDefault ? [[word("as the service gives by itself")]] : []),
    ...(idle.length > 0 ? [[word("without effect")]] : []),
    ...(without.length > 0 ? [[word(`${without.length} of them without effect`)]] : []),
  ];
}

/** A scope matters only for users with rights of its group. */
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

export function tokenText({
  name: own,
  serial,
  age_days: age,
  rotates_on: day,
  state,
}: ReportedUser["tokens"][number]): Text {
  return [
    name(own),
    word(" "),
    name(serial),
    word(age === null ? ", age unknown" : `, ${counted(age, "day")} old`),
    ...(day === null ? [] : [word(`, due for rotation on ${day}`)]),
    ...(state === "replaced" ? [word(", replaced")] : []),
  ];
}

/** A cell for each effective right. Rights without effect are shown separately. */
function matrixOfUsers(users: readonly ReportedUser[], all: boolean): Matrix {
  return matrixOf(
    users.map((user) => {
      const { rights, takes_effect: effective, idle, preset } = user;
      const summary = preset ?? counted(rights?.length ?? 0, "right");
      const about: readonly Text[] = [
        ...idle.map((reason): Text => [sentence(reason)]),
        rights === null ? [word("rights not shown")] : [name(summary)],
      ];
      return {
        who: user.login,
        about: joinTexts(about, "; "),
        facts: factsBesidesRights(user),
        cells: new Map(effective.map((right) => [right, "holds" as const])),
      };
    }),
    all,
  );
}
