import { UserProfile, Account } from "cdktf-provider-tenancy";
import { actions, projects, writes, type Build } from "../../support/projects";

const start = projects();

function jane(password: { version: number } | "unset"): Build {
  return (stack) => {
    const acme = new Account(stack, "acme", { name: "acme" });
    new UserProfile(stack, "jane", {
      username: "jane",
      accountId: acme.id,
      permissions: {},
      ...(password === "unset"
        ? { unset: ["password_wo"] }
        : { passwordWo: "correct horse", passwordWoVersion: password.version }),
    });
  };
}

test("a password that was taken away already is forgotten, though nothing is sent", async () => {
  const project = await start();
  await project.apply(jane({ version: 1 }));
  project.service.records.patchProfile("jane@acme", { password: null });
  const { requests } = await project.apply(jane("unset"));
  expect(writes(requests)).toEqual([]);
  expect(actions(await project.plan(jane("unset")))).toEqual([]);
});
