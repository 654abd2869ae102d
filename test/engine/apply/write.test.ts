import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { UserProfile, Account, Authorization } from "tenancy";
import { apply, planRotation } from "../../../src/engine";
import { resources } from "../../../src/resources";
import type { Fault } from "../../../src/lib/simulator";
import { textIn } from "../../support/life";
import {
  actions,
  changeAt,
  codes,
  projects,
  writes,
  type Applied,
  type Build,
  type Project,
  failures,
} from "../../support/projects";
import { acme, isGood, kept, leave } from "../tokens/support";

const start = projects();

/** Declares the user jane@acme. */
const user =
  (members: object, account: object = {}): Build =>
  (stack) => {
    const { id } = new Account(stack, "acme", { name: "acme", permissions: {}, ...account });
    new UserProfile(stack, "jane", { username: "jane", accountId: id, permissions: {}, ...members });
  };

const bodies = ({ requests }: Pick<Applied, "requests">) =>
  requests.filter(({ method }) => method === "PATCH" || method === "POST").map(({ body }) => body);

afterEach(() => jest.restoreAllMocks());

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

/** Takes note of each proposal from now on. @returns what was proposed */
function proposals(): () => readonly string[] {
  const spies = [...resources.values()].map((resource) => jest.spyOn(resource, "propose"));
  return () =>
    spies.flatMap(({ mock }) =>
      mock.calls.map(([config, prior], call) => {
        const proposed = mock.results[call]?.value as { readonly action: string };
        return `${proposed.action} ${textIn(prior ?? config, prior === null ? "username" : "login")}`;
      }),
    );
}

test("a password that was taken away already is forgotten, though nothing is sent", async () => {
  const project = await start();
  await project.apply(jane({ version: 1 }));
  project.service.records.patchProfile("jane@acme", { password: null });
  const { requests } = await project.apply(jane("unset"));
  expect(writes(requests)).toEqual([]);
  expect(actions(await project.plan(jane("unset")))).toEqual([]);
  // What the apply has left is known, too.
  project.service.records.deleteProfile("jane@acme");
  expect(changeAt(await project.plan(jane("unset")), "tenancy_user_profile.jane").notes).toEqual([
    "deleted outside since the last apply",
  ]);
});

test("an apply writes what the plan proposed, and proposes anew what the plan could not know", async () => {
  const project = await start();
  const users =
    (email: string, more: readonly string[] = []): Build =>
    (stack) => {
      const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
      new UserProfile(stack, "jane", { username: "jane", accountId: acme.id, permissions: {}, email });
      for (const name of more) {
        const account = new Account(stack, name, { name, permissions: {} });
        new UserProfile(stack, `${name}-joe`, { username: "joe", accountId: account.id, permissions: {} });
      }
    };
  await project.apply(users("a@acme.example"));
  const plan = await project.plan(users("b@acme.example", ["globex"]));
  const proposed = proposals();
  expect(await apply(plan)).toMatchObject({ ok: true });
  // The id of his account was not known.
  expect(proposed()).toEqual(["create joe"]);
  expect(actions(await project.plan(users("b@acme.example", ["globex"])))).toEqual([]);
});

