/** Two stacks of an app, with one owner, that name one service by two addresses: covers siblingAddresses of src/engine/siblings.ts. */
import { type App, TerraformStack } from "cdktf";
import {
  Authorization,
  DataTenancyAccounts,
  Permissions,
  TenancyProvider,
  type TenancyProviderConfig,
  Tenant,
  UserProfile,
} from "tenancy";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { takeSnapshot } from "../../src/engine";
import type { StackSource } from "../../src/engine/options";
import { type Simulator, startSimulator } from "../../src/lib/simulator";
import { actions, codes, findings, projects, writes, type Project, RECKLESS } from "../support/projects";

const start = projects();

const CODE = "TENANCY_TWO_ADDRESSES";
const none = Permissions.none();

/** The service's other address. */
function otherAddress({ service }: Project): string {
  return service.baseUrl.replace("127.0.0.1", "localhost");
}

interface Staff {
  /** Users of the tenant globex, which is the stack's own; no tenant where undefined. */
  readonly globex?: readonly string[];
  /** Users that it declares in the tenant acme, which is the other stack's. */
  readonly acme?: readonly string[];
  readonly provider: TenancyProviderConfig;
  readonly more?: (stack: TerraformStack) => void;
}

/** The stack `prod` with the tenant acme and its users, and the stack `staff`. */
function app(
  users: readonly string[],
  { globex, acme = [], provider, more }: Staff,
  stacks: readonly string[] = ["prod", "staff"],
) {
  return (root: App): void => {
    if (stacks.includes("prod")) {
      const prod = new TerraformStack(root, "prod");
      new TenancyProvider(prod, "service", { owner: "acme-platform" });
      tenant(prod, "acme", users);
    }
    if (!stacks.includes("staff")) return;
    const staff = new TerraformStack(root, "staff");
    new TenancyProvider(staff, "service", { owner: "acme-platform", ...provider });
    if (globex !== undefined) tenant(staff, "globex", globex);
    for (const username of acme)
      new UserProfile(staff, username, { username, accountId: "account:1:2", permissions: {} });
    more?.(staff);
  };
}

function tenant(stack: TerraformStack, name: string, users: readonly string[]): void {
  const declared = Object.fromEntries(users.map((user) => [user, { permissions: none }]));
  new Tenant(stack, name, { name, permissions: none, users: declared });
}

const staffOf = (source: StackSource): StackSource => ({ ...source, name: "staff" });

/** Both stacks were applied, each while it was an app of its own. @returns the app that has both */
async function joined(project: Project, staff: Omit<Staff, "provider">): Promise<StackSource> {
  const whole = { ...staff, provider: { baseUrl: otherAddress(project) } };
  await project.apply(project.synthesizeApp(app(["jane"], whole, ["prod"])));
  await project.apply(staffOf(project.synthesizeApp(app(["jane"], whole, ["staff"]))));
  return project.synthesizeApp(app(["jane"], whole));
}

