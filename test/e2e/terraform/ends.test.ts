/** Access with an end under Terraform and OpenTofu, on a clock that the test moves (guide: Give temporary access). */
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

const RIGHT = "vss.format_disks";
const JANE = "tenancy_user_profile.jane";

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  let clock: () => Date;
  beforeEach(async () => {
    day(1);
    workspace = await TenancyWorkspace.create(engine, { now: () => clock() });
    workspace.simulator.records.createAccount({ name: "acme", password: "secret" });
  });
  afterEach(() => workspace.close());

  /** Late in the evening of a day of December. */
  function day(number: number): void {
    const now = new Date(`2026-12-${String(number).padStart(2, "0")}T23:30:00Z`);
    clock = () => now;
  }

  const jane = (members: string) =>
    workspace.configure(`
      resource "tenancy_user_profile" "jane" {
        username   = "jane"
        account_id = "${workspace.simulator.records.account("acme").id}"
        ${members}
      }`);
  const until = (last: number | undefined, members = "") =>
    jane(`permissions = { "vss.manage_targets" = true }
      ${last === undefined ? "" : `permissions_until = { "${RIGHT}" = "2026-12-${String(last).padStart(2, "0")}" }`}
      ${members}`);
  const profile = () => workspace.simulator.records.profile("jane@acme");
  const isGranted = () => profile().permissions.vss.rights.format_disks;
  const grant = (value: boolean) => {
    const { permissions } = profile();
    const vss = { ...permissions.vss, rights: { ...permissions.vss.rights, format_disks: value } };
    workspace.simulator.records.patchProfile("jane@acme", { permissions: { ...permissions, vss } });
  };
  const ended = async () => (await workspace.state(JANE))["ended"];

  test("a right is granted until the end of its last day, taken away by the next apply, and granted again by a later end", async () => {
    await until(4);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(isGranted()).toBe(true);
    expect(await ended()).toEqual([]);

    day(4);
    await workspace.expectNoChange();

    day(5);
    const [change] = await workspace.plan();
    expect(change?.change.before?.["ended"]).toEqual([]);
    expect(change?.change.after?.["ended"]).toEqual([RIGHT]);
    expect(change?.change.after?.["permissions"]).toEqual({ "vss.manage_targets": true });
    await workspace.apply();
    expect(isGranted()).toBe(false);
    expect(await ended()).toEqual([RIGHT]);
    await workspace.expectNoChange();

    // Somebody grants it again.
    grant(true);
    expect((await workspace.plan())[0]?.change.after?.["ended"]).toEqual([RIGHT]);
    await workspace.apply();
    expect(isGranted()).toBe(false);
    await workspace.expectNoChange();

    day(6);
    await until(31);
    await workspace.apply();
    expect(isGranted()).toBe(true);
    expect(await ended()).toEqual([]);
    await workspace.expectNoChange();
  });

  test("an end that is removed leaves the right, and one that is added later ends it", async () => {
    const without = () => jane(`permissions = { "vss.manage_targets" = true, "${RIGHT}" = true }`);
    await until(4);
    await workspace.apply();
    await without();
    const [removed] = await workspace.plan();
    expect(removed?.change.after?.["permissions"]).toEqual({ "vss.manage_targets": true, [RIGHT]: true });
    await workspace.apply();
    day(5);
    await workspace.expectNoChange();
    expect(isGranted()).toBe(true);

    await until(6);
    await workspace.apply();
    expect(isGranted()).toBe(true);
    await workspace.expectNoChange();
    day(7);
    await workspace.apply();
    expect(isGranted()).toBe(false);
    await workspace.expectNoChange();
  });

  test("a right whose end is removed after its day is granted again", async () => {
    await until(4);
    await workspace.apply();
    day(5);
    await workspace.apply();
    expect(isGranted()).toBe(false);
    await jane(`permissions = { "vss.manage_targets" = true, "${RIGHT}" = true }`);
    await workspace.apply();
    expect(isGranted()).toBe(true);
    expect(await ended()).toBeNull();
    await workspace.expectNoChange();
  });

  test("a right that somebody denies before its end is shown, and granted again", async () => {
    await until(4);
    await workspace.apply();
    day(3);
    grant(false);
    const [change] = await workspace.plan();
    expect(change?.change.before?.["permissions_until"] ?? {}).toEqual({});
    expect(change?.change.after?.["permissions_until"]).toEqual({ [RIGHT]: "2026-12-04" });
    await workspace.apply();
    expect(isGranted()).toBe(true);
    await workspace.expectNoChange();
  });

  test("without a refresh a plan judges by the day of the last one", async () => {
    await until(4);
    await workspace.apply();
    day(5);
    await workspace.succeed(["plan", "-detailed-exitcode", "-refresh=false"]);
    expect((await workspace.run(["plan", "-detailed-exitcode"])).code).toBe(2);
  });

  test("a saved plan that grants a right grants it no more once its day is over", async () => {
    await until(undefined);
    await workspace.apply();
    day(4);
    await until(4);
    await workspace.succeed(["plan", "-out=saved"]);
    day(5);
    await workspace.succeed(["apply", "saved"]);
    expect(isGranted()).toBe(false);
    await workspace.expectNoChange();
    expect(await ended()).toEqual([]);
    await workspace.succeed(["apply", "-auto-approve", "-refresh-only"]);
    expect(await ended()).toEqual([RIGHT]);
  });

  test("a saved plan that changes something else takes away nothing that it does not show", async () => {
    await until(4);
    await workspace.apply();
    day(4);
    await until(4, 'email = "jane@acme.example"');
    await workspace.succeed(["plan", "-out=saved"]);
    day(5);
    await workspace.succeed(["apply", "saved"]);
    expect(isGranted()).toBe(true);
    await workspace.apply();
    expect(isGranted()).toBe(false);
    await workspace.expectNoChange();
  });

  test("midnight between the two plans of an apply makes none of them inconsistent", async () => {
    await until(4);
    await workspace.apply();
    await until(4, 'email = "jane@acme.example"');
    // Every look at the clock but the first one is after midnight.
    let looks = 0;
    clock = () => new Date(looks++ === 0 ? "2026-12-04T23:59:59Z" : "2026-12-05T00:00:01Z");
    await workspace.apply();
    expect(looks).toBeGreaterThan(1);
    day(5);
    await workspace.apply();
    expect(isGranted()).toBe(false);
    await workspace.expectNoChange();
  });

  test("a user who is created after an end does not get the right, and a warning says so", async () => {
    day(5);
    await until(4);
    const { stdout, stderr } = await workspace.run(["apply", "-auto-approve"]);
    expect(said({ code: 0, stdout, stderr })).toContain(
      "does not get vss.format_disks: it ended on 2026-12-04",
    );
    expect(isGranted()).toBe(false);
    expect(await ended()).toEqual([RIGHT]);
    await workspace.expectNoChange();
  });

  test("an imported user keeps a right until its end, and loses it if the end has passed", async () => {
    workspace.simulator.records.createProfile("acme", { username: "jane" });
    day(5);
    await until(4);
    await workspace.engine.configure(
      `${await readMain()}\nimport {\n  to = ${JANE}\n  id = "jane@acme"\n}\n`,
    );
    await workspace.apply();
    expect(isGranted()).toBe(false);
    await workspace.expectNoChange();
    expect(await ended()).toEqual([RIGHT]);
  });

  test("a right that leaves the ends and is not declared is denied, under undeclared_rights = keep too", async () => {
    await until(4, 'undeclared_rights = "keep"');
    await workspace.apply();
    expect(isGranted()).toBe(true);
    await until(undefined, 'undeclared_rights = "keep"');
    await workspace.apply();
    expect(isGranted()).toBe(false);
    await workspace.expectNoChange();
  });

  test("web and API access end together, and come back with a later end", async () => {
    const access = (last: number) =>
      jane(`permissions = {}
        access_web   = true
        access_api   = true
        access_until = "2026-12-${String(last).padStart(2, "0")}"`);
    await access(4);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(profile().access).toEqual({ web: true, api: true });

    day(5);
    await workspace.apply();
    expect(profile().access).toEqual({ web: false, api: false });
    expect(await workspace.state(JANE)).toMatchObject({
      ended: ["access"],
      access_web: true,
      access_api: true,
    });
    await workspace.expectNoChange();

    await access(31);
    await workspace.apply();
    expect(profile().access).toEqual({ web: true, api: true });
    await workspace.expectNoChange();
  });

  test("the primary user of an account loses a right with its end", async () => {
    const tenant = () =>
      workspace.configure(`
        resource "tenancy_account" "globex" {
          name              = "globex"
          permissions       = {}
          permissions_until = { "${RIGHT}" = "2026-12-04" }
          deletion_protection = false
        }`);
    await tenant();
    await workspace.apply();
    const rights = () => workspace.simulator.records.profile("globex").permissions.vss.rights;
    expect(rights().format_disks).toBe(true);
    await workspace.expectNoChange();
    day(5);
    await workspace.apply();
    expect(rights().format_disks).toBe(false);
    await workspace.expectNoChange();
  });

  test("a right stands in one of the two attributes, and each end needs what it ends", async () => {
    await jane(`permissions = { "${RIGHT}" = true }
      permissions_until = { "${RIGHT}" = "2026-12-04" }
      access_until = "2026-02-30"`);
    const text = said(await workspace.run(["validate"]));
    expect(text).toContain(`"${RIGHT}" is both in "permissions" and in "permissions_until"`);
    expect(text).toContain('"access_until" needs "access_web" and "access_api"');
    expect(text).toContain('must be a day such as "2026-12-04"');
  });

  async function readMain(): Promise<string> {
    const { readFile } = await import("node:fs/promises");
    return readFile(`${workspace.engine.folder}/main.tf`, "utf8");
  }
});
