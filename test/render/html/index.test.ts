/** The page: covers src/render/view/quotas.ts, besides its own source. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import * as fc from "fast-check";
import { html } from "../../../src/render/html";
import { failureView, planView } from "../../../src/render/view";
import { hostilePlan } from "../../support/hostile/plans";
import { change, plan } from "../../support/plans";
import { rounds } from "../../support/rounds";
import { planOfUsers, samplePlan, user } from "../../support/sample-pages";

interface Node {
  readonly name: string;
  readonly value?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
}

interface Page extends Node {
  readonly errors: readonly string[];
}

/** Pages as a browser's parser has them. */
function parsed(pages: readonly string[]): readonly Page[] {
  const output = execFileSync(process.execPath, [resolve(__dirname, "../../support/parse-html.mjs")], {
    input: JSON.stringify(pages),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  return JSON.parse(output) as readonly Page[];
}

function parsedOne(page: string): Page {
  const [root] = parsed([page]);
  if (root === undefined) throw new Error("nothing was parsed");
  return root;
}

const nodesOf = (node: Node): readonly Node[] => [node, ...node.children.flatMap(nodesOf)];
const all = (node: Node, name: string) => nodesOf(node).filter((one) => one.name === name);
const only = (node: Node, name: string): Node => {
  const [first, ...others] = all(node, name);
  if (first === undefined || others.length > 0) throw new Error(`not one ${name}`);
  return first;
};
const textOf = (node: Node): string =>
  nodesOf(node)
    .map(({ value = "" }) => value)
    .join("");
const hasClass = (node: Node, css: string) => (node.attributes?.["class"] ?? "").split(" ").includes(css);

/** What is read of an element: without what is only for those who hear the page. */
const seen = (node: Node): string =>
  hasClass(node, "heard") ? "" : (node.value ?? "") + node.children.map(seen).join("");

const sectionOf = (root: Node, id: string): Node => {
  const found = all(root, "section").find((one) => one.attributes?.["id"] === id);
  if (found === undefined) throw new Error(`no section ${id}`);
  return found;
};

/** Rows of the tables in a section: each the texts of its cells, of which one may stand for several. */
const rowsOf = (section: Node): readonly (readonly string[])[] =>
  all(section, "tbody").flatMap((body) =>
    all(body, "tr").map((row) =>
      row.children
        .filter(({ name }) => name === "th" || name === "td")
        .flatMap((cell) => [
          seen(cell).trim(),
          ...Array.from({ length: Number(cell.attributes?.["colspan"] ?? 1) - 1 }, () => ""),
        ]),
    ),
  );

const page = (of = samplePlan, options = {}) => html([planView(of, { page: true, ...options })]);

test("a page is sound HTML", () => {
  const pages = parsed([
    page(),
    html([planView(samplePlan, { page: true }), planView(samplePlan, { page: true, all: true })]),
    html([]),
    html([
      failureView("platform", [{ severity: "error", code: "TENANCY_SELF_CHANGE", summary: "e" }], "plan"),
    ]),
  ]);
  expect(pages.flatMap(({ errors }) => errors)).toEqual([]);
  expect(pages.map((root) => all(root, "h2").map(textOf))).toEqual([
    expect.arrayContaining(["Access 10", "Changes 11", "Quotas 4"]) as unknown,
    ["storage", "storage"],
    [],
    ["Errors 1"],
  ]);
  expect(pages.map(textOf)[3]).toContain("There is no plan.");
});

test("the policy forbids everything but the page's own style and script, which stand there once", () => {
  const root = parsedOne(page());
  const hash = (name: string) =>
    `'sha256-${createHash("sha256")
      .update(textOf(only(root, name)))
      .digest("base64")}'`;
  const policies = all(root, "meta").filter(({ attributes }) => attributes?.["http-equiv"] !== undefined);
  expect(policies.map(({ attributes }) => attributes)).toEqual([
    {
      "http-equiv": "Content-Security-Policy",
      content: `default-src 'none'; base-uri 'none'; form-action 'none'; style-src ${hash("style")}; script-src ${hash("script")}`,
    },
  ]);
});

/** The lines of a card, by their label: what is read of each. */
const linesOf = (card: Node): Readonly<Record<string, string>> =>
  Object.fromEntries(
    all(card, "dt").map((label, index) => [
      seen(label).trim(),
      seen(all(card, "dd")[index] ?? label)
        .replace(/\s+/g, " ")
        .trim(),
    ]),
  );

/** The cards of a section, by the name of whom each is about. */
const cardsOf = (section: Node): ReadonlyMap<string, Node> =>
  new Map(
    all(section, "li")
      .filter((item) => hasClass(item, "card"))
      .map((card) => [all(card, "bdi").slice(0, 1).map(textOf).join(""), card]),
  );

test("Access has a card for each user, with what is gained, lost and kept by groups, the dangerous first", () => {
  const cards = cardsOf(sectionOf(parsedOne(page()), "access"));
  expect([...cards.keys()]).toEqual([
    "globex",
    "jane@acme",
    "ops@acme",
    "amy@acme",
    "csi@acme",
    "csi@acme/csi-prod",
    "bob@acme",
  ]);
  const lines = (who: string) => linesOf(cards.get(who) ?? { name: "", children: [] });
  expect(lines("jane@acme")).toMatchObject({
    Gains: "▲ destructive vss format_diskslevel 1 -> 2",
    Loses: "vss resize_disks",
  });
  expect(lines("jane@acme")["Keeps"]).toMatch(/^17 rights vss 12, account 5vss dismiss_tasks, /);
  expect(lines("globex")["By default"]).toMatch(
    /^▲ destructive vss remove_vss, [^]*format_disks; account delete_object_storage◆ privileged user manage_users[^]*30 other rights/,
  );
  expect(lines("ops@acme")).toEqual({ Gains: "◆ privileged user manage_usersvss manage_snapshots" });
  expect(lines("csi@acme/csi-prod")).toEqual({ Gains: "a token" });
  expect(lines("bob@acme")).toEqual({ Loses: "▲ destructive vss remove_vssvss manage_targets" });
  expect(seen(cards.get("bob@acme") ?? { name: "", children: [] })).toContain("- delete");
});

test("the matrix of all rights is closed, and has a table for each group of them", () => {
  const access = sectionOf(parsedOne(page()), "access");
  const [matrix, ...others] = all(access, "details").filter((one) => hasClass(one, "matrix"));
  expect(others).toEqual([]);
  expect(matrix?.attributes?.["open"]).toBeUndefined();
  const groups = all(access, "details").filter((one) => hasClass(one, "group"));
  expect(groups.map((group) => all(group, "summary").slice(0, 1).map(seen).join(""))).toEqual([
    "vss 23 rights, 6 rows",
    "user 5 rights, 2 rows",
    "account 11 rights, 2 rows",
  ]);
  const [vss] = groups;
  if (vss === undefined) throw new Error("no group");
  const heads = all(vss, "th")
    .filter(({ attributes }) => attributes?.["scope"] === "col")
    .map((head) => seen(head));
  expect(heads.slice(0, 4)).toEqual(["Who", "dismiss_tasks", "update_vss", "remove_vss ▲ destructive"]);
  const rows = rowsOf(vss);
  for (const row of rows) expect(row).toHaveLength(heads.length);
  const cell = (who: string, head: string) =>
    rows.find(([first = ""]) => first.startsWith(who))?.[heads.findIndex((one) => one.startsWith(head))];
  expect(cell("jane@acme", "format_disks")).toBe("+");
  expect(cell("jane@acme", "resize_disks")).toBe("−");
  expect(cell("jane@acme", "manage_targets")).toBe("•");
  expect(cell("globex", "format_disks")).toBe("⊕");
  expect(cell("ops@acme", "format_disks")).toBe("");
  expect(cell("bob@acme", "remove_vss")).toBe("−");
});

test("people of whom the same is said share one card, which names all of them, and --all gives each a card", () => {
  const [grouped = new Map(), single = new Map()] = parsed([page(), page(samplePlan, { all: true })]).map(
    (root) => cardsOf(sectionOf(root, "access")),
  );
  expect(seen(grouped.get("amy@acme") as Node)).toMatch(
    /^4 alike: amy@acme, …amy@acme\s+ben@acme\s+cleo@acme\s+dan@acme/,
  );
  expect([...single.keys()]).toEqual(
    expect.arrayContaining(["amy@acme", "ben@acme", "cleo@acme", "dan@acme"]),
  );
});

test("a title with kind, service and time stands before the sentence that matters, and both before all else", () => {
  const root = parsedOne(page());
  expect(textOf(only(root, "title"))).toBe("Plan · storage");
  const header = seen(only(root, "header")).replace(/\s+/g, " ").trim();
  expect(header).toBe(
    "Plan storage https://storage.example as system2026-03-01 12:00 UTC Grants access to 8 users 3 with dangerous permissions, creates 1 token, removes access from 2 users. 8 to create, 2 to update, 1 to delete, 1 retained.",
  );
});

test("errors and warnings stand before Access, and what needs nothing to be done after it", () => {
  const refusals = [{ severity: "error", code: "TENANCY_TOO_MANY_DELETES", summary: "too many" }] as const;
  const warnings = [
    { severity: "warning", code: "TENANCY_UNDECLARED_PERMISSIONS", summary: "a remark" },
    ...samplePlan.warnings,
  ] as const;
  const root = parsedOne(page({ ...samplePlan, warnings }, { refusals }));
  const ids = all(root, "section").map((one) => one.attributes?.["id"]);
  expect(ids.slice(0, 5)).toEqual(["errors", "warnings", "access", "remarks", "changes"]);
});

test("different values of a group open: three are shown, and then all", () => {
  const users = Array.from({ length: 30 }, (_unused, index) =>
    user(`user-${index}`, { after: { username: `user-${index}`, level: 1 } }),
  );
  const changes = sectionOf(parsedOne(page(plan(users))), "changes");
  const values = all(changes, "dd").at(-1);
  expect(seen(values ?? changes)).toMatch(
    /^30 different values: "user-0", "user-1", "user-2" 27 more"user-3"/,
  );
  expect(seen(values ?? changes)).toContain('"user-29"');
  // Those for whom it stands are named.
  expect(seen(changes)).toContain("user-29@acme");
});

test("users whose access does not change, and users whom nobody declares, are folded away below", () => {
  const section = sectionOf(parsedOne(page()), "access-unchanged");
  expect(section.children.map(({ name, attributes }) => [name, attributes?.["open"]])).toEqual([
    ["details", undefined],
  ]);
  expect([...cardsOf(section).keys()]).toEqual(["acme", "carol@acme", "eve@acme"]);
  expect(seen(section)).toContain("account_admin; unmanaged, no stack declares this user");
});

/** What is read of each quota. */
const quotasIn = (root: Node) =>
  all(sectionOf(root, "quotas"), "li").map((item) => seen(item).replace(/\s+/g, " ").trim());

test("quotas are bars as long as their limit, with the limit before and the usage where somebody knows it", () => {
  const usage = { "tenancy_account.acme": { limits_vss_num: 18 } };
  const root = parsedOne(page({ ...samplePlan, usage }));
  expect(quotasIn(root)).toEqual([
    "+ create globexlimits_vss_numusage not known limit 20",
    "+ create globexlimits_size_reserve_totalusage not known limit 4,000,000,000,000",
    "~ update acmelimits_vss_num18 used 113% limit 10 -> 16",
    "acmelimits_size_reserve_totalusage not known limit 8,000,000,000,000",
  ]);
  const bars = all(sectionOf(root, "quotas"), "svg").map((bar) =>
    all(bar, "rect").map(({ attributes = {} }) => [
      attributes["class"],
      Number(attributes["x"] ?? 0),
      Number(attributes["width"]),
    ]),
  );
  expect(bars).toEqual([
    [["limit", 0, 200]],
    [["limit", 0, 200]],
    [
      ["used over", 0, 200],
      ["limit", 0, 178],
      ["before", 110, 2],
    ],
    [["limit", 0, 200]],
  ]);
});

test("a quota that is taken away is shown, and a sensitive one is not", () => {
  const quota = (after: number | null, facts = {}) =>
    page(
      plan([
        change({
          kind: "account",
          name: "acme",
          before: { limits_vss_num: 77 },
          after: { limits_vss_num: after },
          ...facts,
        }),
      ]),
    );
  const [open, hidden] = [quota(null), quota(78, { sensitive: [["limits_vss_num"]] })];
  expect(quotasIn(parsedOne(open))).toEqual(["~ update acmelimits_vss_num limit 77 -> no limit"]);
  expect(textOf(only(parsedOne(hidden), "main"))).not.toMatch(/7[78]/);
});

test("deletes, warnings and what is retained can be read without opening anything", () => {
  const root = parsedOne(page());
  const folded = all(root, "details").filter(({ attributes }) => attributes?.["open"] === undefined);
  const hidden = new Set(folded.flatMap(nodesOf));
  const text = nodesOf(root)
    .filter((node) => !hidden.has(node))
    .map(({ value = "" }) => value)
    .join("");
  const said = [
    "tenancy_user_profile.bob",
    "no longer declared",
    "TENANCY_UNDECLARED_PERMISSIONS",
    "initech",
  ];
  for (const one of said) expect(text).toContain(one);
});

test("a finding begins with one line without control characters", () => {
  const finding = {
    severity: "error",
    code: "TENANCY_SELF_CHANGE",
    summary: "it answered\n\u001b[31mno\u001b[0m",
  } as const;
  expect(html([failureView("platform", [finding], "plan")])).toContain("<bdi>it answered no</bdi>");
});

test("a plan from a snapshot says so", () => {
  const old = plan([], { takenAt: "2026-02-27T12:00:00.000Z" });
  expect(textOf(parsedOne(page(old)))).toContain("2026-02-27");
});

test("thousands of people stand in boxes of a hundred, in the matrix each with a head of its own", () => {
  const access = sectionOf(parsedOne(page(planOfUsers(300), { all: true })), "access");
  const lists = all(access, "ul").filter((list) => hasClass(list, "cards"));
  expect(lists.map((list) => cardsOf(list).size).slice(0, 2)).toEqual([100, 100]);
  const [group] = all(access, "details").filter((one) => hasClass(one, "group"));
  if (group === undefined) throw new Error("no group");
  const sizes = all(group, "tbody").map((body) => all(body, "tr").length);
  expect(sizes.slice(0, 2)).toEqual([100, 100]);
  // One more stays in sight above them.
  expect(all(group, "thead")).toHaveLength(sizes.length + 1);
});

// Names that want to be more than names.

const ELEMENTS =
  /^(?:#document|#documentType|#text|html|head|meta|title|style|body|header|h[1-3]|search|form|label|input|output|main|nav|article|section|details|summary|div|p|ul|li|dl|dt|dd|table|colgroup|col|thead|tbody|tr|th|td|svg|rect|bdi|small|strong|b|wbr|code|time|span|script|a)$/;
const ATTRIBUTES =
  /^(?:class|id|href|lang|charset|http-equiv|content|name|type|autocomplete|spellcheck|hidden|open|tabindex|role|aria-label|aria-hidden|scope|span|colspan|width|height|x|viewbox|preserveaspectratio|datetime)$/i;

test("no name, value or sentence becomes markup, an attribute, a style or a script", () => {
  const plans = fc.sample(hostilePlan, { numRuns: rounds(12), seed: 12 });
  const pages = plans.flatMap((one) => [
    page(one),
    html([planView(one, { page: true, all: true, refusals: one.warnings }), planView(one)]),
  ]);
  const reference = parsedOne(page());
  const [style, script] = ["style", "script"].map((name) => textOf(only(reference, name)));
  for (const text of pages)
    // eslint-disable-next-line no-control-regex -- what must not be there
    expect(text).not.toMatch(/[\p{Cf}\p{Cs}\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/u);
  for (const root of parsed(pages)) {
    expect(root.errors).toEqual([]);
    const names = new Set(nodesOf(root).map(({ name }) => name));
    expect([...names].filter((name) => !ELEMENTS.test(name))).toEqual([]);
    const attributes = nodesOf(root).flatMap(({ attributes: own = {} }) => Object.entries(own));
    expect(attributes.filter(([name]) => !ATTRIBUTES.test(name))).toEqual([]);
    for (const [name, value] of attributes) {
      if (name === "href") expect(value).toMatch(/^#[a-z0-9-]+$/);
      if (name === "class" || name === "id") expect(value).toMatch(/^[a-z0-9 -]+$/);
    }
    expect(textOf(only(root, "style"))).toBe(style);
    expect(textOf(only(root, "script"))).toBe(script);
  }
});

test("names are read as they are", () => {
  const names = ["<b>", "a&b", "&lt;", "'\"", "a--b", "</bdi>", "ü 漢", "שלום", "`"];
  const root = parsedOne(page(plan(names.map((key) => user("x", { key, before: { username: "x" } })))));
  expect(all(root, "bdi").map(textOf)).toEqual(expect.arrayContaining(names));
});

test("the values of a group that differ open on the page", () => {
  const changes = Array.from({ length: 40 }, (_unused, index) =>
    change({
      kind: "account",
      name: `t${index}`,
      after: { name: `t${index}`, primary_contact: { email: `t${index}@x.example` } },
    }),
  );
  const page = parsedOne(html([planView(plan(changes), { page: true })]));
  const lists = all(page, "details").filter((one) => textOf(one).startsWith("37 more"));
  expect(lists).toHaveLength(1);
  for (let index = 3; index < 40; index++) expect(textOf(lists[0]!)).toContain(`"t${index}@x.example"`);
});