describe("two stacks with one owner that name one service by two addresses", () => {
  test("are refused before one deletes a user whom the other declares", async () => {
    const project = await start();
    const source = await joined(project, { acme: ["joe"] });
    const before = project.service.requests.length;
    const [found, ...others] = await findings(project.plan(source));
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      code: CODE,
      severity: "error",
      address: "provider.tenancy",
      attribute: ["base_url"],
      summary: `the stacks "prod" (${project.service.baseUrl}) and "staff" (${otherAddress(project)}) name one service by two addresses`,
    });
    expect(found?.detail).toContain("each would delete what only the other one declares");
    expect(found?.advice).toContain("an owner of its own");
    expect(writes(project.service.requests.slice(before))).toEqual([]);
    expect(codes(await findings(project.plan(staffOf(source))))).toEqual([CODE]);
  });

  test("are refused where one would call an account retained that the other declares", async () => {
    const project = await start();
    const source = await joined(project, { globex: ["joe"] });
    expect(codes(await findings(project.plan(source)))).toEqual([CODE]);
    expect(codes(await findings(project.plan(source, RECKLESS)))).toEqual([CODE]);
  });

  test("are refused at the second stack's first plan, when the first one has made something", async () => {
    const project = await start();
    const source = project.synthesizeApp(
      app(["jane"], { globex: ["joe"], provider: { baseUrl: otherAddress(project) } }),
    );
    await project.apply(source);
    expect(codes(await findings(project.plan(staffOf(source))))).toEqual([CODE]);
  });

  test("are refused where one destroys what the other declares", async () => {
    const project = await start();
    const source = await joined(project, { acme: ["joe"] });
    const destroy = { destroy: true, allowAccountDeletion: true, maxDeletes: 99 };
    expect(codes(await findings(project.plan(source, destroy)))).toEqual([CODE]);
  });

  test("are refused where one deletes an account with a user whom the other has imported", async () => {
    const project = await start();
    const staff = {
      acme: ["joe"],
      provider: { baseUrl: otherAddress(project) },
      more: (stack: TerraformStack) =>
        void stack.addOverride("import", [{ to: "tenancy_user_profile.joe", id: "joe@acme" }]),
    };
    await project.apply(project.synthesizeApp(app(["jane"], staff, ["prod"])));
    project.service.records.createProfile("acme", { username: "joe" });
    await project.apply(staffOf(project.synthesizeApp(app([], staff, ["staff"]))));
    const source = project.synthesizeApp(app(["jane"], staff));
    const destroy = { destroy: true, allowAccountDeletion: true, allowNonempty: true, maxDeletes: 99 };
    expect(codes(await findings(project.plan(source, destroy)))).toEqual([CODE]);
  });

  test("are refused by a plan from a snapshot of both addresses", async () => {
    const project = await start();
    const source = await joined(project, { acme: ["joe"] });
    const file = join(project.folder, "live.json");
    await writeFile(file, await takeSnapshot([source, staffOf(source)], project.options()));
    expect(codes(await findings(project.plan(source, { fromSnapshot: { file } })))).toEqual([CODE]);
  });

  test("are refused although the other stack cannot be evaluated to its end", async () => {
    const project = await start();
    const provider = { baseUrl: otherAddress(project) };
    await joined(project, { acme: ["joe"] });
    const more = (stack: TerraformStack) =>
      void new UserProfile(stack, "unfit", { username: "a@b", permissions: {} });
    const source = project.synthesizeApp(app(["jane"], { provider, more }));
    expect(codes(await findings(project.plan(source)))).toEqual([CODE]);
  });

  test("are told apart by their owners", async () => {
    const project = await start();
    const provider = { owner: "acme-staff", baseUrl: otherAddress(project) };
    const source = project.synthesizeApp(app(["jane"], { globex: ["joe"], provider }));
    await project.apply(source);
    await project.apply(staffOf(source));
    const plan = await project.plan(source);
    expect([actions(plan), plan.retained, plan.warnings]).toEqual([[], [], []]);
  });

  test("are a warning where the other stack's service cannot be asked", async () => {
    const project = await start();
    const source = await joined(project, { acme: ["joe"] });
    const environment = { TENANCY_ALLOWED_ORIGINS: project.service.baseUrl };
    const { warnings, changes } = await project.plan(source, { environment });
    expect(changes.filter(({ action }) => action === "delete").map(({ key }) => key)).toEqual(["joe@acme"]);
    expect(warnings).toMatchObject([
      { code: "TENANCY_OTHER_STACK_NOT_VERIFIED", address: "provider.tenancy" },
    ]);
    expect(warnings[0]?.detail).toContain('"staff" declares user profile "joe@acme"');
    expect(warnings[0]?.detail).toContain('the service of "staff" could not be asked');
  });

  test("are a warning where the other stack's caller sees nothing of ours", async () => {
    const project = await start();
    await joined(project, { acme: ["joe"] });
    project.service.records.createAccount({ name: "umbrella", password: "umbrella" });
    const provider = { baseUrl: otherAddress(project), username: "umbrella", password: "umbrella" };
    const source = project.synthesizeApp(app(["jane"], { acme: ["joe"], provider }));
    const { warnings } = await project.plan(source);
    const [found] = warnings.filter(({ code }) => code === "TENANCY_OTHER_STACK_NOT_VERIFIED");
    expect(found?.detail).toContain('both show the account "umbrella", which is not managed');
  });

  test("are a warning where the other stack's lists lack even its caller", async () => {
    const project = await start();
    const source = await joined(project, { acme: ["joe"] });
    // The first list of each kind is this stack's.
    for (const path of ["/api/account", "/api/user-profile"])
      project.service.fail({ method: "GET", path, skip: 1, alter: () => [] });
    const { warnings } = await project.plan(source);
    const [found] = warnings.filter(({ code }) => code === "TENANCY_OTHER_STACK_NOT_VERIFIED");
    expect(found?.detail).toContain('the lists of the service of "staff" may be incomplete');
  });

  test("stop the run where it is stopped while the other service is asked", async () => {
    const project = await start();
    const source = await joined(project, { acme: ["joe"] });
    const stop = new AbortController();
    const { signal } = stop;
    const onProgress = (message: string) => message.includes("localhost") && stop.abort();
    expect(codes(await findings(project.plan(source, { signal, onProgress })))).toEqual([
      "TENANCY_CANCELLED",
    ]);
  });
});

