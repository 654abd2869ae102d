/** Access with an end in the embedded engine, on a clock that the test moves (guide: Give temporary access). */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TerraformStack } from "cdktf";
import {
  Permissions,
  Release,
  TenancyProvider,
  type TenancyProviderConfig,
  Tenant,
  type UserProps,
} from "tenancy";
import {
  apply,
  ApprovalNeeded,
  approvalNeeds,
  drift,
  type Plan,
  planSaved,
  report,
  type ReportOptions,
  savePlan,
  takeSnapshot,
} from "../../src/engine";
import { startSimulator } from "../../src/lib/simulator";
import { accessText, changesSince, readReport } from "../../src/plan";
import { reportCsv } from "../../src/render/csv";
import { html } from "../../src/render/html";
import { markdown } from "../../src/render/markdown";
import { paint, viewText } from "../../src/render/text";
import { reportView } from "../../src/render/view";
import { broadeningIn, pairIn } from "../support/pairs";
import { clockGoesBack, moveClock } from "../support/moved-clock";
import {
  actions,
  type Build,
  changeAt,
  codes,
  findings,
  type Project,
  projects,
  writes,
} from "../support/projects";

const start = projects();
clockGoesBack();
beforeEach(() => day(1));

const RIGHT = "vss.format_disks";
const JANE = "tenancy_user_profile.acme_jane";

/** Late in the evening of a day of December. */
function day(number: number): void {
  moveClock(`2026-12-${String(number).padStart(2, "0")}T23:30:00Z`);
}

const dayText = (number: number) => `2026-12-${String(number).padStart(2, "0")}`;

/** A tenant with jane, who may manage targets. */
const jane =
  (props: UserProps): Build =>
  (stack) =>
    void new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), users: { jane: props } });
const targets = Permissions.none().allow("vss.manage_targets");
/** Jane may format disks until a day. */
const until = (last: number, more: UserProps = {}): Build =>
  jane({ permissions: targets.until(dayText(last), (p) => p.allow(RIGHT)), ...more });

const profile = ({ service }: Project) => service.records.profile("jane@acme");
const isGranted = (project: Project) => profile(project).permissions.vss.rights.format_disks;
const grant = (project: Project, value: boolean) => {
  const { permissions } = profile(project);
  const vss = { ...permissions.vss, rights: { ...permissions.vss.rights, format_disks: value } };
  project.service.records.patchProfile("jane@acme", { permissions: { ...permissions, vss } });
};
const says = (plan: Plan) =>
  plan.access.flatMap(({ entries }) => entries.map((one) => `${one.effect}: ${accessText(one)}`));
/** The pairs that grant access: each needs approval. */
const broadening = (plan: Plan) => broadeningIn(approvalNeeds(plan));
const allPairs = (plan: Plan) => approvalNeeds(plan).flatMap(({ pairs }) => pairs);
const approvalsOf = ({ targets: [target] }: Plan, pairs: readonly string[]) => [
  { stack: "prod", service: target!.origin, until: "2026-12-20", pairs: pairs.map(pairIn) },
];
const isQuiet = async (project: Project, build: Build) => actions(await project.plan(build)).length === 0;

test("a right is granted until the end of its last day, and the next apply takes it away without an approval", async () => {
  const project = await start();
  const first = await project.apply(until(4));
  expect(says(first.plan)).toContain(`grants: ${RIGHT} until 2026-12-04`);
  expect(isGranted(project)).toBe(true);

  day(4);
  expect(await isQuiet(project, until(4))).toBe(true);

  day(5);
  const plan = await project.plan(until(4));
  expect(actions(plan)).toEqual([`update ${JANE}`]);
  expect(says(plan)).toEqual([`removes: ${RIGHT} (ended 2026-12-04)`]);
  expect(allPairs(plan)).toEqual([]);
  expect((await apply(plan, { requireApproval: "access" })).ok).toBe(true);
  expect(isGranted(project)).toBe(false);
  expect(await isQuiet(project, until(4))).toBe(true);
});

