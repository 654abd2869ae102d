/** Objects move from one stack to another with their entries in the state: covers src/engine/moves.ts and src/state/moved-entries.ts. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TerraformStack } from "cdktf";
import { Permissions, Secret, TenancyProvider, Tenant } from "tenancy";
import { type PlanOptions, retireStack, takeSnapshot } from "../../src/engine";
import { clockGoesBack, moveClock } from "../support/moved-clock";
import { actions, type Build, codes, findings, type Project, projects, writes } from "../support/projects";

const start = projects();
clockGoesBack();
beforeEach(() => moveClock("2026-12-01T10:00:00Z"));
const none = Permissions.none();
const nothing: Build = (stack) => void stack.addOverride("locals.nothing", 1);
const open: PlanOptions = { initState: true, environment: { TF_VAR_pw: "correct horse battery" } };

/** The account acme with a user, who has a password and a token. */
const acmeThrough =
  (more: { readonly provider?: TenancyProvider } = {}): Build =>
  (stack) =>
    void new Tenant(stack, "acme", {
      ...{ ...more, name: "acme", permissions: none, tokens: { ci: { user: "jane" } } },
      users: { jane: { permissions: none, password: Secret.variable("pw", { version: 1 }) } },
    });
const acme = acmeThrough();

/** An app of the stacks `prod` and `other`. */
const appOf = (project: Project, stacks: Readonly<Record<string, Build>>, name: string) => ({
  ...project.synthesizeApp((scope) => {
    for (const [id, build] of Object.entries(stacks)) {
      const stack = new TerraformStack(scope, id);
      new TenancyProvider(stack, "service");
      build(stack);
    }
  }),
  name,
});
const inProd = (project: Project, name: string) => appOf(project, { prod: acme, other: nothing }, name);
const inOther = (project: Project, name: string) => appOf(project, { prod: nothing, other: acme }, name);

interface KeptPart {
  readonly stack: string;
  readonly tokens: readonly { readonly record: { readonly serial: string } }[];
  readonly objects: { readonly objects: object };
}

/** What the state keeps: by stack, the keys of objects and the serials of tokens. */
async function keptBy(project: Project): Promise<Record<string, readonly string[]>> {
  const { parts } = JSON.parse(await readFile(project.state, "utf8")) as { parts: readonly KeptPart[] };
  return Object.fromEntries(
    parts.map(({ stack, tokens, objects }) => [
      stack,
      [...Object.keys(objects.objects), ...tokens.map(({ record }) => record.serial)].sort(),
    ]),
  );
}

const quiet = async (project: Project, source: ReturnType<typeof inProd>) => {
  const { plan, requests } = await project.apply(source, open);
  expect([actions(plan), writes(requests)]).toEqual([[], []]);
  return plan;
};

test.each([
  ["after the stack that it leaves", ["prod", "other"]],
  ["before the stack that it leaves", ["other", "prod"]],
])("a tenant moves with its users and tokens when the new stack is applied %s", async (_when, order) => {
  const project = await start();
  await project.apply(inProd(project, "prod"), open);
  const { prod: entries } = await keptBy(project);
  expect(entries).toHaveLength(4);
  for (const name of order) {
    const plan = await quiet(project, inOther(project, name));
    const moved = plan.warnings.filter(({ code }) => code === "TENANCY_MOVED").map(({ summary }) => summary);
    expect(moved).toEqual(
      name === "other" ? ['3 objects of the stack "prod" move here: acme, jane@acme, jane@acme/ci'] : [],
    );
  }
  expect(await keptBy(project)).toEqual({ prod: [], other: entries });
  for (const name of order) expect((await quiet(project, inOther(project, name))).warnings).toEqual([]);

  // A revert is a way back.
  for (const name of order) await quiet(project, inProd(project, name));
  expect(await keptBy(project)).toEqual({ prod: entries, other: [] });
  const account: Build = (stack) => void new Tenant(stack, "acme", { name: "acme", permissions: none });
  const changed = await project.plan(appOf(project, { prod: account, other: nothing }, "prod"), {
    ...open,
    maxDeletes: 9,
  });
  expect(actions(changed)).toContain('delete tenancy_user_profile.undeclared["jane@acme"]');
});

test("a plan moves nothing, and a plan from a snapshot shows the same", async () => {
  const project = await start();
  await project.apply(inProd(project, "prod"), open);
  const before = await readFile(project.state, "utf8");
  const source = inOther(project, "other");
  const live = await project.plan(source, open);
  const file = join(project.folder, "live.json");
  const sources = [{ ...source, name: "prod" }, source];
  await writeFile(file, await takeSnapshot(sources, project.options(open)));
  const offline = await project.plan(source, { ...open, fromSnapshot: { file } });
  for (const plan of [live, offline]) {
    expect(actions(plan)).toEqual([]);
    expect(codes(plan.warnings)).toEqual(["TENANCY_MOVED"]);
  }
  expect(await readFile(project.state, "utf8")).toBe(before);
});

