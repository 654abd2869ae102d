/** Applies, from the first write to the account of what was done: covers src/engine/apply/progress.ts, besides its own source. */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Account, Authorization, TenancyProvider, Tenant, UserProfile } from "tenancy";
import { TerraformOutput } from "cdktf";
import { apply, approvalNeeds, type Plan, planRotation, takeSnapshot } from "../../../src/engine";
import { dayAhead } from "../../../src/plan/approval";
import {
  actions,
  codes,
  findings,
  projects,
  writes,
  type Applied,
  type Build,
  type Project,
  together,
  failures,
} from "../../support/projects";
import type { TokenEntry } from "../../../src/state";
import { acme, isGood, kept, leave } from "../tokens/support";
import { stateKey } from "../../support/state-key";

const start = projects();

const accounts =
  (...names: readonly string[]): Build =>
  (stack) => {
    for (const name of names) new Account(stack, name, { name, permissions: {} });
    new TerraformOutput(stack, "known", { value: "yes" });
  };

test("a listener that throws stops the apply as a signal does, and its error is told once everything is at rest", async () => {
  const project = await start();
  const plan = await project.plan(accounts("a", "b", "c"), { parallelism: 1 });
  const listening = apply(plan, {
    onEvent({ kind }) {
      if (kind === "finished") throw new RangeError("cannot be shown");
    },
  });
  await expect(listening).rejects.toThrow(RangeError);
  expect(existsSync(`${project.state}.lock`)).toBe(false);
  expect(project.service.records.accounts.map(({ name }) => name)).toEqual(["system", "a"]);
  expect(actions(await project.plan(accounts("a", "b", "c")))).toEqual([
    "create tenancy_account.b",
    "create tenancy_account.c",
  ]);
});

/** Declares the user jane@acme. */
const jane =
  (members: object = {}): Build =>
  (stack) => {
    const closed = { permissions: {}, accessApi: false, accessWeb: false };
    const { id } = new Account(stack, "acme", { name: "acme", ...closed });
    new UserProfile(stack, "jane", { username: "jane", accountId: id, ...closed, ...members });
  };

/** How often the service was asked whether a token is good. */
const questions = ({ requests }: Pick<Applied, "requests">) =>
  requests.filter(({ path }) => path === "/api/status/authorization").length;

test("a plan from a snapshot cannot be applied, also where the service has moved on since", async () => {
  const project = await start();
  const source = project.synthesize(accounts("acme"));
  const file = join(project.folder, "snapshot.json");
  await writeFile(file, await takeSnapshot([source], project.options()));
  const plan = await project.plan(source, { fromSnapshot: { file } });
  project.service.clearRequests();
  expect(codes(await findings(apply(plan)))).toEqual(["TENANCY_PLANNED_FROM_SNAPSHOT"]);
  expect(project.service.requests).toEqual([]);
});

test("a plan with something that only looks absent cannot be applied, and nothing is asked or written", async () => {
  const project = await start();
  const { records } = project.service;
  records.createAccount({ name: "ops" });
  const rights = { permissions: { user: { rights: { manage_users: true } } } };
  records.createProfile("ops", { username: "deployer", password: "secret", ...rights });
  const environment = { TENANCY_USERNAME: "deployer@ops", TENANCY_PASSWORD: "secret" };
  const plan = await project.plan(accounts("acme"), { environment });
  project.service.clearRequests();
  expect(codes(await findings(apply(plan)))).toEqual(["TENANCY_NOT_VERIFIED"]);
  expect(project.service.requests).toEqual([]);
});

test("each object is told of with what is done to it, and with its id; an update of a user sends that alone", async () => {
  const project = await start();
  const told = ({ events }: Applied) =>
    events.flatMap((event) =>
      event.kind === "finished" ? [`${event.operation} ${event.change.key} ${event.id}`] : [],
    );
  const created = await project.apply(jane({ email: "a@acme.example" }));
  const { records } = project.service;
  const [{ id: account }, { id: user }] = [records.account("acme"), records.profile("jane@acme")];
  expect(told(created)).toEqual([`create acme ${account}`, `create jane@acme ${user}`]);
  const updated = await project.apply(jane({ email: "b@acme.example" }));
  expect(told(updated)).toEqual([`update jane@acme ${user}`]);
  expect(updated.requests.map(({ method }) => method)).toEqual(["PATCH"]);
});

