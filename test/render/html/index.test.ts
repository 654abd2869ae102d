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

test("Access is a matrix of people and rights, with what becomes of each", () => {
  const access = sectionOf(parsedOne(page()), "access");
  const heads = all(access, "thead").flatMap((head) => all(head, "th").map(seen));
  expect(heads.slice(0, 5)).toEqual([
    "who",
    "other access",
    "vss.dismiss_tasks",
    "vss.update_vss",
    "vss.remove_vss ▲",
  ]);
  const rows = rowsOf(access);
  for (const row of rows) expect(row).toHaveLength(heads.length);
  const cell = (who: string, head: string) =>
    rows.find(([first = ""]) => first.startsWith(who))?.[heads.findIndex((one) => one.startsWith(head))];
  expect(cell("~jane@acme", "vss.format_disks")).toBe("+");
  expect(cell("~jane@acme", "vss.resize_disks")).toBe("−");
  expect(cell("~jane@acme", "vss.manage_targets")).toBe("•");
  expect(cell("~jane@acme", "other")).toBe("grants level 1 -> 2");
  expect(cell("+globex", "vss.format_disks")).toBe("⊕");
  expect(cell("+ops@acme", "user.manage_users")).toBe("+");
  expect(cell("+ops@acme", "vss.format_disks")).toBe("");
  expect(cell("-bob@acme", "vss.remove_vss")).toBe("−");
  expect(cell("+csi@acme/csi-prod", "other")).toBe("grants gains a token");
});

test("people of whom the same is said share one row, which names all of them, and --all gives each a row", () => {
  const [grouped = [], single = []] = parsed([page(), page(samplePlan, { all: true })]).map((root) =>
    rowsOf(sectionOf(root, "access")).map(([who = ""]) => who),
  );
  expect(grouped.filter((who) => who.includes("alike"))).toEqual([
    "+4 alike: amy@acme, …amy@acme\nben@acme\ncleo@acme\ndan@acme",
  ]);
  expect(single).toEqual(expect.arrayContaining(["+amy@acme", "+ben@acme", "+cleo@acme", "+dan@acme"]));
});

test("users whose access does not change, and users whom nobody declares, are folded away below", () => {
  const section = sectionOf(parsedOne(page()), "access-unchanged");
  expect(section.children.map(({ name, attributes }) => [name, attributes?.["open"]])).toEqual([
    ["details", undefined],
  ]);
  expect(rowsOf(section).map(([who]) => who)).toEqual([
    "acme",
    "carol@acmeoperator",
    "eve@acmeaccount_admin; unmanaged, no stack declares this user",
  ]);
});

test("quotas are bars on one scale, beside the usage where somebody knows it", () => {
  const usage = { "tenancy_account.acme": { limits_vss_num: 18 } };
  const quotas = sectionOf(parsedOne(page({ ...samplePlan, usage })), "quotas");
  expect(rowsOf(quotas).map((row) => row.slice(0, 4))).toEqual([
    ["+globex", "limits_vss_num", "20", "unknown"],
    ["+globex", "limits_size_reserve_total", "4000000000000", "unknown"],
    ["~acme", "limits_vss_num", "10 -> 16", "18"],
    ["acme", "limits_size_reserve_total", "8000000000000", "unknown"],
  ]);
  const bars = all(quotas, "svg").map((bar) =>
    all(bar, "rect")
      .slice(1)
      .map(({ attributes = {} }) => [attributes["class"], Number(attributes["width"])]),
  );
  expect(bars).toEqual([
    [["limit", 200]],
    [["limit", 100]],
    [
      ["limit", 160],
      ["before", 100],
      ["used over", 180],
    ],
    [["limit", 200]],
  ]);
});

test("a quota that is taken away is told, and a sensitive one is not", () => {
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
  expect(rowsOf(sectionOf(parsedOne(open), "quotas"))[0]?.[2]).toBe("77 -> no limit");
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
  expect(html([failureView("platform", [finding], "plan")])).toContain("<p><bdi>it answered no</bdi>");
});

test("a plan from a snapshot says so", () => {
  const old = plan([], { takenAt: "2026-02-27T12:00:00.000Z" });
  expect(textOf(parsedOne(page(old)))).toContain("2026-02-27");
});

test("thousands of people stand in boxes of a hundred, each with a head of its own", () => {
  const access = sectionOf(parsedOne(page(planOfUsers(300), { all: true })), "access");
  const sizes = all(access, "tbody").map((body) => all(body, "tr").length);
  expect(sizes.slice(0, 2)).toEqual([100, 100]);
  // One more stays in sight above them.
  expect(all(access, "thead")).toHaveLength(sizes.length + 1);
});

// Names that want to be more than names.

const ELEMENTS =
  /^(?:#document|#documentType|#text|html|head|meta|title|style|body|header|h[1-3]|search|form|label|input|output|main|nav|article|section|details|summary|div|p|ul|li|dl|dt|dd|table|colgroup|col|thead|tbody|tr|th|td|svg|rect|bdi|small|strong|span|script|a)$/;
const ATTRIBUTES =
  /^(?:class|id|href|lang|charset|http-equiv|content|name|type|autocomplete|spellcheck|hidden|open|tabindex|role|aria-label|aria-hidden|scope|span|colspan|width|height|y)$/;

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
      if (name === "href") expect(value).toMatch(/^#v\d+$/);
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
