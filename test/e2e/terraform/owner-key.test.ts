/** The owner key under Terraform: covers src/ownership and src/provider/service.ts. */
import { ownedUuid, parseOwnerKey } from "../../../src/ownership";
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace, type TenancyOptions } from "../../support/terraform/tenancy";

const KEY = "the key of the platform team";
const ACCOUNT = `
  resource "tenancy_account" "acme" {
    name        = "acme"
    permissions = {}
  }`;
const USER = `
  resource "tenancy_user_profile" "csi" {
    username    = "csi"
    account_id  = tenancy_account.acme.id
    permissions = {}
  }`;

const uuidOf = (key: string | undefined, kind: string, ...names: readonly string[]) =>
  ownedUuid({ kind, names, owner: "tests", ownerKey: parseOwnerKey(key) });

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  afterEach(() => workspace.close());

  async function start(options: TenancyOptions): Promise<void> {
    workspace = await TenancyWorkspace.create(engine, options);
  }

  test("records get uuids that only the owner key gives, and a forged one is nobody's", async () => {
    await start({ environment: { TENANCY_OWNER_KEY: KEY } });
    const { records } = workspace.simulator;
    await workspace.configure(ACCOUNT);
    await workspace.apply();
    expect(records.account("acme").uuid).toBe(uuidOf(KEY, "account", "acme"));
    records.createProfile("acme", {
      username: "csi",
      uuid: uuidOf(undefined, "user_profile", "acme", "csi"),
    });
    await workspace.configure(ACCOUNT + USER);
    expect(said(await workspace.run(["plan"]))).toMatch(
      /this owner does not manage it.*made by another owner.*TENANCY_UNMANAGED/,
    );
    const refused = await workspace.run(["apply", "-auto-approve"]);
    expect(refused.code).toBe(1);
    expect(said(refused)).toContain("TENANCY_UNMANAGED");
  });

  test("what another key made is imported by its id alone, with a warning", async () => {
    await start({ environment: { TENANCY_OWNER_KEY: KEY } });
    const uuid = uuidOf("the key of another team", "account", "acme");
    const { id } = workspace.simulator.records.createAccount({ name: "acme", uuid });
    await workspace.configure(ACCOUNT);
    const refused = await workspace.run(["import", "tenancy_account.acme", "acme"]);
    expect(refused.code).toBe(1);
    expect(said(refused)).toContain("TENANCY_OTHER_OWNER_KEY");
    expect(said(await workspace.run(["import", "tenancy_account.acme", id]))).toMatch(
      /Warning.*made under an owner key that this run does not have/,
    );
  });

  test("a key without an owner does nothing, and each plan says so", async () => {
    await start({ environment: { TENANCY_OWNER_KEY: KEY }, provider: "" });
    await workspace.configure(ACCOUNT);
    expect(said(await workspace.run(["plan"]))).toMatch(
      /Warning: The owner key has no effect because there is no owner .*TENANCY_OWNER_KEY_UNUSED/,
    );
    await workspace.apply();
    expect(workspace.simulator.records.account("acme").uuid).toMatch(/^.{14}4/);
  });

  test("a service that is not allowed is sent nothing", async () => {
    await start({ environment: { TENANCY_ALLOWED_ORIGINS: "https://storage.example" } });
    await workspace.configure(ACCOUNT);
    const refused = await workspace.run(["plan"]);
    expect(refused.code).toBe(1);
    expect(said(refused)).toContain("TENANCY_ORIGIN_NOT_ALLOWED");
    expect(workspace.simulator.requests).toEqual([]);
  });
});
