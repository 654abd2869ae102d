/** Objects that exist, found and imported by `terraform query`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { withNextTerraform } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

withNextTerraform((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
    await workspace.configure("");
  });
  afterEach(() => workspace.close());

  const write = (name: string, text: string) => writeFileSync(join(workspace.engine.folder, name), text);

  /** Users as people make them by hand: with and without rights, an e-mail address, a second factor, a level. */
  function makeTenant(users: number) {
    const { records } = workspace.simulator;
    const account = records.createAccount({ name: "acme", password: "secret", limits: { vss_num: 3 } });
    for (let index = 0; index < users; index++)
      records.createProfile("acme", {
        username: `user-${String(index).padStart(5, "0")}`,
        ...(index % 2 === 0 && { email: `user-${index}@acme.example`, email_notify: true }),
        ...(index % 3 === 0 && { permissions: { vss: { rights: { update_vss: true } } } }),
        ...(index % 5 === 0 && { level: 3, allow_su: true }),
      });
    return account;
  }

  test("the guide lists users, writes their configuration and imports them without a change", async () => {
    const { records } = workspace.simulator;
    makeTenant(2);
    records.createProfile("acme", { username: "jane", email: "jane@acme.example", allow_su: true });
    const guide = readFileSync(resolve(__dirname, "../../../docs/guides/terraform-query.md"), "utf8");
    const blocks = [...guide.matchAll(/```(terraform|shell)\n(.*?)\n```/gs)];
    const outputs: string[] = [];
    for (const [, language, text = ""] of blocks) {
      if (language === "terraform") write("tenants.tfquery.hcl", text);
      else
        for (const line of text.split("\n")) {
          const [, ...words] = line.split(" ");
          outputs.push(await workspace.succeed(words[0] === "apply" ? [...words, "-auto-approve"] : words));
        }
    }
    const [listed, , planned, applied] = outputs;
    expect(listed).toContain("jane@acme");
    expect(listed).not.toContain("user-00000@acme");
    expect(planned).toMatch(/Plan: \d+ to import, 0 to add, 0 to change, 0 to destroy/);
    expect(applied).toContain("0 added, 0 changed, 0 destroyed");
    await workspace.expectNoChange();
  });

  test("lists the users of an account, and its generated configuration plans empty after the import", async () => {
    const { id } = makeTenant(120);
    write(
      "all.tfquery.hcl",
      `list "tenancy_user_profile" "users" {
         provider = tenancy
         limit    = 1000
         config { account_id = "${id}" }
       }
       list "tenancy_account" "tenant" {
         provider = tenancy
         config { name_prefix = "acm" }
       }`,
    );
    const listed = await workspace.succeed(["query"]);
    expect(listed).toContain("user-00000@acme");
    expect(listed).toContain("user-00119@acme");
    expect(listed.match(/list\.tenancy_user_profile\.users/g)).toHaveLength(120);
    expect(listed.match(/list\.tenancy_account\.tenant/g)).toHaveLength(1);

    await workspace.succeed(["query", "-generate-config-out=generated.tf"]);
    expect(await workspace.apply()).toContain("121 imported, 0 added, 0 changed, 0 destroyed");
    await workspace.expectNoChange();
  });

  test("leaves out primary users", async () => {
    makeTenant(1);
    write("all.tfquery.hcl", `list "tenancy_user_profile" "users" {\n provider = tenancy\n}`);
    const outcome = await workspace.run(["query"]);
    expect(outcome.code).toBe(0);
    expect(said(outcome)).toContain("user-00000@acme");
    expect(outcome.stdout.match(/^list\./gm)).toHaveLength(1);
  });

  test("refuses a filter that does not exist", async () => {
    write(
      "all.tfquery.hcl",
      `list "tenancy_user_profile" "users" {\n provider = tenancy\n config { login = "x" }\n}`,
    );
    const outcome = await workspace.run(["query"]);
    expect(said(outcome)).toContain("login");
    expect(outcome.code).toBe(1);
  });
});
