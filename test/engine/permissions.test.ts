/** Rights, scopes and `unset` as the embedded engine plans them (design: Managed attributes): covers src/resources/permissions.ts. */
import { accessText } from "../../src/plan";
import { DataResource } from "cdktf";
import { Account, Permissions, Tenant, UserProfile, type UserProfileConfig } from "tenancy";
import { apply } from "../../src/engine";
import type { RecordedRequest } from "../../src/lib/simulator";
import type { Project, Build } from "../support/projects";
import { alteredService } from "../support/altered-service";
import { clockGoesBack, moveClock } from "../support/moved-clock";
import { actions, changeAt, codes, findings, projects, tenant } from "../support/projects";

const start = projects();
clockGoesBack();
const ADDRESS = "tenancy_user_profile.jane";

const declare =
  (config: Partial<UserProfileConfig>, lifecycle?: UserProfileConfig["lifecycle"]): Build =>
  (stack) => {
    const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
    new UserProfile(stack, "jane", {
      username: "jane",
      accountId: acme.id,
      ...config,
      ...(lifecycle !== undefined && { lifecycle }),
    });
  };
const vss = ({ service }: Project) => service.records.profile("jane@acme").permissions.vss;
const granted = (project: Project) =>
  Object.entries(vss(project).rights)
    .filter(([, value]) => value === true)
    .map(([right]) => right);
const grant = ({ service }: Project, right: string) => {
  const { permissions } = service.records.profile("jane@acme");
  const rights = { ...permissions.vss.rights, [right]: true };
  service.records.patchProfile("jane@acme", {
    permissions: { ...permissions, vss: { ...permissions.vss, rights } },
  });
};

const bodies = (requests: readonly RecordedRequest[]) =>
  requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);

test("declared permissions are authoritative: a right that others grant is taken away, also one that nobody knows", async () => {
  const project = await start();
  const source = project.synthesize(declare({ permissions: { "vss.manage_targets": true } }));
  await project.apply(source);
  expect(granted(project)).toEqual(["manage_targets"]);
  grant(project, "format_disks");
  grant(project, "fold_space");
  const change = changeAt(await project.plan(source), ADDRESS);
  expect(change.before?.["permissions"]).toEqual({
    "vss.manage_targets": true,
    "vss.format_disks": true,
    "vss.fold_space": true,
  });
  // The embedded service does not take a right that it does not know, which is told.
  const { requests, result } = await project.run(source);
  expect(bodies(requests)).toMatchObject([
    { permissions: { vss: { rights: { format_disks: false, fold_space: false } } } },
  ]);
  expect(result.failed.flatMap(({ diagnostics }) => diagnostics)).toMatchObject([
    { code: "TENANCY_NOT_TAKEN", attribute: ["permissions", "vss.fold_space"] },
  ]);
});

test("rights that are kept are not touched, and listed at every plan", async () => {
  const project = await start();
  await project.apply(project.synthesize(declare({ permissions: { "vss.manage_targets": true } })));
  grant(project, "format_disks");
  const source = project.synthesize(
    declare({ permissions: { "vss.manage_targets": true }, undeclaredRights: "keep" }),
  );
  const plan = await project.plan(source);
  expect(changeAt(plan, ADDRESS).action).toBe("none");
  expect(codes(plan.warnings)).toEqual(["TENANCY_RIGHTS_KEPT", "TENANCY_PRIVILEGES_CHANGED"]);
  expect(plan.warnings[0]).toMatchObject({
    summary: '"jane@acme" keeps destructive rights that are not declared',
    detail: '"jane@acme" keeps vss.format_disks.',
  });
});

test("a user or an account without permissions earns a warning at every plan, with the rights that are held", async () => {
  const project = await start();
  const source = project.synthesize((stack) => {
    new Tenant(stack, "acme", { name: "acme", users: { jane: {} } });
  });
  const said = async () => (await project.plan(source)).warnings.map(({ summary }) => summary);
  const clause = "39 rights that no configuration declares, destructive and privileged ones among them";
  expect(await said()).toEqual([
    `"acme" gets by the service's default ${clause}`,
    `"jane" gets by the service's default ${clause}`,
  ]);
  await project.apply(source);
  expect(await said()).toEqual([`"acme" has ${clause}`, `"jane@acme" has ${clause}`]);
});

