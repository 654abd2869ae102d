/** A password that was set for creating a token, and that the service does not take away: covers src/engine/tokens and src/resources/authorization. */
import { readFile } from "node:fs/promises";
import { Authorization, Permissions, Secret, TenancyProvider, Tenant } from "tenancy";
import { drift } from "../../../src/engine";
import { actions, codes, projects, type Applied, type Build, type Project } from "../../support/projects";
import { creations, csi, isGood, kept } from "./support";

const start = projects();
const none = Permissions.none();

describe("a password that was set for creating a token, where the service does not take it away", () => {
  const where = ({ body }: { readonly body: unknown }) =>
    (body as { readonly password?: unknown }).password === null;
  const codesOf = ({ result }: Applied) => codes(result.failed.flatMap(({ diagnostics }) => diagnostics));

  async function withLeftPassword(options: Parameters<typeof start>[0] = {}): Promise<Project> {
    const project = await start(options);
    project.service.fail({ method: "PATCH", where, status: 403, times: 9 });
    const applied = await project.run(csi());
    expect(applied.result.ok).toBe(false);
    expect(codesOf(applied)).toEqual(["TENANCY_PASSWORD_LEFT"]);
    expect(project.service.records.profile("csi@acme").password).not.toBeNull();
    const [token] = (await kept(project)).tokens;
    expect(await isGood(project, token!.record)).toBe(true);
    return project;
  }

  test.each([
    ["refuses to set it", { path: /user-profile/, status: 403, times: 9 }],
    ["takes it away, and the answer is lost", { where, status: 500, times: 99, when: "after" as const }],
  ])("and no other: not where it %s", async (_what, fault) => {
    const project = await start();
    project.service.fail({ method: "PATCH", ...fault });
    const applied = await project.run(csi());
    expect(project.service.records.profile("csi@acme").password).toBeNull();
    expect(codesOf(applied)).not.toContain("TENANCY_PASSWORD_LEFT");
    expect(await readFile(project.state, "utf8")).not.toContain("temporary_passwords");
  });

  test("which every plan tells, and the next apply that can takes it away", async () => {
    const project = await withLeftPassword();
    for (let run = 0; run < 2; run++) {
      const { plan } = await project.run(csi());
      expect(actions(plan)).toEqual([]);
      expect(codes(plan.warnings)).toEqual(["TENANCY_PASSWORD_LEFT"]);
    }
    expect(project.service.records.profile("csi@acme").password).not.toBeNull();
    project.service.clearFaults();
    await project.apply(csi());
    expect(project.service.records.profile("csi@acme").password).toBeNull();
    expect((await project.plan(csi())).warnings).toEqual([]);
    expect(await readFile(project.state, "utf8")).not.toContain("temporary_passwords");
  });

  test.each([
    ["the user", csi()],
    ["a user who changes besides", csi({}, { email: "csi@example.org" })],
    ["a user who is not declared any more", csi(null, null)],
  ])("and what the apply that takes it away remembers of %s is no drift", async (_who, build) => {
    const project = await withLeftPassword();
    project.service.clearFaults();
    await project.run(build, { noPrune: true });
    const left = await readFile(project.state, "utf8");
    expect((await drift(project.synthesize(build), project.options())).drift).toEqual([]);
    await project.run(build, { noPrune: true });
    expect(await readFile(project.state, "utf8")).toBe(left);
  });

  test("and which keeps no later token of the user from being created", async () => {
    const project = await withLeftPassword();
    project.service.clearFaults();
    expect(creations(await project.apply(csi({ keepers: { year: "2027" } })))).toBe(1);
    expect(project.service.records.profile("csi@acme").password).toBeNull();
    expect((await project.plan(csi({ keepers: { year: "2027" } }))).warnings).toEqual([]);
  });

  test("where the service never takes it away, the warning names a way out, and that ends it", async () => {
    const project = await withLeftPassword();
    project.service.fail({ method: "PATCH", where, status: 403, times: 999 });
    const { plan } = await project.run(csi());
    expect(plan.warnings.map(({ advice }) => advice)).toEqual([
      expect.stringContaining("declare a password for the user"),
    ]);
    const build: Build = (stack) => csi({}, { password: Secret.variable("password") })(stack);
    const options = { environment: { TF_VAR_password: "Of her own: 1" } };
    const { result } = await project.apply(build, options);
    expect(result.diagnostics).toEqual([]);
    expect((await project.plan(build, options)).warnings).toEqual([]);
  });

  test("until a declared password takes its place, which stays", async () => {
    const project = await withLeftPassword();
    project.service.clearFaults();
    const build: Build = (stack) => csi({}, { password: Secret.variable("password") })(stack);
    const options = { resetPasswords: true, environment: { TF_VAR_password: "Of her own: 1" } };
    expect(codes((await project.plan(build, options)).warnings)).not.toContain("TENANCY_PASSWORD_LEFT");
    await project.apply(build, options);
    await project.apply(build, options);
    expect(project.service.records.profile("csi@acme").password).not.toBeNull();
  });

  test("until a password takes its place that is declared for a user who was taken in, once that is sent", async () => {
    const project = await start();
    const { service } = project;
    service.records.createAccount({ name: "acme" });
    service.records.createProfile("acme", { username: "csi" });
    const token: Build = (stack) =>
      void new Authorization(stack, "token", {
        login: "csi@acme",
        name: "prod",
        loginWith: "temporary_password",
      });
    service.fail({ method: "PATCH", where, status: 403, times: 9 });
    expect(codesOf(await project.run(token, { initState: true }))).toEqual(["TENANCY_PASSWORD_LEFT"]);
    service.clearFaults();
    const build: Build = (stack) => {
      token(stack);
      const csi = { permissions: none, password: Secret.variable("password") };
      new Tenant(stack, "acme", { name: "acme", permissions: none, users: { csi } }).importFrom({
        users: true,
      });
    };
    const options = { environment: { TF_VAR_password: "Of her own: 1" } };
    // The service refuses it at first: what was left is still there, and is still known.
    service.fail({ method: "PATCH", path: /user-profile/, status: 403, times: 9 });
    const sent = ["update tenancy_account.acme", "update tenancy_user_profile.acme_csi"];
    expect(actions((await project.run(build, options)).plan)).toEqual(sent);
    service.clearFaults();
    const { plan, requests } = await project.apply(build, options);
    expect(plan.warnings).toEqual([]);
    expect(requests.filter(({ method }) => method === "PATCH").map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ password: "Of her own: 1" }),
    );
    await project.apply(build, options);
    expect(service.records.profile("csi@acme").password).not.toBeNull();
    expect(await readFile(project.state, "utf8")).not.toContain("temporary_passwords");
  });

  test("until another owner's password takes its place, which stays", async () => {
    const project = await start();
    const build =
      (user: object): Build =>
      (stack) => {
        const provider = new TenancyProvider(stack, "other", { alias: "other", owner: "other" });
        const users = { csi: { permissions: none, ...user } };
        const login = new Tenant(stack, "acme", { name: "acme", permissions: none, users }).user("csi").login;
        const loginWith = "temporary_password";
        new Authorization(stack, "token", { login, name: "prod", loginWith, provider });
      };
    project.service.fail({ method: "PATCH", where, status: 403, times: 9 });
    await project.run(build({}));
    project.service.clearFaults();
    const declared = build({ password: Secret.variable("password") });
    const options = { environment: { TF_VAR_password: "Of her own: 1" } };
    await project.apply(declared, options);
    await project.apply(declared, options);
    expect(project.service.records.profile("csi@acme").password).not.toBeNull();
  });

  test("and which is not taken for gone where the user is not found, and is live", async () => {
    const project = await withLeftPassword();
    project.service.clearFaults();
    project.service.fail({ method: "GET", path: /user-profile\/./, status: 404, times: 9 });
    expect(codes((await project.apply(csi())).result.diagnostics)).toEqual(["TENANCY_PASSWORD_LEFT"]);
    project.service.clearFaults();
    await project.apply(csi());
    expect(project.service.records.profile("csi@acme").password).toBeNull();
  });

  test("and which takes the user's tokens along when it is taken away: that is an error, and the next apply creates them", async () => {
    const project = await withLeftPassword({ passwordEndsTokens: true });
    project.service.clearFaults();
    const { result } = await project.run(csi(), { verifyTokens: true });
    expect(project.service.records.profile("csi@acme").password).toBeNull();
    expect(result.ok).toBe(false);
    expect(codes(result.diagnostics)).toEqual(["TENANCY_TOKENS_ENDED"]);
    expect(actions(await project.plan(csi()))).toEqual(["create tenancy_authorization.acme_prod"]);
  });

  test("and which a later user of the login does not have", async () => {
    const project = await withLeftPassword();
    project.service.clearFaults();
    project.service.records.deleteProfile("csi@acme");
    await project.apply(csi());
    expect((await project.plan(csi())).warnings).toEqual([]);
    expect(await readFile(project.state, "utf8")).not.toContain("temporary_passwords");
  });
});