describe("a plan that is a minute old by one of the clocks", () => {
  const users =
    (email: string): Build =>
    (stack) => {
      const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
      for (const username of ["jane", "joe"])
        new UserProfile(stack, username, { username, accountId: acme.id, permissions: {}, email });
    };

  /** What a machine shows that was suspended: the monotonic clock has stood still, the wall clock has not. */
  function suspendForAMinute(): void {
    const now = Date.now.bind(Date);
    jest.spyOn(Date, "now").mockImplementation(() => now() + 60_000);
  }

  async function planned() {
    const project = await start();
    await project.apply(users("a@acme.example"));
    const source = project.synthesize(users("b@acme.example"), {
      owner: "acme-platform",
      retryTimeout: "0s",
    });
    const plan = await project.plan(source, { parallelism: 1 });
    suspendForAMinute();
    return { project, plan };
  }

  test("is read again before its first PATCH, and goes on where nothing has moved", async () => {
    const { project, plan } = await planned();
    const before = project.service.requests.length;
    expect(await apply(plan)).toMatchObject({ ok: true });
    const sent = project.service.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    const firstPatch = sent.findIndex((request) => request.startsWith("PATCH"));
    expect(sent.slice(0, firstPatch)).toContain("GET /api/user-profile");
    expect(sent.filter((request) => request === "GET /api/user-profile")).toHaveLength(1);
  });

  test("fails where a record of a service without sequence numbers has changed", async () => {
    const project = await start();
    await project.apply(users("a@acme.example"));
    const withoutSeq = (body: unknown): unknown =>
      Array.isArray(body) ? body.map(withoutSeq) : { ...(body as object), seq: undefined };
    project.service.fail({ method: "GET", path: /account|user-profile/, times: 99, alter: withoutSeq });
    const plan = await project.plan(users("b@acme.example"));
    suspendForAMinute();
    project.service.records.patchProfile("jane@acme", { email: "her own@acme.example" });
    const { failed, applied } = await apply(plan);
    expect(failed.map(({ diagnostics: [first] }) => first?.code)).toEqual(["TENANCY_PLAN_OUTDATED"]);
    expect(applied.map(({ key }) => key)).toEqual(["joe@acme"]);
    expect(project.service.records.profile("jane@acme").email).toBe("her own@acme.example");
  });

  test("goes on where the record has moved, and the same change follows from what it is now", async () => {
    const { project, plan } = await planned();
    project.service.records.patchProfile("jane@acme", { xref: "crm-7" });
    project.service.clearRequests();
    const before = proposals();
    expect(await apply(plan)).toMatchObject({ ok: true });
    expect(before()).toEqual(["update jane@acme"]);
    expect(writes(project.service.requests)).toHaveLength(2);
    expect(project.service.records.profile("jane@acme")).toMatchObject({
      email: "b@acme.example",
      xref: "crm-7",
    });
  });

  test("fails where an account's primary user profile has moved, and goes on where the same change follows", async () => {
    const project = await start();
    const level =
      (level: number): Build =>
      (stack) => {
        for (const name of ["acme", "globex"]) new Account(stack, name, { name, permissions: {}, level });
      };
    await project.apply(level(3));
    const plan = await project.plan(
      project.synthesize(level(4), { owner: "acme-platform", retryTimeout: "0s" }),
    );
    suspendForAMinute();
    const { records } = project.service;
    records.patchProfile("acme", { level: 1 });
    records.patchProfile("globex", { xref: "crm-7" });
    const { failed, applied } = await apply(plan);
    expect(failed.map(({ diagnostics: [first] }) => first?.code)).toEqual(["TENANCY_PLAN_OUTDATED"]);
    expect(records.profile("acme").level).toBe(1);
    expect(applied.map(({ key }) => key)).toEqual(["globex"]);
    expect(records.profile("globex")).toMatchObject({ level: 4, xref: "crm-7" });
  });

  test("rotates a token, of which there is nothing to be read again", async () => {
    const project = await start();
    await project.apply(acme());
    const rotating = await planRotation(project.synthesize(acme()), "prod", project.options());
    suspendForAMinute();
    expect(await apply(rotating)).toMatchObject({ ok: true, applied: [{ key: "csi@acme/prod" }] });
  });

  test("fails where it cannot be read again, and the next object reads anew", async () => {
    const { project, plan } = await planned();
    project.service.fail({ method: "GET", path: "/api/user-profile", status: 500 });
    const result = await apply(plan);
    expect(result.failed.map(({ change }) => change.key)).toEqual(["jane@acme"]);
    expect(result.applied.map(({ key }) => key)).toEqual(["joe@acme"]);
  });

  test("does not call a user gone whom a list alone does not show", async () => {
    const { project, plan } = await planned();
    const alter = (list: unknown) =>
      (list as readonly { readonly login: string }[]).filter(({ login }) => login !== "joe@acme");
    project.service.fail({
      method: "GET",
      path: "/api/user-profile",
      alter,
    });
    const { failed } = await apply(plan);
    expect(failed[0]?.diagnostics[0]?.summary).toContain("the lists of the service do not show it any more");
  });
});

test("a plan that is fresh is carried out without another look at the lists", async () => {
  const project = await start();
  await project.apply(user({ email: "a@acme.example" }));
  const { requests } = await project.apply(user({ email: "b@acme.example" }));
  const paths = requests.map(({ method, path }) => `${method} ${path.split("?")[0]}`);
  expect(paths.filter((request) => /^GET .api.(user-profile|account)$/.test(request))).toEqual([]);
  expect(writes(requests)).toHaveLength(1);
});