test("a later end, and no end any more, need an approval; an earlier one does not", async () => {
  const project = await start();
  await project.apply(until(4));

  const later = await project.plan(until(31));
  expect(broadening(later)).toEqual([`user: jane@acme, permission: ${RIGHT}, until: 2026-12-31`]);
  await expect(apply(later, { requireApproval: "broadening" })).rejects.toThrow(ApprovalNeeded);
  const approvals = approvalsOf(later, broadening(later));
  expect((await apply(later, { requireApproval: "broadening", approvals })).ok).toBe(true);
  expect(await isQuiet(project, until(31))).toBe(true);

  const earlier = await project.plan(until(6));
  expect(broadening(earlier)).toEqual([]);
  expect(says(earlier)).toEqual([`removes: ${RIGHT} until 2026-12-06 (was 2026-12-31)`]);
  expect((await apply(earlier, { requireApproval: "broadening" })).ok).toBe(true);

  const forEver = jane({ permissions: targets.allow(RIGHT) });
  expect(broadening(await project.plan(forEver))).toEqual([
    `user: jane@acme, permission: ${RIGHT}, until: never`,
  ]);
  const { requests } = await project.apply(forEver);
  expect(writes(requests)).toEqual([]);
  expect(await isQuiet(project, forEver)).toBe(true);

  // Declared without an end and left so by an apply: an end only narrows it.
  const ending = await project.plan(until(31));
  expect(broadening(ending)).toEqual([]);
  expect(says(ending)).toEqual([`removes: ${RIGHT} until 2026-12-31 (had no end)`]);
});

test("a right that has ended is granted again by a later end", async () => {
  const project = await start();
  await project.apply(until(4));
  day(5);
  await project.apply(until(4));
  const plan = await project.plan(until(31));
  expect(broadening(plan)).toEqual([`user: jane@acme, permission: ${RIGHT}, until: 2026-12-31`]);
  await project.apply(until(31));
  expect(isGranted(project)).toBe(true);
  expect(await isQuiet(project, until(31))).toBe(true);
});

test("an end that somebody outside has given a right to is approved", async () => {
  const project = await start();
  await project.apply(jane({ permissions: targets }));
  grant(project, true);
  expect(broadening(await project.plan(until(4)))).toEqual([
    `user: jane@acme, permission: ${RIGHT}, until: 2026-12-04`,
  ]);
});

test("a lost state makes nothing of an end that has passed and is denied", async () => {
  const project = await start();
  await project.apply(until(4));
  day(5);
  await project.apply(until(4));
  await rm(project.state);
  expect(await isQuiet(project, until(4))).toBe(true);
});

test("an end in the past when the user is created grants nothing and warns", async () => {
  const project = await start();
  day(5);
  const { plan } = await project.apply(until(4));
  expect(codes(plan.warnings)).toContain("TENANCY_END_IN_THE_PAST");
  expect(says(plan)).not.toContain(`grants: ${RIGHT} until 2026-12-04`);
  expect(isGranted(project)).toBe(false);
  expect(await isQuiet(project, until(4))).toBe(true);
});

test("an extension to a day that has passed is a warning, unless it takes the right away", async () => {
  const project = await start();
  await project.apply(until(4));
  day(9);
  await project.apply(until(4));
  expect(codes((await project.plan(until(7))).warnings)).toContain("TENANCY_END_IN_THE_PAST");

  // Yesterday's date takes a right away today: the plan shows that, and needs no warning.
  await project.apply(until(20));
  expect(isGranted(project)).toBe(true);
  const { plan } = await project.apply(until(8));
  expect(codes(plan.warnings)).not.toContain("TENANCY_END_IN_THE_PAST");
  expect(isGranted(project)).toBe(false);
  expect(codes((await project.plan(until(8))).warnings)).not.toContain("TENANCY_END_IN_THE_PAST");
});

test("an apply grants nothing whose end has passed since the plan, and takes away only what the plan showed", async () => {
  const project = await start();
  await project.apply(jane({ permissions: targets.until(dayText(4), (p) => p.allow("vss.remove_vss")) }));
  day(4);
  const plan = await project.plan(
    jane({ permissions: targets.until(dayText(4), (p) => p.allow("vss.remove_vss", RIGHT)) }),
  );
  day(5);
  const result = await apply(plan);
  expect(result.ok).toBe(true);
  expect(isGranted(project)).toBe(false);
  expect(profile(project).permissions.vss.rights.remove_vss).toBe(true);
});

