/** Objects that were imported: recorded by the apply, managed from then on, and deleted or let go when they leave the code. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TerraformStack } from "cdktf";
import { Deletion, Permissions, Release, Tenant } from "tenancy";
import { drift, takeSnapshot } from "../../src/engine";
import { approvalNeeds, type Plan } from "../../src/plan";
import { planView } from "../../src/render/view";
import { viewText } from "../../src/render/text";
import { plain } from "../../src/render/text/paint";
import { broadeningIn } from "../support/pairs";
import { alteredService } from "../support/altered-service";
import {
  actions,
  type Build,
  codes,
  failures,
  findings,
  type Project,
  projects,
  tenant,
  together,
  writes,
} from "../support/projects";

const start = projects();
const none = Permissions.none();

/** A tenant of ours with users, of whom some are imported. */
const acme =
  (users: readonly string[], importedUsers: readonly string[] = [], id?: string): Build =>
  (stack) => {
    const one = new Tenant(stack, "acme", {
      name: "acme",
      permissions: none,
      users: Object.fromEntries(users.map((user) => [user, { permissions: none }])),
    });
    importedUsers.forEach((user) => one.user(user).importFrom(id));
  };

/** A project whose tenant has a user `jane` that was made by hand, and that an apply has imported. */
async function withImportedJane(): Promise<Project> {
  const project = await start();
  await project.apply(acme(["joe"]));
  project.service.records.createProfile("acme", { username: "jane" });
  await project.apply(acme(["joe", "jane"], ["jane"]));
  return project;
}

const pairsOf = (plan: Plan) => broadeningIn(approvalNeeds(plan));
const textOf = (plan: Plan, all = false) => viewText(planView(plan, { all }), plain);
const retainedReasons = ({ retained }: Plan) => retained.map(({ key, reason }) => `${key}: ${reason}`);
const withoutJane = acme(["joe"]);
const janeIn = ({ service }: Project) => service.records.profile("jane@acme");

/** Alters the state's record of jane. */
async function alterRecord(project: Project, alter: (entry: Record<string, unknown>) => void): Promise<void> {
  const state = JSON.parse(await readFile(project.state, "utf8")) as {
    parts: { objects: { objects: Record<string, Record<string, unknown>> } }[];
  };
  const entry = state.parts[0]?.objects.objects["user_profile:jane@acme"];
  if (entry === undefined) throw new Error("the state does not remember jane");
  alter(entry);
  await writeFile(project.state, JSON.stringify(state));
}

describe("an import", () => {
  test("is listed, counted and approved once: until an apply has recorded it, also where nothing is sent", async () => {
    const project = await start();
    await project.apply(acme(["joe"]));
    const { id } = project.service.records.createProfile("acme", { username: "jane" });
    const declared = acme(["joe", "jane"], ["jane"]);
    const first = await project.apply(declared);
    expect(pairsOf(first.plan)).toEqual([`import: jane@acme, id: ${id}, permissions: [], until: never`]);
    expect(first.plan.summary.imported).toBe(1);

    const second = await project.plan(declared);
    expect(pairsOf(second)).toEqual([]);
    expect(second.summary.imported).toBe(0);
    expect(textOf(second)).not.toContain("jane@acme");
    expect(textOf(second, true)).toContain("recorded, you can remove the import block");
  });

  test("may leave the code once it is recorded, and is recovered where the state is lost", async () => {
    const project = await withImportedJane();
    const withoutLine = acme(["joe", "jane"]);
    const plan = await project.plan(withoutLine);
    expect(actions(plan)).toEqual([]);
    expect(pairsOf(plan)).toEqual([]);

    await rm(project.state);
    const [finding] = await findings(project.plan(withoutLine));
    expect(finding?.code).toBe("TENANCY_UNMANAGED");
    expect(finding?.advice).toContain("tenancy recover");
    await project.apply(withoutLine, { recover: true });
    expect(actions(await project.plan(withoutLine))).toEqual([]);
  });

  test("of a user who was renamed outside is an error, and nobody is created in the user's place", async () => {
    const project = await withImportedJane();
    project.service.records.patchProfile("jane@acme", { login: "janet@acme" } as never);
    const [finding] = await findings(project.plan(acme(["joe", "jane"])));
    expect(finding?.code).toBe("TENANCY_RENAMED_OUTSIDE");
  });
});