test("an old plan fails where its user has another uuid since", async () => {
  const project = await start();
  await project.apply(user({ email: "a@acme.example" }));
  const plan = await project.plan(user({ email: "b@acme.example" }));
  const later = Date.now() + 60_000;
  jest.spyOn(Date, "now").mockImplementation(() => later);
  const uuid = "11111111-1111-4111-8111-111111111111";
  project.service.records.patchProfile("jane@acme", { uuid });
  expect(failures(await apply(plan))).toMatchObject([
    {
      code: "TENANCY_PLAN_OUTDATED",
      summary: expect.stringContaining(`its uuid is ${uuid}`) as string,
    },
  ]);
  expect(project.service.records.profile("jane@acme").email).toBe("a@acme.example");
});

describe("a number that the service masks", () => {
  const first = "+14155554567";
  const second = "+15005554567";

  test("is sent where only what is behind the mask changes, time and again", async () => {
    const project = await start();
    await project.apply(user({ sms: first }));
    for (const sms of [second, first]) expect(bodies(await project.apply(user({ sms })))).toEqual([{ sms }]);
    expect(actions(await project.plan(user({ sms: first })))).toEqual([]);
  });

  const lifecycle = {
    precondition: [{ condition: '${tenancy_account.other.id == "no such"}', error_message: "not yet" }],
  };
  test.each<[string, (project: Project) => object | void, readonly object[]]>([
    ["nothing is sent after a refusal", ({ service }) => service.fail({ method: "PATCH", status: 403 }), []],
    [
      "it is sent after a lost answer",
      ({ service }) => service.fail({ method: "PATCH", when: "after", status: 500, times: 9 }),
      [{ sms: first }],
    ],
    [
      "it is sent after an answer that was lost, and a refusal of the same request",
      ({ service }) => {
        service.fail({ method: "PATCH", when: "after", status: 503, retryAfter: 0 });
        service.fail({ method: "PATCH", status: 403 });
      },
      [{ sms: first }],
    ],
    ["nothing is sent where a precondition has stopped the change", () => lifecycle, []],
  ])("declared again as before: %s", async (_what, hinder, sent) => {
    const project = await start();
    await project.apply(user({ sms: first }));
    const { precondition } = { precondition: undefined, ...hinder(project) };
    const changed: Build = (stack) => {
      user({ sms: second })(stack);
      new Account(stack, "other", { name: "other", permissions: {} });
      stack.addOverride("resource.tenancy_user_profile.jane.lifecycle.precondition", precondition);
    };
    const source = project.synthesize(changed, { owner: "acme-platform", retryTimeout: "1ms" });
    expect((await project.run(source)).result.ok).toBe(false);
    project.service.clearFaults();
    expect(bodies(await project.apply(user({ sms: first })))).toEqual(sent);
    expect(project.service.records.profile("jane@acme").sms).toMatchObject({ number: first });
  });

  test("is sent once it is declared again, whatever others have set meanwhile", async () => {
    const project = await start();
    await project.apply(user({ sms: first }));
    await project.apply(user({ unset: ["sms"] }));
    project.service.records.patchProfile("jane@acme", { sms: second });
    expect(bodies(await project.apply(user({ sms: first })))).toEqual([{ sms: first }]);
  });
});

test("a phone that the service hides is sent to an account that was made anew without it, although it is the former one's", async () => {
  const project = await start({ contacts: "names" });
  const account =
    (contact: object): Build =>
    (stack) =>
      void new Account(stack, "acme", {
        name: "acme",
        permissions: {},
        primaryContact: { firstName: "Ada", ...contact },
      });
  await project.apply(account({ phone: "+4930123456" }));
  project.service.records.deleteAccount("acme");
  await project.apply(account({}));
  expect(bodies(await project.apply(account({ phone: "+4930123456" })))).toMatchObject([
    { primary_contact: { phone: "+4930123456" } },
  ]);
  expect(actions(await project.plan(account({ phone: "+4930123456" })))).toEqual([]);
});

