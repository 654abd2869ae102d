/** Rights that the service has and this version does not know (`extra_rights`), from the declaration to the service and back. */
import { Permissions, Tenant, UserProfile } from "tenancy";
import { doctor, exportLive } from "../../src/engine";
import { NewerService } from "../support/agreement/newer-service";
import { formatted, load } from "../support/exported-code";
import { actions, type Build, changeAt, findings, projects } from "../support/projects";

const start = projects();
const EXTRA = { owner: "acme-platform", extraRights: ["vss.fold_space", "future.read_minds"] };

const acme =
  (permissions: Permissions, config: object = {}): Build =>
  (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: { jane: { permissions, ...config } },
    });
const folding = acme(Permissions.observer().allowExtra("vss.fold_space"));

async function newer() {
  const project = await start();
  const service = new NewerService(project.service);
  const idOfJane = () => project.service.records.profile("jane@acme").id;
  return { project, service, idOfJane, granted: () => service.grants(idOfJane()) };
}

test("a right that the provider names is granted, stays, comes back where it was taken away, and goes with its line", async () => {
  const { project, service, idOfJane, granted } = await newer();
  const source = project.synthesize(folding, EXTRA);
  const { plan } = await project.apply(source);
  expect(plan.access.find(({ who }) => who === "jane@acme")?.entries).toContainEqual(
    expect.objectContaining({ thing: { permission: "vss.fold_space", until: "never" } }),
  );
  // A default of the service that nobody declares is denied, known or not.
  expect(granted()).toEqual(["vss.fold_space"]);
  expect(actions(await project.plan(source))).toEqual([]);

  service.take(idOfJane(), "vss.fold_space");
  expect(changeAt(await project.plan(source), "tenancy_user_profile.acme_jane").action).toBe("update");
  await project.apply(source);
  expect(granted()).toEqual(["vss.fold_space"]);

  await project.apply(project.synthesize(acme(Permissions.observer()), EXTRA));
  expect(granted()).toEqual([]);
});

test("such a right can end, be denied beside what is kept, and be left to others", async () => {
  const { project, service, idOfJane, granted } = await newer();
  const until = Permissions.none().until("2999-12-04", (none) => none.allowExtra("vss.fold_space"));
  expect(until.lastDays).toEqual({ "vss.fold_space": "2999-12-04" });
  await project.apply(project.synthesize(acme(until), EXTRA));
  expect(granted()).toEqual(["vss.fold_space"]);

  const denied = Permissions.none().denyExtra("vss.fold_space");
  await project.apply(project.synthesize(acme(denied, { undeclaredRights: "keep" }), EXTRA));
  expect(granted()).toEqual([]);

  service.grant(idOfJane(), "vss.fold_space");
  const ignoring: Build = (stack) => {
    const tenant = new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none() });
    new UserProfile(tenant, "jane", {
      username: "jane",
      accountId: tenant.accountId,
      permissions: {},
      lifecycle: { ignoreChanges: ['permissions["vss.fold_space"]'] },
    });
  };
  await project.apply(project.synthesize(ignoring, EXTRA));
  expect(granted()).toEqual(["vss.fold_space"]);
});

test("a right that the provider does not name is refused, and the error says where to name it", async () => {
  const { project } = await newer();
  const [finding] = await findings(project.plan(project.synthesize(folding)));
  expect(finding).toMatchObject({
    code: "TENANCY_UNKNOWN_RIGHT",
    attribute: ["permissions", "vss.fold_space"],
    advice: expect.stringContaining("`extraRights`") as string,
  });
  const misspelt = project.synthesize(folding, { owner: "acme-platform", extraRights: ["fold_space"] });
  const [misshapen] = await findings(project.plan(misspelt));
  expect(misshapen).toMatchObject({ code: "TENANCY_INVALID_VALUE", attribute: ["extra_rights"] });
  expect(() => Permissions.none().allowExtra("fold_space")).toThrow(/no right with its group/);
});

test("an export declares the rights that the provider names, and its plan changes nothing", async () => {
  const { project } = await newer();
  await project.apply(project.synthesize(folding, EXTRA));
  const { records } = project.service;
  records.createProfile("acme", { username: "bob" });
  const options = { ...project.options(), isWanted: (name: string) => name === "acme" };
  const source = project.synthesize(() => undefined, EXTRA);
  const { files } = await exportLive(source, options);
  const text = [...files.values()].join("\n");
  expect(text).toContain('Permissions.observer().allowExtra("vss.fold_space")');
  expect(text).not.toContain("unknown to this version");
  for (const [name, code] of files) expect([name, await formatted(code)]).toEqual([name, code]);
  const plan = await project.plan(project.synthesize((stack) => load(files).tenants(stack), EXTRA));
  expect(actions(plan)).toEqual([]);

  const { files: hcl } = await exportLive(source, { ...options, language: "hcl" });
  expect([...hcl.values()].join("\n")).toContain(
    'merge(provider::tenancy::permissions_preset("observer"), {',
  );
  const { files: without } = await exportLive(
    project.synthesize(() => undefined),
    options,
  );
  expect([...without.values()].join("\n")).toMatch(/unknown to this version: "?vss\.fold_space/);
});

test("the doctor warns of each: unknown, not shown by the service, known by now, and shown but not named", async () => {
  const { project } = await newer();
  await project.apply(project.synthesize(folding, EXTRA));
  const checksWith = async (...extraRights: readonly string[]) => {
    const source = project.synthesize(folding, { owner: "acme-platform", extraRights: [...extraRights] });
    const examinations = await doctor(source, project.options());
    return examinations
      .flatMap(({ checks }) => checks)
      .filter(({ name }) => name === "extra rights")
      .map(({ outcome, message }) => `${outcome}: ${message}`);
  };
  expect(await checksWith("vss.fold_space", "vss.fold_time", "vss.format_disks")).toEqual([
    "warning: vss.fold_space: this version does not know what they allow",
    "warning: vss.fold_time: no user profile shows such a right",
    "warning: vss.format_disks: this version knows them",
    "warning: future.read_minds: the service has these rights, and this version does not know them",
  ]);
});
