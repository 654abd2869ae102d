/** The reference docs/manual/reference/typescript, which .ci/generate/docs/typescript.ts makes of the sources. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as constructs from "tenancy";
import * as engine from "tenancy/engine";
import * as testing from "tenancy/testing";

const folder = join(resolve(__dirname, "../.."), "docs/manual/reference/typescript");
const pages = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
const page = pages.join("\n");
const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);

/** What stands below a heading, up to the next one. */
const sectionOf = (name: string) =>
  page.split(/^(?=##+ )/m).find((part) => part.startsWith(`## ${name}\n`)) ?? "";

test.each(Object.entries({ constructs, engine, testing }))(
  "all that the %s export is told",
  (_, exported) => {
    // The bindings' own classes for references, and what CDKTF calls at synthesis.
    const names = Object.keys(exported).filter(
      (name) => !/(OutputReference|List|ToTerraform|ToHclTerraform)$/.test(name),
    );
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !headings.includes(name))).toEqual([]);
  },
);

test("the contents of each page name each heading once", () => {
  for (const text of pages) {
    const names = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
    const links = [...text.matchAll(/\[`(\w+)`\]\(#[\w-]+\)/g)].map(([, name]) => name);
    expect(links).toEqual(names);
  }
});

test("a member is told with its type, its default and its bounds, inherited ones too", () => {
  const tenant = sectionOf("TenantProps");
  expect(tenant).toContain("- `deletionProtection?: boolean | IResolvable`");
  expect(tenant).toContain("Default: true.");
  expect(tenant).toContain("- `name: string`: Name of the account. 1 to 64 characters.");
  expect(sectionOf("PresetName")).toContain('"operator"');
  expect(sectionOf("matchers")).toContain("toGrantExactly(login: string, rights: readonly string[])");
  expect(sectionOf("Account")).toMatch(/^Read: .*`adminProfileId`/m);
  expect(sectionOf("Account")).toContain("The resource [`tenancy_account`](../../../resources/account.md).");
});

test("members that another exported type has are told there, and named where they are inherited", () => {
  expect(sectionOf("PlanOptions")).toContain("- `maxDeletes?: number`");
  expect(sectionOf("ReportOptions")).not.toContain("- `maxDeletes");
  expect(sectionOf("ReportOptions")).toMatch(/^Members of `PlanOptions`: .*`maxDeletes`/m);
  expect(sectionOf("DriftOptions")).toMatch(/^Members of `PlanOptions`: .*`maxDeletes`/m);
  expect(sectionOf("DriftOptions")).not.toContain("`destroy`");
  expect(sectionOf("PlanRefused")).toContain("Members of `TenancyError`: `code`,");
});

test("what is thrown is told by a code that can be explained, or by a class", () => {
  // A problem's name in the code, such as noSuchToken, tells nobody anything.
  const thrown = [...page.matchAll(/Throws: (.*?)(?:\.(?: |$)|$)/gm)].flatMap(([, list = ""]) =>
    [...list.matchAll(/(?<![\w.`])[a-z]+[A-Z]\w*/g)].map(([name]) => name),
  );
  expect(page).toContain("Throws: TENANCY_UNKNOWN_NAME");
  expect(thrown).toEqual([]);
  expect(page).not.toContain("{@link");
});

test("what is not meant for programs is not told", () => {
  expect(sectionOf("TenancyError")).not.toContain("telling(");
  expect(page).not.toMatch(/^Read: .*`_/m);
  expect(sectionOf("Secret")).toContain("static variable(");
  expect(sectionOf("Secret")).not.toContain("unversioned");
  expect(sectionOf("TenantUser")).not.toContain("new TenantUser(");
  expect(sectionOf("Tenant")).not.toContain("hasOtherUsers");
});