describe("two stacks at two addresses of one service: a delete goes ahead, and nobody asks the other address,", () => {
  /** `prod` declared jane and joe in acme, and from now on jane alone. */
  async function withoutJoe(project: Project, staff: Staff): Promise<StackSource> {
    await project.apply(project.synthesizeApp(app(["jane", "joe"], staff, ["prod"])));
    return project.synthesizeApp(app(["jane"], staff));
  }

  async function expectDelete(project: Project, source: StackSource, key = "user_profile"): Promise<void> {
    const told: string[] = [];
    const plan = await project.plan(source, { onProgress: (message) => told.push(message) });
    expect(actions(plan)).toEqual([expect.stringMatching(`^delete tenancy_${key}`)]);
    expect(plan.warnings).toEqual([]);
    expect(told.filter((message) => message.includes("localhost"))).toEqual([]);
  }

  test("where the other declares somebody else in the same account, and an account whose name is not known yet", async () => {
    const project = await start();
    const provider = { baseUrl: otherAddress(project) };
    const more = (stack: TerraformStack) => {
      const all = new DataTenancyAccounts(stack, "all");
      stack.addOverride("resource.tenancy_account.later", {
        name: `\${${all.fqn}.accounts[0].name}`,
        permissions: {},
      });
    };
    await expectDelete(project, await withoutJoe(project, { acme: ["jane"], provider, more }));
  });

  test("where the other declares a namesake in an account that is still to be made", async () => {
    const project = await start();
    const provider = { baseUrl: otherAddress(project) };
    await expectDelete(project, await withoutJoe(project, { globex: ["joe"], provider }));
  });

  test("where the other declares the same object for another owner", async () => {
    const project = await start();
    const provider = { owner: "acme-staff", baseUrl: otherAddress(project) };
    await expectDelete(project, await withoutJoe(project, { acme: ["joe"], provider }));
  });

  test("where the other has no owner at that address", async () => {
    const project = await start();
    const provider = { baseUrl: otherAddress(project) };
    const source = await withoutJoe(project, { acme: ["joe"], provider });
    const file = join(source.outdir, "stacks", "staff", "cdk.tf.json");
    await writeFile(
      file,
      (await readFile(file, "utf8")).replace('"owner": "acme-platform"', '"owner": null'),
    );
    await expectDelete(project, source);
  });

  test("where the other only reads at that address", async () => {
    const project = await start();
    const more = (stack: TerraformStack) => {
      const reading = { alias: "second", owner: "acme-platform", baseUrl: otherAddress(project) };
      const provider = new TenancyProvider(stack, "second", reading);
      new DataTenancyAccounts(stack, "all", { provider });
    };
    const provider = { owner: "acme-staff" };
    await expectDelete(project, await withoutJoe(project, { acme: ["joe"], provider, more }));
  });

  test("where the other cannot be read", async () => {
    const project = await start();
    const provider = { baseUrl: otherAddress(project) };
    const source = await withoutJoe(project, { acme: ["joe"], provider });
    await writeFile(join(source.outdir, "stacks", "staff", "cdk.tf.json"), "{");
    await expectDelete(project, source);
  });

  test("where a token goes: each address has a part of the store of its own", async () => {
    const project = await start();
    const provider = { baseUrl: otherAddress(project) };
    const minted = (stack: TerraformStack) =>
      void new Authorization(stack, "token", {
        login: "jane@acme",
        name: "ci",
        loginWith: "temporary_password",
      });
    const whole = (isDeclared: boolean) => (root: App) => {
      app(["jane"], { acme: ["jane"], provider, more: minted })(root);
      if (isDeclared) minted(root.node.findChild("prod") as TerraformStack);
    };
    const alone = (root: App) => {
      app(["jane"], { provider }, ["prod"])(root);
      minted(root.node.findChild("prod") as TerraformStack);
    };
    await project.apply(project.synthesizeApp(alone));
    await expectDelete(project, project.synthesizeApp(whole(false)), "authorization");
  });
});

