/** `tenancy show` of what Terraform and OpenTofu print of their plans: covers src/engine/terraform-plan.ts. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPlans, type ShownPlan } from "../../../src/engine";
import { jsonText } from "../../../src/render/json";
import { markdown } from "../../../src/render/markdown";
import { paint, viewText } from "../../../src/render/text";
import { planView } from "../../../src/render/view";
import { CommandProject } from "../../support/command";
import { withEachEngine } from "../../support/terraform/engines";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

const CANARY = "canary-7f3a";

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  async function shown(
    ...args: readonly string[]
  ): Promise<{ readonly json: string; readonly read: ShownPlan }> {
    await workspace.succeed(["plan", "-out=planned", ...args]);
    const json = await workspace.succeed(["show", "-json", "planned"]);
    const [read] = readPlans(json);
    if (read === undefined) throw new Error("no plan");
    return { json, read };
  }

  function textsOf({ plan, drift, missingFacts, json }: ShownPlan) {
    const view = planView(plan, { drift, missingFacts, all: true });
    return {
      text: viewText(view, paint(false)),
      all: [viewText(view, paint(false)), markdown([view], { marker: "x" }), jsonText(json)].join("\n"),
    };
  }

  const declared = (users: readonly string[], right: string, comment: string) => `
    variable "comment" {
      type      = string
      sensitive = true
      default   = "${comment}"
    }
    resource "terraform_data" "other" {
      input = "${right}"
    }
    resource "tenancy_account" "acme" {
      name                = "acme"
      template            = var.comment
      deletion_protection = false
    }
    resource "tenancy_user_profile" "team" {
      for_each    = toset(${JSON.stringify(users)})
      username    = each.key
      account_id  = tenancy_account.acme.id
      permissions = { "vss.${right}" = true }
    }
    resource "tenancy_user_profile" "bare" {
      username   = "bare"
      account_id = tenancy_account.acme.id
    }`;

  test("a plan of Terraform's is held to the approvals in the code, as our own plans are", async () => {
    await workspace.configure(declared(["jane"], "remove_vss", CANARY));
    const { json } = await shown();
    const folder = await mkdtemp(join(tmpdir(), "tenancy-"));
    try {
      const project = new CommandProject(folder);
      await writeFile(join(folder, "plan.json"), json);
      await writeFile(join(folder, "cdktf.json"), '{"app": "true"}');
      const demanding = ["show", "plan.json", "--require-approval", "broadening"];
      const refused = await project.tenancy(demanding);
      expect(refused.code).toBe(3);
      expect(refused.stdout).toContain("user: jane@acme, permission: vss.remove_vss, until: never");
      expect(refused.stdout + refused.stderr).not.toContain(CANARY);

      const approved = await project.tenancy(["approve", "plan.json", "--yes"]);
      expect(approved.stdout).toContain(workspace.simulator.baseUrl);
      expect(approved.code).toBe(0);
      expect((await project.tenancy(demanding)).code).toBe(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("a first plan tells who will be able to do what, by name, and nothing that is sensitive", async () => {
    await workspace.configure(declared(["bob", "jane"], "remove_vss", CANARY));
    const { json, read } = await shown();
    // Terraform shows it in clear.
    expect(json).toContain(CANARY);
    const { text, all } = textsOf(read);
    expect(all).not.toContain(CANARY);
    expect(all).not.toContain(workspace.simulator.password);
    expect(text).toContain(`${workspace.simulator.baseUrl} as (not in the plan)`);
    expect(text).toMatch(/\+ jane@acme +1 right +vss\.remove_vss \(destructive\)/);
    expect(text).toMatch(/\+ bare@acme +39 rights/);
    expect(text).toMatch(/\+ acme +39 rights/);
    expect(text).toContain("template                            (sensitive value)");
    expect(text).toContain("1 change of other providers.");
    expect(text).toContain("4 to create.");
  });

  test("a later plan tells what others have changed, who loses what, and deletes", async () => {
    await workspace.configure(declared(["bob", "jane"], "remove_vss", "a"));
    await workspace.apply();
    workspace.simulator.records.patchProfile("jane@acme", { email: "other@x.example" });
    await workspace.configure(declared(["jane"], "manage_targets", CANARY));
    const { read } = await shown();
    const { text, all } = textsOf(read);
    expect(all).not.toContain(CANARY);
    expect(text).toMatch(/~ jane@acme +gains +vss\.manage_targets\n +loses +vss\.remove_vss/);
    expect(text).toMatch(/- bob@acme +loses +vss\.remove_vss/);
    // Nobody declares these rights: they are told at every plan, as under the embedded engine.
    expect(text).toMatch(/= bare@acme +holds +account/);
    expect(text).toContain('- tenancy_user_profile.team["bob"]      bob@acme · no longer declared');
    expect(text).toMatch(
      /Changed outside of Terraform\n {2}~ tenancy_user_profile\.team\["jane"\] +jane@acme\n/,
    );
    expect(text).toMatch(/\n2 to update, 1 to delete\.$/);
  });

  test("the plan of a destroy, and one with nothing to do, are shown as such", async () => {
    await workspace.configure(declared(["jane"], "manage_targets", "a"));
    await workspace.apply();
    expect(textsOf((await shown()).read).text).toMatch(
      /\nNo changes\. The live objects match the declaration\.$/,
    );
    const { text } = textsOf((await shown("-destroy")).read);
    expect(text).toContain(
      "tenancy_account.acme                  acme · destroyed · with its primary user profile",
    );
    expect(text).toContain("3 to delete, 4 records deleted in total.");
  });

  test("a name that is sensitive is told nowhere, in a login that the service made of it neither", async () => {
    const named = (email: string) => `
      variable "account" {
        type      = string
        sensitive = true
        default   = "${CANARY}-a"
      }
      variable "user" {
        type      = string
        sensitive = true
        default   = "${CANARY}-u"
      }
      resource "tenancy_account" "acme" {
        name                = var.account
        deletion_protection = false
      }
      resource "tenancy_user_profile" "jane" {
        username   = "jane"
        account_id = tenancy_account.acme.id
        email      = "${email}"
      }
      resource "tenancy_user_profile" "hidden" {
        username   = var.user
        account_id = tenancy_account.acme.id
        email      = "${email}"
      }
      output "login" {
        value     = tenancy_user_profile.hidden.login
        sensitive = true
      }`;
    await workspace.configure(named("a@x.example"));
    expect(textsOf((await shown()).read).all).not.toContain(CANARY);
    await workspace.apply();
    await workspace.configure(named("b@x.example"));
    const { json, read } = await shown();
    expect(json).toContain(`jane@${CANARY}-a`);
    const { all, text } = textsOf(read);
    expect(all).not.toContain(CANARY);
    expect(text).toContain("jane@(sensitive value)");
    workspace.simulator.records.patchProfile(`jane@${CANARY}-a`, { email: "other@x.example" });
    expect(textsOf((await shown()).read).all).not.toContain(CANARY);
    await workspace.configure("");
    expect(textsOf((await shown()).read).all).not.toContain(CANARY);
  });

  test("what is imported is told as imported", async () => {
    workspace.simulator.records.createAccount({ name: "acme" });
    const { id } = workspace.simulator.records.account("acme");
    await workspace.configure(`
      import {
        to = tenancy_account.acme
        id = "${id}"
      }
      resource "tenancy_account" "acme" {
        name     = "acme"
        template = "x"
      }`);
    const { text } = textsOf((await shown()).read);
    expect(text).toMatch(/~ tenancy_account\.acme +acme · imported\n/);
    expect(text).toContain("1 to import");
  });
});