test("a saved plan over midnight is out of date where an end has passed", async () => {
  const project = await start();
  await project.apply(until(4));
  const source = project.synthesize(until(4, { email: "jane@acme.example" }));
  const file = savePlan(await project.plan(source));
  day(5);
  expect(codes(await findings(planSaved(file, source, project.options())))).toEqual([
    "TENANCY_PLAN_OUTDATED",
  ]);
});

test.each<[how: string, before: UserProps, after: UserProps]>([
  ["without permissions", {}, {}],
  ["under keep", { undeclaredRights: "keep" }, { permissions: targets, undeclaredRights: "keep" }],
])(
  "a right that leaves the ends %s is denied, and another grant of it is drift",
  async (_how, before, after) => {
    const project = await start();
    await project.apply(until(4, before));
    const source = project.synthesize(jane(after));
    const { plan } = await project.apply(source);
    expect(says(plan)).toContain(`removes: ${RIGHT}`);
    expect(broadening(plan)).toEqual([]);
    expect(isGranted(project)).toBe(false);
    expect((await drift(source, project.options())).status).toBe("none");
    grant(project, true);
    expect((await drift(source, project.options())).status).toBe("outside");
  },
);

test("web and API access end together, and come back with a later end", async () => {
  const project = await start();
  const access = (last: number) => jane({ permissions: targets, until: dayText(last) });
  const { plan } = await project.apply(access(4));
  expect(says(plan)).toEqual(expect.arrayContaining(["grants: web access until 2026-12-04"]));
  expect(broadening(plan)).toContain("user: jane@acme, access: api, until: 2026-12-04");
  expect(profile(project).access).toEqual({ web: true, api: true });

  day(5);
  const ending = await project.plan(access(4));
  expect(says(ending)).toEqual([
    "removes: web access (ended 2026-12-04)",
    "removes: API access (ended 2026-12-04)",
  ]);
  expect(allPairs(ending)).toEqual([]);
  await project.apply(access(4));
  expect(profile(project).access).toEqual({ web: false, api: false });
  expect(await isQuiet(project, access(4))).toBe(true);

  const later = await project.plan(access(31));
  expect(broadening(later)).toEqual([
    "user: jane@acme, access: web, until: 2026-12-31",
    "user: jane@acme, access: api, until: 2026-12-31",
  ]);
  await project.apply(access(31));
  expect(profile(project).access).toEqual({ web: true, api: true });
  expect(await isQuiet(project, access(31))).toBe(true);
  expect(changeAt(await project.plan(access(31)), JANE).action).toBe("none");
});

test("a plan of ended access alone changes what has ended, needs no approval and deletes nothing", async () => {
  const project = await start();
  const both =
    (more: UserProps = {}): Build =>
    (stack) =>
      void new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        users: {
          jane: {
            permissions: targets.until(dayText(4), (p) => p.allow(RIGHT)),
            until: dayText(4),
            ...more,
          },
          joe: { permissions: targets },
        },
      });
  await project.apply(both());
  day(5);
  // Somebody changes another right outside, and the code changes: joe goes, ann comes, jane gets an address.
  const { permissions } = profile(project);
  const vss = { ...permissions.vss, rights: { ...permissions.vss.rights, remove_vss: true } };
  project.service.records.patchProfile("jane@acme", { permissions: { ...permissions, vss } });
  const changed: Build = (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: {
        jane: {
          permissions: targets.until(dayText(4), (p) => p.allow(RIGHT)),
          until: dayText(4),
          email: "jane@acme.example",
        },
        ann: { permissions: targets },
      },
      tokens: { t: { user: "jane" } },
    });
  const plan = await project.plan(changed, { onlyEnded: true });
  expect(actions(plan)).toEqual([`update ${JANE}`]);
  const before = project.service.requests.length;
  const result = await apply(plan, { requireApproval: "access" });
  expect(result.ok).toBe(true);
  const sent = project.service.requests
    .slice(before)
    .filter(({ method }) => !["GET", "HEAD"].includes(method));
  expect(
    sent.filter(({ path }) => path !== "/api/oauth2/token").map(({ method, body }) => [method, body]),
  ).toMatchObject([
    [
      "PATCH",
      { access: { web: false, api: false }, permissions: { vss: { rights: { format_disks: false } } } },
    ],
  ]);
  expect(profile(project).permissions.vss.rights.remove_vss).toBe(true);

  // The next look still says who changed what.
  const report = await drift(project.synthesize(changed), project.options());
  const rows = report.drift.map(({ kind, title, path }) => `${kind} ${title} ${path.join(".")}`);
  expect(rows).toContain("changed jane@acme permissions.vss.remove_vss");
  expect(rows.filter((row) => row.startsWith("changed"))).toHaveLength(1);
  expect(rows.filter((row) => row.startsWith("ended"))).toEqual([]);
  expect(actions(await project.plan(changed, { onlyEnded: true }))).toEqual([]);
  expect(actions(await project.plan(changed))).toContain(`update ${JANE}`);
});

