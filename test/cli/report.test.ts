/**
 * `tenancy report`: covers src/cli/verbs/report.ts, src/engine/report.ts, and how reports are printed. Also covers src/render/csv/index.ts,
 * src/render/view/report-changes.ts and report-users.ts.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import type { Report, ReportChanges } from "../../src/engine";
import { RIGHTS } from "../../src/service";
import { accounts, type CommandProject, commandProjects } from "../support/command";

const start = commandProjects();

type Project = Awaited<ReturnType<typeof start>>;

/** As a service is told of exactly one right: every other one is denied. */
function only(group: string, right: string) {
  const groups = Object.entries<readonly string[]>(RIGHTS).map(([name, rights]) => [
    name,
    { rights: Object.fromEntries(rights.map((one) => [one, name === group && one === right])) },
  ]);
  return Object.fromEntries(groups) as Record<string, Record<string, unknown>>;
}

/** A folder without a project, where the environment names the service. */
async function bare(): Promise<Project> {
  const project = await start();
  const { records } = project.service;
  records.createAccount({ name: "acme", password: "correct horse" });
  records.createProfile("acme", {
    username: "jane",
    password: "horse two",
    permissions: only("vss", "format_disks"),
  });
  records.createProfile("acme", { username: "bob", permissions: only("vss", "manage_snapshots") });
  return project;
}

async function reported(project: CommandProject, ...words: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await project.tenancy(["report", "--json", ...words]);
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Report;
}

const loginsOf = ({ services }: Report) => services.flatMap(({ users }) => users.map(({ login }) => login));

const userIn = ({ services }: Report, login: string) =>
  services.flatMap(({ users }) => users).find((one) => one.login === login);

const findingsIn = ({ services }: Report) =>
  services.flatMap(({ findings }) => findings.map(({ kind, subject }) => `${kind} ${subject}`));

