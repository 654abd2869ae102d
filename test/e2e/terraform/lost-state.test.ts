/** The guide to the way back, `docs/guides/lost-state.md`, as it stands there. */
import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

const page = readFileSync(resolve(__dirname, "../../../docs/guides/lost-state.md"), "utf8");
const [configuration = "", recovery = ""] = [...page.matchAll(/```terraform\n(.*?)```/gs)].map(
  ([, code]) => code,
);

const TOKEN = `
  resource "tenancy_authorization" "csi" {
    name      = "csi"
    login     = tenancy_user_profile.users["csi@acme"].login
    login_with = "temporary_password"
  }`;

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  const loseState = async () => {
    for (const name of ["terraform.tfstate", "terraform.tfstate.backup"])
      await rm(join(workspace.engine.folder, name), { force: true });
  };
  const recover = () => writeFile(join(workspace.engine.folder, "recover.tf"), recovery);
  const live = () =>
    workspace.simulator.records.profiles.map(({ login, uuid, seq }) => [login, uuid, seq]).sort();

  test("tenants and users of a lost state are taken back in, who is gone is made again, and nobody else is touched", async () => {
    const { records } = workspace.simulator;
    await workspace.configure(configuration);
    expect(await workspace.apply()).toContain("5 added");
    records.createProfile("acme", { username: "stranger" });
    await loseState();

    expect(said(await workspace.run(["plan"]))).toContain("TENANCY_UNMANAGED");
    const before = live();
    const refused = await workspace.run(["apply", "-auto-approve"]);
    expect(refused.code).toBe(1);
    expect(said(refused)).toContain("TENANCY_UNMANAGED");
    expect(live()).toEqual(before);
    await loseState();

    await recover();
    records.deleteProfile("joe@globex");
    const kept = live();
    expect(await workspace.apply()).toMatch(/4 imported, 1 added, 0 changed, 0 destroyed/);
    expect(live().filter(([login]) => login !== "joe@globex")).toEqual(kept);

    await rm(join(workspace.engine.folder, "recover.tf"));
    await workspace.expectNoChange();
  });

  test("a token of a lost state is created again; to replace its user ends the one that nobody knows", async () => {
    const { records } = workspace.simulator;
    await workspace.configure(configuration + TOKEN);
    await workspace.apply();
    await loseState();
    await recover();
    expect(await workspace.apply()).toMatch(/5 imported, 1 added, 0 changed, 0 destroyed/);
    expect(records.authorizations).toHaveLength(2);

    await rm(join(workspace.engine.folder, "recover.tf"));
    await workspace.expectNoChange();
    await workspace.apply('-replace=tenancy_user_profile.users["csi@acme"]');
    expect(records.authorizations).toHaveLength(1);
    await workspace.expectNoChange();
  });
});