// The end that counts is the earlier one of the declared and the applied end, until an apply has recorded the later one.

const nobody: Build = (stack) =>
  void new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none() });

describe.each<[declaration: string, build: Build]>([
  ["a later end", until(31)],
  ["no end any more", jane({ permissions: targets.allow(RIGHT) })],
  ["neither the right nor its end", jane({ permissions: targets })],
  ["no permissions", jane({})],
  ["a later end of all her access", until(31, { until: dayText(31) })],
  ["no user", nobody],
])("access has ended, and the code declares %s without an approval", (_, build) => {
  test("the nightly run removes it, and until then drift and the review say so", async () => {
    const project = await start();
    await project.apply(until(4, { until: dayText(4) }));
    day(5);
    const source = project.synthesize(build);
    expect(await drift(source, project.options())).toMatchObject({ ends: { overdue: 2 } });
    const whole = await report([source], project.options());
    expect(whole.services[0]?.findings).toContainEqual(expect.objectContaining({ kind: "access_ended" }));

    const plan = await project.plan(source, { onlyEnded: true });
    expect(says(plan)).toEqual(
      [RIGHT, "web access", "API access"].map((what) => `removes: ${what} (ended 2026-12-04)`),
    );
    expect((await apply(plan, { requireApproval: "access" })).ok).toBe(true);
    expect([isGranted(project), profile(project).access]).toEqual([false, { web: false, api: false }]);
    const after = await drift(source, project.options());
    expect([after.ends.overdue, after.drift.filter(({ kind }) => kind === "privilege")]).toEqual([0, []]);
    expect(actions(await project.plan(source, { onlyEnded: true }))).toEqual([]);
  });
});

test("an approved later end counts once an apply has recorded it", async () => {
  const project = await start();
  await project.apply(until(4));
  await project.apply(until(8));
  day(5);
  expect(actions(await project.plan(until(8), { onlyEnded: true }))).toEqual([]);
  expect(await drift(project.synthesize(until(8)), project.options())).toMatchObject({
    ends: { overdue: 0, nextInDays: 3 },
  });
});

test("the run that removes ended access gives back nothing that was taken away while its question was open", async () => {
  const project = await start();
  await project.apply(
    jane({ permissions: targets.until(dayText(4), (p) => p.allow(RIGHT, "vss.remove_vss")) }),
  );
  day(5);
  const plan = await project.plan(until(4), { onlyEnded: true });
  project.service.records.patchProfile("jane@acme", {
    permissions: { vss: { rights: { manage_targets: false }, all_account_scope: false, vsses: ["vss:1:7"] } },
  });
  moveClock("2026-12-06T00:30:00Z");
  expect((await apply(plan)).ok).toBe(true);
  const { rights, ...scope } = profile(project).permissions.vss;
  expect(Object.values(rights)).not.toContain(true);
  expect(scope).toEqual({ all_account_scope: false, vsses: ["vss:1:7"] });
});