describe("an imported user who is gone", () => {
  const declared = acme(["joe", "jane"], ["jane"]);

  test("is created again, whether or not the import line is still there, and drift says so before", async () => {
    for (const build of [declared, acme(["joe", "jane"])]) {
      const project = await withImportedJane();
      project.service.records.deleteProfile("jane@acme");
      const { drift: rows } = await drift(project.synthesize(build), project.options());
      expect(rows).toMatchObject([{ kind: "deleted", title: "jane@acme", undone: true }]);
      const { plan } = await project.apply(build);
      expect(actions(plan)).toEqual(["create tenancy_user_profile.acme_jane"]);
      expect(textOf(plan)).toContain("deleted outside since the last apply");
      expect(actions(await project.plan(build))).toEqual([]);
    }
  });

  test.each(["imported", "created"])(
    "is created again with the %s account, which is gone, too",
    async (how) => {
      const project = await start();
      const { records } = project.service;
      if (how === "imported") records.createAccount({ name: "acme" });
      else await project.apply(acme([]));
      records.createProfile("acme", { username: "jane" });
      const build: Build = (stack) => {
        const users = { jane: { permissions: none } };
        new Tenant(stack, "acme", { name: "acme", permissions: none, users }).importFrom({ users: true });
      };
      await project.apply(build);
      records.deleteAccount("acme");
      const created = ["create tenancy_account.acme", "create tenancy_user_profile.acme_jane"];
      const file = join(project.folder, "live.json");
      await writeFile(file, await takeSnapshot([project.synthesize(build)], project.options()));
      expect(actions(await project.plan(build, { fromSnapshot: { file } }))).toEqual(created);
      const { plan, result } = await project.run(build);
      expect([actions(plan), plan.refused, result.ok]).toEqual([created, undefined, true]);
    },
  );

  test("comes back with the revert of the merge that deleted the user", async () => {
    const project = await withImportedJane();
    await project.apply(withoutJane);
    const { plan } = await project.apply(declared);
    expect(actions(plan)).toEqual(["create tenancy_user_profile.acme_jane"]);
    expect(actions(await project.plan(declared))).toEqual([]);
  });

  test("is not created again while the record may exist: the service still answers for its id", async () => {
    const project = await withImportedJane();
    const { id } = janeIn(project);
    const withoutListed = (body: unknown) => (body as { id: string }[]).filter((one) => one.id !== id);
    project.service.fail({ method: "GET", path: /^\/api\/user-profile$/, alter: withoutListed, times: 9 });
    const { result, requests } = await project.run(declared);
    expect(codes(failures(result))).toEqual(["TENANCY_NOT_VERIFIED"]);
    expect(writes(requests)).toEqual([]);
  });

  test("is no reason to take another user who has the name by now: only an import line with the id takes that one", async () => {
    const project = await withImportedJane();
    project.service.records.deleteProfile("jane@acme");
    const { id } = project.service.records.createProfile("acme", { username: "jane" });
    const [finding] = await findings(project.plan(declared));
    expect([finding?.code, finding?.detail]).toEqual([
      "TENANCY_UNMANAGED",
      `It has replaced the object that was managed under this name (id ${id}).`,
    ]);
    expect(finding?.advice).toContain(`importFrom("${id}")`);
    await project.apply(acme(["joe", "jane"], ["jane"], id));
    expect(actions(await project.plan(declared))).toEqual([]);
  });
});

test("an imported account that was made again by hand is refused with its users, and none of them is taken", async () => {
  const project = await start();
  const byHand = () => {
    project.service.records.createAccount({ name: "acme" });
    project.service.records.createProfile("acme", { username: "jane" });
  };
  byHand();
  const declared = together(tenant("globex"), (stack) => {
    const users = { jane: { permissions: none }, joe: { permissions: none } };
    const one = new Tenant(stack, "acme", { name: "acme", permissions: none, users });
    one.importFrom();
    one.user("jane").importFrom();
  });
  await project.apply(declared);
  project.service.records.deleteAccount("acme");
  byHand();
  project.service.records.createProfile("acme", { username: "joe" });
  const { plan, requests } = await project.run(declared);
  expect(codes(plan.refused ?? [])).toEqual(["TENANCY_UNMANAGED", "TENANCY_UNMANAGED", "TENANCY_UNMANAGED"]);
  expect(writes(requests)).toEqual([]);
});

