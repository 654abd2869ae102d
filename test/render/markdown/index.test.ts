/** Comments on pull requests: covers src/render/markdown and src/render/view/document.ts, besides its own source. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import * as fc from "fast-check";
import type { Plan } from "../../../src/plan";
import { markdown, hiddenMarker } from "../../../src/render/markdown";
import { name, planView } from "../../../src/render/view";
import { hostilePlan } from "../../support/hostile/plans";
import { change, plan } from "../../support/plans";
import { rounds } from "../../support/rounds";

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

/** The documents as GitHub's parser, or one of CommonMark alone, has them. */
function parsed(documents: readonly string[], ...flags: readonly string[]): readonly Node[] {
  const program = resolve(__dirname, "../../support/parse-markdown.mjs");
  const output = execFileSync(process.execPath, [program, ...flags], {
    input: JSON.stringify(documents),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  return JSON.parse(output) as readonly Node[];
}

function nodesOf(node: Node): readonly Node[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)];
}

const textOf = (node: Node): string =>
  nodesOf(node)
    .map(({ value = "" }) => value)
    .join("");

const marker = "platform";

const user = (username: string, facts = {}) =>
  change({ kind: "user_profile", name: username, key: `${username}@acme`, ...facts });

const permissions = (...rights: readonly string[]) => ({
  permissions: Object.fromEntries(rights.map((right) => [right, true])),
});

const small = plan(
  [
    user("csi", { after: { username: "csi", ...permissions("vss.remove_vss") } }),
    user("jane", { before: { email: "a|b" }, after: { email: "c" } }),
    user("bob", { before: permissions("vss.manage_targets") }),
  ],
  { retained: [{ type: "tenancy_account", key: "initech", id: "9", reason: "no longer declared" }] },
);

test("a comment begins with its marker, and tells counts, access, deletes and the rest", () => {
  expect(markdown([planView(small)], { marker })).toBe(`<!-- tenancy:platform -->
### \`storage\`

Grants access to \`csi@acme\` **(dangerous permissions)**, removes access from \`bob@acme\`. **1 to create, 1 to update, 1 to delete, 1 retained.**

\`https://storage.example\` as \`system\`

#### Access

|  | name | details |
| --- | --- | --- |
| \`+\` | \`csi@acme\` | 1 right \`vss.remove_vss\` **(destructive)** |
| \`-\` | \`bob@acme\` | loses \`vss.manage_targets\` |

#### Changes

|  | object | details |
| --- | --- | --- |
| \`-\` | \`tenancy_user_profile.bob\` | \`bob@acme\` · no longer declared |

#### Changes, the others

|  | object | details |
| --- | --- | --- |
| \`+\` | \`tenancy_user_profile.csi\` | \`csi@acme\`<br>\`username\` = \`"csi"\` |
| \`~\` | \`tenancy_user_profile.jane\` | \`jane@acme\`<br>\`email\` = \`"a\\|b" -> "c"\` |

#### Retained

- \`initech\` (\`9\`): \`no longer declared\`
`);
});

test("no path ends the hidden marker, or makes one that another path makes", () => {
  expect(hiddenMarker("teams/storage-eu")).toBe("<!-- tenancy:teams/storage-eu -->");
  expect(hiddenMarker("a--><img src=x>")).toBe("<!-- tenancy:a%2D-%3E%3Cimg%20src%3Dx%3E -->");
  expect(hiddenMarker("ä\n")).toBe("<!-- tenancy:%C3%A4%0A -->");
});

test("what guards say stands in front", () => {
  const refusal = {
    severity: "error",
    code: "TENANCY_TOO_MANY_DELETES",
    summary: "7 records would be deleted",
    advice: "Pass --max-deletes 7\n/approve",
    address: "tenancy_account.acme",
  } as const;
  const text = markdown([planView(small, { refusals: [refusal] })], { marker });
  expect(text).toContain(`#### Errors

- Error \`TENANCY_TOO_MANY_DELETES\` at \`tenancy_account.acme\`<br>\`7 records would be deleted\`<br>\`Pass --max-deletes 7\`<br>\`/approve\`

#### Access`);
  expect(text).toContain("Refused: nothing of it can be applied.");
});

test("a finding says where it is, also where it knows the attribute alone", () => {
  const warning = {
    severity: "warning",
    code: "TENANCY_SECRET_NOT_SENT",
    summary: "w",
    attribute: ["a", 0],
  } as const;
  const text = (facts: object) =>
    markdown([planView(plan([], { warnings: [{ ...warning, ...facts }] }))], { marker });
  expect(text({ address: "tenancy_account.acme" })).toContain(
    "`TENANCY_SECRET_NOT_SENT` at `tenancy_account.acme`, `a[0]`<br>`w`",
  );
  expect(text({})).toContain("`TENANCY_SECRET_NOT_SENT` at `a[0]`<br>`w`");
});

