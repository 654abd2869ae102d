/** Tokens that the service refuses: revoked outside, or noted as refused: covers src/engine/tokens and src/resources/authorization. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Account } from "tenancy";
import { apply, takeSnapshot } from "../../../src/engine";
import { actions, codes, projects, writes, type Build } from "../../support/projects";
import { csi, isGood, kept, noteRefused } from "./support";

const start = projects();

describe("a token that was revoked outside", () => {
  test.each([
    ["", undefined],
    [", also where one that it replaced is still valid", { keepers: { year: "2025" } }],
  ])("fails the apply in its own branch, which says what to do%s", async (_where, rotated) => {
    const project = await start();
    await project.apply(csi());
    await project.apply(csi(rotated));
    project.service.records.revokeToken((await kept(project)).tokens[0]!.record.serial);
    const build: Build = (stack) => {
      csi(rotated)(stack);
      new Account(stack, "other", { name: "other", permissions: {} });
    };
    const { result } = await project.run(build);
    expect(result.applied.map(({ key }) => key)).toEqual(["other"]);
    expect(result.failed).toMatchObject([
      { change: { key: "csi@acme/prod" }, diagnostics: [{ code: "TENANCY_PLAN_OUTDATED" }] },
    ]);
    expect(result.failed[0]?.diagnostics[0]?.advice).toBe("Run again: then a new one is created.");
  });

  test("is kept where its refusal proves nothing", async () => {
    const project = await start();
    await project.apply(csi());
    project.service.records.patchProfile("csi@acme", { activated: false });
    const plan = await project.plan(csi(), { verifyTokens: true });
    expect(actions(plan)).toEqual([]);
    expect(codes(plan.warnings)).toEqual(["TENANCY_TOKEN_NOT_VERIFIED"]);
    project.service.records.patchProfile("csi@acme", { activated: true });
    project.service.fail({
      path: "/api/status/authorization",
      // The first one is the run's own.
      skip: 1,
      status: 403,
    });
    expect(codes((await project.plan(csi(), { verifyTokens: true })).warnings)).toEqual([
      "TENANCY_TOKEN_NOT_VERIFIED",
    ]);
  });
});

test.each([
  ["is kept no longer once a new token is created", true, {}],
  ["is forgotten where an apply that tries the token finds it good", false, { verifyTokens: true }],
])("the proof that a token has ended %s", async (_what, hasEnded, options) => {
  const project = await start();
  await project.apply(csi());
  const { record } = (await kept(project)).tokens[0]!;
  if (!hasEnded) {
    await noteRefused(project, [record]);
  } else {
    project.service.records.revokeToken(record.serial);
    // An apply that trusted the plan finds it, and notes it.
    const { result } = await project.run(csi());
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_PLAN_OUTDATED"]);
  }
  expect(actions(await project.plan(csi()))).toEqual(["create tenancy_authorization.acme_prod"]);
  await project.apply(csi(), options);
  const [token] = (await kept(project)).tokens;
  expect(token!.record.serial === record.serial).toBe(!hasEnded);
  expect(token!.refused).toEqual([]);
  expect(await isGood(project, token!.record)).toBe(true);
  expect(actions(await project.plan(csi()))).toEqual([]);
});

test("a token that two passing refusals gave out as ended is tried before a new one takes its place, and stays", async () => {
  const project = await start();
  await project.apply(csi());
  const { record } = (await kept(project)).tokens[0]!;
  const made = await project.plan(csi());
  let asked = 0;
  project.service.fail({
    path: "/api/status/authorization",
    // The token, the run's own credential, and the token once more.
    where: () => ++asked !== 2,
    times: 2,
    status: 401,
  });
  const [failure] = (await apply(made)).failed;
  expect(failure?.diagnostics).toMatchObject([
    { code: "TENANCY_PLAN_OUTDATED", advice: "Run again: then a new one is created." },
  ]);
  project.service.clearFaults();
  expect((await kept(project)).tokens[0]!.refused).toMatchObject([{ serial: record.serial }]);
  const again = await project.run(csi());
  expect(actions(again.plan)).toEqual(["create tenancy_authorization.acme_prod"]);
  expect(again.result.failed[0]?.diagnostics).toMatchObject([
    {
      code: "TENANCY_PLAN_OUTDATED",
      summary: expect.stringContaining(`after all: ${record.serial} (200)`) as string,
      advice: expect.stringMatching(/^Run again: then the token is treated as valid/) as string,
    },
  ]);
  expect(writes(again.requests)).toEqual([]);
  expect(await isGood(project, record)).toBe(true);
  expect((await kept(project)).tokens[0]!.refused).toEqual([]);
  expect(actions((await project.apply(csi())).plan)).toEqual([]);
});

test("a token that was replaced, and is noted as refused with its successor, is tried, and keeps its time", async () => {
  const project = await start();
  const declared = csi({ keepers: { year: "2025" } });
  await project.apply(csi());
  await project.apply(declared);
  const { record, previous } = (await kept(project)).tokens[0]!;
  project.service.records.revokeToken(record.serial);
  await noteRefused(project, [record, ...previous]);
  const { result } = await project.run(declared);
  expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_PLAN_OUTDATED"]);
  await project.apply(declared);
  const [after] = (await kept(project)).tokens;
  expect(after!.previous.map(({ serial }) => serial)).toEqual([previous[0]!.serial]);
  for (const one of [after!.record, previous[0]!]) expect(await isGood(project, one)).toBe(true);
});

test("a plan from a snapshot tells that a token has ended, as the plan that asks the service does", async () => {
  const project = await start({ passwordEndsTokens: true });
  await project.run(csi());
  const text = await takeSnapshot([project.synthesize(csi())], project.options());
  const file = join(project.folder, "live.json");
  await writeFile(file, text);
  expect(text).not.toContain((await kept(project)).tokens[0]!.record.access_token);
  const plan = await project.plan(csi(), { fromSnapshot: { file } });
  expect(actions(plan)).toEqual(["create tenancy_authorization.acme_prod"]);
});
