/** Undeclared privileges, in whole runs: covers src/plan/privileges.ts and src/engine/entries/privileges.ts. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Account, Permissions, Tenant, UserProfile } from "tenancy";
import {
  acceptPrivileges,
  type AcceptOptions,
  type Approval,
  ApprovalNeeded,
  drift,
  type Plan,
  takeSnapshot,
} from "../../src/engine";
import { approvalNeeds, type Pair } from "../../src/plan";
import { privilegesChanged } from "../../src/problems";
import { type Build, type Project, projects } from "../support/projects";

const start = projects();

const acme =
  (jane: object = {}): Build =>
  (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      level: 3,
      access: { web: true, api: true },
      users: { jane: { permissions: Permissions.none(), ...jane } },
    });

/** What a plan says of privileges that nobody declares: each summary after the colon, or the detail. */
const warningsOf = ({ warnings }: Plan) =>
  warnings
    .filter(({ code }) => code === privilegesChanged.code)
    .map(({ summary, detail }) => detail ?? summary.split(": ")[1]);

/** `jane@acme level 0 -> 5`, a line for each row. */
const rowsOf = async (project: Project, build: Build) => {
  const report = await drift(project.synthesize(build), project.options());
  return report.drift
    .filter(({ kind }) => kind === "privilege")
    .map(
      ({ title, path, from, to, remark }) =>
        `${title} ${path.join(".")} ${remark === undefined ? JSON.stringify(from) : "?"} -> ${JSON.stringify(to)}`,
    );
};

const applied = async (build: Build = acme()) => {
  const project = await start();
  await project.apply(build);
  return project;
};

const patch = (project: Project, values: object) => project.service.records.patchProfile("jane@acme", values);

test("a level raised by hand is in every plan and in drift, and an ordinary apply does not accept it", async () => {
  const project = await applied();
  expect(warningsOf(await project.plan(acme()))).toEqual([]);
  patch(project, { level: 5 });
  for (const email of ["a@acme.example", "b@acme.example"]) {
    const { plan } = await project.apply(acme({ email }));
    expect(warningsOf(plan)).toEqual(["level 0 -> 5"]);
    expect(await rowsOf(project, acme({ email }))).toEqual(["jane@acme level 0 -> 5"]);
  }
  const [warning] = (await project.plan(acme())).warnings.filter(
    ({ code }) => code === privilegesChanged.code,
  );
  expect(warning).toMatchObject({ address: "tenancy_user_profile.acme_jane" });
  expect(warning?.advice).toContain("tenancy drift prod --accept jane@acme.level");
});

test("it is no longer listed once it is changed back, or declared", async () => {
  const project = await applied();
  patch(project, { level: 5 });
  expect(warningsOf(await project.plan(acme({ level: 5 })))).toEqual([]);
  patch(project, { level: 0 });
  expect(warningsOf(await project.plan(acme()))).toEqual([]);
  expect(await rowsOf(project, acme())).toEqual([]);
});

test("an apply remembers what it wrote, so that the declaration may be taken away", async () => {
  const project = await applied(acme({ level: 4 }));
  expect(warningsOf((await project.apply(acme())).plan)).toEqual([]);
  patch(project, { level: 3 });
  expect(warningsOf(await project.plan(acme()))).toEqual(["level 4 -> 3"]);
});

test("each kind of privilege counts, be it more or less than before", async () => {
  const project = await applied();
  patch(project, {
    allow_su: false,
    access: { web: false, api: true },
    two_factor: { auth: "google" },
  });
  expect(await rowsOf(project, acme())).toEqual([
    "jane@acme allow_su true -> false",
    "jane@acme access_web true -> false",
    'jane@acme two_factor_auth "none" -> "google"',
  ]);
  await project.apply(acme());
  // Another second factor is no other privilege.
  patch(project, { allow_su: true, access: { web: true, api: true }, two_factor: { auth: "yubikey" } });
  expect(await rowsOf(project, acme())).toEqual(['jane@acme two_factor_auth "none" -> "yubikey"']);
});

