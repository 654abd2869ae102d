/** Applies, from the first write to the account of what was done: covers src/engine/apply/progress.ts, besides its own source. */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Account, Authorization, Tenant, UserProfile } from "cdktf-provider-tenancy";
import { TerraformOutput } from "cdktf";
import { apply, takeSnapshot } from "../../../src/engine";
import {
  actions,
  codes,
  findings,
  projects,
  writes,
  type Applied,
  type Build,
  type Project,
} from "../../support/projects";
import { acme, isGood, kept, leave } from "../tokens/support";

const start = projects();

const accounts =
  (...names: readonly string[]): Build =>
  (stack) => {
    for (const name of names) new Account(stack, name, { name, permissions: {} });
    new TerraformOutput(stack, "known", { value: "yes" });
  };

test("a helper that cannot unlock is a warning beside what was done", async () => {
  const project = await start();
  const program = resolve(__dirname, "../../support/folder-helper.mjs");
  const helper = `"${process.execPath}" "${program}" "${project.folder}" fails-unlock`;
  const { result } = await project.run(accounts("acme"), { store: { helper } });
  expect(result).toMatchObject({ ok: true, applied: [{ key: "acme" }], outputs: [{ name: "known" }] });
  expect(codes(result.diagnostics)).toEqual(["TENANCY_CREDENTIAL_HELPER"]);
  expect(result.diagnostics[0]?.severity).toBe("warning");
});

test("a listener that throws stops the apply as a signal does, and its error is told once everything is at rest", async () => {
  const project = await start();
  const plan = await project.plan(accounts("a", "b", "c"), { parallelism: 1 });
  const listening = apply(plan, {
    onEvent({ kind }) {
      if (kind === "finished") throw new RangeError("cannot be shown");
    },
  });
  await expect(listening).rejects.toThrow(RangeError);
  expect(existsSync(`${project.store}.lock`)).toBe(false);
  expect(project.service.records.accounts.map(({ name }) => name)).toEqual(["system", "a"]);
  expect(actions(await project.plan(accounts("a", "b", "c")))).toEqual([
    "create tenancy_account.b",
    "create tenancy_account.c",
  ]);
});

const failures = ({ failed }: Applied["result"]) => failed.flatMap(({ diagnostics }) => diagnostics);

/** How often the service was asked whether a token is good. */
const questions = ({ requests }: Pick<Applied, "requests">) =>
  requests.filter(({ path }) => path === "/api/status/authorization").length;

test("a plan from a snapshot cannot be applied, also where the service has moved on since", async () => {
  const project = await start();
  const source = project.synthesize(accounts("acme"));
  const file = join(project.folder, "snapshot.json");
  await writeFile(file, await takeSnapshot([source], project.options()));
  const plan = await project.plan(source, { live: { file } });
  project.service.clearRequests();
  expect(codes(await findings(apply(plan)))).toEqual(["TENANCY_PLANNED_FROM_SNAPSHOT"]);
  expect(project.service.requests).toEqual([]);
});

describe("an apply without changes", () => {
  const masked: Build = (stack) => {
    const { id } = new Account(stack, "acme", { name: "acme", permissions: {} });
    new UserProfile(stack, "jane", { username: "jane", accountId: id, permissions: {}, sms: "+14155554567" });
    new TerraformOutput(stack, "known", { value: "yes" });
  };

  test("writes nothing, not even the store, and has the outputs", async () => {
    const project = await start();
    await project.apply(masked);
    const before = await readFile(project.store, "utf8");
    const { result, requests, events } = await project.apply(masked);
    expect(result).toMatchObject({ applied: [], outputs: [{ name: "known" }] });
    expect(requests).toEqual([]);
    expect(events.map(({ kind }) => kind)).toEqual(["outputs"]);
    expect(await readFile(project.store, "utf8")).toBe(before);
  });

  test("notes in a new store what it leaves, and what is hidden", async () => {
    const project = await start();
    await project.apply(masked);
    await rm(dirname(project.store), { recursive: true });
    const { requests } = await project.apply(masked);
    expect(writes(requests)).toEqual([]);
    expect(await readFile(project.store, "utf8")).toContain("user_profile:jane@acme");
    expect(existsSync(`${project.store}.lock`)).toBe(false);
    const changed: Build = (stack) => {
      masked(stack);
      stack.addOverride("resource.tenancy_user_profile.jane.sms", "+15005554567");
    };
    expect(actions(await project.plan(changed))).toEqual(["update tenancy_user_profile.jane"]);
  });

  test("is none the worse where the store cannot be written: that is a warning", async () => {
    const project = await start();
    await project.apply(accounts("acme"));
    await rm(dirname(project.store), { recursive: true });
    const plan = await project.plan(accounts("acme"));
    await mkdir(project.store, { recursive: true });
    const { ok, diagnostics } = await apply(plan);
    expect(ok).toBe(true);
    expect(diagnostics).toMatchObject([{ severity: "warning" }]);
  });
});