describe("of an account's two requests, the second", () => {
  const account = (version: number, level: number) =>
    user({}, { passwordWo: `correct horse ${version}`, passwordWoVersion: version, level });
  const reading = { method: "GET", path: /\/account\/./, times: 9 };

  test.each<[string, number, Fault | undefined]>([
    ["is refused", 403, undefined],
    ["is refused, and the first cannot be looked at", 403, { ...reading, status: 500 }],
    ["has an unknown result", 500, undefined],
  ])("%s: the password has gone with the first, so another one is sent", async (_what, status, besides) => {
    const project = await start();
    await project.apply(account(1, 1));
    project.service.fail({ method: "PATCH", path: /user-profile/, status, times: 9 });
    if (besides !== undefined) project.service.fail(besides);
    const source = project.synthesize(account(2, 2), { owner: "acme-platform", retryTimeout: "0s" });
    const { result, requests } = await project.run(source);
    expect(result.ok).toBe(false);
    expect(bodies({ requests })).toEqual([{ password: "correct horse 2" }, { level: 2 }]);
    project.service.clearFaults();
    expect(bodies(await project.apply(account(1, 1)))).toEqual([{ password: "correct horse 1" }]);
  });
});

test("--reset-passwords sends a password of which the state remembers nothing", async () => {
  const project = await start();
  await project.apply(jane({ version: 1 }));
  await rm(dirname(project.state), { recursive: true });
  await project.apply(jane({ version: 1 }), { recover: true });
  const applied = await project.apply(jane({ version: 1 }), { resetPasswords: true });
  expect(bodies(applied)).toEqual([{ password: "correct horse" }]);
});

test("what a declaration ignores is not sent, also where the plan could not know another value", async () => {
  const project = await start();
  await project.apply(user({ email: "a@acme.example", xref: "none" }));
  const { requests } = await project.apply((stack) => {
    const other = new Account(stack, "other", { name: "other", permissions: {} });
    user({ email: "b@acme.example", xref: other.id, lifecycle: { ignoreChanges: ["email"] } })(stack);
  });
  const { id } = project.service.records.account("other");
  expect(bodies({ requests })).toEqual([expect.objectContaining({ name: "other" }), { xref: id }]);
});

test("what a declaration ignores is sent with the create", async () => {
  const project = await start();
  await project.apply((stack) => {
    const other = new Account(stack, "other", { name: "other", permissions: {} });
    user({ email: "b@acme.example", xref: other.id, lifecycle: { ignoreChanges: ["email"] } })(stack);
  });
  expect(project.service.records.profile("jane@acme").email).toBe("b@acme.example");
});

