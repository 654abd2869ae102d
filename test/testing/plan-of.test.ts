/** Tests as users write them: covers src/testing/matchers.ts and simulator.ts, besides its own source. */
import { Testing, TerraformStack, TerraformVariable } from "cdktf";
import { Permissions, Secret, TenancyProvider, Tenant, UserProfile } from "tenancy";
import { planOf, setupJest, startSimulator } from "tenancy/testing";
import { apply } from "tenancy/engine";
import { failure } from "../support/test-client";

setupJest();

function platform(): TerraformStack {
  const stack = new TerraformStack(Testing.app(), "platform");
  new TenancyProvider(stack, "service", { baseUrl: "https://storage.example", owner: "acme-platform" });
  new Tenant(stack, "acme", {
    name: "acme",
    users: { csi: { permissions: Permissions.none().allow("vss.manage_snapshots") } },
    tokens: { "csi-prod": { user: "csi" } },
  });
  return stack;
}

test("a stack is planned against a simulated service, whatever its provider says", async () => {
  const plan = await planOf(platform());
  expect(plan).toCreate("tenancy_account.acme");
  expect(plan).toCreate("csi@acme");
  expect(plan).toGrantExactly("csi@acme", ["vss.manage_snapshots"]);
  expect(plan).not.toBeEmptyPlan();
  expect(plan).not.toDelete("tenancy_account.acme");
  expect(plan.targets).toMatchObject([{ provider: "tenancy" }]);
});

test("with a service of the test's own a plan can be applied, and the next one is empty, tokens included", async () => {
  const service = await startSimulator();
  try {
    const plan = await planOf(platform(), { service });
    expect(await apply(plan)).toMatchObject({ ok: true });
    const next = await planOf(platform(), { service });
    expect(next).toBeEmptyPlan();
    await apply(next);
  } finally {
    await service.close();
  }
});

test("what a stack imports exists in the service of its test", async () => {
  const stack = new TerraformStack(Testing.app(), "platform");
  new TenancyProvider(stack, "service", { baseUrl: "https://storage.example", owner: "acme-platform" });
  const acme = new Tenant(stack, "acme", {
    name: "acme",
    permissions: Permissions.none(),
    users: { jane: { permissions: Permissions.operator() } },
  });
  acme.importFrom({ id: "account:1:42", users: true });
  acme.addUser("new", { permissions: Permissions.none() });
  Tenant.fromName(stack, "globex", "globex")
    .addUser("joe", { permissions: Permissions.none() })
    .importFrom("USR1B0000000000000001");
  const plan = await planOf(stack);
  const actions = plan.changes.map(({ address, action }) => [address, action]);
  expect(Object.fromEntries(actions)).toEqual({
    "tenancy_account.acme": "update",
    "tenancy_user_profile.acme_jane": "update",
    "tenancy_user_profile.acme_new": "create",
    "tenancy_user_profile.globex_joe": "update",
  });
});

test("an import whose name is not written out finds nothing, as in an empty service", async () => {
  const stack = new TerraformStack(Testing.app(), "platform");
  new TenancyProvider(stack, "service", { baseUrl: "https://storage.example", owner: "acme-platform" });
  const name = new TerraformVariable(stack, "name", { type: "string" }).stringValue;
  new Tenant(stack, "acme", { name, permissions: Permissions.none() }).importFrom("acme");
  const planning = planOf(stack, { environment: { TF_VAR_name: "acme" } });
  await expect(planning).rejects.toThrow("there is no account");
});

test("any construct stands for its stack, and an app for its only one", async () => {
  const stack = platform();
  expect(await planOf(stack.node.findChild("acme"))).toCreate("acme");
  expect(await planOf(stack.node.root)).toCreate("acme");
});

test("rights that the service decides on are none that a test can be sure of", async () => {
  const stack = new TerraformStack(Testing.app(), "platform");
  new TenancyProvider(stack, "service", { owner: "acme-platform" });
  const { account } = new Tenant(stack, "acme", { name: "acme" });
  new UserProfile(stack, "jane", { accountId: account.id, username: "jane" });
  const plan = await planOf(stack);
  for (const login of ["acme", "jane@acme"]) {
    expect(plan).not.toGrantExactly(login, []);
    expect(() => expect(plan).toGrantExactly(login, [])).toThrow(
      `The permissions of ${login} are known only after apply: declare them.`,
    );
  }
});

