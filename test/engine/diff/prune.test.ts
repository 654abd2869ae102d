import { Removed, Tenant } from "cdktf-provider-tenancy";
import { codes, findings, projects } from "../../support/projects";

const start = projects();

// Written past the constructs, which refuse this when the stack is synthesized.

test("a tenant that is to be removed is not created, though it is declared and not there", async () => {
  const project = await start();
  const planning = project.plan((stack) => {
    stack.addOverride("resource.tenancy_account.acme", { name: "acme" });
    new Removed(stack, "no-acme", { account: "acme" });
  });
  expect(codes(await findings(planning))).toEqual(["TENANCY_REMOVED_AND_DECLARED"]);
});

test("a user that is to be removed is not created, though it is declared and not there", async () => {
  const project = await start();
  await project.apply((stack) => void new Tenant(stack, "acme", { name: "acme" }));
  const planning = project.plan((stack) => {
    new Tenant(stack, "acme", { name: "acme" });
    stack.addOverride("resource.tenancy_user_profile.jane", {
      username: "jane",
      account_id: "${tenancy_account.acme.id}",
    });
    new Removed(stack, "no-jane", { login: "jane@acme" });
  });
  expect(codes(await findings(planning))).toEqual(["TENANCY_REMOVED_AND_DECLARED"]);
});
