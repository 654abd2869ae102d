/** Which of a plan's changes take something from the run itself, and which tokens it could not create. */
import { alteredService } from "../support/altered-service";
import { asSystem, call, configured } from "../support/provider";
import { simulators } from "../support/simulators";

const start = simulators();

describe("a run that works with a token", () => {
  async function working() {
    const { simulator } = await start();
    const own = simulator.records.createToken("system");
    const other = simulator.records.createToken("system");
    const provider = await configured(simulator, { TENANCY_TOKEN: own.access_token });
    const { serial, access_token } = own;
    const replaced = [{ serial, access_token, retired_at: new Date().toISOString() }];
    const prior = {
      ...{ id: other.id, serial: other.serial, access_token: other.access_token, previous: [] },
      ...{ login: "system", name: "other", login_with: "temporary_password", retain_previous: 1 },
    };
    return { ...provider, simulator, prior, replaced };
  }

  test("deletes another one, and reads no lists for it", async () => {
    const { token, prior, simulator } = await working();
    expect(await token.planDelete?.({ prior, private: {} }, call)).toMatchObject({ diagnostics: [] });
    expect(simulator.requests.map(({ path }) => path)).not.toContain("/api/user-profile");
  });

  test("does not delete the one that has replaced it", async () => {
    const { token, prior, replaced } = await working();
    const found = await token.planDelete?.({ prior: { ...prior, previous: replaced }, private: {} }, call);
    expect(found?.diagnostics).toMatchObject([
      { severity: "error", detail: expect.stringContaining("TENANCY_SELF_CHANGE") as string },
    ]);
  });

  test("replaces another one on request", async () => {
    const { token, prior } = await working();
    const { login, name, login_with, retain_previous } = prior;
    const config = { login, name, login_with, retain_previous };
    const asked = await token.plan?.({ prior, config, private: {} } as never, call);
    const anew = { prior: null, config, private: asked?.private };
    const found = await token.plan?.(anew as never, call);
    expect(JSON.stringify(found?.diagnostics)).not.toContain("TENANCY_SELF_CHANGE");
  });
});

test("a run that logs in with a password deletes any token", async () => {
  const { simulator } = await start();
  const { id, serial, access_token } = simulator.records.createToken("system");
  const { token } = await configured(simulator, asSystem(simulator));
  const prior = { id, serial, access_token, previous: [], login: "system", name: "any" };
  expect(await token.planDelete?.({ prior, private: {} }, call)).toMatchObject({ diagnostics: [] });
});

test("a change that the run would suffer from is told at its attribute, with the user's login", async () => {
  const { simulator } = await start();
  const { id: account_id } = simulator.records.createAccount({ name: "acme" });
  const password = "s3cret-s3cret";
  const { id, serial } = simulator.records.createProfile("acme", { username: "ci", password });
  const { user } = await configured(simulator, { TENANCY_USERNAME: "ci@acme", TENANCY_PASSWORD: password });
  const declared = { username: "ci", account_id, permissions: {} };
  const prior = { ...declared, id, serial, login: "ci@acme", access_api: true };
  const config = { ...declared, access_api: false };
  const planned = await user.plan?.({ prior, config, private: {} } as never, call);
  expect(planned?.diagnostics).toMatchObject([{ severity: "error", attribute: ["access_api"] }]);
  expect(JSON.stringify(planned?.diagnostics)).toContain("ci@acme");
});

test("a run of which the service does not tell the account is free to change any user: Terraform's users could not allow it", async () => {
  const { simulator } = await start();
  const { id: account_id } = simulator.records.createAccount({ name: "acme" });
  const { id, serial } = simulator.records.createProfile("acme", { username: "ci" });
  const { access_token } = simulator.records.createToken("system");
  const baseUrl = await alteredService(simulator.baseUrl, ({ path }, answer) =>
    path.endsWith("/status/authorization") ? { ...answer, body: {} } : answer,
  );
  const { user } = await configured({ baseUrl }, { TENANCY_TOKEN: access_token });
  const declared = { username: "ci", account_id, permissions: {} };
  const prior = { ...declared, id, serial, login: "ci@acme", access_api: true };
  const config = { ...declared, access_api: false };
  const planned = await user.plan?.({ prior, config, private: {} } as never, call);
  expect(JSON.stringify(planned?.diagnostics)).not.toContain("TENANCY_SELF_CHANGE");
});

describe("a token whose user could not create it", () => {
  async function withUser(access: object) {
    const { simulator } = await start();
    const { id: account_id } = simulator.records.createAccount({ name: "acme" });
    const { id, serial } = simulator.records.createProfile("acme", { username: "csi", ...access });
    const found = await configured(simulator, asSystem(simulator));
    const declared = { username: "csi", account_id, permissions: {} };
    const prior = { ...declared, id, serial, login: "csi@acme", access_api: false };
    const config = { name: "prod", login: "csi@acme", login_with: "temporary_password" };
    const planToken = async () => {
      const planned = await found.token.plan?.({ prior: null, config, private: {} } as never, call);
      return JSON.stringify(planned?.diagnostics);
    };
    return { ...found, prior, declared, planToken };
  }

  test("is refused at the plan", async () => {
    const noAccess = await withUser({ access: { api: false } });
    expect(await noAccess.planToken()).toContain("the user has no API access");
    const factors = await withUser({ two_factor: { auth: "google", secret: "00ff" } });
    expect(await factors.planToken()).toContain("the user logs in with two factors");
    const password = await withUser({ password: "of csi" });
    expect(await password.planToken()).toContain("the user has a password that is not declared");
    expect(await (await withUser({})).planToken()).toBe("[]");
  });

  test("is judged by the user as the same plan leaves the user", async () => {
    const { user, prior, declared, planToken } = await withUser({ access: { api: false } });
    const config = { ...declared, access_api: true };
    await user.plan?.({ prior, config, private: {} } as never, call);
    expect(await planToken()).toBe("[]");
    const withPassword = await withUser({ password: "of csi" });
    const unset = { ...withPassword.declared, access_api: true, unset: ["password_wo"] };
    const before = { ...withPassword.prior, password_set: true };
    await withPassword.user.plan?.({ prior: before, config: unset, private: {} } as never, call);
    expect(await withPassword.planToken()).toBe("[]");
  });

  test("is not judged by a user whose plan is yet to come", async () => {
    const { user, prior, planToken } = await withUser({ access: { api: false } });
    await user.read?.({ state: prior, private: {} }, call);
    expect(await planToken()).toBe("[]");
  });
});