test("a matcher that does not hold says what the plan holds", async () => {
  const plan = await planOf(platform());
  expect(() => expect(plan).toBeEmptyPlan()).toThrow(/create tenancy_account\.acme \(acme\)/);
  expect(() => expect(plan).toGrantExactly("csi@acme", [])).toThrow("is granted: vss.manage_snapshots");
  expect(() => expect(plan).not.toGrantExactly("csi@acme", ["vss.manage_snapshots"])).toThrow(
    "csi@acme should not be granted exactly: vss.manage_snapshots",
  );
  expect(() => expect(plan).toGrantExactly("bob@acme", [])).toThrow("The plan declares no user bob@acme.");
  expect(() => expect(plan).toGrantExactly("csi@acme", ["vss.format_disks"])).toThrow(
    "  - not granted: vss.format_disks\n  + not expected: vss.manage_snapshots",
  );
  expect(() => expect(plan).toCreate("tenancy_account.acmee")).toThrow(
    'Did you mean "tenancy_account.acme"?',
  );
  expect(() => expect(plan).toGrantExactly("csi@acmee", [])).toThrow('Did you mean "csi@acme"?');
});

test("a test can say what an update changes, and what nobody gains", async () => {
  const changed = (email: string, vssNum: number, permissions: Permissions): TerraformStack => {
    const stack = new TerraformStack(Testing.app(), "platform");
    new TenancyProvider(stack, "service", { baseUrl: "https://storage.example", owner: "acme-platform" });
    const jane = { email, permissions };
    new Tenant(stack, "acme", { name: "acme", limits: { vssNum }, users: { jane } });
    return stack;
  };
  const service = await startSimulator();
  try {
    await apply(await planOf(changed("j@acme.example", 20, Permissions.none()), { service }));
    const format = Permissions.none().allow("vss.format_disks");
    const plan = await planOf(changed("jane@acme.example", 40, format), { service });

    expect(plan).toUpdate("acme");
    expect(plan).not.toCreate("acme");
    expect(plan).toChange("acme", "limits_vss_num");
    expect(plan).toChange("tenancy_account.acme", "limits_vss_num", 20, 40);
    expect(plan).toChange("jane@acme", "email", "j@acme.example", "jane@acme.example");
    expect(plan).not.toChange("jane@acme", "sms");
    expect(plan).toGrantNobody("vss.remove_vss");
    expect(plan).not.toGrantNobody("vss.format_disks");

    expect(() => expect(plan).toChange("acme", "limits_vss_num", 20, 30)).toThrow(
      "acme should change limits_vss_num 20 -> 30. It changes:\n  limits_vss_num 20 -> 40",
    );
    expect(() => expect(plan).toChange("acmee", "limits_vss_num")).toThrow('Did you mean "acme"?');
    expect(() => expect(plan).toGrantNobody("vss.format_disks")).toThrow(
      "No user should gain vss.format_disks. The plan grants it to:\n  jane@acme",
    );
    expect(() => expect(plan).toDelete("acme")).toThrow("  update tenancy_account.acme (acme)");
  } finally {
    await service.close();
  }
});

describe("a secret that is a variable", () => {
  function withPassword(): TerraformStack {
    const stack = new TerraformStack(Testing.app(), "platform");
    new TenancyProvider(stack, "service", { owner: "acme-platform" });
    const permissions = Permissions.none();
    new Tenant(stack, "acme", {
      name: "acme",
      permissions,
      users: { jane: { permissions, password: Secret.variable("jane_password") } },
    });
    return stack;
  }

  test("without a value is an error that says how a test gives it one, and nothing else is blamed", async () => {
    const way = 'in a test it has its value from planOf(…, { environment: { TF_VAR_jane_password: "…" } })';
    expect(await failure(planOf(withPassword()))).toMatchObject({
      message: `var.jane_password: the variable "jane_password" has no value; ${way}`,
    });
    const argument = planOf(withPassword(), { variables: { jane_password: "a sentence" } });
    expect(await failure(argument)).toMatchObject({ message: expect.stringContaining(way) as string });
  });

  test("is an error that says how to write its value, where that is what is wrong", async () => {
    const stack = withPassword();
    new TerraformVariable(stack, "regions", { type: "list(string)" });
    const environment = { TF_VAR_jane_password: "a sentence", TF_VAR_regions: "eu" };
    expect(await failure(planOf(stack, { environment }))).toMatchObject({
      message: expect.stringMatching(/"regions" cannot be parsed; .*TF_VAR_regions: "…"/) as string,
      diagnostics: [{ address: "var.regions", advice: expect.stringContaining("for a list") as string }],
    });
  });

  test("has its value from the test, whose own credentials and services do not matter", async () => {
    const plan = await planOf(withPassword(), {
      environment: {
        TF_VAR_jane_password: "a sentence",
        TENANCY_TOKEN: "0/of-a-real-service",
        TENANCY_ALLOWED_ORIGINS: "https://storage.example",
        TENANCY_CA_FILE: "/nowhere",
      },
    });
    expect(plan).toCreate("jane@acme");
    expect(plan.warnings).toEqual([]);
  });
});
