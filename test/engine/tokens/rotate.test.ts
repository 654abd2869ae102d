/** `tenancy token rotate`: covers src/engine/tokens/rotation.ts. */
import { Tenant } from "tenancy";
import { apply, planRotation } from "../../../src/engine";
import type { ApplyResult } from "../../../src/plan/events";
import type { Plan } from "../../../src/plan/plan";
import type { PlanOptions } from "../../../src/engine/options";
import { actions, codes, findings, projects, writes, type Build, type Project } from "../../support/projects";
import { acme, isGood, kept, leave } from "./support";

const start = projects();

interface Rotated {
  readonly plan: Plan;
  readonly result: ApplyResult;
  readonly writes: readonly string[];
}

async function rotate(
  project: Project,
  name: string,
  options: PlanOptions & { readonly compromised?: boolean } = {},
  build: Build = acme(),
): Promise<Rotated> {
  const { compromised = false, ...more } = options;
  const plan = await planRotation(project.synthesize(build), name, { ...project.options(more), compromised });
  const before = project.service.requests.length;
  const result = await apply(plan);
  return { plan, result, writes: writes(project.service.requests.slice(before)) };
}

test("a rotation creates a new token, and the old one stays valid as declared", async () => {
  const project = await start();
  await project.apply(acme());
  const [before] = (await kept(project)).tokens;
  const { plan, result } = await rotate(project, "prod");
  expect(actions(plan)).toEqual(["update tenancy_authorization.csi_prod"]);
  expect(result).toMatchObject({ ok: true });
  const [after] = (await kept(project)).tokens;
  expect(after?.record.serial).not.toBe(before?.record.serial);
  expect(after?.previous).toMatchObject([{ serial: before?.record.serial }]);
  expect(await isGood(project, after!.record)).toBe(true);
  expect(await isGood(project, before!.record)).toBe(true);
  expect(actions(await project.plan(acme()))).toEqual([]);
});

test("a second rotation within the old token's time is refused unless it is allowed; a compromised token needs no leave", async () => {
  const project = await start();
  await project.apply(acme());
  await rotate(project, "prod");
  const [before] = (await kept(project)).tokens;
  expect(codes(await findings(rotate(project, "prod")))).toEqual(["TENANCY_RETIRES_EARLY"]);
  for (const token of [before!.record, ...before!.previous]) expect(await isGood(project, token)).toBe(true);
  expect((await rotate(project, "prod", { retireEarly: true })).result.ok).toBe(true);
  expect(await isGood(project, before!.previous[0]!)).toBe(false);
  expect((await rotate(project, "prod", { compromised: true })).result.ok).toBe(true);
});

test.each(["prod", "csi@acme/prod", "the serial number"])("a token is named by %s", async (name) => {
  const project = await start();
  await project.apply(acme({ csi: ["prod"], jane: ["laptop"] }));
  const serial = (await kept(project)).tokens.find((token) => token.name === "prod")?.record.serial ?? "";
  const { plan } = await rotate(
    project,
    name.startsWith("the") ? serial : name,
    {},
    acme({ csi: ["prod"], jane: ["laptop"] }),
  );
  expect(actions(plan)).toEqual(["update tenancy_authorization.csi_prod"]);
});

test("nothing else is changed by it, nor deleted", async () => {
  const project = await start();
  await project.apply(acme({ csi: ["prod", "old"], jane: ["laptop"] }));
  const build: Build = (stack) => {
    acme()(stack);
    new Tenant(stack, "globex", { name: "globex" });
  };
  const { plan, result, writes: sent } = await rotate(project, "prod", {}, build);
  expect(actions(plan)).toEqual(["update tenancy_authorization.csi_prod"]);
  expect(result.ok).toBe(true);
  expect(
    sent.filter((request) => !/^PATCH \/api\/user-profile|^POST \/api\/authorization$/.test(request)),
  ).toEqual([]);
});

test("a compromised token and those before it are revoked at once, and the service refuses each", async () => {
  const project = await start();
  await project.apply(acme());
  await rotate(project, "prod");
  const [before] = (await kept(project)).tokens;
  expect(before?.previous).toHaveLength(1);
  const { result } = await rotate(project, "prod", { compromised: true });
  expect(result).toMatchObject({ ok: true, diagnostics: [] });
  const { tokens, failed_revocations: left } = await kept(project);
  expect(left).toEqual([]);
  expect(tokens).toMatchObject([{ name: "prod", previous: [] }]);
  for (const old of [before!.record, ...before!.previous]) expect(await isGood(project, old)).toBe(false);
  expect(await isGood(project, tokens[0]!.record)).toBe(true);
  expect(actions(await project.plan(acme()))).toEqual([]);
});