describe("a user who is refused alone", () => {
  const never = acme(["joe", "jim", "eve"], ["eve"]);

  test("as an import line names nobody: the others are created, changed and deleted, and the run fails", async () => {
    const project = await start();
    await project.apply(acme(["joe", "ann"]));
    const { plan, result } = await project.run(never);
    expect(codes(plan.refused ?? [])).toEqual(["TENANCY_NO_SUCH_OBJECT"]);
    expect(actions(plan)).toEqual([
      "create tenancy_user_profile.acme_jim",
      'delete tenancy_user_profile.undeclared["ann@acme"]',
    ]);
    expect([result.ok, result.failed, codes(result.diagnostics)]).toEqual([
      false,
      [],
      ["TENANCY_NO_SUCH_OBJECT"],
    ]);
    expect(textOf(plan)).toContain("To create the object, remove its import line.");
    await project.apply(acme(["joe", "jim", "eve"]));
    expect(actions(await project.plan(acme(["joe", "jim", "eve"])))).toEqual([]);
  });

  test("keeps the tokens, and no account is deleted in such a run", async () => {
    const project = await start();
    const withTokens = (stack: TerraformStack) =>
      void new Tenant(stack, "acme", {
        ...{ name: "acme", permissions: none, users: { joe: {} } },
        tokens: { prod: { user: "joe", loginWith: "temporary_password" } },
      });
    await project.apply(together(withTokens, tenant("globex", ["ann"])), { initState: true });
    project.service.records.patchProfile("joe@acme", { login: "jo@acme", username: "jo" } as never);
    const { plan } = await project.run(acme(["joe"]), { allowAccountDeletion: true });
    expect(codes(plan.refused ?? [])).toEqual(["TENANCY_RENAMED_OUTSIDE"]);
    expect(actions(plan)).toEqual(['delete tenancy_user_profile.undeclared["ann@globex"]']);
    expect(codes((await project.run(withTokens)).plan.refused ?? [])).toEqual(["TENANCY_RENAMED_OUTSIDE"]);
    expect(project.service.records.profile("jo@acme")).toBeDefined();
  });
});