describe("two stacks with one owner at two services", () => {
  function twins(project: Project, other: Simulator, users: readonly string[]): StackSource {
    const { baseUrl, username, password } = other;
    const more = (staff: TerraformStack) => tenant(staff, "acme", ["jane", "joe"]);
    return project.synthesizeApp(app(users, { provider: { baseUrl, username, password }, more }));
  }

  test("are applied each by itself; nobody asks the other service while nothing ceases", async () => {
    const project = await start();
    const other = await startSimulator();
    const source = twins(project, other, ["jane", "joe"]);
    try {
      await project.apply(source);
      expect(other.requests).toEqual([]);
      await project.apply(staffOf(source));
      other.clearRequests();
      const plan = await project.plan(source);
      expect([actions(plan), plan.warnings]).toEqual([[], []]);
      expect(other.requests).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test("are no hindrance to a delete of what the other still declares: its service is asked, and is another one", async () => {
    const project = await start();
    const other = await startSimulator();
    const source = twins(project, other, ["jane", "joe"]);
    try {
      await project.apply(source);
      await project.apply(staffOf(source));
      other.clearRequests();
      const { plan } = await project.apply(twins(project, other, ["jane"]));
      expect(actions(plan)).toEqual(['delete tenancy_user_profile.undeclared["joe@acme"]']);
      expect(plan.warnings).toEqual([]);
      expect(writes(other.requests)).toEqual([]);
      expect(other.requests.length).toBeGreaterThan(0);
      expect(other.records.profiles.map(({ login }) => login)).toContain("joe@acme");
    } finally {
      await other.close();
    }
  });

  test("and one of them at a second address of the first: what is deleted at the other service is not asked for there", async () => {
    const project = await start();
    const other = await startSimulator();
    const second = { alias: "second", owner: "acme-platform", baseUrl: other.baseUrl };
    const build = (there: readonly string[]) => (root: App) => {
      app(["jane", "joe"], { acme: ["joe"], provider: { baseUrl: otherAddress(project) } })(root);
      const prod = root.node.findChild("prod") as TerraformStack;
      const provider = new TenancyProvider(prod, "second", second);
      const declared = Object.fromEntries(there.map((user) => [user, { permissions: none }]));
      new Tenant(prod, "there", { name: "acme", permissions: none, users: declared, provider });
    };
    try {
      await project.apply(project.synthesizeApp(build(["jane", "joe"])));
      const { plan } = await project.apply(project.synthesizeApp(build(["jane"])));
      expect(actions(plan)).toEqual(['delete tenancy_user_profile.undeclared["joe@acme"]']);
      expect(plan.warnings).toEqual([]);
      expect(other.records.profiles.map(({ login }) => login)).not.toContain("joe@acme");
    } finally {
      await other.close();
    }
  });
});