test("a service that does not revoke leaves the compromised token noted, and the command fails", async () => {
  const project = await start({ revocation: false });
  await project.apply(acme());
  const [before] = (await kept(project)).tokens;
  const { result } = await rotate(project, "prod", { compromised: true });
  expect(result.ok).toBe(false);
  expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_NOT_REVOKED"]);
  const { tokens, failed_revocations: left } = await kept(project);
  expect(tokens).toMatchObject([{ name: "prod", previous: [] }]);
  expect(left).toMatchObject([{ serial: before?.record.serial }]);
  expect(codes((await project.plan(acme())).warnings)).toContain("TENANCY_NOT_REVOKED");
});

test("where no new token can be created, a compromised one is revoked all the same", async () => {
  const project = await start();
  await project.apply(acme());
  const [before] = (await kept(project)).tokens;
  project.service.fail({ method: "POST", path: "/api/authorization", status: 403, times: 9 });
  const { result } = await rotate(project, "prod", { compromised: true });
  expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual([
    "TENANCY_REVOKED_NOT_REPLACED",
  ]);
  expect(await isGood(project, before!.record)).toBe(false);
  expect(await kept(project)).toMatchObject({ tokens: [], intents: [], failed_revocations: [] });
  project.service.clearFaults();
  await project.apply(acme());
  expect((await kept(project)).tokens).toHaveLength(1);
});

test("where a compromised token is revoked and not replaced, a password that was set for creating a token and stays is told of", async () => {
  const project = await start();
  await project.apply(acme());
  project.service.fail({ method: "POST", path: "/api/authorization", status: 403 });
  const where = ({ body }: { readonly body: unknown }) =>
    (body as { readonly password?: unknown }).password === null;
  project.service.fail({ method: "PATCH", where, status: 403 });
  const { result } = await rotate(project, "prod", { compromised: true });
  expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual([
    "TENANCY_REVOKED_NOT_REPLACED",
    "TENANCY_PASSWORD_LEFT",
  ]);
});

test("a token that the service refuses already is rotated without a question", async () => {
  const project = await start();
  await project.apply(acme());
  const [before] = (await kept(project)).tokens;
  await fetch(`${project.service.baseUrl}/api/authorization/${before!.record.id}`, {
    method: "DELETE",
    headers: { authorization: `Basic ${Buffer.from("system:system").toString("base64")}` },
  });
  expect(await isGood(project, before!.record)).toBe(false);
  const { result } = await rotate(project, "prod");
  expect(result.ok).toBe(true);
  expect(await isGood(project, (await kept(project)).tokens[0]!.record)).toBe(true);
});

test("a rotation that would revoke the run's own token is refused", async () => {
  const project = await start();
  await project.apply(acme({ csi: ["prod"] }));
  const { access_token: token } = project.service.records.createToken("system");
  const entry = (await kept(project)).tokens[0]!;
  await leave(project, { tokens: [{ ...entry, record: { ...entry.record, access_token: token } }] });
  const environment = { TENANCY_TOKEN: token, TENANCY_USERNAME: "", TENANCY_PASSWORD: "" };
  const options = { environment, compromised: true };
  expect(codes(await findings(rotate(project, "prod", options)))).toEqual(["TENANCY_SELF_CHANGE"]);
});

test("what is not in the state is created by an apply, not by a rotation", async () => {
  const project = await start();
  await project.apply(acme());
  expect(await findings(rotate(project, "prodd"))).toMatchObject([
    { code: "TENANCY_UNKNOWN_NAME", advice: 'Did you mean "prod"?' },
  ]);
  const withNightly = acme({ csi: ["prod", "nightly"] });
  expect(codes(await findings(rotate(project, "nightly", {}, withNightly)))).toEqual([
    "TENANCY_UNKNOWN_NAME",
  ]);
});

test("a token that is no longer declared cannot be rotated, for nothing says how to create it", async () => {
  const project = await start();
  await project.apply(acme({ csi: ["prod", "old"] }));
  expect(codes(await findings(rotate(project, "old")))).toEqual(["TENANCY_TOKEN_UNDECLARED"]);
});

test("a name that several users' tokens have needs the login, too", async () => {
  const project = await start();
  const build = acme({ csi: ["prod"], jane: ["prod"] });
  await project.apply(build);
  const [finding] = await findings(rotate(project, "prod", {}, build));
  expect(finding).toMatchObject({ code: "TENANCY_UNKNOWN_NAME" });
  expect(finding?.summary).toMatch(/csi@acme\/prod \(ATH\w+\), jane@acme\/prod \(ATH\w+\)/);
  const { result } = await rotate(project, "jane@acme/prod", {}, build);
  expect(result.ok).toBe(true);
});