test("without a project, the users of the environment's service are told with what they may do", async () => {
  const project = await bare();
  project.service.clearRequests();
  const { code, stdout } = await project.tenancy(["report"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Access review · http://127.0.0.1");
  expect(stdout).toMatch(/jane@acme +1 right +vss\.format_disks \(destructive\)\n/);
  expect(stdout).toMatch(
    /acme +39 rights +account_admin \(destructive, privileged\), as the service gives by itself\n/,
  );
  expect(stdout).toMatch(/last seen +unknown/);
  expect(stdout).toContain("4 users in 2 accounts");
  expect(project.service.requests.length).toBeLessThanOrEqual(4);
  expect(
    new Set(project.service.requests.filter(({ method }) => method !== "GET").map(({ path }) => path)),
  ).toEqual(new Set(["/api/oauth2/token"]));
});

test("where no owner is named, whose the records are is not known, and is not guessed", async () => {
  const project = await bare();
  const environment = { TENANCY_OWNER: "" };
  await project.tenancy(["snapshot", "--out", "live.json"], { environment });
  for (const words of [[], ["--from-snapshot", "live.json"]]) {
    const { code, stdout } = await project.tenancy(["report", "--json", ...words], { environment });
    expect(code).toBe(0);
    const whole = JSON.parse(stdout) as Report;
    expect(whole.services[0]?.stacks).toEqual([]);
    expect(userIn(whole, "jane@acme")?.ownership).toEqual({
      claim: "unknown",
      stack: null,
      declared: null,
    });
  }
});

test("who can use a right, what a user can do, and who is in an account are parts of the same report", async () => {
  const project = await bare();
  const whole = await reported(project);
  expect(loginsOf(await reported(project, "--who-can", "vss.format_disks"))).toEqual([
    "acme",
    "jane@acme",
    "system",
  ]);
  expect(loginsOf(await reported(project, "--who-can", "privileged"))).toEqual(["acme", "system"]);
  expect(loginsOf(await reported(project, "--who-can", "access.api", "--account", "acme"))).toEqual([
    "acme",
    "bob@acme",
    "jane@acme",
  ]);
  const jane = await reported(project, "--user", "jane@acme");
  expect(jane.services[0]?.users).toEqual([userIn(whole, "jane@acme")]);
  expect(findingsIn(jane)).toEqual(["no_two_factor jane@acme"]);
});

test("a misspelt right, login or account is an error with the nearest name", async () => {
  const project = await bare();
  const told = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await project.tenancy(["report", ...words]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    return stderr;
  };
  expect(await told("--who-can", "vss.formatdisks")).toMatch(
    /there is no right "vss.formatdisks"[^]*Did you mean "vss.format_disks"/,
  );
  expect(await told("--who-can", "remove_vss")).toContain(
    'Did you mean "node.remove_vss" or "vss.remove_vss"?',
  );
  expect(await told("--user", "jane@acne")).toContain('Did you mean "jane@acme"?');
  expect(await told("--account", "amce")).toContain('Did you mean "acme"?');
  expect(await told("--max-token-age", "soon")).toContain("is no duration");
  expect(await told("--json", "--csv")).toContain("each print on stdout");
});

test("suspended users, disabled accounts, missing access and empty scopes have no effect, and are told as what they are", async () => {
  const project = await bare();
  const { records } = project.service;
  records.createAccount({ name: "globex" });
  records.createProfile("globex", { username: "amy", permissions: only("vss", "format_disks") });
  records.patchAccount("globex", { disabled: true });
  records.createProfile("acme", { username: "idle", permissions: only("vss", "format_disks") });
  records.patchProfile("idle@acme", { activated: false });
  records.createProfile("acme", {
    username: "locked",
    permissions: only("vss", "format_disks"),
    access: { web: false, api: false },
  });
  const nowhere = only("vss", "format_disks");
  records.createProfile("acme", {
    username: "nowhere",
    permissions: { ...nowhere, vss: { ...nowhere["vss"], all_account_scope: false, vsses: [] } },
  });
  records.createProfile("acme", {
    username: "some",
    permissions: { ...nowhere, vss: { ...nowhere["vss"], all_account_scope: false, vsses: ["vss:1:7"] } },
  });
  const can = await reported(project, "--who-can", "vss.format_disks", "--account", "acme");
  expect(loginsOf(can)).toEqual(["acme", "jane@acme", "some@acme"]);
  expect(can.services[0]?.held_without_effect).toEqual([
    { login: "idle@acme", because: ["not activated"] },
    { login: "locked@acme", because: ["no access"] },
    { login: "nowhere@acme", because: ["its scope is empty"] },
  ]);
  const whole = await reported(project);
  expect(userIn(whole, "amy@globex")).toMatchObject({
    rights: ["vss.format_disks"],
    takes_effect: [],
    idle: ["account disabled"],
    marks: [],
  });
  expect(userIn(whole, "some@acme")).toMatchObject({
    vss_scope: ["vss:1:7"],
    takes_effect: ["vss.format_disks"],
  });
  expect(findingsIn(whole).filter((one) => one.startsWith("no_two_factor"))).toEqual([
    "no_two_factor jane@acme",
    "no_two_factor some@acme",
    "no_two_factor system",
    "no_two_factor acme",
  ]);
  const { stdout } = await project.tenancy(["report", "--who-can", "vss.format_disks"]);
  expect(stdout).toMatch(/Holds it, without effect at present\n[^]*idle@acme +not activated\n/);
  expect(stdout).toMatch(/some@acme[^]*services +vss:1:7/);
});

test("a project tells what its stacks manage, and what nobody declares", async () => {
  const project = await start();
  const { records } = project.service;
  const elsewhere = ["--state", join(project.folder, "elsewhere.json")];
  await project.declare({ prod: accounts("theirs") });
  expect((await project.tenancy(["apply", "--yes", ...elsewhere])).code).toBe(0);
  records.createAccount({ name: "byhand" });
  records.createAccount({ name: "imported" });
  await project.declare({ prod: accounts("acme", "old") });
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  const { id } = records.account("imported");
  const declared = accounts("acme", "imported");
  await project.declare({ prod: { ...declared, import: [{ to: "tenancy_account.imported", id }] } });
  records.createProfile("acme", { username: "eve" });
  const whole = await reported(project);
  const whose = Object.fromEntries(
    whole.services.flatMap((service) => service.accounts.map((one) => [one.name, one.ownership])),
  );
  expect(whose).toMatchObject({
    acme: { claim: "managed", stack: "prod", declared: true },
    old: { claim: "managed", stack: "prod", declared: false },
    imported: { claim: "imported", stack: null, declared: true },
    byhand: { claim: "unmanaged", declared: false },
    theirs: { claim: "unmanaged", declared: false },
  });
  expect(whole).toMatchObject({ project: true, notes: [] });
  expect(findingsIn(whole).filter((one) => !one.startsWith("no_two_factor"))).toEqual([
    "undeclared_user eve@acme",
    "retained_account old",
  ]);
  const severities = whole.services.flatMap(({ findings }) =>
    findings.map(({ kind, subject, severity }) => `${severity} ${kind} ${subject}`),
  );
  expect(severities).toEqual(
    expect.arrayContaining([
      "high no_two_factor eve@acme",
      "high undeclared_user eve@acme",
      "medium retained_account old",
      "low no_two_factor old",
    ]),
  );
  expect(whole.services.flatMap(({ accounts: all }) => all.flatMap(({ quotas }) => quotas))).toContainEqual({
    name: "limits_vss_num",
    limit: null,
    used: null,
  });
  const { stdout } = await project.tenancy(["report"]);
  expect(stdout).toMatch(/eve@acme +high +is in the account acme, and no declaration knows it/);
  expect(stdout).toMatch(/theirs +1 +unmanaged, not declared/);
});

test("where a stack cannot be evaluated, the service is reported all the same, and nothing is called undeclared", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  project.service.records.createProfile("acme", { username: "eve" });
  for (const name of ["${var.missing}", "${1 / 0}", ""]) {
    await project.declare({
      prod: {
        ...accounts("acme"),
        variable: name.includes("missing") ? { missing: { type: "string" } } : {},
        resource: { tenancy_account: { acme: { name: "acme" }, bad: { name } } },
      },
    });
    const whole = await reported(project);
    expect(whole.notes).toEqual([expect.stringContaining("prod cannot be evaluated to its end")]);
    expect(userIn(whole, "eve@acme")?.ownership.declared).toBeNull();
    expect(findingsIn(whole).join()).not.toContain("undeclared_user");
  }
});

test("tokens of the state are told with their age, and old ones are findings", async () => {
  const project = await start();
  await project.declare({
    prod: {
      ...accounts("acme"),
      resource: {
        tenancy_account: { acme: { name: "acme", password_wo: "correct horse", password_wo_version: 1 } },
        tenancy_authorization: {
          csi: {
            login: "${tenancy_account.acme.name}",
            name: "csi-prod",
            login_with: "password",
            password_wo: "correct horse",
          },
        },
      },
    },
  });
  const applied = await project.tenancy(["apply", "--yes"]);
  expect(applied).toMatchObject({ code: 0 });
  expect(userIn(await reported(project), "acme")?.tokens).toMatchObject([
    { name: "csi-prod", age_days: 0, state: "current" },
  ]);
  const state = join(project.folder, ".tenancy", "state.json");
  const text = await readFile(state, "utf8");
  const secret = /"access_token": ?"([^"]+)"/.exec(text)?.[1] ?? "";
  expect(secret).not.toBe("");
  const old = new Date(Date.now() - 100 * 86_400_000).toISOString();
  await project.write(".tenancy/state.json", text.replace(/("created_at": ?)"[^"]+"/, `$1"${old}"`));
  const aged = await reported(project);
  expect(userIn(aged, "acme")?.tokens).toMatchObject([{ age_days: 100 }]);
  expect(findingsIn(aged)).toContainEqual(expect.stringMatching(/^old_token acme\/csi-prod \(ATH/));
  expect(findingsIn(await reported(project, "--max-token-age", "120d")).join()).not.toContain("old_token");
  // From a snapshot the same, also outside the project.
  expect((await project.tenancy(["snapshot", "--out", "live.json"])).code).toBe(0);
  const elsewhere = new Elsewhere(project);
  const live = await elsewhere.reported("--from-snapshot", "live.json");
  expect(userIn(live, "acme")).toMatchObject({
    tokens: [{ name: "csi-prod", age_days: 100 }],
    ownership: { claim: "managed", stack: "prod", declared: null },
  });
  for (const words of [["--json"], ["--csv"], []])
    expect((await project.tenancy(["report", ...words])).stdout).not.toContain(secret);
});

/** Reports from a folder without a project, and with nothing in the environment. */
class Elsewhere {
  constructor(private readonly project: Project) {}

  async reported(...words: readonly string[]): Promise<Report> {
    const folder = join(this.project.folder, "elsewhere");
    const nothing = Object.fromEntries(
      Object.keys(this.project.environment)
        .filter((name) => name.startsWith("TENANCY_"))
        .map((name) => [name, ""]),
    );
    await this.project.write(
      "elsewhere/live.json",
      await readFile(join(this.project.folder, "live.json"), "utf8"),
    );
    const other = new (this.project.constructor as typeof CommandProject)(folder, nothing);
    return reported(other, ...words);
  }
}

test("a user who administers an account without any right is told with other advice than to take away account_admin", async () => {
  const project = await bare();
  const none = only("vss", "nothing");
  project.service.records.patchProfile("acme", { permissions: none });
  project.service.records.createAccount({ name: "globex", permissions: none });
  const [{ findings } = { findings: [] }] = (await reported(project)).services;
  const told = (login: string) => findings.find(({ subject }) => subject === login);
  expect(told("acme")).toMatchObject({
    says: "administers its account and has no second factor",
    advice:
      "Have the user set up a second factor, or suspend it while it is not needed (`access_web` and `access_api` false).",
  });
  expect(told("globex")).toMatchObject({
    says: "administers its account and has no second factor; it has no password, so only tokens open it",
    advice: "Suspend it while it is not needed (`access_web` and `access_api` false), and rotate its tokens.",
  });
});

test("a snapshot is reported as the service was, without a request", async () => {
  const project = await bare();
  const whole = await reported(project);
  expect((await project.tenancy(["snapshot", "--out", "live.json"])).code).toBe(0);
  const sent = project.service.requests.length;
  const live = await reported(project, "--from-snapshot", "live.json");
  expect(project.service.requests).toHaveLength(sent);
  const lasting = ({ services }: Report) =>
    services.map((service) => ({
      ...service,
      users: service.users.map((user) => ({ ...user, last_activity: null })),
    }));
  expect(lasting(live)).toEqual(lasting(whole));
  expect(typeof live.taken_at).toBe("string");
  expect((await project.tenancy(["report", "--from-snapshot", "live.json", "--usage"])).stderr).toContain(
    "tenancy snapshot --usage",
  );
  expect(
    (await project.tenancy(["report", "--from-snapshot", "live.json", "--max-age", "1ms"])).stderr,
  ).toContain("TENANCY_SNAPSHOT_UNFIT");
});

test("quotas that are nearly used up are found where usage is asked for", async () => {
  const project = await bare();
  project.service.records.patchAccount("acme", { limits: { vss_num: 10, size_reserve_total: 1000 } });
  project.service.records.setUsage("acme", { vss_num: 9, size_reserve: 100 });
  expect(findingsIn(await reported(project)).join()).not.toContain("quota");
  const whole = await reported(project, "--usage");
  expect(findingsIn(whole)).toContain("quota acme limits_vss_num");
  expect(findingsIn(whole)).not.toContain("quota acme limits_size_reserve_total");
  const { stdout } = await project.tenancy(["report", "--usage"]);
  expect(stdout).toMatch(/acme +limits_vss_num +10 +9\n +acme +limits_size_reserve_total +1000 +100\n/);
});

test("a caller who only reads is enough, and what it may not see is said", async () => {
  const project = await bare();
  project.service.records.createAccount({ name: "auditors", password: "correct horse" });
  const environment = { TENANCY_USERNAME: "auditors", TENANCY_PASSWORD: "correct horse" };
  const { code, stdout } = await project.tenancy(["report"], { environment });
  expect(code).toBe(0);
  expect(stdout).toContain("Not proven to be all of http://127.0.0.1");
  expect(stdout).toContain("the caller lacks the right realm.manage_accounts");
});

test("a baseline shows just what is new and what is gone since, with exit code 2", async () => {
  const project = await bare();
  const before = await project.tenancy(["report", "--json"]);
  await project.write("before.json", before.stdout);
  expect(await project.tenancy(["report", "--baseline", "before.json"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Nothing is new, and nothing is gone.") as string,
  });
  const { records } = project.service;
  records.patchProfile("bob@acme", {
    permissions: { vss: { rights: { remove_vss: true, manage_snapshots: false } } },
  });
  records.deleteProfile("jane@acme");
  records.createProfile("acme", { username: "amy", permissions: only("vss", "manage_rules") });
  const { code, stdout } = await project.tenancy(["report", "--baseline", "before.json", "--json"]);
  expect(code).toBe(2);
  const { changes, format } = JSON.parse(stdout) as ReportChanges;
  expect(format).toBe("tenancy-report-changes");
  expect(changes.filter(({ subject }) => subject === "bob@acme")).toMatchObject([
    { effect: "new", what: "vss.remove_vss" },
    { effect: "gone", what: "vss.manage_snapshots" },
  ]);
  expect(new Set(changes.map(({ kind, subject, effect }) => `${effect} ${kind} ${subject}`))).toEqual(
    new Set([
      "new user bob@acme",
      "gone user bob@acme",
      "gone user jane@acme",
      "new user amy@acme",
      "new finding no_two_factor bob@acme",
      "gone finding no_two_factor jane@acme",
    ]),
  );
  const text = await project.tenancy(["report", "--baseline", "before.json", "--markdown", "changes.md"]);
  expect(text).toMatchObject({ code: 2 });
  expect(text.stdout).toMatch(
    /~ bob@acme +new +vss\.remove_vss \(destructive\)\n +gone +vss\.manage_snapshots/,
  );
  expect(await readFile(join(project.folder, "changes.md"), "utf8")).toContain("`vss.remove_vss`");
  // Somebody who is gone by now may be asked for.
  const jane = ["report", "--baseline", "before.json", "--user", "jane@acme"];
  expect(await project.tenancy(jane)).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(
      /- jane@acme +gone +all of it, vss\.format_disks \(destructive\)\n/,
    ) as string,
  });
  const filtered = await project.tenancy([
    "report",
    "--baseline",
    "before.json",
    "--user",
    "bob@acme",
    "--csv",
  ]);
  expect(parse(filtered.stdout, { columns: true })).toHaveLength(3);
});

