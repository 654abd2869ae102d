/** Two stacks of an app with one owner at one address: covers refuseSharedOwner of src/engine/siblings.ts. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TerraformStack, TerraformVariable } from "cdktf";
import { Account, TenancyProvider, type TenancyProviderConfig } from "tenancy";
import { validate } from "../../src/engine";
import { actions, codes, findings, projects, type Project } from "../support/projects";

const start = projects();

const CODE = "TENANCY_SHARED_OWNER";

/** An app of stacks that have one account each. @returns its stack `prod` */
const app = (project: Project, providers: Readonly<Record<string, TenancyProviderConfig>>) =>
  project.synthesizeApp((scope) => {
    for (const [name, config] of Object.entries(providers)) {
      const stack = new TerraformStack(scope, name);
      new TenancyProvider(stack, "service", config);
      new Account(stack, "acme", { name, permissions: {} });
    }
  });

const owners = (base: TenancyProviderConfig, prod: TenancyProviderConfig) => (project: Project) =>
  app(project, { base, prod });

test("two stacks with the same owner for the same service are refused", async () => {
  const project = await start();
  const source = app(project, { base: { owner: "acme-platform" }, prod: { owner: "acme-platform" } });
  const [found, ...others] = await findings(project.plan(source));
  expect(others).toEqual([]);
  expect(found).toMatchObject({ code: CODE, severity: "error" });
  expect(found?.summary).toContain('the stacks "base" and "prod" have the same owner');
  expect(codes(await findings(validate(source, project.options())))).toEqual([CODE]);
  // Whichever service the environment will name, it is one and the same.
  expect(codes(await findings(validate(source)))).toEqual([CODE]);
});

test.each([
  ["the other's owner", { owner: "base" }, { owner: "prod", previousOwners: ["base"] }],
  [
    "a previous owner of both",
    { owner: "base", previousOwners: ["old"] },
    { owner: "prod", previousOwners: ["old"] },
  ],
])(
  "two stacks are refused where a previous owner of one is %s: it would delete the other's records",
  async (_what, one, two) => {
    for (const build of [owners(one, two), owners(two, one)]) {
      const project = await start();
      const source = build(project);
      expect(codes(await findings(validate(source, project.options())))).toEqual([CODE]);
      expect(codes(await findings(project.plan(source)))).toEqual([CODE]);
    }
  },
);

test("two stacks are refused where one has its owner or its address from something sensitive: it would delete the other's records", async () => {
  for (const name of ["owner", "base_url"]) {
    const project = await start();
    const source = project.synthesizeApp((scope) => {
      for (const id of ["prod", "other"]) {
        const stack = new TerraformStack(scope, id);
        new TenancyProvider(stack, "service", { owner: "acme-platform", baseUrl: project.service.baseUrl });
        new Account(stack, "acme", { name: "acme", permissions: {} });
        if (id === "prod") continue;
        new TerraformVariable(stack, "hidden", { type: "string", sensitive: true });
        stack.addOverride(`provider.tenancy.0.${name}`, "${var.hidden}");
      }
    });
    const values = { owner: "acme-platform", base_url: project.service.baseUrl };
    const environment = { TF_VAR_hidden: values[name as keyof typeof values] };
    const told = codes(await findings(project.plan({ ...source, name: "prod" }, { environment })));
    expect(told).toEqual([CODE]);
  }
});

test("two stacks are refused where one names the service, and the environment names it for the other", async () => {
  const project = await start();
  const { baseUrl } = project.service;
  const source = app(project, {
    base: { owner: "acme-platform", baseUrl },
    prod: { owner: "acme-platform" },
  });
  expect(codes(await findings(validate(source, project.options())))).toEqual([CODE]);
});

test("two stacks may have the same owners at different services", async () => {
  const project = await start();
  const elsewhere = { owner: "base", baseUrl: "https://other.example" };
  const source = owners(elsewhere, { owner: "prod", previousOwners: ["base"] })(project);
  expect(await validate(source, project.options())).toEqual([]);
});

test("a stack is planned although others of its app have no owner, or a wrong provider", async () => {
  const project = await start();
  const source = app(project, {
    none: {},
    former: { previousOwners: ["acme-old"] },
    unfit: { owner: "acme-platform", baseUrl: "no address" },
    prod: { owner: "acme-platform" },
  });
  expect(await validate(source, project.options())).toEqual([]);
  expect(actions(await project.plan(source))).toEqual(["create tenancy_account.acme"]);
});

test("a stack is planned although another one of its app cannot be read", async () => {
  const project = await start();
  const source = app(project, { broken: { owner: "acme-platform" }, prod: { owner: "acme-platform" } });
  await writeFile(join(source.outdir, "stacks", "broken", "cdk.tf.json"), "{");
  expect(await validate(source, project.options())).toEqual([]);
  expect(actions(await project.plan(source))).toEqual(["create tenancy_account.acme"]);
  expect(codes(await findings(project.plan({ ...source, name: "broken" })))).toEqual([
    "TENANCY_BROKEN_STACK",
  ]);
});