describe("somebody who loses access tries to stop the run that removes it", () => {
  const withJoe: Build = (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: {
        jane: { permissions: targets.until(dayText(4), (p) => p.allow(RIGHT)) },
        joe: { permissions: targets },
      },
    });

  test.each<[deed: string, act: (project: Project) => void]>([
    ["makes another user again", makeAgain("joe")],
    ["renames another user", rename("joe@acme", { username: "jim" })],
    ["renames herself", rename("jane@acme", { username: "june" })],
    ["gets another uuid, too", rename("jane@acme", { username: "june", uuid: crypto.randomUUID() })],
  ])("she %s: she loses the access all the same, and the rest is a warning", async (_deed, act) => {
    const project = await start();
    await project.apply(withJoe);
    day(5);
    const { id } = profile(project);
    act(project);
    const plan = await project.plan(withJoe, { onlyEnded: true });
    const result = await apply(plan);
    expect([result.ok, result.diagnostics.filter(({ severity }) => severity === "error")]).toEqual([
      true,
      [],
    ]);
    const live = project.service.records.profiles.find((one) => one.id === id);
    expect(live?.permissions.vss.rights.format_disks).toBe(false);
    expect((await drift(project.synthesize(withJoe), project.options())).ends.overdue).toBe(0);
  });

  test("she makes herself again: the run names her, and fails", async () => {
    const project = await start();
    await project.apply(until(4));
    day(5);
    makeAgain("jane")(project);
    const plan = await project.plan(until(4), { onlyEnded: true });
    expect(plan.unended).toBe(1);
    const result = await apply(plan);
    expect([result.ok, codes(result.diagnostics)]).toEqual([false, ["TENANCY_END_NOT_REMOVED"]]);
    expect((await drift(project.synthesize(until(4)), project.options())).status).toBe("outside");
  });

  function rename(login: string, patch: object) {
    return ({ service: { records } }: Project) => void records.patchProfile(login, patch);
  }

  function makeAgain(username: string) {
    return ({ service: { records } }: Project) => {
      records.deleteProfile(`${username}@acme`);
      records.createProfile("acme", { username, permissions: { vss: { rights: { format_disks: true } } } });
    };
  }
});

test("the release of a user whose access ends needs the approval that no end any more needs", async () => {
  const project = await start();
  project.service.records.createAccount({ name: "acme", password: "secret" });
  project.service.records.createProfile("acme", { username: "jane" });
  const account = (stack: TerraformStack, users: Record<string, UserProps>) => {
    new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), users }).importFrom({
      users: true,
    });
  };
  const permissions = targets.until(dayText(4), (p) => p.allow(RIGHT));
  await project.apply((stack) => account(stack, { jane: { permissions, until: dayText(9) } }));

  const plan = await project.plan((stack) => {
    account(stack, {});
    new Release(stack, "jane-leaves", { login: "jane@acme" });
  });
  const things = [`permission: ${RIGHT}`, "access: web", "access: api"];
  expect(broadening(plan)).toEqual(things.map((thing) => `user: jane@acme, ${thing}, until: never`));
  await expect(apply(plan, { requireApproval: "broadening" })).rejects.toThrow(ApprovalNeeded);
  const approvals = approvalsOf(plan, broadening(plan));
  const { requests } = project.service;
  const sent = requests.length;
  expect((await apply(plan, { requireApproval: "broadening", approvals })).ok).toBe(true);
  expect(writes(requests.slice(sent))).toEqual([]);
});

test("a service that cannot be read is an error of the run that only removes ended access", async () => {
  const project = await start();
  await project.apply(until(4));
  day(5);
  const environment = { TENANCY_PASSWORD: "wrong" };
  expect(codes(await findings(project.plan(until(4), { onlyEnded: true, environment })))).toEqual([
    "TENANCY_API_UNAUTHENTICATED",
  ]);
});

test("ended access is removed although another provider configuration cannot log in, which is an error", async () => {
  const project = await start();
  const { records } = project.service;
  records.createAccount({ name: "globex", password: "secret1" });
  const both: Build = (stack) => {
    until(4)(stack);
    new TenancyProvider(stack, "second", { alias: "second", username: "globex", password: "secret1" });
    stack.addOverride("data.tenancy_account.g", { provider: "tenancy.second", name: "globex" });
  };
  await project.apply(both);
  day(5);
  records.patchProfile("globex", { password: "changed99" });
  const plan = await project.plan(both, { onlyEnded: true });
  const result = await apply(plan);
  expect([result.ok, codes(result.diagnostics)]).toEqual([false, ["TENANCY_API_UNAUTHENTICATED"]]);
  expect([plan.unended, isGranted(project)]).toEqual([1, false]);
});

const SYSTEM = { username: "system", password: "s3cret of the system" };