test("an object moves in a run about itself alone, too", async () => {
  const project = await start();
  await project.apply(inProd(project, "prod"), open);
  const plan = await project.plan(inOther(project, "other"), { ...open, only: ["tenancy_account.acme"] });
  expect([plan.refused ?? [], codes(plan.warnings)]).toEqual([[], ["TENANCY_MOVED"]]);
});

test("what another stack that is not synthesized has declared stays there, until that stack is retired", async () => {
  const project = await start();
  await project.apply(appOf(project, { prod: acme }, "prod"), open);
  const alone = appOf(project, { other: acme }, "other");
  expect(codes(await findings(project.plan(alone, open)))).toContain("TENANCY_UNMANAGED");
  await retireStack([alone], "prod", project.options());
  await quiet(project, alone);
  expect(Object.keys(await keptBy(project))).toContain("other");
});

test("a declaration may move to another provider configuration of its stack", async () => {
  const project = await start();
  await project.apply(acme, open);
  const { prod: entries } = await keptBy(project);
  const throughSecond: Build = (stack) =>
    acmeThrough({ provider: new TenancyProvider(stack, "second", { alias: "second" }) })(stack);
  const { plan, requests } = await project.apply(throughSecond, open);
  expect([actions(plan), writes(requests)]).toEqual([[], []]);
  const { parts } = JSON.parse(await readFile(project.state, "utf8")) as {
    parts: readonly (KeptPart & { readonly provider: string })[];
  };
  const second = parts.find(({ provider }) => provider === "tenancy.second");
  expect(Object.keys(second?.objects.objects ?? {})).toHaveLength((entries?.length ?? 0) - 1);
});

const withRights =
  (permissions: Permissions): Build =>
  (stack) =>
    void new Tenant(stack, "acme", { name: "acme", permissions: none, users: { jane: { permissions } } });
const ending = withRights(none.until("2026-12-04", (until) => until.allow("vss.format_disks")));

test("an end moves with its access: the new stack cannot drop it unseen", async () => {
  const project = await start();
  await project.apply(appOf(project, { prod: ending, other: nothing }, "prod"), open);
  const endless = withRights(none.allow("vss.format_disks"));
  const plan = await project.plan(appOf(project, { prod: nothing, other: endless }, "other"), open);
  expect(JSON.stringify(plan.access)).toContain("2026-12-04");
});

test("a stack is retired once its temporary access is removed, or another stack declares the user", async () => {
  const project = await start();
  const prod = appOf(project, { prod: ending }, "prod");
  await project.apply(prod, open);
  const retire = (other: Build) =>
    retireStack([appOf(project, { other }, "other")], "prod", project.options());
  const [refusal] = await findings(retire(nothing));
  expect(refusal?.summary).toContain("jane@acme has vss.format_disks until 2026-12-04");
  expect(await retire(ending)).toHaveLength(1);
  await project.apply(prod, open);
  moveClock("2026-12-05T10:00:00Z");
  expect(codes(await findings(retire(nothing)))).toEqual(["TENANCY_USAGE"]);
  await project.apply(prod, { ...open, onlyEnded: true });
  expect(await retire(nothing)).toHaveLength(1);
});

test("so is one whose service no other stack uses", async () => {
  const project = await start();
  const prod = appOf(project, { prod: ending }, "prod");
  await project.apply(prod, open);
  const elsewhere = project.options({ environment: { TENANCY_BASE_URL: "https://other.example" } });
  const retire = () => retireStack([appOf(project, { other: nothing }, "other")], "prod", elsewhere);
  expect((await findings(retire()))[0]?.summary).toContain("jane@acme has vss.format_disks until 2026-12-04");
  moveClock("2026-12-05T10:00:00Z");
  await project.apply(prod, { ...open, onlyEnded: true });
  expect(await retire()).toHaveLength(1);
});

test("another record that has got the name meanwhile is not taken", async () => {
  const project = await start();
  await project.apply(inProd(project, "prod"), open);
  const { records } = project.service;
  records.deleteProfile("jane@acme");
  records.createProfile("acme", { username: "jane" });
  expect(codes(await findings(project.plan(inOther(project, "other"), open)))).toContain("TENANCY_UNMANAGED");
});

test("a token that a lost part may know is asked for, though another one moves", async () => {
  const project = await start();
  await project.apply(inProd(project, "prod"), open);
  const tokens =
    (...names: readonly string[]): Build =>
    (stack) => {
      const tenant = Tenant.fromName(stack, "acme", "acme");
      for (const name of names) tenant.addToken(name, { user: "jane", loginWith: "temporary_password" });
    };
  const source = appOf(project, { prod: nothing, other: tokens("ci", "extra") }, "other");
  const unsure = { ...open, initState: false };
  expect(codes(await findings(project.plan(source, unsure)))).toContain("TENANCY_STATE_ABSENT");
  await project.apply(appOf(project, { prod: nothing, other: tokens("ci") }, "other"), unsure);
  expect(await readFile(project.state, "utf8")).not.toContain("doubtful_tokens");
});