test("a baseline that is no report, or was made in another way, is refused", async () => {
  const project = await bare();
  const told = async (...words: readonly string[]) =>
    (await project.tenancy(["report", "--baseline", "base.json", ...words])).stderr;
  expect(await told()).toContain("there is no such file");
  for (const [content, said] of [
    ["", "it is empty"],
    ["no", "it is not JSON"],
    ["{}", "it is no report of Tenancy"],
    ['{"format":"tenancy-report","version":2}', "another version"],
    ['{"format":"tenancy-report","version":1}', "made_at is not a string"],
  ] as const) {
    await project.write("base.json", content);
    expect(await told()).toContain(said);
  }
  const { stdout } = await project.tenancy(["report", "--json", "--user", "bob@acme"]);
  await project.write("base.json", stdout);
  expect(await told()).toContain("it answers another question");
  expect((await project.tenancy(["report", "--baseline", "base.json", "--user", "bob@acme"])).code).toBe(0);
  await project.write("base.json", (await project.tenancy(["report", "--json"])).stdout);
  expect(await told("--usage")).toContain("it was made without --usage");
  expect(await told("--max-token-age", "30d")).toContain("--max-token-age 90d");
});

test("no cell of the CSV is a formula, whatever somebody calls a user", async () => {
  const project = await bare();
  const names = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2",
    'a"b,c',
    "\u{ff1d}1",
    "\t=1",
    "a\r\nb",
    "\u001b]0;title\u0007=2",
  ];
  for (const username of names) project.service.records.createProfile("acme", { username });
  const { code, stdout } = await project.tenancy(["report", "--csv"]);
  expect(code).toBe(0);
  const rows = parse<Record<string, string>>(stdout, { columns: true });
  expect(rows).toHaveLength(4 + names.length);
  for (const row of rows)
    for (const text of Object.values(row)) expect(text).not.toMatch(/^\s*[=+\-@\uff1d]|^[\t\r\n]/);
  const logins = rows.map(({ login }) => login);
  expect(stdout).not.toContain("\u001b");
  const shown = [
    ...["=1+1", "+cmd|' /C calc'!A0", "-2", 'a"b,c', "\uff1d1"],
    ...["\\u0009=1", "a\\u000d\\u000ab", "\\u001b]0;title\\u0007=2"],
  ];
  for (const name of shown) expect(logins.map((login) => login?.replace(/^'/, ""))).toContain(`${name}@acme`);
  expect(rows.find(({ login }) => login === "jane@acme")).toMatchObject({
    "vss.format_disks": "yes",
    "vss.remove_vss": "",
    last_activity: "unknown",
    findings: "no_two_factor",
  });
});

test("the page of a report has a matrix of users and rights, and asks nobody for anything", async () => {
  const project = await bare();
  project.service.records.createProfile("acme", { username: "<script>alert(1)</script>" });
  expect((await project.tenancy(["report", "--html", "review.html"])).code).toBe(0);
  const page = await readFile(join(project.folder, "review.html"), "utf8");
  expect(page).toContain("default-src 'none'");
  expect(page).toContain('class="matrix');
  expect(page).toContain("jane@acme");
  expect(page).not.toContain("<script>alert");
});

test("the Markdown of a report names nobody outside of a code span", async () => {
  const project = await bare();
  project.service.records.createProfile("acme", { username: "@everybody | <b>" });
  expect((await project.tenancy(["report", "--markdown", "review.md"])).code).toBe(0);
  const text = await readFile(join(project.folder, "review.md"), "utf8");
  expect(text).toContain("Who may do what");
  expect(text.replace(/`[^`]*`/g, "")).not.toMatch(/everybody|<b>/);
});