describe("rights", () => {
  /** A user whose rights are declared, some of them, or not at all. */
  const jane =
    (more: object): Build =>
    (stack) => {
      const account = new Account(stack, "acme", { name: "acme", permissions: {}, level: 3 });
      new UserProfile(stack, "jane", { username: "jane", accountId: account.id, ...more });
    };
  const grant = (project: Project, rights: object) => patch(project, { permissions: { vss: { rights } } });

  test("that nobody declares are listed one by one, the dangerous ones marked", async () => {
    const project = await applied(jane({}));
    grant(project, { format_disks: false, manage_snapshots: false });
    await project.apply(jane({}));
    expect(await rowsOf(project, jane({}))).toEqual([
      "jane@acme permissions.vss.format_disks true -> false",
      "jane@acme permissions.vss.manage_snapshots true -> false",
    ]);
    grant(project, { manage_snapshots: true });
    expect(warningsOf(await project.plan(jane({})))).toEqual(["permissions.vss.format_disks true -> false"]);
  });

  test("that were granted by hand stay visible after their declaration is taken away", async () => {
    const project = await applied(jane({ permissions: {} }));
    grant(project, { format_disks: true });
    expect(warningsOf(await project.plan(jane({ permissions: {} })))).toEqual([]);
    expect(warningsOf((await project.apply(jane({}))).plan)).toEqual([
      "permissions.vss.format_disks false -> true (destructive)",
    ]);
    expect(warningsOf(await project.plan(jane({})))).toHaveLength(1);
  });

  test("that `permissions` does not name count where they are kept", async () => {
    const build = jane({ permissions: { "vss.manage_snapshots": true }, undeclaredRights: "keep" });
    const project = await applied(build);
    grant(project, { format_disks: false, manage_snapshots: false });
    expect(await rowsOf(project, build)).toEqual(["jane@acme permissions.vss.format_disks true -> false"]);
  });

  test("hold for what their scope says, which counts by itself", async () => {
    const project = await applied(
      jane({ permissions: { "vss.manage_snapshots": true }, vssScope: ["vss:1:1"] }),
    );
    const open = jane({ permissions: { "vss.manage_snapshots": true } });
    await project.apply(open);
    patch(project, { permissions: { vss: { all_account_scope: true } } });
    expect(await rowsOf(project, open)).toEqual(['jane@acme vss_scope ["vss:1:1"] -> ["*"]']);
  });
});

test("a recovery takes the privileges as they are live, under the approval of an import", async () => {
  const project = await applied();
  patch(project, { level: 5 });
  await rm(project.state);
  const pairs = approvalNeeds(await project.plan(acme(), { recover: true })).flatMap((need) => need.pairs);
  expect(pairs.map(({ pair, broadening }) => ["import" in pair, broadening])).toContainEqual([true, true]);
  await project.apply(acme(), { recover: true });
  expect(warningsOf(await project.plan(acme()))).toEqual([]);
  patch(project, { level: 6 });
  expect(await rowsOf(project, acme())).toEqual(["jane@acme level 5 -> 6"]);
});