describe("a provider configuration leaves together with its objects", () => {
  /** The account globex of another provider configuration, with rita, who may format disks for some days. */
  const globex =
    (config: TenancyProviderConfig = {}): Build =>
    (stack) => {
      until(4)(stack);
      const provider = new TenancyProvider(stack, "second", { alias: "second", ...config });
      const permissions = Permissions.none().until(dayText(4), (p) => p.allow(RIGHT));
      const users = { rita: { permissions } };
      void new Tenant(stack, "globex", { provider, name: "globex", permissions: Permissions.none(), users });
    };

  test("the one that stays at its service deletes them, and ends their access", async () => {
    const project = await start();
    await project.apply(globex());
    const deleting = { maxDeletes: 9, allowAccountDeletion: true };
    const live = await project.plan(until(4), deleting);
    expect(actions(live)).toContain('delete tenancy_user_profile.undeclared["rita@globex"]');
    const file = join(project.folder, "live.json");
    await writeFile(file, await takeSnapshot([project.synthesize(until(4))], project.options()));
    expect(actions(await project.plan(until(4), { ...deleting, fromSnapshot: { file } }))).toEqual(
      actions(live),
    );
    day(5);
    const { plan } = await project.apply(until(4), { onlyEnded: true });
    expect(actions(plan)).toContain('update tenancy_user_profile.undeclared["rita@globex"]');
    expect(project.service.records.profile("rita@globex").permissions.vss.rights.format_disks).toBe(false);
  });

  test("at another service nothing ends their access, and each run says so", async () => {
    const project = await start();
    const elsewhere = await startSimulator({ record: false, systemUser: SYSTEM });
    try {
      await project.apply(globex({ baseUrl: elsewhere.baseUrl, ...SYSTEM }));
      const plan = await project.plan(until(4));
      expect(codes(plan.warnings)).toEqual(["TENANCY_END_NOT_REMOVED"]);
      day(5);
      const result = await apply(await project.plan(until(4), { onlyEnded: true }));
      expect([result.ok, codes(result.diagnostics)]).toEqual([false, ["TENANCY_END_NOT_REMOVED"]]);
      expect(isGranted(project)).toBe(false);
      // The advice works.
      const without: Build = (stack) => {
        until(4)(stack);
        void new TenancyProvider(stack, "second", { alias: "second", baseUrl: elsewhere.baseUrl, ...SYSTEM });
      };
      await project.apply(without, { maxDeletes: 9, allowAccountDeletion: true });
      expect((await project.plan(until(4))).warnings).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });
});

test("drift lists access that has ended and is still granted, and counts days until the next end", async () => {
  const project = await start();
  const source = project.synthesize(until(4, { until: dayText(9) }));
  await project.apply(source);
  const quiet = await drift(source, project.options());
  expect(quiet).toMatchObject({ status: "none", drift: [], ends: { overdue: 0, nextInDays: 3 } });
  day(6);
  const overdue = await drift(source, project.options());
  expect(overdue).toMatchObject({
    status: "declared",
    drift: [{ kind: "ended", title: "jane@acme", path: ["permissions_until", RIGHT], to: "2026-12-04" }],
    ends: { overdue: 1, nextInDays: 3 },
  });
  await project.apply(source);
  expect((await drift(source, project.options())).status).toBe("none");
});

test("a right that somebody denies before its end is drift that an apply undoes", async () => {
  const project = await start();
  const source = project.synthesize(until(4));
  await project.apply(source);
  grant(project, false);
  expect((await drift(source, project.options())).drift).toMatchObject([
    { kind: "changed", path: ["permissions", RIGHT], to: false, undone: true },
  ]);
  await project.apply(source);
  expect(isGranted(project)).toBe(true);
});

test("an imported user keeps a right until a day only with an approval, and loses it after its end", async () => {
  const project = await start();
  project.service.records.createAccount({ name: "acme", password: "secret" });
  project.service.records.createProfile("acme", { username: "jane" });
  const imported =
    (last: number): Build =>
    (stack) => {
      const acme = new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        users: { jane: { permissions: targets.until(dayText(last), (p) => p.allow(RIGHT)) } },
      });
      acme.importFrom({ users: true });
    };
  day(3);
  expect(broadening(await project.plan(imported(4)))).toContainEqual(
    expect.stringMatching(
      /^import: jane@acme, id: user_profile:1:3, permissions: \[vss.format_disks\], until: 2026-12-04$/,
    ),
  );
  day(5);
  await project.apply(imported(4));
  expect(isGranted(project)).toBe(false);
  expect(await isQuiet(project, imported(4))).toBe(true);
});

