/** What became of objects since the last apply: covers src/engine/drift/differences.ts and src/plan/plan.ts, besides its own source. */
import { renameSync, writeFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { Account, Permissions, Deletion, TenancyProvider, Tenant, UserProfile } from "tenancy";
import { TerraformStack, TerraformVariable } from "cdktf";
import { openState } from "../../../src/state";
import { drift, type DriftOptions, type DriftReport } from "../../../src/engine";
import { jsonDrift } from "../../../src/render/json";
import { markdown } from "../../../src/render/markdown";
import { paint, viewText } from "../../../src/render/text";
import { driftView } from "../../../src/render/view";
import { formatPath } from "../../../src/lib/values";
import { type Build, type Project, projects } from "../../support/projects";

const start = projects();

interface Facts {
  readonly email?: string;
  readonly jane?: boolean;
  readonly bob?: boolean;
  readonly rights?: Permissions;
  readonly vssNum?: number;
  readonly quarter?: string;
  readonly token?: boolean;
}

const operator = Permissions.operator();

const acme =
  ({
    email = "jane@acme.example",
    jane = true,
    bob = false,
    rights = operator,
    vssNum = 3,
    quarter = "Q1",
    token = true,
  }: Facts = {}): Build =>
  (stack) => {
    new Tenant(stack, "acme", {
      name: "acme",
      limits: { vssNum },
      permissions: Permissions.observer(),
      users: {
        csi: { permissions: Permissions.none() },
        ...(jane && { jane: { email, permissions: rights } }),
        ...(bob && { bob: { permissions: Permissions.none() } }),
      },
      ...(token && {
        tokens: { prod: { user: "csi", loginWith: "temporary_password", keepers: { quarter } } },
      }),
    });
  };

const look = (project: Project, build: Build = acme(), options: DriftOptions = {}): Promise<DriftReport> =>
  drift(project.synthesize(build), { ...project.options(), ...options });

/** `changed jane@acme email`, a line for each difference. */
const lines = ({ drift: found }: Pick<DriftReport, "drift">): readonly string[] =>
  found.map(({ kind, title, path }) =>
    [kind, title, formatPath(path)].filter((part) => part !== "").join(" "),
  );

const applied = async (build: Build = acme()): Promise<Project> => {
  const project = await start();
  await project.apply(build);
  return project;
};

test("live, declared and last applied agree right after the apply", async () => {
  const project = await applied();
  const report = await look(project);
  expect(lines(report)).toEqual([]);
  expect(report).toMatchObject({ status: "none", unremembered: 0, tokens: { checked: 1, refused: 0 } });
});

test("looking sends nothing but GET and log-in, and writes no state", async () => {
  const project = await applied();
  project.service.records.patchProfile("jane@acme", { email: "eve@evil.example" });
  const before = await readFile(project.state, "utf8");
  project.service.clearRequests();
  await look(project, acme({ bob: true }));
  const sent = project.service.requests.filter(({ method }) => method !== "GET");
  expect(sent.map(({ path }) => path)).toEqual(["/api/oauth2/token"]);
  expect(await readFile(project.state, "utf8")).toBe(before);
});

describe("somebody outside", () => {
  test("changed a declared value: the row says from what to what, and that apply would undo it", async () => {
    const project = await applied();
    project.service.records.patchProfile("jane@acme", { email: "eve@evil.example" });
    const report = await look(project);
    expect(report.status).toBe("outside");
    expect(report.drift).toMatchObject([
      {
        kind: "changed",
        address: "tenancy_user_profile.acme_jane",
        title: "jane@acme",
        path: ["email"],
        from: "jane@acme.example",
        to: "eve@evil.example",
        undone: true,
      },
    ]);
  });

  test("changed what is not declared: apply would not undo it, and the earlier value is told", async () => {
    const project = await applied();
    project.service.records.patchProfile("jane@acme", { sms_notify: true, level: 7 });
    const report = await look(project);
    expect(lines(report)).toEqual(["changed jane@acme sms_notify", "privilege jane@acme level"]);
    expect(report.drift[0]).toMatchObject({ from: false, to: true, undone: false });
  });

  test("granted and denied rights, which are told one by one", async () => {
    const project = await applied();
    project.service.records.patchProfile("jane@acme", {
      permissions: { vss: { rights: { format_disks: true, manage_snapshots: false } } },
    });
    const report = await look(project);
    expect(new Set(lines(report))).toEqual(
      new Set([
        'changed jane@acme permissions["vss.format_disks"]',
        'changed jane@acme permissions["vss.manage_snapshots"]',
      ]),
    );
    expect(report.drift.every(({ undone }) => undone)).toBe(true);
  });

  test("brought a value to what is declared now: it is drift all the same, and nothing is to be undone", async () => {
    const project = await applied();
    project.service.records.patchAccount("acme", { limits: { vss_num: 9 } });
    const report = await look(project, acme({ vssNum: 9 }));
    expect(report.drift).toMatchObject([
      { kind: "changed", path: ["limits_vss_num"], from: 3, to: 9, undone: false },
      {
        kind: "declared",
        path: [],
        remark:
          "its declaration has changed, but no value at the service changes; the next full apply records it",
      },
    ]);
    expect(report.status).toBe("outside");
  });

  test("changed a value that is declared otherwise by now: no row says that apply has nothing to send", async () => {
    const project = await applied();
    project.service.records.patchAccount("acme", { limits: { vss_num: 9 } });
    const report = await look(project, acme({ vssNum: 5 }));
    expect(report.drift).toMatchObject([
      { kind: "changed", path: ["limits_vss_num"], to: 9, undone: true },
      { kind: "declared", path: [], remark: "its declaration has changed, too" },
    ]);
  });

  test("deleted a user, whom apply would make again", async () => {
    const project = await applied();
    project.service.records.deleteProfile("jane@acme");
    const report = await look(project);
    expect(report.drift).toMatchObject([{ kind: "deleted", title: "jane@acme", undone: true, live: null }]);
  });

  test("deleted a tenant with all that was in it", async () => {
    const project = await applied();
    project.service.records.deleteAccount("acme");
    const report = await look(project);
    expect(new Set(lines(report))).toEqual(
      new Set(["deleted acme", "deleted csi@acme", "deleted jane@acme", "deleted csi@acme/prod"]),
    );
  });

  test("deleted what is meanwhile no longer declared", async () => {
    const project = await applied();
    project.service.records.deleteProfile("jane@acme");
    const report = await look(project, acme({ jane: false }));
    expect(report.drift).toMatchObject([
      { kind: "deleted", address: 'tenancy_user_profile.undeclared["jane@acme"]', undone: false },
    ]);
  });

  test("made nothing, where a destroy has left a tenant that is retained", async () => {
    const tenants =
      (...names: readonly string[]): Build =>
      (stack) =>
        names.forEach(
          (name) => new Account(stack, name, { name, permissions: {}, deletionProtection: false }),
        );
    const project = await applied(tenants("acme", "globex"));
    await project.apply(tenants("acme"));
    const { plan } = await project.apply(tenants("acme"), { destroy: true, allowAccountDeletion: ["acme"] });
    expect(plan.retained.map(({ key }) => key)).toEqual(["globex"]);
    const report = await look(project, tenants("acme"));
    expect(report.drift.filter(({ title }) => title === "globex")).toEqual([]);
    expect(report.status).toBe("declared");
  });

  test("made a user again whom an apply has deleted", async () => {
    const project = await applied(acme({ bob: true }));
    const { uuid } = project.service.records.profile("bob@acme");
    await project.apply(acme());
    expect(lines(await look(project))).toEqual([]);
    project.service.records.createProfile("acme", { username: "bob", uuid });
    expect((await look(project)).drift).toMatchObject([
      { kind: "unmanaged", address: 'tenancy_user_profile.undeclared["bob@acme"]', undone: false },
    ]);
    expect((await look(project, acme({ bob: true }))).drift).toMatchObject([
      { kind: "created", address: "tenancy_user_profile.acme_bob", undone: false },
    ]);
  });

  test("renamed a tenant", async () => {
    const project = await applied((stack) => {
      new Account(stack, "acme", { name: "acme", permissions: {} });
    });
    const alter = (list: unknown) =>
      (list as readonly { readonly name: string }[]).map((one) =>
        one.name === "acme" ? { ...one, name: "emca" } : one,
      );
    project.service.fail({ path: "/api/account", times: 9, alter });
    const report = await look(project, (stack) => {
      new Account(stack, "acme", { name: "acme", permissions: {} });
    });
    expect(report.drift).toMatchObject([
      { kind: "renamed", address: "tenancy_account.acme", from: "acme", to: "emca", undone: false },
    ]);
  });

  test("put a user of their own in the place of ours", async () => {
    const project = await applied();
    project.service.records.deleteProfile("jane@acme");
    project.service.records.createProfile("acme", { username: "jane" });
    const report = await look(project);
    expect(report.drift).toMatchObject([{ kind: "replaced", title: "jane@acme", undone: false }]);
  });

  test("revoked a token, which apply would create anew", async () => {
    const project = await applied();
    const [token] = project.service.records.authorizations;
    project.service.records.revokeToken(token?.id ?? "");
    const report = await look(project);
    expect(report.drift).toMatchObject([{ kind: "deleted", title: "csi@acme/prod", undone: true }]);
    expect(report.tokens).toMatchObject({ checked: 1, refused: 1 });
  });

  test("made a user in an account of ours: that is drift", async () => {
    const project = await applied();
    const { records } = project.service;
    const { permissions } = records.profile("jane@acme");
    records.createProfile("acme", { username: "eve", permissions });
    const report = await look(project);
    expect(lines(report)).toEqual(["unmanaged eve@acme"]);
    expect(report.status).toBe("outside");
    const text = viewText(driftView(report), paint(false));
    expect(text).toMatch(/Unmanaged\n(.*\n)*.*eve@acme .*no stack declares this user/);
    expect(text).toContain("1 unmanaged.");
  });

  test("made a user who may be expected: a pattern with its reason leaves the user out", async () => {
    const project = await applied();
    project.service.records.createProfile("acme", { username: "eve" });
    const ignore = [
      { pattern: "eve@acme", reason: "account for emergencies" },
      { pattern: "nobody@acme", reason: "only in another stack" },
    ];
    const report = await look(project, acme(), { ignore });
    expect(report).toMatchObject({ status: "none", drift: [], warnings: [] });
    expect(report.ignored).toMatchObject([
      { kind: "unmanaged", remark: expect.stringContaining("ignored: account for emergencies") as string },
    ]);
  });

  test("made a user whom another stack of the project declares: that is no drift", async () => {
    const project = await applied();
    project.service.records.createProfile("acme", { username: "eve" });
    const source = project.synthesizeApp((app) => {
      const stacks = { prod: "acme-platform", more: "acme-more" };
      for (const [name, owner] of Object.entries(stacks)) {
        const stack = new TerraformStack(app, name);
        new TenancyProvider(stack, "service", { owner });
        if (name === "prod") acme()(stack);
        else {
          const eve = new UserProfile(stack, "eve", {
            username: "eve",
            accountId: project.service.records.account("acme").id,
          });
          stack.addOverride("import", [{ to: eve.fqn, id: "eve@acme" }]);
        }
      }
    });
    const report = await drift(source, project.options());
    expect(report).toMatchObject({ status: "none", drift: [], unmanagedUsers: [] });
    // Nor is the user unmanaged in a plan, while one whom no stack declares is.
    project.service.records.createProfile("acme", { username: "stranger" });
    const { unmanagedUsers } = await project.plan(source);
    expect(unmanagedUsers.map(({ key }) => key)).toEqual(["stranger@acme"]);
  });
});

describe("the declaration alone", () => {
  test.each([
    ["a new value", { email: "new@acme.example" }, ["declared jane@acme email"]],
    ["a new user", { bob: true }, ["declared bob@acme"]],
    ["a user that is gone from it", { jane: false }, ["declared jane@acme"]],
    ["a token to be rotated", { quarter: "Q2" }, ["declared csi@acme/prod keepers"]],
    ["a token to be revoked", { token: false }, ["declared csi@acme/prod"]],
    [
      "another right",
      { rights: operator.allow("vss.format_disks") },
      ['declared jane@acme permissions["vss.format_disks"]'],
    ],
  ] as const)("has %s: it is not applied yet", async (_what, facts, expected) => {
    const project = await applied();
    const report = await look(project, acme(facts));
    expect(lines(report)).toEqual(expected);
    expect(report.status).toBe("declared");
    await project.apply(acme(facts));
    expect(lines(await look(project, acme(facts)))).toEqual([]);
  });

  test("changed something that the service does not know of", async () => {
    const declared = (deletionProtection: boolean): Build => {
      return (stack) =>
        void new Account(stack, "acme", { name: "acme", permissions: {}, deletionProtection });
    };
    const project = await applied(declared(true));
    const report = await look(project, declared(false));
    expect(report.drift).toMatchObject([{ kind: "declared", path: [] }]);
    await project.apply(declared(false));
    expect(lines(await look(project, declared(false)))).toEqual([]);
  });

  test("does not count for rights that somebody outside changed besides", async () => {
    const project = await applied();
    project.service.records.patchProfile("jane@acme", {
      permissions: { vss: { rights: { format_disks: true } } },
    });
    const rights = operator.allow("account.provision_vss");
    expect(new Set(lines(await look(project, acme({ rights }))))).toEqual(
      new Set([
        'changed jane@acme permissions["vss.format_disks"]',
        'declared jane@acme permissions["account.provision_vss"]',
      ]),
    );
  });

  test("lets a tenant go, which the next apply retains: from then on nothing differs", async () => {
    const project = await applied();
    const nothing: Build = (stack) => {
      new Account(stack, "other", { name: "other", permissions: {} });
    };
    expect(lines(await look(project, nothing))).toContain("declared acme");
    await project.apply(nothing);
    expect(lines(await look(project, nothing))).toEqual([]);
    project.service.records.patchProfile("jane@acme", { level: 7 });
    expect(lines(await look(project, nothing))).toEqual(["changed jane@acme level"]);
  });

  test("says with new Deletion(…) that a tenant is to go", async () => {
    const project = await applied();
    const removed: Build = (stack) => {
      new Account(stack, "other", { name: "other", permissions: {} });
      new Deletion(stack, "gone", { account: "acme" });
    };
    const report = await look(project, removed);
    expect(report.status).toBe("declared");
    expect(lines(report)).toContain("declared acme");
  });

  test("does not say that a tenant is to go, where new Deletion(…) means an earlier one of its name", async () => {
    const project = await applied();
    const removed: Build = (stack) => {
      new Account(stack, "other", { name: "other", permissions: {} });
      new Deletion(stack, "gone", { account: "acme", id: "account:1:0" });
    };
    const { drift: found } = await look(project, removed);
    expect(found.find(({ title }) => title === "acme")?.remark).toBe("no longer declared; apply retains it");
  });
});

describe("an apply", () => {
  test("accepts what it leaves: the same drift is not told twice", async () => {
    const project = await applied();
    project.service.records.patchProfile("jane@acme", { sms_notify: true });
    expect(lines(await look(project))).toEqual(["changed jane@acme sms_notify"]);
    const { plan, requests } = await project.apply(acme());
    expect(plan.summary).toMatchObject({ update: 0, create: 0, delete: 0 });
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(lines(await look(project))).toEqual([]);
  });

  test("without anything to change or to accept leaves the state as it is, byte for byte", async () => {
    const project = await applied();
    const before = await readFile(project.state, "utf8");
    await project.apply(acme());
    expect(await readFile(project.state, "utf8")).toBe(before);
  });

  test("that failed half way remembers what it wrote, and what it was refused stays to be applied", async () => {
    const project = await applied();
    project.service.fail({ method: "PATCH", path: /profile/, status: 403 });
    const wanted = acme({ email: "new@acme.example", vssNum: 5 });
    const { result } = await project.run(wanted);
    expect(result.failed).toHaveLength(1);
    expect(lines(await look(project, wanted))).toEqual(["declared jane@acme email"]);
  });

  test("takes in what is imported", async () => {
    const project = await start();
    project.service.records.createAccount({ name: "acme" });
    const imported: Build = (stack) => {
      const account = new Account(stack, "acme", { name: "acme", permissions: {} });
      account.importFrom("acme");
    };
    await project.apply((stack) => void new Account(stack, "other", { name: "other", permissions: {} }));
    const both: Build = (stack) => {
      new Account(stack, "other", { name: "other", permissions: {} });
      imported(stack);
    };
    expect((await look(project, both)).status).toBe("declared");
    await project.apply(both);
    expect(lines(await look(project, both))).toEqual([]);
    project.service.records.patchAccount("acme", { limits: { vss_num: 1 } });
    expect(lines(await look(project, both))).toEqual(["changed acme limits_vss_num"]);
  });

  test("that was killed leaves differences unclassified, and no false accusation", async () => {
    const project = await applied();
    const before = await readFile(project.state, "utf8");
    const { events } = await project.run(acme({ email: "new@acme.example" }));
    expect(events).not.toEqual([]);
    // As the run had left the state before its first write.
    const killed = JSON.parse(before) as {
      parts: { objects: { objects: Record<string, { writing?: boolean }> } }[];
    };
    Object.assign(killed.parts[0]?.objects.objects["user_profile:jane@acme"] ?? {}, { writing: true });
    await writeFile(project.state, JSON.stringify(killed), { mode: 0o600 });
    expect(lines(await look(project, acme({ email: "new@acme.example" })))).toEqual([]);
    expect(lines(await look(project, acme({ email: "newer@acme.example" })))).toEqual([
      "unclassified jane@acme email",
    ]);
    await project.apply(acme({ email: "new@acme.example" }));
    expect(lines(await look(project, acme({ email: "newer@acme.example" })))).toEqual([
      "declared jane@acme email",
    ]);
  });
});

describe("without a objects", () => {
  const lost = async (): Promise<Project> => {
    const project = await applied(acme({ token: false }));
    await rm(project.state);
    return project;
  };

  test("each declared object that is live is unclassified, and counts as drift", async () => {
    const project = await lost();
    const report = await look(project, acme({ token: false, bob: true }));
    expect([...lines(report)].sort()).toEqual([
      "unclassified acme",
      "unclassified bob@acme",
      "unclassified csi@acme",
      "unclassified jane@acme",
    ]);
    expect(report.status).toBe("outside");
  });

  test("a recovery brings it back", async () => {
    const project = await lost();
    await project.apply(acme({ token: false }), { recover: true });
    project.service.records.patchProfile("jane@acme", { sms_notify: true });
    expect(lines(await look(project, acme({ token: false })))).toEqual(["changed jane@acme sms_notify"]);
  });
});

describe("ignoring", () => {
  test("keeps one difference quiet, and says so", async () => {
    const project = await applied();
    project.service.records.patchProfile("jane@acme", { level: 7, email: "eve@evil.example" });
    const report = await look(project, acme(), { ignore: ["tenancy_user_profile.acme_jane.level"] });
    expect(lines(report)).toEqual(["changed jane@acme email"]);
    expect(lines({ drift: report.ignored })).toEqual(["privilege jane@acme level"]);
  });

  test.each([
    ["jane@acme"],
    ["tenancy_user_profile.*"],
    ["*.permissions"],
    ["jane@acme.permissions.vss.format_disks"],
  ])("takes %s", async (pattern) => {
    const project = await applied();
    project.service.records.patchProfile("jane@acme", {
      permissions: { vss: { rights: { format_disks: true } } },
    });
    expect((await look(project, acme(), { ignore: [pattern] })).status).toBe("none");
  });

  test("of something that has not drifted earns a warning", async () => {
    const project = await applied();
    const { warnings } = await look(project, acme(), { ignore: ["tenancy_user_profile.acme_jnae"] });
    expect(warnings).toMatchObject([{ code: "TENANCY_IGNORES_NOTHING" }]);
  });
});

test("values of attributes under ignore_changes are drift that apply does not undo", async () => {
  const declared: Build = (stack) => {
    const account = new Account(stack, "acme", { name: "acme", permissions: {} });
    const jane = new UserProfile(stack, "jane", {
      username: "jane",
      accountId: account.id,
      email: "jane@acme.example",
      permissions: {},
    });
    jane.addOverride("lifecycle", { ignore_changes: ["email"] });
  };
  const project = await applied(declared);
  project.service.records.patchProfile("jane@acme", { email: "other@acme.example" });
  expect((await look(project, declared)).drift).toMatchObject([
    { kind: "changed", path: ["email"], undone: false },
  ]);
});

describe("a state that another run replaces while the service is read", () => {
  /** Another run saves as often as the users are listed. */
  const replacing = async (times: number): Promise<Project> => {
    const project = await applied();
    const kept = await readFile(project.state, "utf8");
    let runs = 0;
    project.service.fail({
      path: /^\/api\/user-profile(\?|$)/,
      times,
      // By then the state has been read.
      delay: 200,
      alter: (body) => {
        writeFileSync(`${project.state}.new`, `${kept}${" ".repeat(++runs)}`, { mode: 0o600 });
        renameSync(`${project.state}.new`, project.state);
        return body;
      },
    });
    return project;
  };

  test("is looked at again", async () => {
    const project = await replacing(1);
    project.service.clearRequests();
    expect(lines(await look(project))).toEqual([]);
    const lists = project.service.requests.filter(({ path }) => path.startsWith("/api/user-profile"));
    expect(lists).toHaveLength(2);
  });

  test("again and again is an error", async () => {
    const project = await replacing(100);
    await expect(look(project)).rejects.toMatchObject({ code: "TENANCY_STATE_LOCKED" });
  });
});

test("a run that is held up holds up nobody: drift looks while another process holds the state", async () => {
  const project = await applied();
  const other = openState({ path: project.state });
  await other.lock();
  try {
    expect(lines(await look(project))).toEqual([]);
  } finally {
    await other.unlock();
  }
});

test("while an apply runs, what it has written and not noted yet is nobody else's change", async () => {
  const project = await applied();
  const wanted = acme({ email: "new@acme.example", vssNum: 9 });
  project.service.fail({ method: "PATCH", path: /user-profile/, delay: 700 });
  const apply = project.run(wanted);
  const seen: string[] = [];
  let isOver = false;
  void apply.finally(() => (isOver = true));
  while (!isOver) seen.push(...lines(await look(project, wanted)));
  expect((await apply).result.ok).toBe(true);
  expect(seen.filter((line) => line.startsWith("changed"))).toEqual([]);
  expect(lines(await look(project, wanted))).toEqual([]);
});

describe("a credential that only reads", () => {
  test("is enough, and what it cannot prove to be absent is not verified: may exist", async () => {
    const project = await applied(acme({ token: false }));
    const { records } = project.service;
    records.createProfile("acme", {
      username: "auditor",
      password: "readonly",
      permissions: { user: { rights: { manage_users: false } } },
    });
    records.patchProfile("jane@acme", { level: 7 });
    records.deleteProfile("csi@acme");
    const environment = {
      ...project.environment,
      TENANCY_USERNAME: "auditor@acme",
      TENANCY_PASSWORD: "readonly",
    };
    const report = await look(project, acme({ token: false }), { environment });
    expect(report.targets[0]?.caller).toBe("auditor@acme");
    expect(lines(report)).toContain("privilege jane@acme level");
    expect(report.drift.filter(({ title }) => title === "csi@acme")).toMatchObject([
      { kind: "unclassified", remark: expect.stringContaining("not verified: may exist") as string },
    ]);
  });
});

describe("a password that was set to create a token, and that nobody took away", () => {
  const declared: Build = (stack) => {
    const secret = new TerraformVariable(stack, "password", { type: "string", sensitive: true });
    const account = new Account(stack, "acme", { name: "acme", permissions: {} });
    new UserProfile(stack, "jane", {
      username: "jane",
      accountId: account.id,
      permissions: {},
      passwordWo: secret.stringValue,
      passwordWoVersion: 1,
    });
  };

  async function replaced() {
    const project = await start();
    const environment = { ...project.environment, TF_VAR_password: "canary-one" };
    await project.apply(declared, { environment });
    expect(lines(await look(project, declared, { environment }))).toEqual([]);
    const { id } = project.service.records.profile("jane@acme");
    const state = JSON.parse(await readFile(project.state, "utf8")) as { parts: [object] };
    const left = { user_id: id, login: "jane@acme", set_at: "2026-01-02T03:04:05Z" };
    Object.assign(state.parts[0], { temporary_passwords: [left] });
    await writeFile(project.state, JSON.stringify(state));
    return look(project, declared, { environment });
  }

  test("is drift of the declared one, and in no output", async () => {
    const report = await replaced();
    expect(report.drift).toMatchObject([
      { kind: "changed", path: ["password_wo"], undone: true, to: undefined },
    ]);
    const view = driftView(report, { all: true });
    const shown = [
      JSON.stringify(jsonDrift(report)),
      viewText(view, paint(false)),
      markdown([view], { marker: "." }),
    ];
    expect(shown.join("\n")).not.toContain("canary");
    expect(shown[0]).toContain('"sensitive":true');
  });
});

test("a plan says of what it makes again that somebody deleted it", async () => {
  const project = await applied();
  project.service.records.deleteProfile("jane@acme");
  const { changes } = await project.plan(acme({ bob: true }));
  const notes = changes
    .filter(({ action }) => action === "create")
    .map(({ title, notes: some }) => [title, ...some]);
  expect(new Set(notes)).toEqual(
    new Set([["jane@acme", "deleted outside since the last apply"], ["bob@acme"]]),
  );
});