describe("accepting", () => {
  const accept = async (
    project: Project,
    names: readonly string[],
    { build = acme(), ...options }: AcceptOptions & { readonly build?: Build } = {},
  ) => {
    const rows = await acceptPrivileges(project.synthesize(build), names, {
      ...project.options(),
      ...options,
    });
    return rows?.map(({ title, path }) => `${title}.${path.join(".")}`);
  };

  const raised = async () => {
    const project = await applied();
    patch(project, { level: 5, access: { web: false, api: true } });
    return project;
  };

  test("one privilege leaves the others as they are, and sends nothing", async () => {
    const project = await raised();
    project.service.clearRequests();
    expect(await accept(project, ["jane@acme.level"])).toEqual(["jane@acme.level"]);
    const sent = project.service.requests.filter(({ method }) => method !== "GET");
    expect(sent.map(({ path }) => path)).toEqual(["/api/oauth2/token"]);
    expect(await rowsOf(project, acme())).toEqual(["jane@acme access_web true -> false"]);
    patch(project, { level: 6 });
    expect(warningsOf(await project.plan(acme()))).toEqual(["level 5 -> 6, access_web true -> false"]);
  });

  test("takes several names, patterns and addresses", async () => {
    const project = await raised();
    expect(await accept(project, ["*.access_web", "tenancy_user_profile.acme_jane.level"])).toHaveLength(2);
    expect(await rowsOf(project, acme())).toEqual([]);
  });

  test("a name that matches nothing is an error that names what can be accepted, and nothing is accepted", async () => {
    const project = await raised();
    const before = await readFile(project.state, "utf8");
    await expect(accept(project, ["jane@acme.level", "jane@acme.levle"])).rejects.toMatchObject({
      code: "TENANCY_UNKNOWN_NAME",
      advice: "Nothing was accepted. These can be: jane@acme.level, jane@acme.access_web.",
    });
    expect(await readFile(project.state, "utf8")).toBe(before);
  });

  test("needs the pair of each privilege that is more than before, where approval is required", async () => {
    const project = await raised();
    const all = ["jane@acme.*"];
    const refused = await accept(project, all, { requireApproval: "broadening" }).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(ApprovalNeeded);
    expect((refused as ApprovalNeeded).detail).toBe(
      "not approved: { user: jane@acme, level: 5, until: never }",
    );
    const strict = await accept(project, all, {
      environment: { ...project.environment, TENANCY_REQUIRE_APPROVAL: "access" },
    }).catch((error: unknown) => error);
    expect((strict as ApprovalNeeded).detail).toBe(
      "not approved: { user: jane@acme, level: 5, until: never }\nnot approved: { user: jane@acme, access: web }",
    );
    expect(await rowsOf(project, acme())).toHaveLength(2);
    const approval: Approval = {
      ...{ stack: "prod", service: project.service.baseUrl, until: new Date().toISOString().slice(0, 10) },
      pairs: [{ user: "jane@acme", level: "5", until: "never" }],
    };
    await accept(project, all, { requireApproval: "broadening", approvals: [approval] });
    expect(await rowsOf(project, acme())).toEqual([]);
  });

  test("a dangerous right has a pair of its own", async () => {
    const build: Build = (stack) => {
      const account = new Account(stack, "acme", { name: "acme", permissions: {}, level: 3 });
      new UserProfile(stack, "jane", { username: "jane", accountId: account.id });
    };
    const project = await applied(build);
    const rights = { format_disks: false, manage_snapshots: false, manage_targets: false };
    patch(project, { permissions: { vss: { rights } } });
    await accept(project, ["jane@acme.permissions"], { build });
    patch(project, {
      permissions: { vss: { rights: { format_disks: true, manage_snapshots: true, manage_targets: true } } },
    });
    const refused = await accept(project, ["jane@acme"], { build, requireApproval: "broadening" }).catch(
      (error: unknown) => error,
    );
    expect((refused as ApprovalNeeded).detail).toBe(
      [
        "not approved: { user: jane@acme, permission: vss.format_disks, until: never }",
        "not approved: { user: jane@acme, permissions: [vss.manage_targets, vss.manage_snapshots], until: never }",
      ].join("\n"),
    );
  });

  test("asks without the lock, and looks again under it", async () => {
    const project = await raised();
    const pairs: Pair[] = [];
    const answered = await accept(project, ["jane@acme.level"], {
      requireApproval: "broadening",
      ask: (needs) => {
        pairs.push(...needs.flatMap((need) => need.pairs.map(({ pair }) => pair)));
        return Promise.resolve(undefined);
      },
    });
    expect(answered).toBeUndefined();
    expect(pairs).toEqual([{ user: "jane@acme", level: "5", until: "never" }]);
    expect(await rowsOf(project, acme())).toHaveLength(2);
    // What was approved meanwhile is not what is live by then.
    const late = accept(project, ["jane@acme.level"], {
      requireApproval: "broadening",
      ask: ([need]) => {
        patch(project, { level: 9 });
        const { stack = "", service = "" } = need ?? {};
        const until = new Date().toISOString().slice(0, 10);
        return Promise.resolve([{ stack, service, until, pairs }]);
      },
    });
    await expect(late).rejects.toThrow("1 change needs approval");
  });
});

test("a snapshot carries what is remembered, so that a plan from it lists the same", async () => {
  const project = await applied();
  patch(project, { level: 5 });
  const source = project.synthesize(acme());
  const file = join(project.folder, "prod.snapshot");
  const planned = async () => {
    await writeFile(file, await takeSnapshot([source], project.options()));
    return warningsOf(await project.plan(source, { fromSnapshot: { file } }));
  };
  expect(await planned()).toEqual(["level 0 -> 5"]);
  patch(project, { level: 0 });
  expect(await planned()).toEqual([]);
});