describe("where changes of access are to be approved", () => {
  const DEMANDED = { requireApproval: "broadening" } as const;

  /** From now on, the service shows jane with a right that nobody has asked for. */
  function beGenerous({ service }: Project): void {
    const given = (record: object) =>
      (record as { readonly login?: string }).login === "jane@acme"
        ? { ...record, permissions: { vss: { rights: { format_disks: true } } } }
        : record;
    const alter = (body: unknown) =>
      Array.isArray(body) ? body.map((record: object) => given(record)) : given(body as object);
    service.fail({ path: /user-profile/, times: 999, alter });
  }

  const approvedWhole = (plan: Plan) => {
    const pairs = approvalNeeds(plan).flatMap((needs) => needs.pairs.map(({ pair }) => pair));
    return [{ stack: plan.stack, service: plan.targets[0]!.origin, until: dayAhead(new Date(), 7), pairs }];
  };

  test("a user who is made with more than the plan has shown is an error; where not, it is a warning", async () => {
    const project = await start();
    await project.apply(accounts());
    const plan = await project.plan(jane());
    beGenerous(project);
    const result = await apply(plan, DEMANDED);
    expect(codes(failures(result))).toEqual(["TENANCY_GRANTED_MORE"]);
    expect(result.failed.map(({ change: { key } }) => key)).toEqual(["jane@acme"]);
    const other = await start();
    const careless = await other.plan(jane());
    beGenerous(other);
    expect(await apply(careless)).toMatchObject({ ok: true, failed: [] });
  });

  test("an update is not judged by what it does not change", async () => {
    const project = await start();
    await project.apply(jane({ email: "a@acme.example" }));
    const plan = await project.plan(jane({ email: "b@acme.example" }));
    beGenerous(project);
    expect(await apply(plan, DEMANDED)).toMatchObject({ failed: [], applied: [{ key: "jane@acme" }] });
  });

  test("what is made as it was shown succeeds, tokens among it", async () => {
    const project = await start();
    const plan = await project.plan(acme());
    const result = await apply(plan, { ...DEMANDED, approvals: approvedWhole(plan) });
    expect(failures(result)).toEqual([]);
    expect(result.applied.map(({ key }) => key)).toEqual(["acme", "csi@acme", "csi@acme/prod"]);
  });
});

test("a value between two objects is told once the first is made; where it cannot be told, that is an error, and the second is not tried", async () => {
  const between =
    (value: string): Build =>
    (stack) => {
      jane({ xref: "${local.between}" })(stack);
      stack.addOverride("locals.between", value);
    };
  const project = await start();
  const { result } = await project.run(between("${jsondecode(tenancy_account.acme.id)}"));
  expect(result).toMatchObject({
    ok: false,
    applied: [{ key: "acme" }],
    failed: [],
    notTried: [{ key: "jane@acme" }],
    diagnostics: [{ severity: "error", address: "local.between" }],
  });
  await project.apply(between("${upper(tenancy_account.acme.id)}"));
  const { id } = project.service.records.account("acme");
  expect(project.service.records.profile("jane@acme").xref).toBe(id.toUpperCase());
});

test("a user does not wait for one of whom the login reminds", async () => {
  const project = await start();
  const build: Build = (stack) => {
    for (const name of ["acme", "acme1"]) {
      const { id } = new Account(stack, name, { name, permissions: {} });
      new UserProfile(stack, `${name}_jane`, {
        username: "jane",
        accountId: id,
        permissions: {},
        xref: `of ${name}`,
      });
    }
  };
  const where = ({ body }: { readonly body: unknown }) => JSON.stringify(body).includes('"of acme"');
  project.service.fail({ method: "POST", path: "/api/user-profile", where, status: 403 });
  const { result } = await project.run(build);
  expect(result.failed.map(({ change: { key } }) => key)).toEqual(["jane@acme"]);
  expect(result.applied.map(({ key }) => key).sort()).toEqual(["acme", "acme1", "jane@acme1"]);
});

test("what the lost answer to a write leaves in doubt is sent again", async () => {
  const project = await start();
  const [first, second] = ["+14155554567", "+15005554567"];
  await project.apply(jane({ sms: first }));
  project.service.fail({ method: "PATCH", when: "after", status: 500 });
  const source = project.synthesize(jane({ sms: second }), { owner: "acme-platform", retryTimeout: "0s" });
  expect((await project.run(source)).result.ok).toBe(false);
  const { requests } = await project.apply(jane({ sms: first }));
  expect(requests.flatMap(({ method, body }) => (method === "PATCH" ? [body] : []))).toEqual([
    { sms: first },
  ]);
});