test("a store that cannot be written before the first write stops the apply; afterwards it is an error beside what was done", async () => {
  const project = await start();
  await project.apply(accounts());
  const early = await project.plan(accounts("acme"));
  await rm(project.store, { force: true });
  await mkdir(project.store, { recursive: true });
  await expect(apply(early)).rejects.toThrow();
  expect(writes(project.service.requests)).toEqual([]);
  await rm(project.store, { recursive: true });
  const where = () => {
    void rm(project.store, { force: true }).then(() => mkdir(project.store, { recursive: true }));
    return true;
  };
  project.service.fail({ method: "POST", path: "/api/account", where, delay: 100 });
  const { result } = await project.run(accounts("acme"));
  expect(result).toMatchObject({ ok: false, applied: [{ key: "acme" }], failed: [] });
  expect(result.diagnostics).toMatchObject([{ severity: "error" }]);
});

test("a signal of the plan's stops its apply, too", async () => {
  const project = await start();
  const stop = new AbortController();
  const plan = await project.plan(accounts("acme"), { signal: stop.signal });
  stop.abort();
  expect(await apply(plan)).toMatchObject({
    ok: false,
    applied: [],
    notTried: [{ key: "acme" }],
    outputs: [],
  });
});

test("what a run does not reach is not pending, and nothing is taken for its outputs", async () => {
  const project = await start();
  const tenant =
    (sms: string): Build =>
    (stack) => {
      const { id } = new Account(stack, "acme", { name: "acme", permissions: {} });
      new UserProfile(stack, "jane", { username: "jane", accountId: id, permissions: {}, sms });
      new TerraformOutput(stack, "known", { value: "yes" });
    };
  await project.apply(tenant("+14155554567"));
  const { result } = await project.run(tenant("+15005554567"), {}, { signal: AbortSignal.abort() });
  expect(result).toMatchObject({ notTried: [{ key: "jane@acme" }], outputs: [] });
  expect(actions(await project.plan(tenant("+14155554567")))).toEqual([]);
});

test("a destroy leaves no outputs", async () => {
  const project = await start();
  const tenant: Build = (stack) => {
    new Tenant(stack, "acme", { name: "acme", deletionProtection: false });
    new TerraformOutput(stack, "known", { value: "yes" });
  };
  await project.apply(tenant);
  const { result } = await project.apply(tenant, { destroy: true, maxDeletes: 9 });
  expect(result).toMatchObject({ applied: [{ key: "acme" }], outputs: [] });
});