test("a scope is everything, or the ids that it names; a service may leave out the flag", async () => {
  const project = await start();
  const permissions = { "vss.manage_targets": true };
  const some = project.synthesize(declare({ permissions, vssScope: ["vss:1:7", "vss:1:8"] }));
  await project.apply(some);
  expect(vss(project)).toMatchObject({ all_account_scope: false, vsses: ["vss:1:7", "vss:1:8"] });
  expect(changeAt(await project.plan(some), ADDRESS).action).toBe("none");
  const all = project.synthesize(declare({ permissions, vssScope: ["*"] }));
  await project.apply(all);
  expect(vss(project)).toMatchObject({ all_account_scope: true, vsses: [] });
  expect(changeAt(await project.plan(all), ADDRESS).action).toBe("none");
  const mixed = project.plan(project.synthesize(declare({ permissions, vssScope: ["*", "vss:1:7"] })));
  expect((await findings(mixed))[0]).toMatchObject({ summary: '"*" must be the only element' });
});

test("a right of declared permissions can be left to others; of undeclared ones it is an error before any request", async () => {
  const project = await start();
  const ignored = { ignoreChanges: ['permissions["vss.format_disks"]'] };
  const source = project.synthesize(declare({ permissions: { "vss.manage_targets": true } }, ignored));
  await project.apply(source);
  grant(project, "format_disks");
  expect(changeAt(await project.plan(source), ADDRESS).action).toBe("none");
  const undeclared = project.synthesize(declare({}, ignored));
  expect(codes(await findings(project.plan(undeclared)))).toEqual(["TENANCY_INVALID_VALUE"]);
});

test("what ignores all changes changes nothing, also where `unset` would take values away", async () => {
  const project = await start();
  const permissions = { "vss.manage_targets": true };
  await project.apply(project.synthesize(declare({ permissions, email: "jane@acme.example" })));
  grant(project, "format_disks");
  const source = project.synthesize(declare({ permissions, unset: ["*"] }, { ignoreChanges: "all" }));
  expect(changeAt(await project.plan(source), ADDRESS).action).toBe("none");
});

test("rights may be known only after apply", async () => {
  const project = await start();
  const source = project.synthesize((stack) => {
    const later = new DataResource(stack, "later", { input: { answer: "yes" } });
    declare({ permissions: { "vss.manage_targets": `\${${later.fqn}.id != ""}` as unknown as boolean } })(
      stack,
    );
  });
  await project.apply(source);
  expect(granted(project)).toEqual(["manage_targets"]);
});

test("a right that the service grants and nobody knows is denied within the create", async () => {
  const project = await start();
  const grantUnknown = (body: unknown) => {
    const record = body as { permissions: { vss: { rights: object } } };
    const rights = { ...record.permissions.vss.rights, fold_space: true };
    return { ...record, permissions: { ...record.permissions, vss: { ...record.permissions.vss, rights } } };
  };
  project.service.fail({ method: "POST", path: /user-profile/, alter: grantUnknown });
  const source = project.synthesize(declare({ permissions: { "vss.manage_targets": true } }));
  const { requests } = await project.apply(source);
  expect(bodies(requests)).toMatchObject([{ permissions: { vss: { rights: { fold_space: false } } } }]);
});

test("Permissions of L2 write the granted rights and both scopes; where others are kept, the denied ones too", () => {
  const some = Permissions.none().allow("vss.manage_targets").deny("vss.format_disks");
  expect(some.toAttributes()).toEqual({
    permissions: { "vss.manage_targets": true },
    vssScope: ["*"],
    nodeScope: ["*"],
  });
  expect(some.toAttributes("keep").permissions).toEqual({
    "vss.manage_targets": true,
    "vss.format_disks": false,
  });
});