describe("a user whom the service shows under another name", () => {
  const declared = acme(["joe", "jane"]);
  const renamed = acme(["joe", "janet"]);

  const created = async (): Promise<Project> => {
    const project = await start();
    await project.apply(declared);
    return project;
  };

  test.each([
    ["created", created],
    ["imported", withImportedJane],
  ])("is refused alone, be the user renamed after being %s, and both remedies work", async (_how, make) => {
    for (const isGivenBack of [true, false]) {
      const project = await make();
      const { records } = project.service;
      records.patchProfile("jane@acme", { login: "janet@acme", username: "janet" } as never);
      const { plan } = await project.run(acme(["joe", "jane", "jim"]));
      expect(actions(plan)).toEqual(["create tenancy_user_profile.acme_jim"]);
      const [finding] = await findings(project.plan(declared));
      expect(finding).toMatchObject({
        code: "TENANCY_RENAMED_OUTSIDE",
        advice: 'Rename it to "jane@acme" at the service, or declare it under the name "janet@acme".',
      });
      if (isGivenBack) records.patchProfile("janet@acme", { login: "jane@acme", username: "jane" } as never);
      const build = isGivenBack ? declared : renamed;
      expect(actions((await project.apply(build)).plan)).toEqual([
        'delete tenancy_user_profile.undeclared["jim@acme"]',
      ]);
      const again = await project.plan(build);
      expect([actions(again), again.retained, again.refused]).toEqual([[], [], undefined]);
      expect((await drift(project.synthesize(build), project.options())).drift).toEqual([]);
      expect(actions((await project.apply(withoutJane)).plan)).toHaveLength(1);
    }
  });

  test("by folding case at the creation is managed at once under the name that it shows", async () => {
    const project = await start();
    const folded = (body: unknown): unknown =>
      body === undefined ? body : JSON.parse(JSON.stringify(body).replaceAll(/\bJane\b/g, "jane"));
    const url = await alteredService(project.service.baseUrl, (_request, answer) => ({
      ...answer,
      body: folded(answer.body),
    }));
    const options = { environment: { TENANCY_BASE_URL: url } };
    await project.apply(acme(["joe", "Jane"]), options);
    const [finding] = await findings(project.plan(acme(["joe", "Jane"]), options));
    expect(finding?.advice).toContain('declare it under the name "jane@acme"');
    expect(actions((await project.apply(declared, options)).plan)).toEqual([]);
    expect(actions((await project.apply(withoutJane, options)).plan)).toHaveLength(1);
  });

  test("can be let go under that name", async () => {
    const project = await withImportedJane();
    project.service.records.patchProfile("jane@acme", { login: "janet@acme", username: "janet" } as never);
    const release: Build = (stack) => void new Release(stack, "jane", { login: "janet@acme" });
    const { plan } = await project.apply(together(withoutJane, release));
    expect(retainedReasons(plan)[0]).toContain("released");
    expect((await project.plan(withoutJane)).retained).toEqual([]);
  });

  test("leaves the former name to a new user", async () => {
    const project = await created();
    project.service.records.patchProfile("jane@acme", { login: "janet@acme", username: "janet" } as never);
    await project.apply(renamed);
    const both = acme(["joe", "jane", "janet"]);
    expect(actions((await project.apply(both)).plan)).toEqual(["create tenancy_user_profile.acme_jane"]);
    expect(actions(await project.plan(both))).toEqual([]);
  });

  test("is refused alone among the instances of one block", async () => {
    const project = await start();
    const build = together(acme(["joe"]), (stack) =>
      stack.addOverride("resource.tenancy_user_profile.many", {
        ...{ for_each: '${toset(["jane", "jim"])}', username: "${each.key}", permissions: {} },
        account_id: "${tenancy_account.acme.id}",
      }),
    );
    await project.apply(build);
    project.service.records.patchProfile("jane@acme", { login: "janet@acme", username: "janet" } as never);
    expect(codes((await project.plan(build)).refused ?? [])).toEqual(["TENANCY_RENAMED_OUTSIDE"]);
  });

  test("and who left the code is retained, and drift lists what the user may do until a Deletion with the id", async () => {
    const project = await created();
    const { records } = project.service;
    const { id } = janeIn(project);
    records.patchProfile("jane@acme", { login: "janet@acme", username: "janet" } as never);
    for (let run = 0; run < 2; run++) {
      const { plan } = await project.apply(withoutJane);
      expect(actions(plan)).toEqual([]);
      expect(retainedReasons(plan)[0]).toContain('not deleted: its name is "janet@acme" now');
      const { drift: rows } = await drift(project.synthesize(withoutJane), project.options());
      expect(rows.map(({ title, remark }) => `${title}: ${remark}`)).toEqual([
        'janet@acme: no longer declared, and has 0 permissions; apply does not delete it: its name is "janet@acme" now',
      ]);
    }
    const deletion: Build = (stack) => void new Deletion(stack, "jane", { login: "janet@acme", id });
    await project.apply(together(withoutJane, deletion));
    expect((await drift(project.synthesize(withoutJane), project.options())).drift).toEqual([]);
  });
});