test("a plan from a snapshot shows ends as a plan of the service does, and takes no access away before its day", async () => {
  const project = await start();
  await project.apply(until(4, { until: dayText(9) }));
  const file = join(project.folder, "live.json");
  const taken = async () => {
    await writeFile(file, await takeSnapshot([project.synthesize(until(4))], project.options()));
    return { fromSnapshot: { file }, environment: project.environment };
  };
  for (const [today, build] of [
    [3, until(4, { until: dayText(9) })],
    [5, until(4, { until: dayText(9) })],
    [10, until(4, { until: dayText(9) })],
    [5, until(31, { until: dayText(31) })],
    [5, jane({ permissions: targets.allow(RIGHT) })],
  ] as const) {
    day(today);
    const fromSnapshot = await project.plan(build, await taken());
    const fromService = await project.plan(build);
    expect(actions(fromSnapshot)).toEqual(actions(fromService));
    expect(says(fromSnapshot)).toEqual(says(fromService));
    expect(allPairs(fromSnapshot)).toEqual(allPairs(fromService));
  }
  // A snapshot of the last day, planned on the day after: the end is judged by the time of the plan.
  day(4);
  const live = await taken();
  day(5);
  expect(says(await project.plan(until(4, { until: dayText(9) }), live))).toEqual([
    `removes: ${RIGHT} (ended 2026-12-04)`,
  ]);
});

describe("an access review", () => {
  const review = async (project: Project, build: Build | undefined, options: ReportOptions = {}) => {
    const stacks = build === undefined ? [] : [project.synthesize(build)];
    const environment = { ...project.environment, TENANCY_OWNER: "acme-platform" };
    const whole = await report(stacks, { ...project.options(), environment, ...options });
    const [service] = whole.services;
    return {
      whole,
      ends: service?.users.find(({ login }) => login === "jane@acme")?.ends,
      findings: service?.findings.filter(({ kind }) => kind.startsWith("access_")),
    };
  };

  test("lists ends, and finds access that has ended or ends soon", async () => {
    const project = await start();
    const build = until(20, { until: dayText(9) });
    await project.apply(build);
    const ends = [
      { what: "access", until: "2026-12-09", granted: true },
      { what: RIGHT, until: "2026-12-20", granted: true },
    ];
    expect(await review(project, build)).toMatchObject({ ends, findings: [] });
    day(2);
    expect(await review(project, build)).toMatchObject({
      ends,
      findings: [{ kind: "access_ending", severity: "low", says: "has web and API access until 2026-12-09" }],
    });
    // A reader of the state or of a snapshot sees the end without the project.
    const file = join(project.folder, "live.json");
    await writeFile(file, await takeSnapshot([project.synthesize(build)], project.options()));
    expect((await review(project, undefined)).ends).toEqual(ends);
    expect((await review(project, undefined, { fromSnapshot: { file } })).ends).toEqual(ends);

    day(21);
    expect((await review(project, build)).findings).toMatchObject([
      {
        kind: "access_ended",
        severity: "high",
        says: `still has web and API access until 2026-12-09, ${RIGHT} until 2026-12-20, which has ended`,
      },
    ]);
    await project.apply(build);
    expect(await review(project, build)).toMatchObject({
      ends: ends.map((one) => ({ ...one, granted: false })),
      findings: [],
    });
  });

  test("shows them in every form, and in what is new since a baseline", async () => {
    const project = await start();
    await project.apply(until(4));
    const { whole: before } = await review(project, until(4));
    day(5);
    await project.apply(until(9));
    const { whole } = await review(project, until(9));
    expect(changesSince(whole, readReport(JSON.stringify(before))).changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ effect: "gone", what: `${RIGHT} until 2026-12-04` }),
        expect.objectContaining({ effect: "new", what: `${RIGHT} until 2026-12-09` }),
      ]),
    );
    const view = reportView(whole);
    for (const text of [
      viewText(view, paint(false)),
      markdown([view], { marker: "tests" }),
      html([reportView(whole, { page: true })]),
      reportCsv(whole),
    ])
      expect(text).toContain("until 2026-12-09");
  });
});