describe("the deprecated right to replicate and synchronize disks", () => {
  const DEPRECATED = "replicate_and_synchronize_disks";
  const derive = (record: unknown): void => {
    const rights = (record as { permissions?: { vss?: { rights?: Record<string, boolean> } } }).permissions
      ?.vss?.rights;
    if (rights !== undefined)
      rights[DEPRECATED] = rights["replicate_disks"] === true && rights["synchronize_disks"] === true;
  };
  /** A service that shows the deprecated right as granted exactly if both rights are that took its place. */
  const deriving = (project: Project) =>
    alteredService(project.service.baseUrl, ({ path }, answer) => {
      if (path.startsWith("/api/user-profile")) [answer.body].flat().forEach((one) => one && derive(one));
      return answer;
    });
  const rightsSent = (requests: readonly RecordedRequest[]) =>
    requests
      .filter(({ method, path }) => method !== "GET" && path.startsWith("/api/user-profile"))
      .map(({ body }) => body as { permissions?: { vss?: { rights?: Record<string, boolean> } } })
      .map(({ permissions }) => permissions?.vss?.rights ?? {});

  test("is not sent and not compared while both rights are granted that took its place", async () => {
    const project = await start();
    const environment = { TENANCY_BASE_URL: await deriving(project) };
    const source = project.synthesize(
      tenant("acme", [], { users: { jane: { permissions: Permissions.operator() } } }),
    );
    const options = { environment, requireApproval: "broadening" as const };
    const first = await project.plan(source, { environment });
    const { requests } = await project.apply(source, { environment });
    expect(first.access.flatMap(({ entries }) => entries.map(accessText))).not.toContain(`vss.${DEPRECATED}`);
    expect(rightsSent(requests)).toEqual([
      expect.not.objectContaining({ [DEPRECATED]: expect.anything() as unknown }),
    ]);
    const again = await project.plan(source, options);
    expect(actions(again)).toEqual([]);
    expect(again.access).toEqual([]);
  });

  test("is denied with the first of them that is denied", async () => {
    const project = await start();
    const declared = (permissions: Permissions) => tenant("acme", [], { users: { jane: { permissions } } });
    await project.apply(declared(Permissions.operator()));
    expect(granted(project)).toContain(DEPRECATED);
    const { requests } = await project.apply(declared(Permissions.operator().deny("vss.synchronize_disks")));
    expect(rightsSent(requests)).toMatchObject([{ synchronize_disks: false, [DEPRECATED]: false }]);
    expect(granted(project)).not.toContain(DEPRECATED);
  });

  test("is granted already to a user who has both, whatever the service shows of it", async () => {
    const project = await start();
    const environment = { TENANCY_BASE_URL: await deriving(project) };
    const declared = (permissions: Permissions) => tenant("acme", [], { users: { jane: { permissions } } });
    await project.apply(declared(Permissions.accountAdmin()), { environment });
    const plan = await project.plan(declared(Permissions.accountAdmin()), { environment });
    expect(actions(plan)).toEqual([]);
    const less = await project.plan(declared(Permissions.accountAdmin().deny("vss.format_disks")), {
      environment,
    });
    expect(less.access.flatMap(({ entries }) => entries.map(accessText))).toEqual(["vss.format_disks"]);
  });
});

describe("an update of permissions repeats", () => {
  const rightsIn = (requests: readonly RecordedRequest[]) =>
    bodies(requests).map((body) => (body as { permissions: object }).permissions);
  const keep = (permissions: Record<string, boolean>) => declare({ permissions, undeclaredRights: "keep" });
  interface ShownProfile {
    readonly permissions?: { account?: object };
  }

  test("no undeclared right that was taken away since the plan", async () => {
    const project = await start();
    await project.apply(declare({ permissions: {} }));
    grant(project, "remove_vss");
    const plan = await project.plan(keep({ "vss.manage_targets": true }));
    project.service.records.patchProfile("jane@acme", {
      permissions: { vss: { rights: { remove_vss: false } } },
    });
    moveClock(new Date(Date.now() + 60_000).toISOString());
    expect((await apply(plan)).ok).toBe(true);
    expect(granted(project)).toEqual(["manage_targets"]);
  });

  test("no deprecated right that the service derives from a right which is now denied", async () => {
    const project = await start();
    const both = { "vss.replicate_disks": true, "vss.synchronize_disks": true };
    await project.apply(declare({ permissions: both }));
    const { requests } = await project.apply(keep({ ...both, "vss.synchronize_disks": false }));
    expect(rightsIn(requests)).toMatchObject([
      { vss: { rights: { replicate_disks: true, synchronize_disks: false } } },
    ]);
    expect(JSON.stringify(requests)).not.toContain("replicate_and_synchronize_disks");
  });

  test("no denial of a right that is neither declared nor shown", async () => {
    const project = await start();
    const url = await alteredService(project.service.baseUrl, ({ path }, answer) => {
      if (path.startsWith("/api/user-profile"))
        for (const one of [answer.body].flat())
          delete (one as ShownProfile | undefined)?.permissions?.account;
      return answer;
    });
    for (const vssScope of [["*"], ["vss:1:7"]])
      await project.apply(declare({ vssScope }), { environment: { TENANCY_BASE_URL: url } });
    const { account } = project.service.records.profile("jane@acme").permissions;
    expect(Object.values(account.rights)).not.toContain(false);
  });
});