describe("a kept token", () => {
  const withPassword = (version: number): Build => {
    const password = { password_wo: `correct horse ${version}`, password_wo_version: version };
    return (stack) => {
      acme()(stack);
      for (const [name, value] of Object.entries(password))
        stack.addOverride(`resource.tenancy_user_profile.acme_csi.${name}`, value);
    };
  };

  test("is tried by an apply that has nothing else to do, unless the plan has tried it", async () => {
    const project = await start();
    await project.apply(acme());
    expect(questions(await project.apply(acme()))).toBeGreaterThan(0);
    expect(questions(await project.apply(acme(), { verifyTokens: true }))).toBe(0);
  });

  test("that the plan has tried is tried again where its user's password changes", async () => {
    const project = await start();
    await project.apply(acme());
    expect(questions(await project.apply(withPassword(1), { verifyTokens: true }))).toBeGreaterThan(0);
  });

  test("that has ended since the plan fails, and is noted; the next apply mints another", async () => {
    const project = await start();
    await project.apply(acme());
    const [before] = (await kept(project)).tokens;
    const plan = await project.plan(acme());
    project.service.records.revokeToken(before!.record.serial);
    const result = await apply(plan);
    expect(failures(result)).toMatchObject([
      { code: "TENANCY_MOVED_ON", advice: "Run again: then a new one is minted." },
    ]);
    expect((await kept(project)).tokens[0]?.refused).toMatchObject([{ serial: before!.record.serial }]);
    await project.apply(acme());
    expect(await isGood(project, (await kept(project)).tokens[0]!.record)).toBe(true);
  });

  test("that is noted as refused, and that the plan found good, is good again", async () => {
    const project = await start();
    await project.apply(acme());
    const [entry] = (await kept(project)).tokens;
    const refused = [{ serial: entry!.record.serial, refused_at: "2026-01-02T03:04:05.678Z" }];
    await leave(project, { tokens: [{ ...entry!, refused }] });
    expect(actions((await project.apply(acme(), { verifyTokens: true })).plan)).toEqual([]);
    expect((await kept(project)).tokens).toMatchObject([
      { record: { serial: entry!.record.serial }, refused: [] },
    ]);
  });
});

test("a token waits for the user or the account of its login, also without a reference, and is skipped with it", async () => {
  const project = await start();
  const build: Build = (stack) => {
    const mintWith = "ephemeral_password";
    new Authorization(stack, "a_token", { name: "prod", login: "csi@acme", mintWith });
    const { id } = new Account(stack, "z_account", { name: "acme", permissions: {} });
    new UserProfile(stack, "z_user", { username: "csi", accountId: id, permissions: {} });
    new Authorization(stack, "b_token", { name: "second", login: "acme", mintWith });
  };
  const where = ({ body }: { readonly body: unknown }) => JSON.stringify(body).includes('"csi"');
  project.service.fail({ method: "POST", path: "/api/user-profile", where, status: 403 });
  const { result, events } = await project.run(build);
  expect(result.failed.map(({ change: { key } }) => key)).toEqual(["csi@acme"]);
  expect(result.notTried.map(({ key }) => key)).toEqual(["csi@acme/prod"]);
  expect(result.applied.map(({ key }) => key).sort()).toEqual(["acme", "acme/second"]);
  expect(events.flatMap((event) => (event.kind === "skipped" ? [event.reason] : []))).toEqual([
    "something that it depends on failed",
  ]);
  project.service.clearFaults();
  await project.apply(build);
  expect((await kept(project)).tokens).toHaveLength(2);
});

describe("a token that is still to be revoked", () => {
  const left = async (project: Project) => {
    await project.apply(acme());
    const { id, serial, access_token } = project.service.records.createToken("csi@acme");
    const failed_at = "2026-01-01T00:00:00.000Z";
    const note = { login: "csi@acme", name: "old", id, serial, access_token, failed_at };
    await leave(project, { failed_revocations: [note] });
    return note;
  };

  test("is revoked by the next apply, which has nothing else to do", async () => {
    const project = await start();
    const note = await left(project);
    await project.apply(acme());
    expect(await isGood(project, note)).toBe(false);
    expect((await kept(project)).failed_revocations).toEqual([]);
  });

  test("is a warning where an earlier run left it, and stays noted", async () => {
    const project = await start();
    const note = await left(project);
    project.service.fail({ method: "DELETE", path: /authorization/, status: 403, times: 9 });
    const { result } = await project.run(acme());
    expect(result).toMatchObject({
      ok: true,
      diagnostics: [{ severity: "warning", code: "TENANCY_UNREVOKED_TOKEN" }],
    });
    expect((await kept(project)).failed_revocations).toMatchObject([{ serial: note.serial }]);
  });

  test("is left alone where something has failed", async () => {
    const project = await start();
    const note = await left(project);
    project.service.fail({ method: "POST", path: "/api/account", status: 403 });
    const { result } = await project.run((stack) => {
      acme()(stack);
      new Account(stack, "other", { name: "other", permissions: {} });
    });
    expect(result.ok).toBe(false);
    expect(await isGood(project, note)).toBe(true);
  });
});