describe("a password that creating a token has left", () => {
  /** Two owners share the service: one of them has nothing to do. */
  const shared: Build = (stack) => {
    accounts("acme")(stack);
    const provider = new TenancyProvider(stack, "second", { alias: "second", owner: "other-team" });
    new Account(stack, "globex", { name: "globex", permissions: {}, provider });
  };

  async function left() {
    const project = await start();
    await project.apply(shared);
    const { records } = project.service;
    const { id, login } = records.createProfile("acme", { username: "csi", password: "left-left-left" });
    const set_at = "2026-01-02T03:04:05.678Z";
    await leave(project, { temporary_passwords: [{ user_id: id, login, set_at }] });
    const isLeft = () => records.profile("csi@acme").password !== null;
    return { project, isLeft };
  }

  test("is taken away by an apply that has nothing else to do", async () => {
    const { project, isLeft } = await left();
    await project.apply(shared);
    expect(isLeft()).toBe(false);
    expect((await kept(project)).temporary_passwords ?? []).toEqual([]);
  });

  test("stays noted where the apply is stopped", async () => {
    const { project, isLeft } = await left();
    await project.run(shared, {}, { signal: AbortSignal.abort() });
    expect(isLeft()).toBe(true);
    expect((await kept(project)).temporary_passwords).toHaveLength(1);
  });
});

describe("an apply without changes", () => {
  const masked: Build = (stack) => {
    const { id } = new Account(stack, "acme", { name: "acme", permissions: {} });
    new UserProfile(stack, "jane", { username: "jane", accountId: id, permissions: {}, sms: "+14155554567" });
    new TerraformOutput(stack, "known", { value: "yes" });
  };

  test("writes nothing, not even the state, whose lock it does not take, and has the outputs", async () => {
    const project = await start();
    await project.apply(masked);
    const before = await readFile(project.state, "utf8");
    // Whoever tries to take the lock fails.
    await symlink("nowhere", `${project.state}.lock`);
    const { result, requests, events } = await project.apply(masked);
    expect(result).toMatchObject({ ok: true, applied: [], diagnostics: [], outputs: [{ name: "known" }] });
    expect(requests).toEqual([]);
    expect(events.map(({ kind }) => kind)).toEqual(["outputs"]);
    expect(await readFile(project.state, "utf8")).toBe(before);
  });

  test("follows the apply that notes in a new state what it leaves, and what is hidden", async () => {
    const project = await start();
    await project.apply(masked);
    await rm(dirname(project.state), { recursive: true });
    await project.apply(masked, { recover: true });
    // What is hidden is sent once, and remembered with that.
    await project.apply(masked);
    const { requests } = await project.apply(masked);
    expect(writes(requests)).toEqual([]);
    expect(await readFile(project.state, "utf8")).toContain("user_profile:jane@acme");
    expect(existsSync(`${project.state}.lock`)).toBe(false);
    const changed: Build = (stack) => {
      masked(stack);
      stack.addOverride("resource.tenancy_user_profile.jane.sms", "+15005554567");
    };
    expect(actions(await project.plan(changed))).toEqual(["update tenancy_user_profile.jane"]);
  });

  test("is none the worse where the state cannot be written: that is a warning", async () => {
    const project = await start();
    await project.apply(accounts("acme"));
    project.service.records.patchAccount("acme", { limits: { vss_num: 1 } });
    const plan = await project.plan(accounts("acme"));
    await rm(project.state);
    await mkdir(project.state, { recursive: true });
    const { ok, diagnostics } = await apply(plan);
    expect(ok).toBe(true);
    expect(diagnostics).toMatchObject([{ severity: "warning" }]);
    expect(existsSync(`${project.state}.lock`)).toBe(false);
  });
});