describe("a token", () => {
  const noteRefused = async (project: Project) => {
    const [entry] = (await kept(project)).tokens;
    const all = [entry!.record, ...entry!.previous];
    const refused = all.map(({ serial }) => ({ serial, refused_at: "2026-01-02T03:04:05.678Z" }));
    await leave(project, { tokens: [{ ...entry!, refused }] });
    return entry!;
  };

  test("that another run has created since the plan is not replaced", async () => {
    const project = await start();
    await project.apply(acme({ csi: [] }));
    const late = await project.plan(acme());
    await project.apply(acme());
    expect(codes(failures(await apply(late)))).toEqual(["TENANCY_PLAN_OUTDATED"]);
    expect(project.service.records.authorizations).toHaveLength(1);
  });

  test("is not created again for a change of how long earlier ones stay, which is remembered", async () => {
    const project = await start();
    const tenant =
      (retainPreviousFor: string): Build =>
      (stack) => {
        const { id } = new Account(stack, "acme", { name: "acme", permissions: {} });
        const csi = new UserProfile(stack, "csi", { username: "csi", accountId: id, permissions: {} });
        const loginWith = "temporary_password";
        new Authorization(stack, "prod", { login: csi.login, name: "prod", loginWith, retainPreviousFor });
      };
    await project.apply(tenant("1h"));
    const rotating = await planRotation(project.synthesize(tenant("1h")), "prod", project.options());
    expect(await apply(rotating)).toMatchObject({ ok: true });
    const [before] = (await kept(project)).tokens;
    expect(before?.previous).toHaveLength(1);
    await project.apply(tenant("0s"));
    const [after] = (await kept(project)).tokens;
    expect(after).toMatchObject({ record: { serial: before?.record.serial }, previous: [] });
    expect(await isGood(project, before!.previous[0]!)).toBe(false);
    expect(await isGood(project, before!.record)).toBe(true);
    expect(actions(await project.plan(tenant("0s")))).toEqual([]);
  });

  test("that is noted as refused is tried before a new one takes its place, and stays where it is good", async () => {
    const project = await start();
    await project.apply(acme());
    const { record } = await noteRefused(project);
    const { plan, result, requests } = await project.run(acme());
    expect(actions(plan)).toEqual(["create tenancy_authorization.csi_prod"]);
    expect(failures(result)).toMatchObject([
      {
        code: "TENANCY_PLAN_OUTDATED",
        summary: expect.stringContaining(`after all: ${record.serial} (200)`) as string,
      },
    ]);
    expect(writes(requests)).toEqual([]);
    expect((await kept(project)).tokens).toMatchObject([{ record: { serial: record.serial }, refused: [] }]);
    expect(actions((await project.apply(acme())).plan)).toEqual([]);
  });

  test("that the service refuses indeed gets a successor", async () => {
    const project = await start();
    await project.apply(acme());
    const { record } = await noteRefused(project);
    project.service.records.revokeToken(record.serial);
    await project.apply(acme());
    const [after] = (await kept(project)).tokens;
    expect(after!.record.serial).not.toBe(record.serial);
    expect(await isGood(project, after!.record)).toBe(true);
  });

  test("that was replaced, and is noted as refused with its successor, is tried, and keeps its time", async () => {
    const project = await start();
    await project.apply(acme());
    const rotating = await planRotation(project.synthesize(acme()), "prod", project.options());
    expect(await apply(rotating)).toMatchObject({ ok: true });
    const { record, previous } = await noteRefused(project);
    project.service.records.revokeToken(record.serial);
    const { result } = await project.run(acme());
    expect(failures(result)).toMatchObject([
      { summary: expect.stringContaining(`after all: ${previous[0]!.serial} (200)`) as string },
    ]);
    await project.apply(acme());
    const [after] = (await kept(project)).tokens;
    expect(after!.previous.map(({ serial }) => serial)).toEqual([previous[0]!.serial]);
    expect(await isGood(project, previous[0]!)).toBe(true);
  });

  test("of the run's own user has nothing to do with an account of that name", async () => {
    const project = await start();
    const account: Build = (stack) => void new Account(stack, "account", { name: "prod", permissions: {} });
    const withToken: Build = (stack) => {
      account(stack);
      new Authorization(stack, "own", { name: "prod" });
    };
    const late = await project.plan(account);
    await project.apply(withToken, { only: ["tenancy_authorization.own"], initState: true });
    expect(await apply(late)).toMatchObject({ ok: true, applied: [{ key: "prod" }] });
    project.service.records.deleteAccount("prod");
    await noteRefused(project);
    await project.apply(withToken, { only: ["tenancy_account.account"] });
    expect((await kept(project)).tokens).toMatchObject([{ refused: [{}] }]);
  });

  test("that is compromised is replaced without being tried, also where it is noted as refused", async () => {
    const project = await start();
    await project.apply(acme());
    const { record } = await noteRefused(project);
    const options = { ...project.options(), compromised: true };
    expect(await apply(await planRotation(project.synthesize(acme()), "prod", options))).toMatchObject({
      ok: true,
      diagnostics: [],
    });
    expect(await isGood(project, record)).toBe(false);
    expect((await kept(project)).tokens).toMatchObject([{ previous: [] }]);
  });

  test("that the plan has tried, and found refused, gets a successor", async () => {
    const project = await start();
    await project.apply(acme());
    const [before] = (await kept(project)).tokens;
    project.service.records.revokeToken(before!.record.serial);
    await project.apply(acme(), { verifyTokens: true });
    expect(await isGood(project, (await kept(project)).tokens[0]!.record)).toBe(true);
  });

  test("that is compromised, and neither replaced nor revoked, is told so, and stays noted", async () => {
    const project = await start();
    await project.apply(acme());
    const [before] = (await kept(project)).tokens;
    const options = { ...project.options(), compromised: true };
    const rotating = await planRotation(project.synthesize(acme()), "prod", options);
    for (const method of ["POST", "DELETE"])
      project.service.fail({ method, path: /authorization/, status: 403, times: 9 });
    expect(codes(failures(await apply(rotating)))).toEqual([
      "TENANCY_API_FORBIDDEN",
      "TENANCY_API_FORBIDDEN",
    ]);
    expect((await kept(project)).failed_revocations).toMatchObject([{ serial: before?.record.serial }]);
    expect(await isGood(project, before!.record)).toBe(true);
  });
});
