/** Declared tokens whose state is lost: covers src/engine/tokens and src/resources/authorization. */
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { TerraformStack } from "cdktf";
import { Account, Authorization, TenancyProvider, UserProfile } from "tenancy";
import { actions, codes, findings, projects, type Build, type Project } from "../../support/projects";
import { creations, csi, kept } from "./support";

const start = projects();

describe("an absent state", () => {
  test("is an error where a declared token's user is live, until --init-state", async () => {
    const project = await start();
    await project.apply(csi());
    await rm(dirname(project.state), { recursive: true });
    await project.apply(csi(), { recover: true });
    expect(codes(await findings(project.plan(csi())))).toEqual(["TENANCY_STATE_ABSENT"]);
    const applied = await project.apply(csi(), { initState: true });
    expect(creations(applied)).toBe(1);
    expect(actions(await project.plan(csi()))).toEqual([]);
  });

  const lose = (project: Project) => rm(dirname(project.state), { recursive: true });

  test("that an apply of one object makes again does not let the next apply create it a second time", async () => {
    const project = await start();
    await project.apply(csi());
    await lose(project);
    const other: Build = (stack) => {
      csi()(stack);
      new Account(stack, "other", { name: "other", permissions: {} });
    };
    await project.apply(other, { recover: true });
    await project.apply(other, { only: ["tenancy_account.other"] });
    for (let run = 0; run < 2; run++) {
      const [refusal, ...more] = await findings(project.plan(other));
      expect(more).toEqual([]);
      expect(refusal?.code).toBe("TENANCY_STATE_ABSENT");
      expect(refusal?.summary).toContain("users of declared tokens were live already: csi@acme/prod");
      await project.apply(other, { exclude: ["tenancy_authorization.acme_prod"] });
    }
    expect(project.service.records.authorizations).toHaveLength(1);
    expect(creations(await project.apply(other, { initState: true }))).toBe(1);
    // Once it is kept, no word is needed any more, be it created again.
    project.service.records.revokeToken((await kept(project)).tokens[0]!.record.serial);
    expect(creations(await project.apply(other, { verifyTokens: true }))).toBe(1);
  });

  test("notes users and not logins, so the token of a user who is made anew is created", async () => {
    const project = await start();
    await project.apply(csi());
    await lose(project);
    await project.apply(csi(), { recover: true });
    expect(codes(await findings(project.plan(csi())))).toEqual(["TENANCY_STATE_ABSENT"]);
    project.service.records.deleteProfile("csi@acme");
    expect(creations(await project.apply(csi()))).toBe(1);
  });

  test("of one stack is missed although the same file keeps what another stack has", async () => {
    const project = await start();
    await project.apply(csi());
    await lose(project);
    const other = project.synthesizeApp((app) => {
      const stack = new TerraformStack(app, "other");
      new TenancyProvider(stack, "service");
      new Account(stack, "other", { name: "other" });
    });
    await project.apply({ ...other, name: "other" });
    await project.apply(csi(), { recover: true });
    expect(codes(await findings(project.plan(csi())))).toEqual(["TENANCY_STATE_ABSENT"]);
  });

  test("of a run that cannot tell which tokens are declared takes every user for doubtful", async () => {
    const project = await start();
    const counted: Build = (stack) => {
      csi()(stack);
      const other = new Account(stack, "other", { name: "other", permissions: {} });
      const many = new Authorization(stack, "many", { login: "jane@acme", name: "x" });
      many.addOverride("count", `\${length(${other.fqn}.id) > 0 ? 1 : 0}`);
    };
    await project.apply(csi());
    await lose(project);
    await project.apply(counted, { only: ["tenancy_account.other"] });
    await project.apply(csi(), { recover: true });
    const [refusal] = await findings(project.plan(counted));
    expect(refusal?.summary).toContain("csi@acme/prod, jane@acme/x");
  });

  test("of a first run that makes a token's user says nothing of other users, whose tokens are created later", async () => {
    const project = await start();
    project.service.records.createAccount({ name: "beta" });
    project.service.records.createProfile("beta", { username: "bob" });
    const build =
      (isMore: boolean): Build =>
      (stack) => {
        const account = new Account(stack, "acme", { name: "acme", permissions: {} });
        const user = new UserProfile(stack, "csi", {
          username: "csi",
          accountId: account.id,
          permissions: {},
        });
        const ephemeral = { loginWith: "temporary_password" };
        new Authorization(stack, "token", { name: "prod", login: user.login, ...ephemeral });
        if (isMore) new Authorization(stack, "more", { name: "new", login: "bob@beta", ...ephemeral });
      };
    await project.apply(build(false));
    expect(creations(await project.apply(build(true)))).toBe(1);
  });
});
