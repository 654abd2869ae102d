/** `tenancy report` of several services, asked or in a snapshot: covers src/engine/report.ts. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import type { Report, ReportChanges } from "../../src/engine";
import { compareText } from "../../src/lib/values";
import { accounts, CommandProject, commandProjects } from "../support/command";

const start = commandProjects();

/** A project whose stacks are at two services, with an account and a user of the same names in each. */
async function twoServices() {
  const staging = await start();
  const production = await start();
  const project = staging;
  const at = (service: typeof staging, owner: string) => ({
    ...accounts("acme"),
    provider: { tenancy: [{ base_url: service.service.baseUrl, owner, retry_timeout: "0s" }] },
  });
  await project.declare({
    staging: at(staging, "acme-staging"),
    production: at(production, "acme-production"),
  });
  const applied = await project.tenancy(["apply", "--yes", "staging", "production"]);
  expect({ ...applied, stdout: "" }).toMatchObject({ code: 0 });
  for (const { service } of [staging, production])
    service.records.createProfile("acme", { username: "jane" });
  production.service.records.createProfile("acme", { username: "only-production" });
  return { project, staging: staging.service, production: production.service };
}

async function reported(project: CommandProject, ...words: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await project.tenancy(["report", "--json", ...words]);
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Report;
}

const loginsAt = ({ services }: Report) =>
  Object.fromEntries(services.map(({ origin, users }) => [origin, users.map(({ login }) => login)]));

test("staging and production are reported together, each as itself", async () => {
  const { project, staging, production } = await twoServices();
  const whole = await reported(project);
  expect(loginsAt(whole)).toEqual({
    [staging.baseUrl]: ["acme", "jane@acme", "system"],
    [production.baseUrl]: ["acme", "jane@acme", "only-production@acme", "system"],
  });
  const whose = whole.services.map(({ stacks, accounts: all }) => [
    stacks,
    all.find(({ name }) => name === "acme")?.ownership,
  ]);
  expect(whose).toEqual([
    [["staging"], { claim: "managed", stack: "staging", declared: true }],
    [["production"], { claim: "managed", stack: "production", declared: true }],
  ]);
  const { stdout } = await project.tenancy(["report"]);
  expect(stdout).toContain(`Who may do what · ${staging.baseUrl}\n`);
  expect(stdout).toContain(`Who may do what · ${production.baseUrl}\n`);
  expect(stdout).toContain("7 users in 4 accounts");
  const csv = await project.tenancy(["report", "--csv"]);
  const rows = parse<Record<string, string>>(csv.stdout, { columns: true });
  expect(rows.filter(({ login }) => login === "jane@acme").map(({ origin }) => origin)).toEqual([
    staging.baseUrl,
    production.baseUrl,
  ]);
});

test("a user or an account that one of the services has is found there, and missed at the other", async () => {
  const { project, staging, production } = await twoServices();
  expect(loginsAt(await reported(project, "--user", "only-production@acme"))).toEqual({
    [staging.baseUrl]: [],
    [production.baseUrl]: ["only-production@acme"],
  });
  const { stdout } = await project.tenancy(["report", "--user", "only-production@acme"]);
  expect(stdout).toMatch(/1 user in 1 account/);
});

test("one stack is reported without asking the service of the other", async () => {
  const { project, staging, production } = await twoServices();
  staging.clearRequests();
  expect(Object.keys(loginsAt(await reported(project, "production")))).toEqual([production.baseUrl]);
  expect(staging.requests).toEqual([]);
});