describe("a user who has got the name of another managed user", () => {
  const created = async (): Promise<Project> => {
    const project = await start();
    await project.apply(acme(["joe", "jane"]));
    return project;
  };
  const byHand = async (): Promise<Project> => {
    const project = await start();
    await project.apply(acme([]));
    for (const username of ["joe", "jane"]) project.service.records.createProfile("acme", { username });
    await project.apply(acme(["joe", "jane"], ["joe", "jane"]));
    return project;
  };
  const rename = ({ service }: Project, from: string, to: string) =>
    service.records.patchProfile(`${from}@acme`, { login: `${to}@acme`, username: to } as never);
  const declared: Build = (stack) =>
    void new Tenant(stack, "acme", {
      ...{ name: "acme", permissions: none },
      users: { joe: { permissions: none }, jane: { permissions: Permissions.accountAdmin() } },
    });

  test.each<readonly [string, () => Promise<Project>, (project: Project) => void]>([
    ["and whom she left it to by being renamed", byHand, (project) => void rename(project, "jane", "janet")],
    ["who is deleted", created, ({ service }) => void service.records.deleteProfile("jane@acme")],
    [
      "who was imported and is deleted",
      byHand,
      ({ service }) => void service.records.deleteProfile("jane@acme"),
    ],
  ])("%s does not get that user's access", async (_what, make, leave) => {
    const project = await make();
    leave(project);
    rename(project, "joe", "jane");
    const { plan, requests } = await project.run(declared);
    expect(codes(plan.refused ?? []).toSorted()).toEqual(["TENANCY_RENAMED_OUTSIDE", "TENANCY_UNMANAGED"]);
    expect(writes(requests)).toEqual([]);
  });

  test("by an exchange of both names is refused with the other one, until import lines with the ids say who is meant", async () => {
    const project = await byHand();
    const { records } = project.service;
    const [jane, joe] = ["jane", "joe"].map((user) => records.profile(`${user}@acme`).id);
    for (const [from = "", to = ""] of [
      ["jane", "tmp"],
      ["joe", "jane"],
      ["tmp", "joe"],
    ])
      rename(project, from, to);
    const { plan, requests } = await project.run(declared);
    expect(codes(plan.refused ?? [])).toEqual(["TENANCY_UNMANAGED", "TENANCY_UNMANAGED"]);
    expect(writes(requests)).toEqual([]);
    expect(actions(await project.plan(acme([])))).toEqual([]);
    await project.apply((stack) => {
      const one = new Tenant(stack, "acme", { name: "acme", permissions: none });
      one.addUser("jane", { permissions: none }).importFrom(joe);
      one.addUser("joe", { permissions: none }).importFrom(jane);
    });
    expect(actions((await project.apply(acme([]))).plan)).toHaveLength(2);
  });
});

describe("an imported user who is no longer declared", () => {
  test("is deleted, and the delete needs no approval", async () => {
    const project = await withImportedJane();
    const { plan } = await project.apply(withoutJane);
    expect(actions(plan)).toEqual(['delete tenancy_user_profile.undeclared["jane@acme"]']);
    expect(approvalNeeds(plan)).toEqual([]);
    expect(textOf(plan)).toContain("no longer declared");
    expect(actions(await project.plan(withoutJane))).toEqual([]);
  });

  test("stays with an account that stays", async () => {
    const project = await withImportedJane();
    const plan = await project.plan(tenant("globex"));
    expect(actions(plan)).toEqual(["create tenancy_account.globex"]);
    expect(plan.retained.map(({ key }) => key)).toEqual(["acme"]);
  });

  test.each([
    ["id", "user_profile:1:99", "its id is user_profile:1:4, not user_profile:1:99"],
    ["ctime", 1, "it was created at another time"],
    ["account_id", "account:1:99", "it belongs to the account account:1:2 now"],
  ])("is listed and not deleted where the record's %s is another one", async (member, value, doubt) => {
    const project = await withImportedJane();
    const { id } = janeIn(project);
    await alterRecord(project, (entry) => {
      entry["record"] = { ...(entry["record"] as object), [member]: value };
    });
    const plan = await project.plan(withoutJane);
    expect(actions(plan)).toEqual([]);
    expect(retainedReasons(plan)).toEqual([
      `jane@acme: no longer declared, not deleted: ${doubt}; new Deletion(…, { login: "jane@acme", id: "${id}" }) deletes it`,
    ]);
    expect(plan.summary.retained).toBe(1);
    const deletion: Build = (stack) => void new Deletion(stack, "jane", { login: "jane@acme", id });
    expect(actions(await project.plan(together(withoutJane, deletion)))).toHaveLength(1);
  });

  test("is not deleted under another name, and nor is another user who has got the name since", async () => {
    const project = await withImportedJane();
    const { records } = project.service;
    records.patchProfile("jane@acme", { login: "janet@acme" } as never);
    const renamed = await project.plan(withoutJane);
    expect(actions(renamed)).toEqual([]);
    expect(retainedReasons(renamed)[0]).toContain('its name is "janet@acme" now');

    records.deleteProfile("janet@acme");
    records.createProfile("acme", { username: "jane" });
    const other = await project.plan(withoutJane);
    expect(actions(other)).toEqual([]);
    expect(other.retained).toEqual([]);
    expect(other.unmanagedUsers.map(({ key }) => key)).toEqual(["jane@acme"]);
  });

  test("is not deleted where the state is lost: then it is unmanaged", async () => {
    const project = await withImportedJane();
    await rm(project.state);
    const plan = await project.plan(withoutJane);
    expect(actions(plan)).toEqual([]);
    expect(plan.refused?.map(({ code }) => code)).toContain("TENANCY_UNMANAGED");
  });

  test("is deleted by destroy, and one whom the state has not recorded is not", async () => {
    const project = await withImportedJane();
    const plan = await project.plan(acme(["joe", "jane"], ["jane"]), {
      destroy: true,
      only: ["tenancy_user_profile.acme_jane"],
    });
    expect(actions(plan)).toEqual(["delete tenancy_user_profile.acme_jane"]);
  });

  test("is created with a new uuid where the import line is gone, too, and is deleted as a created one", async () => {
    const project = await withImportedJane();
    await project.apply(withoutJane);
    await project.apply(acme(["joe", "jane"]));
    const { plan } = await project.apply(withoutJane);
    expect(pairsOf(plan)).toEqual([]);
    expect(actions(plan)).toHaveLength(1);
  });
});

