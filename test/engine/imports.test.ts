/** Objects that were imported: recorded by the apply, managed from then on, and deleted or let go when they leave the code. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { type App, TerraformStack } from "cdktf";
import { Deletion, Permissions, Release, TenancyProvider, Tenant } from "tenancy";
import { drift } from "../../src/engine";
import { approvalNeeds, type Plan } from "../../src/plan";
import { planView } from "../../src/render/view";
import { viewText } from "../../src/render/text";
import { plain } from "../../src/render/text/paint";
import { actions, type Build, findings, type Project, projects, tenant, together } from "../support/projects";

const start = projects();
const none = Permissions.none();

/** A tenant of ours with users, of whom some are imported. */
const acme =
  (users: readonly string[], importedUsers: readonly string[] = []): Build =>
  (stack) => {
    const one = new Tenant(stack, "acme", {
      name: "acme",
      permissions: none,
      users: Object.fromEntries(users.map((user) => [user, { permissions: none }])),
    });
    importedUsers.forEach((user) => one.user(user).importFrom());
  };

/** A project whose tenant has a user `jane` that was made by hand, and that an apply has imported. */
async function withImportedJane(): Promise<Project> {
  const project = await start();
  await project.apply(acme(["joe"]));
  project.service.records.createProfile("acme", { username: "jane" });
  await project.apply(acme(["joe", "jane"], ["jane"]));
  return project;
}

const linesOf = (plan: Plan) =>
  approvalNeeds(plan).flatMap(({ lines }) =>
    lines.filter(({ broadening }) => broadening).map(({ line }) => line),
  );
const textOf = (plan: Plan, all = false) => viewText(planView(plan, { all }), plain);
const retainedReasons = ({ retained }: Plan) => retained.map(({ key, reason }) => `${key}: ${reason}`);
const withoutJane = acme(["joe"]);
const janeIn = ({ service }: Project) => service.records.profile("jane@acme");

/** Alters the store's record of jane. */
async function alterRecord(project: Project, alter: (entry: Record<string, unknown>) => void): Promise<void> {
  const store = JSON.parse(await readFile(project.store, "utf8")) as {
    parts: { memory: { objects: Record<string, Record<string, unknown>> } }[];
  };
  const entry = store.parts[0]?.memory.objects["user_profile:jane@acme"];
  if (entry === undefined) throw new Error("the store does not remember jane");
  alter(entry);
  await writeFile(project.store, JSON.stringify(store));
}

describe("an import", () => {
  test("is listed, counted and approved once: until an apply has recorded it, also where nothing is sent", async () => {
    const project = await start();
    await project.apply(acme(["joe"]));
    const { id } = project.service.records.createProfile("acme", { username: "jane" });
    const declared = acme(["joe", "jane"], ["jane"]);
    const first = await project.apply(declared);
    expect(linesOf(first.plan)).toEqual([`imports user jane@acme (${id})`]);
    expect(first.plan.summary.imported).toBe(1);

    const second = await project.plan(declared);
    expect(linesOf(second)).toEqual([]);
    expect(second.summary.imported).toBe(0);
    expect(textOf(second)).not.toContain("jane@acme");
    expect(textOf(second, true)).toContain("recorded, you can remove the import block");
  });

  test("may leave the code once it is recorded, and has to be put back where the store is lost", async () => {
    const project = await withImportedJane();
    const withoutLine = acme(["joe", "jane"]);
    const plan = await project.plan(withoutLine);
    expect(actions(plan)).toEqual([]);
    expect(linesOf(plan)).toEqual([]);

    await rm(project.store);
    const [finding] = await findings(project.plan(withoutLine));
    expect(finding?.code).toBe("TENANCY_UNMANAGED");
    expect(finding?.advice).toContain("add the line again");
    await project.apply(acme(["joe", "jane"], ["jane"]));
    expect(actions(await project.plan(withoutLine))).toEqual([]);
  });

  test("of a user who was renamed outside is an error, and nobody is created in the user's place", async () => {
    const project = await withImportedJane();
    project.service.records.patchProfile("jane@acme", { login: "janet@acme" } as never);
    const [finding] = await findings(project.plan(acme(["joe", "jane"])));
    expect(finding?.code).toBe("TENANCY_RENAMED_OUTSIDE");
  });
});