test("a service that does not answer is an error, and never a report without it", async () => {
  const { project, staging } = await twoServices();
  await staging.close();
  const { code, stdout, stderr } = await project.tenancy(["report"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(staging.baseUrl);
});

test("a baseline tells at which service something is new or gone", async () => {
  const { project, staging, production } = await twoServices();
  const { stdout: before } = await project.tenancy(["report", "--json"]);
  await project.write("before.json", before);
  staging.records.createProfile("acme", { username: "only-production" });
  production.records.deleteProfile("only-production@acme");
  const { code, stdout } = await project.tenancy(["report", "--baseline", "before.json", "--json"]);
  expect(code).toBe(2);
  const { changes } = JSON.parse(stdout) as ReportChanges;
  const existing = changes.filter(({ kind, what }) => kind === "user" && what === "exists");
  expect(existing).toMatchObject(
    [
      { origin: staging.baseUrl, subject: "only-production@acme", effect: "new" },
      { origin: production.baseUrl, subject: "only-production@acme", effect: "gone" },
    ].sort((a, b) => compareText(a.origin, b.origin)),
  );
  const text = await project.tenancy(["report", "--baseline", "before.json"]);
  expect(text.stdout).toContain(`+ only-production@acme at ${staging.baseUrl}`);
  expect(text.stdout).toContain(`- only-production@acme at ${production.baseUrl}`);
  // A service that is no longer asked is gone, too.
  const one = await project.tenancy(["report", "production", "--baseline", "before.json", "--json"]);
  const gone = (JSON.parse(one.stdout) as ReportChanges).changes.filter(({ kind }) => kind === "service");
  expect(gone).toMatchObject([{ origin: staging.baseUrl, effect: "gone", what: "exists" }]);
});

test("a snapshot of both is reported as both, in the project and anywhere else", async () => {
  const { project, staging, production } = await twoServices();
  const asked = await reported(project);
  expect(await project.tenancy(["snapshot", "--out", "live.json"])).toMatchObject({ code: 0 });
  for (const service of [staging, production]) service.clearRequests();
  const nobody = { TENANCY_USERNAME: "", TENANCY_PASSWORD: "", TENANCY_BASE_URL: "", TENANCY_OWNER: "" };
  const inProject = await project.tenancy(["report", "--json", "--from-snapshot", "live.json"], {
    environment: nobody,
  });
  expect(inProject).toMatchObject({ code: 0 });
  expect(loginsAt(JSON.parse(inProject.stdout) as Report)).toEqual(loginsAt(asked));

  const elsewhere = new CommandProject(join(project.folder, "elsewhere"));
  await elsewhere.write("live.json", await readFile(join(project.folder, "live.json"), "utf8"));
  const whole = await reported(elsewhere, "--from-snapshot", "live.json");
  expect(loginsAt(whole)).toEqual(loginsAt(asked));
  const owners = whole.services.map(({ origin, accounts: all }) => [
    origin,
    all.find(({ name }) => name === "acme")?.ownership,
  ]);
  expect(Object.fromEntries(owners)).toEqual({
    [staging.baseUrl]: { claim: "managed", stack: "staging", declared: null },
    [production.baseUrl]: { claim: "managed", stack: "production", declared: null },
  });
  const one = await elsewhere.tenancy(["report", "--json", "--from-snapshot", "live.json"], {
    environment: { TENANCY_BASE_URL: production.baseUrl },
  });
  expect(Object.keys(loginsAt(JSON.parse(one.stdout) as Report))).toEqual([production.baseUrl]);
  expect([...staging.requests, ...production.requests]).toEqual([]);
});

test("two stacks at one service are one service, and each record is told by the stack that manages it", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme"), labs: accounts("labs") });
  expect(await project.tenancy(["apply", "--yes", "prod", "labs"])).toMatchObject({ code: 0 });
  const whole = await reported(project);
  expect(whole.services).toHaveLength(1);
  expect(whole.services[0]?.stacks).toEqual(["prod", "labs"]);
  expect(
    whole.services[0]?.accounts.map(({ name, ownership }) => [name, ownership.stack, ownership.declared]),
  ).toEqual([
    ["acme", "prod", true],
    ["labs", "labs", true],
    ["system", null, false],
  ]);
});

test("of two credentials at one service, the one that sees everything is believed", async () => {
  const project = await start();
  const { records } = project.service;
  records.createAccount({ name: "auditors", password: "correct horse" });
  const weak = { username: "auditors", password: "correct horse" };
  await project.declare({
    audit: { ...accounts(), provider: { tenancy: [weak] } },
    prod: accounts("acme"),
  });
  expect(await project.tenancy(["apply", "--yes", "prod"])).toMatchObject({ code: 0 });
  const whole = await reported(project);
  expect(whole.services).toHaveLength(1);
  expect(whole.services[0]).toMatchObject({ incomplete: null, caller: "system" });
  expect(whole.services[0]?.users.map(({ login }) => login)).toEqual(["acme", "auditors", "system"]);
});
