/** The code of docs/manual/how-to/common-tasks.md, declared, planned and applied. test/cli/lost-state.test.ts covers a lost state. */
import { TerraformStack } from "cdktf";
import { Permissions, Deletion, Secret, TenancyProvider, Tenant } from "tenancy";
import { actions, type Build, projects } from "../support/projects";
import { blocksOf } from "../support/pages";

const start = projects();

const blocks = blocksOf("docs/manual/how-to/common-tasks.md");

/** @param id of the stack, as the page's code knows it */
const codeOf = (section: string, at = 0, id = "staging"): Build => {
  const text = blocks.filter((block) => block.section === section)[at]?.text ?? "";
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- it is the page's own code
  const declare = new Function("Permissions", "Deletion", "Secret", "Tenant", "id", text) as (
    this: TerraformStack,
    ...given: unknown[]
  ) => void;
  return (stack) => declare.call(stack, Permissions, Deletion, Secret, Tenant, id);
};

test("every block of the page is code that is declared here", () => {
  expect(blocks.map(({ section, language }) => `${section}: ${language}`)).toEqual([
    "Rename: ts",
    "Rename: ts",
    "Move a tenant to another stack: ts",
    "Suspend a user or a tenant: ts",
    "Suspend a user or a tenant: ts",
    "Suspend a user or a tenant: hcl",
    "Keep an object after its declaration: ts",
    "Two-factor login: ts",
    "Several environments: ts",
  ]);
});

test("a tenant gets another name by a second account, and the first one goes when it is removed", async () => {
  const project = await start();
  await project.apply(codeOf("Rename"));
  const { plan } = await project.apply(codeOf("Rename", 1));
  expect(actions(plan)).toEqual(['delete tenancy_account.undeclared["globex"]']);
  expect(project.service.records.accounts.map(({ name }) => name)).not.toContain("globex");
  expect(project.service.records.account("initech").name).toBe("initech");
});

test("a tenant moves to another stack with its token", async () => {
  const project = await start();
  const tenant = codeOf("Move a tenant to another stack");
  const appWith = (home: string) =>
    project.synthesizeApp((app) => {
      for (const name of ["prod", "other"]) {
        const stack = new TerraformStack(app, name);
        new TenancyProvider(stack, "service");
        if (name === home) tenant(stack);
      }
    });
  await project.apply(appWith("prod"));
  const tokens = [...project.service.records.authorizations];
  const { plan } = await project.apply({ ...appWith("other"), name: "other" });
  expect([actions(plan), plan.warnings.map(({ code }) => code)]).toEqual([[], ["TENANCY_MOVED"]]);
  expect(actions(await project.plan(appWith("other")))).toEqual([]);
  expect(project.service.records.authorizations).toEqual(tokens);
});

test("a tenant is suspended, and comes back", async () => {
  const project = await start();
  const access = () => ["acme", "jane@acme"].map((login) => project.service.records.profile(login).access);
  const suspend = "Suspend a user or a tenant";
  await project.apply(codeOf(suspend));
  expect(access()).toEqual([
    { web: false, api: false },
    { web: false, api: false },
  ]);
  await project.apply(codeOf(suspend, 1));
  expect(access()).toEqual([
    { web: true, api: true },
    { web: true, api: true },
  ]);
});

test("a user stays after its declaration", async () => {
  const project = await start();
  await project.apply(codeOf("Keep an object after its declaration"));
  const { plan } = await project.apply(
    (stack) => void new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none() }),
  );
  expect(actions(plan)).toEqual([]);
  expect(plan.retained).toMatchObject([{ key: "auditor@acme" }]);
  expect(project.service.records.profile("auditor@acme").login).toBe("auditor@acme");
});

test("a declared user has a second factor, and the next plan is empty", async () => {
  const project = await start();
  const environment = { TF_VAR_jane_totp: "ABCD EF23 GHIJ KLMN OPQR STUV WXYZ 2345" };
  await project.apply(codeOf("Two-factor login"), { environment });
  expect(project.service.records.profile("jane@acme").two_factor.auth).toBe("google");
  expect(actions(await project.plan(codeOf("Two-factor login"), { environment }))).toEqual([]);
});

test("stacks of one class differ by their ids", async () => {
  const project = await start();
  for (const [id, limit] of [
    ["staging", 5],
    ["production", 100],
  ] as const) {
    await project.apply(codeOf("Several environments", 0, id));
    expect(project.service.records.account("acme").limits.vss_num).toBe(limit);
  }
});