describe("an imported user who is no longer declared", () => {
  test("is deleted, with a line of its own that needs approval", async () => {
    const project = await withImportedJane();
    const { id } = janeIn(project);
    const { plan } = await project.apply(withoutJane);
    expect(actions(plan)).toEqual(['delete tenancy_user_profile.undeclared["jane@acme"]']);
    expect(linesOf(plan)).toEqual([`deletes imported jane@acme (${id})`]);
    expect(textOf(plan)).toContain("no longer declared · imported");
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
    ["serial", undefined, "the store has not recorded its serial number"],
    ["ctime", undefined, "the store has not recorded its time of creation"],
    ["account_id", "account:1:99", "it belongs to the account account:1:2 now"],
  ])(
    "is listed and not deleted where the record's %s is another one or missing",
    async (member, value, doubt) => {
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
    },
  );

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

  test("is not deleted where the store is lost: then it is unmanaged", async () => {
    const project = await withImportedJane();
    await rm(project.store);
    const plan = await project.plan(withoutJane);
    expect(actions(plan)).toEqual([]);
    expect(plan.unmanagedUsers.map(({ key }) => key)).toEqual(["jane@acme"]);
  });

  test("is deleted by destroy, and one whom the store has not recorded is not", async () => {
    const project = await withImportedJane();
    const plan = await project.plan(acme(["joe", "jane"], ["jane"]), {
      destroy: true,
      only: ["tenancy_user_profile.acme_jane"],
    });
    expect(actions(plan)).toEqual(["delete tenancy_user_profile.acme_jane"]);
  });

  test("is created anew under our own uuid, and recorded no longer", async () => {
    const project = await withImportedJane();
    await project.apply(withoutJane);
    await project.apply(acme(["joe", "jane"]));
    const { plan } = await project.apply(withoutJane);
    expect(linesOf(plan)).toEqual([]);
    expect(actions(plan)).toHaveLength(1);
  });
});

describe("two stacks of a project", () => {
  const stacks =
    (inFirst: readonly string[], inSecond: readonly string[]) =>
    (app: App): void => {
      const declare = (name: string, owner: string, users: readonly string[], build: Build) => {
        const stack = new TerraformStack(app, name);
        new TenancyProvider(stack, "service", { owner });
        build(stack);
        users.forEach((username) => {
          const { id } = { id: "${data.tenancy_account.acme.id}" };
          stack.addOverride("data.tenancy_account.acme", { name: "acme" });
          stack.addOverride(`resource.tenancy_user_profile.${username}`, {
            username,
            account_id: id,
            permissions: {},
          });
          stack.addOverride(`import`, [{ to: `tenancy_user_profile.${username}`, id: `${username}@acme` }]);
        });
      };
      declare("prod", "acme-platform", inFirst, tenant("globex"));
      declare("other", "acme-others", inSecond, tenant("initech"));
    };

  test("an imported user who moves to the other stack is not deleted, be it before that stack is applied or after", async () => {
    const project = await start();
    const { records } = project.service;
    records.createAccount({ name: "acme" });
    records.createProfile("acme", { username: "jane" });
    await project.apply(project.synthesizeApp(stacks(["jane"], [])));
    const moved = project.synthesizeApp(stacks([], ["jane"]));
    const before = await project.plan(moved);
    expect(actions(before)).toEqual([]);
    expect(retainedReasons(before)[0]).toContain('not deleted: the stack "other" declares it');

    await project.apply({ ...moved, name: "other" });
    const after = await project.plan(project.synthesizeApp(stacks([], [])));
    expect(actions(after)).toEqual([]);
    expect(retainedReasons(after)[0]).toContain('not deleted: the owner "acme-others" has recorded it, too');
  });
});

describe("Release", () => {
  const released = together(withoutJane, (stack) => void new Release(stack, "jane", { login: "jane@acme" }));

  test("keeps an imported user and drops the record, and the line may go then", async () => {
    const project = await withImportedJane();
    const { plan } = await project.apply(released);
    expect(actions(plan)).toEqual([]);
    expect(retainedReasons(plan)).toEqual([
      "jane@acme: released: it still exists, but Tenancy no longer manages it",
    ]);

    const again = await project.plan(released);
    expect(again.retained).toEqual([]);
    expect(again.warnings.map(({ code }) => code)).toEqual(["TENANCY_RELEASE_DONE"]);
    const without = await project.plan(withoutJane);
    expect(actions(without)).toEqual([]);
    expect(without.unmanagedUsers.map(({ key }) => key)).toEqual(["jane@acme"]);
  });

  test("of a user whom we created is an error, and nobody is deleted", async () => {
    const project = await start();
    await project.apply(acme(["joe", "jane"]));
    expect((await findings(project.plan(released))).map(({ code }) => code)).toEqual([
      "TENANCY_RELEASE_OF_CREATED",
    ]);
  });

  test("of a user who is declared is an error", async () => {
    const project = await withImportedJane();
    const release: Build = (stack) => void new Release(stack, "jane", { login: "jane@acme" });
    const declared = together(acme(["joe", "jane"], ["jane"]), release);
    expect((await findings(project.plan(declared))).map(({ code }) => code)).toEqual([
      "TENANCY_RELEASE_AND_DECLARED",
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
