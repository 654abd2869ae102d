/** Creating a token goes wrong: covers src/engine/tokens and src/resources/authorization. */
import { readFile, writeFile } from "node:fs/promises";
import { Permissions, Tenant } from "tenancy";
import { listTokens } from "../../../src/engine/tokens/list";
import { actions, changeAt, codes, projects, type Build } from "../../support/projects";
import { csi, isGood, kept } from "./support";

const start = projects();
const none = Permissions.none();

describe("creating a token that goes wrong", () => {
  test("leaves an intent when its answer is lost, which is reported until settled", async () => {
    const project = await start();
    project.service.fail({ method: "POST", path: "/api/authorization", when: "after", reset: true });
    const { result } = await project.run(csi());
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_ANSWER_LOST"]);
    expect((await kept(project)).intents).toHaveLength(1);
    const plan = await project.plan(csi());
    expect(codes(plan.warnings)).toEqual(["TENANCY_OPEN_INTENT"]);
    expect(actions(plan)).toEqual(["create tenancy_authorization.acme_prod"]);
  });

  test("fails where the service ends the token with the password that it was created with", async () => {
    const project = await start({ passwordEndsTokens: true });
    const { result } = await project.run(csi());
    expect(result.ok).toBe(false);
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_TOKENS_ENDED"]);
    const { record } = (await kept(project)).tokens[0]!;
    expect(await isGood(project, record)).toBe(false);
    // The proof is noted: the plan tells it, and `token list` does, and neither asks the service for it.
    for (const verifyTokens of [false, true]) {
      project.service.clearRequests();
      const plan = await project.plan(csi(), { verifyTokens });
      expect(actions(plan)).toEqual(["create tenancy_authorization.acme_prod"]);
      expect(changeAt(plan, "tenancy_authorization.acme_prod").notes).toEqual([
        "the token in the state is no longer valid",
      ]);
      const verdicts = project.service.requests.filter(({ path }) => path === "/api/status/authorization");
      if (!verifyTokens) expect(verdicts).toHaveLength(1);
    }
    const refusedAt = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    project.service.clearRequests();
    const source = project.synthesize(csi());
    expect(await listTokens([source], project.options())).toMatchObject([
      { tokens: [{ serial: record.serial, persistent: true, refusedAt }] },
    ]);
    expect(project.service.requests).toEqual([]);
    // Creating a token ends the tokens before it, and its own: what is noted is of the new one alone.
    expect((await project.run(csi())).result.ok).toBe(false);
    const [token] = (await kept(project)).tokens;
    expect(token!.record.serial).not.toBe(record.serial);
    expect(token!.refused).toEqual([{ serial: token!.record.serial, refused_at: refusedAt }]);
  });

  test("fails where the service ends another token of the user meanwhile, which the state keeps", async () => {
    const project = await start();
    const build =
      (...names: readonly string[]): Build =>
      (stack) => {
        const acme = new Tenant(stack, "acme", {
          name: "acme",
          permissions: Permissions.none(),
          users: { csi: { permissions: none } },
        });
        for (const name of names) acme.addToken(name, { user: "csi" });
      };
    await project.apply(build("prod"));
    const { serial } = (await kept(project)).tokens[0]!.record;
    project.service.fail({
      method: "PATCH",
      where: ({ body }) => (body as { readonly password?: unknown }).password === null,
      alter: (body) => {
        project.service.records.revokeToken(serial);
        return body;
      },
    });
    const { result } = await project.run(build("prod", "test"));
    expect(result.failed).toMatchObject([
      {
        change: { key: "csi@acme/test" },
        diagnostics: [{ code: "TENANCY_TOKENS_ENDED", summary: expect.stringContaining(serial) as string }],
      },
    ]);
    expect(actions(await project.plan(build("prod", "test")))).toEqual([
      "create tenancy_authorization.acme_prod",
    ]);
  });

  test("does not blame the password for a token that the same run revokes", async () => {
    const project = await start();
    const build =
      (keepers: object, ...names: readonly string[]): Build =>
      (stack) => {
        const user = { csi: { permissions: none } };
        const acme = new Tenant(stack, "acme", { name: "acme", permissions: none, users: user });
        acme.addToken("spare", { user: "csi", retainPreviousFor: "0s", keepers: { ...keepers } });
        for (const name of names) acme.addToken(name, { user: "csi" });
      };
    await project.apply(build({ rotation: "1" }));
    const old = (await kept(project)).tokens[0]!.record;
    // The run that rotates the token dies, or fails, before the old one is revoked: the next one revokes it.
    const unavailable = project.service.fail({ method: "DELETE", status: 403, times: 100 });
    expect((await project.run(build({ rotation: "2" }))).result.ok).toBe(false);
    unavailable.remove();
    expect((await kept(project)).tokens).toMatchObject([{ previous: [{ serial: old.serial }] }]);
    // The old token is good when the creation of another token begins, and is not when it ends.
    project.service.fail({ method: "DELETE", path: /^\/api\/authorization/, delay: 200 });
    project.service.fail({ method: "POST", path: "/api/authorization", delay: 500 });
    await project.apply(build({ rotation: "2" }, "prod"));
    expect(await isGood(project, old)).toBe(false);
    expect((await kept(project)).tokens).toMatchObject([{ name: "spare", previous: [] }, { name: "prod" }]);
  });

  test("leaves nothing when the service refused", async () => {
    const project = await start();
    project.service.fail({ method: "POST", path: "/api/authorization", status: 403 });
    const { result } = await project.run(csi());
    expect(result.ok).toBe(false);
    expect((await kept(project)).intents).toEqual([]);
    await project.apply(csi());
  });

  test("revokes what a later run could not know: a token that replaced a stale one", async () => {
    const project = await start();
    await project.apply(csi());
    const stale = (await kept(project)).tokens[0]!.record;
    // The service refuses the token twice, with a user who is well: it looks gone.
    for (let time = 0; time < 2; time++)
      project.service.fail({ path: "/api/status/authorization", skip: 1, status: 401 });
    await project.apply(csi(), { verifyTokens: true });
    const after = await kept(project);
    expect(after.tokens[0]!.record.serial).not.toBe(stale.serial);
    expect(await isGood(project, stale)).toBe(false);
    expect(after.failed_revocations).toEqual([]);
  });

  test("fails a run that leaves a token good which it replaced, and warns at the next", async () => {
    const project = await start({ revocation: false });
    await project.apply(csi());
    const stale = (await kept(project)).tokens[0]!.record;
    for (let time = 0; time < 2; time++)
      project.service.fail({ path: "/api/status/authorization", skip: 1, status: 401 });
    const { result } = await project.run(csi(), { verifyTokens: true });
    expect(result).toMatchObject({
      ok: false,
      diagnostics: [{ severity: "error", code: "TENANCY_NOT_REVOKED" }],
    });
    expect((await kept(project)).failed_revocations).toMatchObject([{ serial: stale.serial }]);
    expect((await project.apply(csi())).result.diagnostics).toMatchObject([
      { severity: "warning", code: "TENANCY_NOT_REVOKED" },
    ]);
  });

  test.each([
    ["the service revokes it", false],
    ["it is found refused, by a caller who may not revoke it any more", true],
  ])("a revocation that failed is tried at every apply until %s", async (_what, isRefusedAlready) => {
    const project = await start();
    await project.apply(csi());
    const stale = (await kept(project)).tokens[0]!.record;
    const text = await readFile(project.state, "utf8");
    const state = JSON.parse(text) as { parts: [{ tokens: object[]; failed_revocations: object[] }] };
    const other = project.service.records.createToken("csi@acme");
    state.parts[0].failed_revocations.push({
      login: "csi@acme",
      name: "old",
      id: other.id,
      serial: other.serial,
      access_token: other.access_token,
      failed_at: "2026-01-01T00:00:00.000Z",
    });
    await writeFile(project.state, JSON.stringify(state));
    project.service.fail({ method: "DELETE", path: /authorization/, status: 500, times: 20 });
    const build = project.synthesize(csi(), { owner: "acme-platform", retryTimeout: "0s" });
    const first = await project.run(build);
    expect(codes(first.result.diagnostics)).toEqual(["TENANCY_NOT_REVOKED"]);
    expect(codes((await project.plan(csi())).warnings)).toEqual(["TENANCY_NOT_REVOKED"]);
    project.service.clearFaults();
    if (isRefusedAlready) {
      project.service.records.revokeToken(other.serial);
      project.service.fail({ method: "DELETE", path: /authorization/, status: 403 });
    }
    await project.apply(csi());
    expect(await isGood(project, other)).toBe(false);
    expect(await isGood(project, stale)).toBe(true);
    expect((await kept(project)).failed_revocations).toEqual([]);
  });
});