describe("Release", () => {
  const released = together(withoutJane, (stack) => void new Release(stack, "jane", { login: "jane@acme" }));

  test("keeps an imported user, the line may go then, and a revert manages the user again", async () => {
    const project = await withImportedJane();
    const { plan } = await project.apply(released);
    expect(actions(plan)).toEqual([]);
    expect(retainedReasons(plan)).toEqual([
      "jane@acme: released: it still exists, but Tenancy no longer manages it",
    ]);

    const again = await project.plan(released);
    expect(again.retained).toEqual([]);
    expect(again.warnings.map(({ code }) => code)).toEqual(["TENANCY_REMOVAL_DONE"]);
    const without = await project.plan(withoutJane);
    expect(actions(without)).toEqual([]);
    expect(without.unmanagedUsers.map(({ key }) => key)).toEqual(["jane@acme"]);

    const reverted = await project.apply(acme(["joe", "jane"]));
    expect([actions(reverted.plan), pairsOf(reverted.plan)]).toEqual([[], []]);
    expect(actions((await project.apply(withoutJane)).plan)).toHaveLength(1);
  });

  test("keeps a user whom an apply has created, too", async () => {
    const project = await start();
    await project.apply(acme(["joe", "jane"]));
    expect(actions((await project.apply(released)).plan)).toEqual([]);
    expect(actions(await project.plan(withoutJane))).toEqual([]);
  });

  test("of a user who is declared is an error", async () => {
    const project = await withImportedJane();
    const release: Build = (stack) => void new Release(stack, "jane", { login: "jane@acme" });
    const declared = together(acme(["joe", "jane"], ["jane"]), release);
    expect((await findings(project.plan(declared))).map(({ code }) => code)).toEqual([
      "TENANCY_REMOVED_AND_DECLARED",
    ]);
  });
});

test("drift says of an imported user who left the code that apply deletes it, or lets it go", async () => {
  const project = await withImportedJane();
  const report = (build: Build) => drift(project.synthesize(build), project.options());
  expect((await report(acme(["joe", "jane"]))).drift).toEqual([]);
  expect((await report(withoutJane)).drift).toMatchObject([
    { kind: "declared", title: "jane@acme", remark: "no longer declared; apply deletes it" },
  ]);
  const released = together(withoutJane, (stack) => void new Release(stack, "jane", { login: "jane@acme" }));
  expect((await report(released)).drift).toMatchObject([
    { kind: "declared", title: "jane@acme", remark: "it is declared to be released" },
  ]);
});
