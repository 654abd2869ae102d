/** When a password is sent: covers src/engine/diff/passwords.ts, src/engine/apply/passwords.ts and src/schema/description.ts in whole runs. */
import { copyFileSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { inspect } from "node:util";
import { Account, Permissions, Secret, Tenant } from "tenancy";
import { apply } from "../../src/engine";
import type { Change } from "../../src/plan";
import {
  actions,
  changeAt,
  changed,
  codes,
  projects,
  type Applied,
  type Build,
  type Project,
} from "../support/projects";

const start = projects();

/** Declares jane with the password that TF_VAR_pw gives. */
const jane =
  (version = 1, more: object = {}): Build =>
  (stack) => {
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: {
        jane: { permissions: Permissions.none(), password: Secret.variable("pw", { version }), ...more },
      },
    });
  };
const given = (pw: string) => ({ environment: { TF_VAR_pw: pw } });

const bodies = ({ requests }: Applied) =>
  requests
    .filter(({ method, path }) => /PATCH|POST/.test(method) && !path.endsWith("token"))
    .map(({ body }) => body);

async function mayLogIn(project: Project, login: string, password: string): Promise<boolean> {
  const response = await fetch(`${project.service.baseUrl}/api/oauth2/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ grant_type: "password", username: login, password }),
  });
  return response.status === 201;
}

test("a password is sent with the create, and not again", async () => {
  const project = await start();
  await project.apply(jane(), given("first"));
  expect(await mayLogIn(project, "jane@acme", "first")).toBe(true);
  const state = await readFile(project.state, "utf8");
  const second = await project.apply(jane(), given("first"));
  expect(await readFile(project.state, "utf8")).toBe(state);
  expect(actions(second.plan)).toEqual([]);
  expect(second.plan.warnings).toEqual([]);
  expect(bodies(second)).toEqual([]);
});

test("a new version sends it", async () => {
  const project = await start();
  await project.apply(jane(), given("first"));
  const applied = await project.apply(jane(2), given("second"));
  expect(actions(applied.plan)).toEqual(["update tenancy_user_profile.acme_jane"]);
  expect(bodies(applied)).toEqual([{ password: "second" }]);
  expect(await mayLogIn(project, "jane@acme", "second")).toBe(true);
  expect(actions(await project.plan(jane(2), given("second")))).toEqual([]);
});

test("a version that is no longer declared is a change that sends nothing", async () => {
  const project = await start();
  await project.apply(jane(), given("first"));
  const without: Build = (stack) => {
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: { jane: { permissions: Permissions.none() } },
    });
  };
  const applied = await project.apply(without);
  expect(changeAt(applied.plan, "tenancy_user_profile.acme_jane")?.attributes).toMatchObject([
    { path: ["password_set"] },
    { path: ["password_wo_version"], before: 1, after: null },
  ]);
  expect(bodies(applied)).toEqual([]);
  expect(actions(await project.plan(without))).toEqual([]);
});

test("another value under the same version is a warning, and is not sent", async () => {
  const project = await start();
  await project.apply(jane(), given("first"));
  const applied = await project.apply(jane(), given("second"));
  expect(actions(applied.plan)).toEqual([]);
  expect(applied.plan.warnings).toMatchObject([
    {
      code: "TENANCY_SECRET_NOT_SENT",
      address: "tenancy_user_profile.acme_jane",
      attribute: ["password_wo"],
      advice: "Raise the version of its `Secret` (`passwordWoVersion` without one) to have it sent.",
    },
  ]);
  expect(bodies(applied)).toEqual([]);
  const withMail = await project.plan(jane(1, { email: "jane@acme.example" }), given("second"));
  expect(codes(withMail.warnings)).toEqual(["TENANCY_SECRET_NOT_SENT"]);
  const knownLater: Build = (stack) => {
    jane()(stack);
    const other = new Account(stack, "other", { name: "other", permissions: {} });
    stack.addOverride("resource.tenancy_user_profile.acme_jane.password_wo", `\${${other.fqn}.id}`);
  };
  expect((await project.plan(knownLater, given("first"))).warnings).toEqual([]);
});

test("a declared password is sent again where creating a token has left another in its place, and only there", async () => {
  const project = await start();
  const { records } = project.service;
  await project.apply(jane(), given("first"));
  const leavePasswordOf = async (login: string) => {
    const state = JSON.parse(await readFile(project.state, "utf8")) as { parts: [object] };
    const left = { user_id: records.profile(login).id, login, set_at: "2026-01-02T03:04:05Z" };
    Object.assign(state.parts[0], { temporary_passwords: [left] });
    await writeFile(project.state, JSON.stringify(state));
  };
  const planned = async (build: Build) => (await project.plan(build, given("first"))).changes;
  const withoutPassword = (stack: Parameters<Build>[0]) => {
    const users = { jane: { permissions: Permissions.none() } };
    new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), users });
  };
  const isSent = (changes: readonly Change[], name: string) =>
    changed(changes.find(({ address }) => address === name))["password_wo_version"]?.[1] === 1;
  const [account, user] = ["tenancy_account.acme", "tenancy_user_profile.acme_jane"];
  await leavePasswordOf("jane@acme");
  const found = await planned(jane());
  expect([isSent(found, account), isSent(found, user)]).toEqual([false, true]);
  expect(isSent(await planned(withoutPassword), user)).toBe(false);
  records.patchProfile("jane@acme", { password: null });
  expect(isSent(await planned(jane()), user)).toBe(false);
  records.patchProfile("jane@acme", { password: "first" });
  await leavePasswordOf("acme");
  expect(isSent(await planned(jane()), user)).toBe(false);
});

test("without the state it is recorded, not sent, and the plan says so", async () => {
  const project = await start();
  await project.apply(jane(), given("first"));
  await rm(dirname(project.state), { recursive: true });
  await project.apply(jane(3), { ...given("second"), recover: true });
  const applied = await project.apply(jane(3), given("second"));
  expect(actions(applied.plan)).toEqual([]);
  expect(changeAt(applied.plan, "tenancy_user_profile.acme_jane").notes).toEqual([
    "password_wo_version recorded, the value is not sent (--reset-passwords sends it)",
  ]);
  expect(bodies(applied)).toEqual([]);
  const again = await project.plan(jane(3), given("second"));
  expect(again.changes.flatMap(({ notes }) => notes)).toEqual([]);
  expect(bodies(await project.apply(jane(4), given("third")))).toEqual([{ password: "third" }]);
});

test("--reset-passwords sends what nothing is remembered of", async () => {
  const project = await start();
  await project.apply(jane(), given("first"));
  await rm(dirname(project.state), { recursive: true });
  await project.apply(jane(), { ...given("second"), recover: true });
  const applied = await project.apply(jane(), { ...given("second"), resetPasswords: true });
  expect(bodies(applied)).toEqual([{ password: "second" }]);
});

test("--reset-passwords sends a recorded password also after applies that recorded it, and sends it once", async () => {
  const project = await start();
  await project.apply(jane(), given("first"));
  await rm(dirname(project.state), { recursive: true });
  await project.apply(jane(), { ...given("second"), recover: true });
  await project.apply(jane(), given("second"));
  // Another change of the user leaves the password unsent.
  const build: Build = (stack) => {
    const password = Secret.variable("pw", { version: 1 });
    const users = { jane: { permissions: Permissions.none(), password, xref: "badge-7" } };
    new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), users });
  };
  expect(bodies(await project.apply(build, given("second")))).toEqual([{ xref: "badge-7" }]);
  const reset = { ...given("second"), resetPasswords: true };
  expect(bodies(await project.apply(build, reset))).toEqual([{ password: "second" }]);
  expect(actions(await project.plan(build, reset))).toEqual([]);
});

test("import sets no password, a new version afterwards does", async () => {
  const project = await start();
  project.service.records.createAccount({ name: "acme" });
  project.service.records.createProfile("acme", { username: "jane", password: "her own" });
  const imported =
    (version: number): Build =>
    (stack) => {
      const users = {
        jane: { permissions: Permissions.none(), password: Secret.variable("pw", { version }) },
      };
      const acme = new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        users,
      }).importFrom();
      acme.user("jane").importFrom();
    };
  await project.apply(imported(1), given("declared"));
  expect(await mayLogIn(project, "jane@acme", "her own")).toBe(true);
  await project.apply(imported(2), given("declared"));
  expect(await mayLogIn(project, "jane@acme", "declared")).toBe(true);
});

test("the primary user profile's password is sent with the account, and by its version", async () => {
  const project = await start();
  const build =
    (version: number): Build =>
    (stack) =>
      void new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        password: Secret.variable("pw", { version }),
      });
  await project.apply(build(1), given("first"));
  expect(await mayLogIn(project, "acme", "first")).toBe(true);
  await project.apply(build(2), given("second"));
  expect(await mayLogIn(project, "acme", "second")).toBe(true);
});

/** A password, and a level that is sent in a request of its own, to the primary user profile. */
const leveled =
  (version: number, level: number): Build =>
  (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      level,
      password: Secret.variable("pw", { version }),
    });

test("a version counts as sent only when the password was", async () => {
  const project = await start();
  await project.apply(leveled(1, 1), given("first"));
  project.service.fail({ method: "PATCH", path: /account/, status: 403 });
  expect((await project.run(leveled(2, 1), given("second"))).result.ok).toBe(false);
  // The second request is refused, and the password has gone with the first.
  project.service.fail({ method: "PATCH", path: /user-profile/, status: 403 });
  const half = await project.run(leveled(2, 2), given("second"));
  expect(half.result.ok).toBe(false);
  expect(bodies(half)).toEqual([{ password: "second" }, { level: 2 }]);
  expect(await mayLogIn(project, "acme", "second")).toBe(true);
  expect(bodies(await project.apply(leveled(2, 2), given("second")))).toEqual([{ level: 2 }]);
});

describe("a password whose write has an unknown result is sent again as it is declared", () => {
  const impatient = { owner: "acme-platform", retryTimeout: "1ms" };
  const objectsIn = async (project: Project, user: string) => {
    const { parts } = JSON.parse(await readFile(project.state, "utf8")) as {
      parts: [{ objects: { objects: Record<string, { secrets: unknown; sent: unknown }> } }];
    };
    return parts[0].objects.objects[user];
  };

  test("after a lost answer, be it the value from before", async () => {
    const project = await start();
    await project.apply(jane(), given("first"));
    project.service.fail({ method: "PATCH", path: /user-profile/, status: 500, times: 99, when: "after" });
    const { result } = await project.run(project.synthesize(jane(2), impatient), given("second"));
    project.service.clearFaults();
    expect(result.ok).toBe(false);
    expect(await mayLogIn(project, "jane@acme", "second")).toBe(true);
    const before = await readFile(project.state, "utf8");
    await project.plan(jane(), given("first"));
    expect(await readFile(project.state, "utf8")).toBe(before);
    expect(bodies(await project.apply(jane(), given("first")))).toEqual([{ password: "first" }]);
    expect(await mayLogIn(project, "jane@acme", "first")).toBe(true);
    expect(actions(await project.plan(jane(), given("first")))).toEqual([]);
  });

  test("after a lost answer, where the request is repeated and then refused", async () => {
    const project = await start();
    await project.apply(jane(), given("first"));
    project.service.fail({ method: "PATCH", path: /user-profile/, status: 500, when: "after" });
    project.service.fail({ method: "PATCH", path: /user-profile/, status: 403 });
    const { result } = await project.run(jane(2), given("second"));
    project.service.clearFaults();
    expect(result.ok).toBe(false);
    expect(await mayLogIn(project, "jane@acme", "second")).toBe(true);
    expect(bodies(await project.apply(jane(), given("first")))).toEqual([{ password: "first" }]);
    expect(await mayLogIn(project, "jane@acme", "first")).toBe(true);
  });

  test.each([
    ["the same as the killed run's", 2, "second"],
    ["the one from before it", 1, "first"],
  ])("after a run that was killed: %s", async (_title, version, password) => {
    const project = await start();
    await project.apply(jane(), given("first"));
    // What a killed run leaves is the state as it was saved before the first write.
    const killed = `${project.state}.killed`;
    const where = () => {
      copyFileSync(project.state, killed);
      return false;
    };
    const fault = project.service.fail({ method: "PATCH", where });
    await project.apply(jane(2), given("second"));
    fault.remove();
    await rename(killed, project.state);
    expect(bodies(await project.apply(jane(version), given(password)))).toEqual([{ password }]);
    expect(await mayLogIn(project, "jane@acme", password)).toBe(true);
    expect(actions(await project.plan(jane(version), given(password)))).toEqual([]);
  });

  test("after a lost answer to the second of two requests, too", async () => {
    const project = await start();
    await project.apply(leveled(1, 1), given("first"));
    project.service.fail({ method: "PATCH", path: /user-profile/, status: 500, times: 99, when: "after" });
    await project.run(project.synthesize(leveled(2, 2), impatient), given("second"));
    project.service.clearFaults();
    expect(bodies(await project.apply(leveled(1, 2), given("first")))).toEqual([{ password: "first" }]);
    expect(await mayLogIn(project, "acme", "first")).toBe(true);
  });

  test.each([
    [
      "that the service refuses",
      (project: Project) => project.service.fail({ method: "PATCH", path: /user-profile/, status: 403 }),
      {},
    ],
    [
      "that a precondition stops",
      () => undefined,
      {
        precondition: [{ condition: '${tenancy_account.other.id == "no such"}', error_message: "not yet" }],
      },
    ],
    [
      "that the run does not reach",
      (project: Project) => project.service.fail({ method: "POST", path: "/api/account", status: 403 }),
      {},
    ],
  ])("and nothing is sent again after a write %s", async (_title, hinder, lifecycle) => {
    const project = await start();
    await project.apply(jane(1, { sms: "+4930123456" }), given("first"));
    const before = await objectsIn(project, "user_profile:jane@acme");
    hinder(project);
    const changed: Build = (stack) => {
      jane(2, { sms: "+4940123456" })(stack);
      new Account(stack, "other", { name: "other", permissions: {} });
      const path = "resource.tenancy_user_profile.acme_jane";
      stack.addOverride(`${path}.depends_on`, ["tenancy_account.acme", "tenancy_account.other"]);
      stack.addOverride(`${path}.lifecycle`, lifecycle);
    };
    const { result, requests } = await project.run(changed, given("second"));
    expect(result.ok).toBe(false);
    expect(
      requests.filter(({ method, path }) => method === "PATCH" && /user/.test(path)).length,
    ).toBeLessThan(2);
    expect(await mayLogIn(project, "jane@acme", "first")).toBe(true);
    expect(await objectsIn(project, "user_profile:jane@acme")).toEqual(before);
    expect(bodies(await project.apply(jane(1, { sms: "+4930123456" }), given("first")))).toEqual([]);
  });
});

const withoutPassword: Build = (stack) => {
  const users = { jane: { permissions: Permissions.none(), password: null } };
  new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), users });
};

test("a password that is taken away is taken away", async () => {
  const project = await start();
  await project.apply(jane(), given("first"));
  const applied = await project.apply(withoutPassword);
  expect(bodies(applied)).toEqual([{ password: null }]);
  expect(actions(await project.plan(withoutPassword))).toEqual([]);
});

test("a user who never had a password is declared without one, and no plan says a word", async () => {
  const project = await start();
  await project.apply(withoutPassword);
  const { plan, requests } = await project.apply(withoutPassword);
  expect(plan.changes.flatMap(({ notes }) => notes)).toEqual([]);
  expect(requests.filter(({ method }) => method === "PATCH")).toEqual([]);
});

test("a password is taken away although the service does not show whether there is one", async () => {
  const project = await start();
  const hide = (body: unknown): unknown =>
    Array.isArray(body) ? body.map(hide) : { ...(body as object), password_set: undefined };
  project.service.fail({ path: /user-profile/, times: 9999, when: "after", alter: hide });
  await project.apply(jane(), given("first"));
  const applied = await project.apply(withoutPassword);
  expect(bodies(applied)).toEqual([{ password: null }]);
  expect(bodies(await project.apply(withoutPassword))).toEqual([]);
});

test("a literal password earns a warning", async () => {
  const project = await start();
  const build: Build = (stack) => {
    jane()(stack);
    stack.addOverride("resource.tenancy_user_profile.acme_jane.password_wo", "in plain sight");
  };
  expect(codes((await project.plan(build, given("x"))).warnings)).toEqual(["TENANCY_LITERAL_SECRET"]);
});

test("no password is in the plan, the events or the state", async () => {
  const project = await start();
  const { plan, events, result } = await project.apply(jane(), given("correct-horse"));
  const shown = inspect([plan, events, result, await readFile(project.state, "utf8")], { depth: Infinity });
  expect(shown).toContain("jane@acme");
  expect(shown).not.toContain("correct-horse");
});

test("an apply that sends a new password fails where the service ends the user's tokens with it; the next one creates them", async () => {
  const project = await start({ passwordEndsTokens: true });
  const build =
    (version: number): Build =>
    (stack) => {
      const password = Secret.variable("pw", { version });
      const users = { jane: { permissions: Permissions.none(), password } };
      const acme = new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), users });
      acme.addToken("prod", { user: "jane" });
    };
  await project.apply(build(1), given("first"));
  const checked = { ...given("second"), verifyTokens: true };
  const { result } = await project.run(build(2), checked);
  expect(result.failed).toMatchObject([
    { change: { key: "jane@acme/prod" }, diagnostics: [{ code: "TENANCY_PLAN_OUTDATED" }] },
  ]);
  const next = await project.apply(build(2), checked);
  expect(actions(next.plan)).toEqual(["create tenancy_authorization.acme_prod"]);
  expect(actions(await project.plan(build(2), checked))).toEqual([]);
});

test("an apply that takes away a password that was set outside fails where the service ends the user's token with it", async () => {
  const project = await start();
  const build: Build = (stack) => {
    const acme = new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: { csi: { permissions: Permissions.none(), password: null } },
    });
    acme.addToken("prod", { user: "csi" });
  };
  await project.apply(build);
  const { records } = project.service;
  records.patchProfile("csi@acme", { password: "left" });
  project.service.fail({
    method: "PATCH",
    where: ({ body }) => (body as { readonly password?: unknown }).password === null,
    alter: (body) => {
      for (const { serial } of records.authorizations) records.revokeToken(serial);
      return body;
    },
  });
  const { plan, result } = await project.run(build, { verifyTokens: true });
  expect(actions(plan)).toEqual(["update tenancy_user_profile.acme_csi"]);
  expect(result.failed).toMatchObject([
    { change: { key: "csi@acme/prod" }, diagnostics: [{ code: "TENANCY_PLAN_OUTDATED" }] },
  ]);
  const next = await project.apply(build, { verifyTokens: true });
  expect(actions(next.plan)).toEqual(["create tenancy_authorization.acme_prod"]);
});

describe("an apply that sends a new password tries the user's kept tokens that no change of it is about", () => {
  const ofJane =
    (version: number, tokens: readonly string[] = ["prod"], email = "jane@example.net"): Build =>
    (stack) => {
      const password = Secret.variable("pw", { version });
      const users = { jane: { permissions: Permissions.none(), password, email } };
      const acme = new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), users });
      for (const name of tokens) acme.addToken(name, { user: "jane" });
    };
  const ofPrimaryUser =
    (version: number): Build =>
    (stack) => {
      const password = Secret.variable("pw", { version });
      const acme = new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), password });
      acme.addToken("prod");
    };
  const onlyUser = { only: ["tenancy_user_profile.acme_jane"] };
  const token = "tenancy_authorization.acme_prod";

  /** How often the service was asked whether a token is good. The run asks it about its own credential, too. */
  const questions = ({ requests }: Applied) =>
    requests.filter(({ path }) => path === "/api/status/authorization").length;

  test.each([
    ["that --only leaves out", ofJane(1), ofJane(2), onlyUser],
    ["that --exclude leaves out", ofJane(1), ofJane(2), { exclude: [token] }],
    [
      "of a primary user",
      ofPrimaryUser(1),
      ofPrimaryUser(2),
      { only: ["tenancy_account.acme"] },
      "tenancy_account.acme",
    ],
  ])("one %s, and that the service has ended, is an error; the next run creates it", async (...row) => {
    const [, before, after, selection, address = "tenancy_user_profile.acme_jane"] = row;
    const project = await start({ passwordEndsTokens: true });
    await project.apply(before, given("first"));
    const { result } = await project.run(after, { ...given("second"), ...selection });
    expect(result).toMatchObject({
      ok: false,
      applied: [{ address }],
      failed: [],
      diagnostics: [
        {
          severity: "error",
          code: "TENANCY_TOKENS_ENDED",
          address,
          summary: expect.stringMatching(/refuses \S+\/prod \(\w+\) since/) as string,
        },
      ],
    });
    const next = await project.apply(after, given("second"));
    expect(actions(next.plan)).toEqual([`create ${token}`]);
    expect(actions(await project.plan(after, { ...given("second"), verifyTokens: true }))).toEqual([]);
  });

  test("one that is not declared any more, too", async () => {
    const project = await start({ passwordEndsTokens: true });
    await project.apply(ofJane(1, ["prod", "test"]), given("first"));
    const { result } = await project.run(ofJane(2, ["prod"]), { ...given("second"), noPrune: true });
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_PLAN_OUTDATED"]);
    expect(result.diagnostics).toMatchObject([
      { code: "TENANCY_TOKENS_ENDED", summary: expect.stringContaining("jane@acme/test") as string },
    ]);
    const next = await project.apply(ofJane(2, ["prod"]), given("second"));
    expect(actions(next.plan)).toEqual([
      `create ${token}`,
      'delete tenancy_authorization.undeclared["jane@acme/test"]',
    ]);
  });

  test("one that the run does not reach, too", async () => {
    const project = await start({ passwordEndsTokens: true });
    const build =
      (version: number, email: string): Build =>
      (stack) => {
        ofJane(version)(stack);
        const joe = { permissions: Permissions.none(), email };
        new Tenant(stack, "globex", { name: "globex", permissions: Permissions.none(), users: { joe } });
        stack.addOverride(`resource.${token}.depends_on`, ["tenancy_user_profile.globex_joe"]);
      };
    await project.apply(build(1, "joe@example.net"), given("first"));
    project.service.fail({
      method: "PATCH",
      where: ({ body }) => (body as { readonly email?: unknown }).email !== undefined,
      status: 403,
    });
    const { result } = await project.run(build(2, "new@example.net"), given("second"));
    expect(result.failed).toMatchObject([{ change: { key: "joe@globex" } }]);
    expect(codes(result.diagnostics)).toEqual(["TENANCY_TOKENS_ENDED"]);
    expect(actions(await project.plan(build(2, "new@example.net"), given("second")))).toEqual([
      "update tenancy_user_profile.globex_joe",
      `create ${token}`,
    ]);
  });

  test("one that the service still takes is asked about once, another user's never, and none where no password changes", async () => {
    const project = await start();
    const build =
      (version: number, email?: string): Build =>
      (stack) => {
        ofJane(version, ["prod"], email)(stack);
        const users = { joe: { permissions: Permissions.none() } };
        const globex = new Tenant(stack, "globex", {
          name: "globex",
          permissions: Permissions.none(),
          users,
        });
        globex.addToken("prod", { user: "joe" });
      };
    await project.apply(build(1), given("first"));
    const mail = await project.apply(build(1, "new@example.net"), { ...given("first"), ...onlyUser });
    const changed = build(2, "new@example.net");
    const password = await project.apply(changed, { ...given("second"), ...onlyUser });
    expect(questions(password)).toBe(questions(mail) + 1);
    expect(password.result.diagnostics).toEqual([]);
    expect(actions(await project.plan(changed, given("second")))).toEqual([]);
  });

  test("one whose refusal proves nothing is a warning, and is kept", async () => {
    const project = await start();
    await project.apply(ofJane(1), given("first"));
    const made = await project.plan(ofJane(2), { ...given("second"), ...onlyUser });
    project.service.fail({ path: "/api/status/authorization", status: 403 });
    const result = await apply(made);
    expect(result).toMatchObject({
      ok: true,
      diagnostics: [
        {
          severity: "warning",
          code: "TENANCY_TOKEN_NOT_VERIFIED",
          address: "tenancy_user_profile.acme_jane",
          detail: "Token jane@acme/prod.",
        },
      ],
    });
    expect(actions(await project.plan(ofJane(2), given("second")))).toEqual([]);
  });
});