test("a state that cannot be written before the first write stops the apply; afterwards it is an error beside what was done", async () => {
  const project = await start();
  await project.apply(accounts());
  const early = await project.plan(accounts("acme"));
  await rm(project.state, { force: true });
  await mkdir(project.state, { recursive: true });
  await expect(apply(early)).rejects.toThrow();
  expect(existsSync(`${project.state}.lock`)).toBe(false);
  expect(writes(project.service.requests)).toEqual([]);
  await rm(project.state, { recursive: true });
  const where = () => {
    void rm(project.state, { force: true }).then(() => mkdir(project.state, { recursive: true }));
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
  const reasons: string[] = [];
  const result = await apply(plan, {
    onEvent: (event) => void (event.kind === "skipped" && reasons.push(event.reason)),
  });
  expect(result).toMatchObject({ ok: false, applied: [], notTried: [{ key: "acme" }], outputs: [] });
  expect(reasons).toEqual(["the run was stopped"]);
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

  test("that has ended since the plan fails, and is noted; the next apply creates another", async () => {
    const project = await start();
    await project.apply(acme());
    const [before] = (await kept(project)).tokens;
    const plan = await project.plan(acme());
    project.service.records.revokeToken(before!.record.serial);
    const result = await apply(plan);
    expect(failures(result)).toMatchObject([
      { code: "TENANCY_PLAN_OUTDATED", advice: "Run again: then a new one is created." },
    ]);
    expect((await kept(project)).tokens[0]?.refused).toMatchObject([{ serial: before!.record.serial }]);
    await project.apply(acme());
    expect(await isGood(project, (await kept(project)).tokens[0]!.record)).toBe(true);
  });

  test("that has ended is replaced by a rotation all the same", async () => {
    const project = await start();
    await project.apply(acme());
    const [before] = (await kept(project)).tokens;
    project.service.records.revokeToken(before!.record.serial);
    const rotating = await planRotation(project.synthesize(acme()), "prod", project.options());
    expect(await apply(rotating)).toMatchObject({ ok: true });
    expect(await isGood(project, (await kept(project)).tokens[0]!.record)).toBe(true);
  });

  test("of which the service proves nothing is told of, and stays", async () => {
    const project = await start();
    await project.apply(acme());
    const [before] = (await kept(project)).tokens;
    const plan = await project.plan(acme());
    project.service.fail({ path: "/api/status/authorization", status: 403, times: 9 });
    const result = await apply(plan);
    expect(codes(result.diagnostics)).toEqual(["TENANCY_TOKEN_NOT_VERIFIED"]);
    expect(result).toMatchObject({ applied: [], failed: [] });
    expect((await kept(project)).tokens).toEqual([before]);
  });

  test("that does not change lets what depends on it change", async () => {
    const project = await start();
    const build = (email: string) =>
      together(acme(), (stack) => {
        const { id } = new Account(stack, "other", { name: "other", permissions: {} });
        const xref = "${tenancy_authorization.csi_prod.serial}";
        new UserProfile(stack, "joe", { username: "joe", accountId: id, permissions: {}, email, xref });
      });
    await project.apply(build("a@acme.example"));
    const { result } = await project.apply(build("b@acme.example"));
    expect(result.applied.map(({ key }) => key)).toEqual(["joe@other"]);
  });

  test("that has ended keeps what refers to it from being written, and not what refers to something that stays as it is", async () => {
    const project = await start();
    const build = (email: string) =>
      together(acme(), (stack) => {
        const { id } = new Account(stack, "other", { name: "other", permissions: {} });
        const user = (username: string, more: object) =>
          new UserProfile(stack, username, { username, accountId: id, permissions: {}, ...more });
        const xref = "${tenancy_authorization.csi_prod.serial}";
        const joe = user("joe", { xref });
        user("jack", { xref, email });
        user("jim", { xref: joe.login, email });
      });
    await project.apply(build("a@acme.example"));
    const plan = await project.plan(build("b@acme.example"));
    project.service.records.revokeToken((await kept(project)).tokens[0]!.record.serial);
    expect(await apply(plan)).toMatchObject({
      failed: [{ change: { key: "csi@acme/prod" } }],
      notTried: [{ key: "jack@other" }],
      applied: [{ key: "jim@other" }],
    });
  });

  test("that does not change is nothing that a stopped apply leaves undone", async () => {
    const project = await start();
    await project.apply(acme());
    const { result, events } = await project.run(acme(), {}, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ ok: true, notTried: [] });
    expect(events.map(({ kind }) => kind)).toEqual(["outputs"]);
  });

  test("that is purged of an earlier one is in the state as soon as that is told", async () => {
    const project = await start();
    const build =
      (retainPreviousFor: string): Build =>
      (stack) => {
        acme()(stack);
        stack.addOverride("resource.tenancy_authorization.csi_prod.retain_previous_for", retainPreviousFor);
      };
    await project.apply(build("1h"));
    const rotating = await planRotation(project.synthesize(build("1h")), "prod", project.options());
    expect(await apply(rotating)).toMatchObject({ ok: true });
    expect((await kept(project)).tokens[0]?.previous).toHaveLength(1);
    const plan = await project.plan(build("0s"));
    const seen: string[] = [];
    await apply(plan, {
      onEvent: ({ kind }) => void (kind === "finished" && seen.push(readFileSync(project.state, "utf8"))),
    });
    expect(seen).toEqual([expect.stringContaining('"previous":[]')]);
  });

  test("that ended with a password is noted before anything is deleted", async () => {
    const project = await start();
    await project.apply(acme({ csi: ["prod"], joe: [] }));
    const [{ record }] = (await kept(project)).tokens as [TokenEntry];
    project.service.records.revokeToken(record.serial);
    const plan = await project.plan(withPassword(1), {
      only: ["tenancy_user_profile.acme_csi", "joe@acme"],
    });
    expect(actions(plan)).toHaveLength(2);
    const seen: string[] = [];
    await apply(plan, {
      onEvent(event) {
        if (event.kind === "started" && event.operation === "delete")
          seen.push(readFileSync(project.state, "utf8"));
      },
    });
    expect(seen).toEqual([expect.stringContaining("refused_at")]);
  });

  test("that is noted as refused, and that the plan found good, is valid again", async () => {
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
    const loginWith = "temporary_password";
    new Authorization(stack, "a_token", { name: "prod", login: "csi@acme", loginWith });
    const { id } = new Account(stack, "z_account", { name: "acme", permissions: {} });
    new UserProfile(stack, "z_user", { username: "csi", accountId: id, permissions: {} });
    new Authorization(stack, "b_token", { name: "second", login: "acme", loginWith });
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

describe("the state", () => {
  const other = (name: string): Build => together(acme(), accounts(name));

  test("that an apply makes anew does not forget that tokens may have been lost; one that has lasted does not doubt", async () => {
    const project = await start();
    await project.apply(acme({ csi: [] }));
    await project.apply(acme());
    await rm(dirname(project.state), { recursive: true });
    const without = { exclude: ["tenancy_authorization.csi_prod"] };
    await project.apply(acme(), { recover: true });
    await project.apply(other("other"), without);
    expect(codes(await findings(project.plan(acme())))).toEqual(["TENANCY_STATE_ABSENT"]);
    expect(project.service.records.authorizations).toHaveLength(1);
  });

  test("that was lost keeps a token from being created also where only the apply knows its login, unless the user knows better", async () => {
    const project = await start();
    const { records } = project.service;
    records.createAccount({ name: "acme" });
    records.createProfile("acme", { username: "csi" });
    const build: Build = (stack) => {
      new Account(stack, "other", { name: "other", permissions: {} });
      const token = new Authorization(stack, "token", { name: "prod", loginWith: "temporary_password" });
      const [id, whole] = ["${tenancy_account.other.id}", "csi@acme ${tenancy_account.other.id}"];
      token.addOverride("login", `\${replace("${whole}", " ${id}", "")}`);
    };
    const { result } = await project.run(build);
    expect(codes(failures(result))).toEqual(["TENANCY_STATE_ABSENT"]);
    expect(records.authorizations).toEqual([]);
    await rm(dirname(project.state), { recursive: true });
    records.deleteAccount("other");
    await project.apply(build, { initState: true });
    expect(records.authorizations).toHaveLength(1);
  });
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
      diagnostics: [{ severity: "warning", code: "TENANCY_NOT_REVOKED" }],
    });
    expect((await kept(project)).failed_revocations).toMatchObject([{ serial: note.serial }]);
  });

  test("is an error where this run should have revoked it", async () => {
    const project = await start({ revocation: false });
    await project.apply(acme());
    const [before] = (await kept(project)).tokens;
    // The service refuses the token twice, with a user who is well: it looks gone.
    for (let time = 0; time < 2; time++)
      project.service.fail({ path: "/api/status/authorization", skip: 1, status: 401 });
    const { result } = await project.run(acme(), { verifyTokens: true });
    expect(result).toMatchObject({
      ok: false,
      diagnostics: [{ severity: "error", code: "TENANCY_NOT_REVOKED" }],
    });
    expect((await kept(project)).failed_revocations).toMatchObject([{ serial: before?.record.serial }]);
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

test("a state that is plain in spite of its key is encrypted by an apply that has nothing else to do", async () => {
  const project = await start();
  await project.apply(accounts("acme"));
  expect(await readFile(project.state, "utf8")).toContain("account:acme");
  const environment = { TENANCY_STATE_KEY: stateKey("correct horse battery staple") };
  await project.apply(accounts("acme"), { environment, state: { encryptPlain: true } });
  expect(await readFile(project.state, "utf8")).not.toContain("account:acme");
});

test("a helper that cannot unlock is a warning beside what was done", async () => {
  const project = await start();
  const program = resolve(__dirname, "../../support/folder-helper.mjs");
  const helper = `"${process.execPath}" "${program}" "${project.folder}" fails-unlock`;
  const { result } = await project.run(accounts("acme"), { state: { helper } });
  expect(result).toMatchObject({ ok: true, applied: [{ key: "acme" }], outputs: [{ name: "known" }] });
  expect(codes(result.diagnostics)).toEqual(["TENANCY_CREDENTIAL_HELPER"]);
  expect(result.diagnostics[0]?.severity).toBe("warning");
});