// Two thousand changes, in little room.

const refusals = Array.from({ length: 300 }, (_unused, index) => ({
  severity: "error" as const,
  code: index === 299 ? "TENANCY_SELF_CHANGE" : "TENANCY_PREVENT_DESTROY",
  summary: `"u${index}" may not be deleted`,
}));

const planOfMany = (count: number): Plan =>
  plan(
    Array.from({ length: count }, (_unused, index) =>
      index % 4 === 0
        ? user(`gone${index}`, { before: permissions("vss.manage_targets") })
        : user(`u${index}`, {
            before: { email: `old${index}@x.example` },
            after: {
              email: `new${index}@x.example`,
              ...permissions(`vss.${index % 3 === 0 ? "remove_vss" : index}`),
            },
          }),
    ),
    { warnings: [{ severity: "warning", code: "TENANCY_SECRET_NOT_SENT", summary: "w" }] },
  );

const large = planOfMany(2_000);

test.each([65_000, 32_000, 4_000])(
  "a plan of 2,000 changes fits %d characters, tells counts, access, deletes and guards, and counts the rest",
  (limit) => {
    const text = markdown([planView(large, { refusals, all: true })], { marker, limit });
    expect(text.length).toBeLessThanOrEqual(limit);
    expect(text.length).toBeGreaterThan(limit * 0.8);
    expect(text).toContain("**1500 to update, 500 to delete.");
    expect(text).toContain("Grants access to 1,500 users **(500 with dangerous permissions)**, removes");
    expect(text).toContain(`Shortened to ${limit} characters.`);
    for (const id of ["TENANCY_PREVENT_DESTROY", "TENANCY_SELF_CHANGE"]) expect(text).toContain(`\`${id}\``);
    // Of each section, what is there and what is said to be left out are all there is.
    const sections = text.split(/^#### |<summary>/m).slice(1);
    const totals = sections.map((section) => {
      const rows = [...section.matchAll(/^(?:\| `|- )/gm)].length;
      const left = Number(/… (\d+) more left out/.exec(section)?.[1] ?? 0);
      return [/^[\w, ]+?(?=\n|: \d)/.exec(section)?.[0], rows + left] as const;
    });
    expect(Object.fromEntries(totals)).toMatchObject({
      Errors: 300,
      Access: 2_000,
      Changes: 500,
      ...(limit > 4_000 && { "Changes, the others": 1_500, Remarks: 1 }),
    });
    for (const title of ["Errors", "Access", "Changes"]) {
      const section = sections.find((one) => one.startsWith(`${title}\n`)) ?? "";
      expect([...section.matchAll(/^(?:\| `|- )/gm)].length).toBeGreaterThan(2);
    }
    // Who gains what is dangerous is seen before anybody else.
    expect(/#### Access\n\n.*\n.*\n(.*)/.exec(text)?.[1]).toContain("vss.remove_vss");
  },
);

test("many stacks share the room, and each is named", () => {
  const view = planView(planOfMany(400), { all: true });
  const views = Array.from({ length: 10 }, (_unused, index) => ({ ...view, title: [name(`stack${index}`)] }));
  for (const limit of [65_000, 4_000]) {
    const text = markdown(views, { marker, limit });
    expect(text.length).toBeLessThanOrEqual(limit);
    for (let index = 0; index < 10; index++) expect(text).toContain(`stack${index}`);
    expect(text.match(/300 to update, 100 to delete/g)).toHaveLength(10);
  }
});

test("nothing is shortened that fits", () => {
  const whole = markdown([planView(small)], { marker });
  expect(markdown([planView(small)], { marker, limit: whole.length })).toBe(whole);
});

// Names that want to be more than names.

const OURS = /^(?:<!-- tenancy:platform -->|<br>|<\/?details>|<details><summary>[\w ,]+: \d+<\/summary>)$/;
const HARMLESS = /^[A-Za-z0-9 ,.;:()'"·×…=>+-]*$/;
const TYPES =
  /^(?:root|heading|paragraph|text|inlineCode|strong|table|tableRow|tableCell|list|listItem|html)$/;

test("no name, value or sentence makes a mention, a link, an image, a command or HTML", () => {
  const plans = fc.sample(hostilePlan, { numRuns: rounds(12), seed: 12 });
  const documents = plans.flatMap((one) => [
    markdown([planView(one)], { marker }),
    markdown([planView(one, { all: true, refusals: one.warnings })], { marker, limit: 2_500 }),
  ]);
  for (const text of documents) {
    expect(text.split("\n").filter((line) => /^\s*\//.test(line))).toEqual([]);
    // eslint-disable-next-line no-control-regex -- what must not be there
    expect(text).not.toMatch(/[\p{Cf}\p{Cs}\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/u);
  }
  for (const tree of parsed(documents)) {
    for (const node of nodesOf(tree)) {
      expect(node.type).toMatch(TYPES);
      if (node.type === "html") expect(node.value).toMatch(OURS);
      if (node.type === "text") expect(node.value).toMatch(HARMLESS);
      if (node.type === "table") {
        const widths = new Set(node.children?.map(({ children = [] }) => children.length));
        expect([...widths]).toEqual([3]);
      }
    }
  }
  // A host without tables sees their lines, and nothing else besides.
  for (const tree of parsed(documents, "--commonmark")) {
    for (const node of nodesOf(tree)) {
      expect(node.type).toMatch(TYPES);
      if (node.type === "html") expect(node.value).toMatch(OURS);
      if (node.type === "text") expect(node.value?.replace(/[|\n]/g, "")).toMatch(HARMLESS);
    }
  }
});

test("names are read as they are", () => {
  const names = ["a|b", "a`b", "``", "`a", "a\\", "a_b*c", "<b>", "|", "a||b", "ü 漢", "a\\b", "\\`|"];
  const text = markdown([planView(plan(names.map((name) => user("x", { key: name, before: {} }))))], {
    marker,
  });
  const [tree] = parsed([text]);
  const codes = nodesOf(tree ?? { type: "root" }).filter(({ type }) => type === "inlineCode");
  expect(codes.map(({ value }) => value)).toEqual(expect.arrayContaining(names));
  expect(textOf(tree ?? { type: "root" })).toContain("12 to delete");
});

test("a backslash before a pipe is doubled, and frees no pipe", () => {
  const text = markdown([planView(plan([user("x", { key: "a\\|b", before: {} })]))], { marker });
  const rows = nodesOf(parsed([text])[0] ?? { type: "root" }).filter(({ type }) => type === "tableRow");
  expect(rows.map(({ children = [] }) => children.length)).toEqual([3, 3]);
});

test("320 changed e-mail addresses are each shown, and within a limit the others are counted", () => {
  const changes = Array.from({ length: 320 }, (_unused, index) =>
    user(`u${index}`, {
      before: { email: `old${index}@x.example` },
      after: { email: `new${index}@x.example` },
    }),
  );
  const whole = markdown([planView(plan(changes))], { marker });
  for (let index = 0; index < changes.length; index++) expect(whole).toContain(`new${index}@x.example`);
  const short = markdown([planView(plan(changes))], { marker, limit: 8_000 });
  const count = [...short.matchAll(/old\d+@x\.example/g)].length;
  const [, inBrief = "0"] = /(\d+) shown in brief/.exec(short) ?? [];
  const [, omitted = "0"] = /… (\d+) more left out/.exec(short) ?? [];
  expect(count).toBeGreaterThan(20);
  expect(count + Number(inBrief) + Number(omitted)).toBe(320);
});

test("e-mail addresses of 320 new users are each shown, and within a limit the others are counted", () => {
  const created = Array.from({ length: 320 }, (_unused, index) =>
    user(`u${index}`, { after: { email: `new${index}@x.example`, sms: `+4930${index}`, timezone: "UTC" } }),
  );
  const whole = markdown([planView(plan(created))], { marker });
  expect(whole).toContain("320 × ");
  for (let index = 0; index < created.length; index++) {
    expect(whole).toContain(`new${index}@x.example`);
    expect(whole).toContain(`+4930${index}`);
  }
  const short = markdown([planView(plan(created))], { marker, limit: 12_000 });
  const [, list = ""] = /Addresses of new users([^]*)/.exec(short) ?? [];
  const count = [...list.matchAll(/new\d+@x\.example/g)].length;
  const [, inBrief = "0"] = /(\d+) shown in brief/.exec(list) ?? [];
  const [, omitted = "0"] = /… (\d+) more left out/.exec(list) ?? [];
  expect(count).toBeGreaterThan(20);
  expect(count + Number(inBrief) + Number(omitted)).toBe(320);
  expect(short.length).toBeLessThanOrEqual(12_000);
});

test("a warning that needs nothing to be done stands below Access and Changes", () => {
  const warning = { severity: "warning", code: "TENANCY_SECRET_NOT_SENT", summary: "w" } as const;
  const text = markdown(
    [
      planView(
        plan([user("u", { after: permissions("vss.remove_vss") })], {
          warnings: [warning, { ...warning, code: "TENANCY_NOT_REVOKED", advice: "Do it." }],
        }),
      ),
    ],
    { marker },
  );
  expect([...text.matchAll(/^#### (.*)$/gm)].map(([, title]) => title)).toEqual([
    "Warnings",
    "Access",
    "Changes",
    "Remarks",
  ]);
});
