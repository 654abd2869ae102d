import { getEventListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { apply, planRotation } from "../../../src/engine";
import {
  findToken,
  forgetUnknownTokens,
  revokeToken,
  type TokenRevocation,
} from "../../../src/engine/tokens/revoke";
import type { PlanOptions } from "../../../src/engine/options";
import { failedRevocation, intent } from "../../state/samples";
import type { SimulatorOptions } from "../../../src/lib/simulator";
import { actions, codes, findings, projects, type Build, type Project } from "../../support/projects";
import { acme, isGood, kept, leave } from "./support";

const start = projects();

async function revoke(
  project: Project,
  name: string,
  build: Build = acme({ csi: [] }),
  options: PlanOptions = {},
): Promise<TokenRevocation> {
  const revocation = await revokeToken(project.synthesize(build), name, project.options(options));
  if (revocation === undefined) throw new Error("nobody said no");
  return revocation;
}

/** A project with a token that was rotated once. */
async function rotated(options?: SimulatorOptions): Promise<Project> {
  const project = await start(options);
  await project.apply(acme());
  await apply(await planRotation(project.synthesize(acme()), "prod", project.options()));
  return project;
}

const openIntent = { ...intent, login: "csi@acme", name: "prod" };

test("a token is revoked with those that it replaced, refused by the service, and forgotten", async () => {
  const project = await rotated();
  const [before] = (await kept(project)).tokens;
  const all = [before!.record, ...before!.previous];
  const done = await revoke(project, "prod");
  expect(done).toEqual({
    origin: project.service.baseUrl,
    stack: "prod",
    provider: "tenancy",
    key: "csi@acme/prod",
    serials: all.map(({ serial }) => serial),
    isWhole: true,
    intents: [],
    declaredAt: undefined,
  });
  for (const one of all) expect(await isGood(project, one)).toBe(false);
  expect(await kept(project)).toMatchObject({ tokens: [], failed_revocations: [] });
});

test("what is remembered of a token goes with it, whether an apply revokes it or somebody does", async () => {
  const project = await start();
  const isRemembered = async (token: string) =>
    (await readFile(project.state, "utf8")).includes(`"authorization:${token}"`);
  await project.apply(acme({ csi: ["prod"], ops: ["prod", "test"] }));
  expect(await isRemembered("csi@acme/prod")).toBe(true);
  expect(await isRemembered("ops@acme/test")).toBe(true);
  await revoke(project, "ops@acme/test");
  expect(await isRemembered("ops@acme/test")).toBe(false);
  await project.apply(acme({ csi: [] }));
  expect(await isRemembered("csi@acme/prod")).toBe(false);
  expect(await isRemembered("ops@acme/prod")).toBe(false);
});

test("what would be revoked is told before, without asking anybody", async () => {
  const project = await rotated();
  project.service.clearRequests();
  const found = await findToken(project.synthesize(acme()), "csi@acme/prod", project.options());
  expect(found).toMatchObject({
    key: "csi@acme/prod",
    isWhole: true,
    declaredAt: "tenancy_authorization.csi_prod",
  });
  expect(found.serials).toHaveLength(2);
  expect(JSON.stringify(found)).not.toContain((await kept(project)).tokens[0]!.record.access_token);
  expect(project.service.requests).toEqual([]);
});

test("a token that is still declared is created again by the next apply", async () => {
  const project = await start();
  await project.apply(acme());
  expect((await revoke(project, "prod", acme())).declaredAt).toBe("tenancy_authorization.csi_prod");
  expect(actions(await project.plan(acme()))).toEqual(["create tenancy_authorization.csi_prod"]);
});

test("the serial number of a replaced token revokes it alone, so that the declared one stays, also where it is noted twice", async () => {
  const project = await rotated();
  const [before] = (await kept(project)).tokens;
  const [previous] = before!.previous;
  await leave(project, {
    failed_revocations: [{ ...failedRevocation, ...previous!, login: "csi@acme", name: "prod" }],
  });
  expect(await revoke(project, previous!.serial, acme())).toMatchObject({
    serials: [previous!.serial],
    isWhole: false,
    declaredAt: undefined,
  });
  expect(await isGood(project, previous!)).toBe(false);
  expect(await isGood(project, before!.record)).toBe(true);
  expect(await kept(project)).toMatchObject({
    tokens: [{ record: { serial: before!.record.serial }, previous: [] }],
    failed_revocations: [],
  });
});

test("the serial number of the current token revokes those that it replaced, too", async () => {
  const project = await rotated();
  const [before] = (await kept(project)).tokens;
  const { serial } = before!.record;
  expect(await revoke(project, serial)).toMatchObject({
    serials: [serial, before!.previous[0]!.serial],
    isWhole: true,
  });
  expect((await kept(project)).tokens).toEqual([]);
});

test("each token that the service does not refuse is told of", async () => {
  const project = await rotated({ revocation: false });
  const [before] = (await kept(project)).tokens;
  const told = await findings(revoke(project, "prod"));
  expect(codes(told)).toEqual(["TENANCY_NOT_REVOKED", "TENANCY_NOT_REVOKED"]);
  for (const { serial } of [before!.record, ...before!.previous])
    expect(told.filter(({ summary }) => summary.includes(serial))).toHaveLength(1);
});

test("a state that cannot be unlocked is a warning beside what was revoked", async () => {
  const project = await start();
  const program = resolve(__dirname, "../../support/folder-helper.mjs");
  const helper = `"${process.execPath}" "${program}" "${project.folder}"`;
  await project.apply(acme(), { state: { helper } });
  const done = await revoke(project, "prod", acme(), { state: { helper: `${helper} fails-unlock` } });
  expect(done).toMatchObject({
    isWhole: true,
    warnings: [{ code: "TENANCY_CREDENTIAL_HELPER", severity: "warning" }],
  });
  const again = findToken(project.synthesize(acme()), "prod", project.options({ state: { helper } }));
  expect(codes(await findings(again))).toEqual(["TENANCY_UNKNOWN_NAME"]);
});

test("a token that the service does not refuse stays noted, and every later run reports it", async () => {
  const project = await start({ revocation: false });
  await project.apply(acme());
  const [before] = (await kept(project)).tokens;
  await expect(revoke(project, "prod")).rejects.toMatchObject({ code: "TENANCY_NOT_REVOKED" });
  expect(await kept(project)).toMatchObject({
    tokens: [],
    failed_revocations: [{ serial: before!.record.serial }],
  });
  for (let run = 0; run < 2; run++)
    expect(codes((await project.plan(acme({ csi: [] }))).warnings)).toContain("TENANCY_NOT_REVOKED");
  expect(codes(await findings(revoke(project, before!.record.serial)))).toEqual(["TENANCY_NOT_REVOKED"]);
});

test("an answer is no proof: a token that still works is not revoked", async () => {
  const project = await start();
  await project.apply(acme());
  project.service.fail({ method: "DELETE", path: /\/authorization\//, status: 204, times: 9 });
  expect(codes(await findings(revoke(project, "prod")))).toEqual(["TENANCY_NOT_REVOKED"]);
  expect((await kept(project)).failed_revocations).toHaveLength(1);
  project.service.clearFaults();
  await revoke(project, "prod");
  expect(await kept(project)).toMatchObject({ tokens: [], failed_revocations: [] });
});

test("the token of a suspended user stays noted until it is refused although the user is active", async () => {
  const project = await start({ revocation: false, suspendedStatus: 401 });
  await project.apply(acme());
  const { record } = (await kept(project)).tokens[0]!;
  project.service.records.patchProfile("csi@acme", { activated: false });
  expect(codes(await findings(revoke(project, "prod")))).toEqual(["TENANCY_NOT_REVOKED"]);
  project.service.records.patchProfile("csi@acme", { activated: true });
  expect(await isGood(project, record)).toBe(true);
  expect((await kept(project)).failed_revocations).toMatchObject([
    { serial: record.serial, user_id: record["user_id"] },
  ]);
  project.service.records.revokeToken(record.serial);
  await revoke(project, record.serial);
  expect((await kept(project)).failed_revocations).toEqual([]);
});

test("the token of a user who was deleted, and may not be looked at, stops creates until it is revoked, as the advice says", async () => {
  const project = await start();
  await project.apply(acme());
  const userId = (await kept(project)).tokens[0]!.record["user_id"] as string;
  project.service.records.deleteProfile("csi@acme");
  project.service.fail({ path: new RegExp(`user-profile/${userId}$`), times: 99, status: 403 });
  const [finding] = await findings(project.plan(acme()));
  expect(finding).toMatchObject({
    code: "TENANCY_INCOMPLETE_LISTS",
    advice: expect.stringMatching(
      /If that user was deleted, .*: tenancy token revoke csi@acme\/prod\.$/,
    ) as string,
  });
  await revoke(project, "csi@acme/prod");
  expect((await kept(project)).tokens).toEqual([]);
  expect(actions(await project.plan(acme({ csi: [] })))).toEqual(["create tenancy_user_profile.acme_csi"]);
});

test("a run that ends before anything was sent leaves the note that the token is to be revoked", async () => {
  const project = await start();
  await project.apply(acme());
  const { record } = (await kept(project)).tokens[0]!;
  project.service.clearRequests();
  const stopped = revoke(project, "prod", acme({ csi: [] }), { signal: AbortSignal.abort() });
  expect(codes(await findings(stopped))).toEqual(["TENANCY_CANCELLED"]);
  expect(project.service.requests).toEqual([]);
  expect(await kept(project)).toMatchObject({
    tokens: [],
    failed_revocations: [{ serial: record.serial, access_token: record.access_token }],
  });
  await project.apply(acme({ csi: [] }));
  expect(await isGood(project, record)).toBe(false);
  expect((await kept(project)).failed_revocations).toEqual([]);
});

test("a run that cannot open the service leaves nothing behind at the caller's signal", async () => {
  const project = await start();
  await project.apply(acme());
  const { signal } = new AbortController();
  const environment = { TENANCY_CA_FILE: "/nowhere/ca.pem" };
  const stopped = revoke(project, "prod", acme({ csi: [] }), { signal, environment });
  expect(await findings(stopped)).toHaveLength(1);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("the note of an interrupted token creation is reported until it is forgotten by its id", async () => {
  const project = await start();
  await project.apply(acme());
  await leave(project, { intents: [openIntent] });
  for (let run = 0; run < 2; run++) {
    const { warnings } = await project.plan(acme());
    expect(warnings).toMatchObject([
      {
        code: "TENANCY_OPEN_INTENT",
        advice: expect.stringContaining("tenancy token revoke --all-unknown") as string,
      },
    ]);
    await project.apply(acme());
  }
  project.service.clearRequests();
  const environment = { TENANCY_USERNAME: "", TENANCY_PASSWORD: "" };
  expect(await revoke(project, openIntent.id, acme(), { environment })).toMatchObject({
    serials: [],
    isWhole: false,
    declaredAt: undefined,
    intents: [{ id: openIntent.id, loginWith: "password", startedAt: openIntent.started_at }],
  });
  expect(project.service.requests).toEqual([]);
  expect((await kept(project)).tokens).toHaveLength(1);
  expect((await project.plan(acme())).warnings).toEqual([]);
});

test("interrupted creations are one line for a user until they are forgotten together, or their user is gone", async () => {
  const project = await start();
  await project.apply(acme());
  const unknown = ["csi", "csi", "ops"].map((user, index) => ({
    ...openIntent,
    id: `creation-${index}`,
    name: `token-${index}`,
    login: `${user}@acme`,
  }));
  await leave(project, { intents: [...unknown, { ...unknown[0]!, id: "again" }] });
  const { warnings } = await project.plan(acme());
  expect(warnings.map(({ summary }) => summary)).toEqual([
    expect.stringMatching(/tokens of csi@acme that the state lacks.* "token-0", "token-1", "token-0" at /),
  ]);
  await project.apply(acme({ csi: ["prod", "token-0", "token-1"] }));
  expect((await kept(project)).intents).toMatchObject(unknown.slice(0, 2));
  const forget = () => forgetUnknownTokens(project.synthesize(acme()), project.options());
  expect(await forget()).toMatchObject([{ name: "token-0" }, { name: "token-1" }]);
  expect((await kept(project)).intents).toEqual([]);
  expect(await forget()).toEqual([]);
});

test("an unknown creation stays while its user lives under another name", async () => {
  const project = await start();
  await project.apply(acme({ csi: [] }));
  await leave(project, { intents: [openIntent] });
  project.service.records.patchProfile("csi@acme", { login: "eve@acme" } as never);
  const { plan } = await project.run(acme({ ops: [] }), { noPrune: true });
  expect(codes(plan.warnings)).toContain("TENANCY_OPEN_INTENT");
  expect(actions(plan)).toEqual(["create tenancy_user_profile.acme_ops"]);
  expect((await kept(project)).intents).toHaveLength(1);
});

test("where there is no token of the name, it means the interrupted token creation", async () => {
  const project = await start();
  await project.apply(acme());
  await leave(project, { tokens: [], intents: [openIntent, { ...openIntent, id: "another" }] });
  expect((await revoke(project, "csi@acme/prod")).intents).toHaveLength(2);
  expect((await kept(project)).intents).toEqual([]);
});

test("the id of an interrupted token creation means that alone, whatever a token is called", async () => {
  const project = await start();
  await project.apply(acme());
  await leave(project, { intents: [{ ...openIntent, id: "prod" }] });
  expect(await revoke(project, "prod")).toMatchObject({ serials: [], intents: [{ id: "prod" }] });
  expect((await kept(project)).tokens).toHaveLength(1);
});

test("the name of a token leaves notes of interrupted token creations alone", async () => {
  const project = await start();
  await project.apply(acme());
  await leave(project, { intents: [openIntent] });
  expect((await revoke(project, "prod")).intents).toEqual([]);
  expect((await kept(project)).intents).toHaveLength(1);
});

test("a name of two tokens is ambiguous; login and name are not", async () => {
  const project = await start();
  await project.apply(acme({ csi: ["prod"], jane: ["prod"] }));
  const [finding] = await findings(revoke(project, "prod"));
  expect(finding).toMatchObject({ code: "TENANCY_UNKNOWN_NAME" });
  const { tokens } = await kept(project);
  expect(tokens).toHaveLength(2);
  for (const { login, record } of tokens)
    expect(finding?.summary).toContain(`${login}/prod (${record.serial}, ${project.service.baseUrl})`);
  await revoke(project, "jane@acme/prod");
  expect((await kept(project)).tokens).toMatchObject([{ login: "csi@acme" }]);
});

test("a name of two interrupted token creations is ambiguous", async () => {
  const project = await start();
  await project.apply(acme());
  await leave(project, { tokens: [], intents: [openIntent, { ...openIntent, id: "2", login: "ops@acme" }] });
  const [finding] = await findings(revoke(project, "prod"));
  expect(finding).toMatchObject({ code: "TENANCY_UNKNOWN_NAME" });
  const { baseUrl } = project.service;
  expect(finding?.summary).toContain(`csi@acme/prod (${baseUrl}), ops@acme/prod (${baseUrl})`);
  expect((await kept(project)).intents).toHaveLength(2);
});

test("an unknown name revokes nothing", async () => {
  const project = await start();
  await project.apply(acme());
  await leave(project, { failed_revocations: [failedRevocation] });
  expect(await findings(revoke(project, "laptop"))).toMatchObject([
    { code: "TENANCY_UNKNOWN_NAME", advice: "It holds: csi@acme/prod." },
  ]);
});

test.each([
  ["as it is", "", ""],
  ["with white space around it", " ", "\r\n"],
])(
  "the token that the run works with, given %s, is spared, unless told otherwise",
  async (_how, before, after) => {
    const project = await start();
    await project.apply(acme());
    const { access_token: token, serial, id } = project.service.records.createToken("system");
    const [entry] = (await kept(project)).tokens;
    await leave(project, {
      tokens: [{ ...entry!, record: { ...entry!.record, id, serial, access_token: token } }],
    });
    const environment = { TENANCY_TOKEN: before + token + after, TENANCY_USERNAME: "", TENANCY_PASSWORD: "" };
    const build = acme({ csi: [] });
    expect(codes(await findings(revoke(project, "prod", build, { environment })))).toEqual([
      "TENANCY_SELF_CHANGE",
    ]);
    expect(codes(await findings(project.plan(build, { environment })))).toEqual(["TENANCY_SELF_CHANGE"]);
    expect(await isGood(project, { access_token: token })).toBe(true);
    await revoke(project, "prod", build, { environment, allowSelfChange: true });
    expect(await isGood(project, { access_token: token })).toBe(false);
  },
);

test("a run that works with a token revokes another one, and spares its own among those that another has replaced", async () => {
  const project = await rotated();
  const { access_token: token, serial, id } = project.service.records.createToken("system");
  const environment = { TENANCY_TOKEN: token, TENANCY_USERNAME: "", TENANCY_PASSWORD: "" };
  const build = acme({ csi: [] });
  const [entry] = (await kept(project)).tokens;
  const [previous] = entry!.previous;
  await leave(project, {
    tokens: [{ ...entry!, previous: [{ ...previous!, id, serial, access_token: token }] }],
  });
  expect(codes(await findings(revoke(project, "prod", build, { environment })))).toEqual([
    "TENANCY_SELF_CHANGE",
  ]);
  await leave(project, { tokens: [entry!] });
  expect((await revoke(project, "prod", build, { environment })).serials).toHaveLength(2);
  expect(await isGood(project, { access_token: token })).toBe(true);
});

test("a run leaves the tokens and interrupted token creations of other names as they are", async () => {
  const project = await start();
  await project.apply(acme({ csi: ["prod"], ops: ["prod"] }));
  const other = { ...failedRevocation, login: "ops@acme", name: "prod" };
  const open = [openIntent, { ...openIntent, id: "2b6e2a7e-5a46-4ab0-a4c2-0a8a6f6e1c12", login: "ops@acme" }];
  await leave(project, { failed_revocations: [other], intents: open });
  const { serials } = await revoke(project, "csi@acme/prod");
  expect(serials).toHaveLength(1);
  expect(serials).not.toContain(other.serial);
  const left = await revoke(project, "csi@acme/prod");
  expect(left).toMatchObject({ serials: [], isWhole: false, intents: [{ id: openIntent.id }] });
  expect((await kept(project)).tokens).toMatchObject([{ login: "ops@acme" }]);
});
