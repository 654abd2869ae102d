/** What has to be approved before it is applied, through the library: covers src/engine/index.ts and the comparison after a create. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Account, Authorization, UserProfile } from "tenancy";
import { TerraformVariable, type TerraformStack } from "cdktf";
import {
  apply,
  ApprovalNeeded,
  approvalNeeds,
  type Plan,
  planRotation,
  savePlan,
  takeSnapshot,
} from "../../src/engine";
import type { ApplyOptions } from "../../src/engine/options";
import { type Approval, dayAhead } from "../../src/plan/approval";
import { readApprovals } from "../../src/plan/approval-file";
import { pairMembers } from "../../src/plan/approval-pairs";
import { alteredService } from "../support/altered-service";
import { broadeningIn, pairIn } from "../support/pairs";
import { codes, type Project, projects, writes } from "../support/projects";

const start = projects();

const DEMANDED = { requireApproval: "broadening" } as const;

/** An account without any access, and in it jane with these rights. */
const platform =
  (rights: readonly string[], more: (stack: TerraformStack, account: Account) => void = () => undefined) =>
  (stack: TerraformStack): void => {
    const account = new Account(stack, "acme", {
      name: "acme",
      permissions: {},
      accessApi: false,
      accessWeb: false,
    });
    new UserProfile(stack, "jane", {
      username: "jane",
      accountId: account.id,
      permissions: Object.fromEntries(rights.map((right) => [right, true])),
      accessApi: false,
      accessWeb: false,
    });
    more(stack, account);
  };

const needsOf = (plan: Plan): readonly string[] => broadeningIn(approvalNeeds(plan));

/** An approval of these pairs of the plan. */
function approvalFor(plan: Plan, pairs: readonly string[], until = dayAhead(new Date(), 7)): Approval {
  return { stack: plan.stack, service: plan.targets[0]!.origin, until, pairs: pairs.map(pairIn) };
}

/** Applies the plan. @returns the pairs that were missing; none where it was applied */
async function missing(project: Project, plan: Plan, options: ApplyOptions = DEMANDED) {
  const before = project.service.requests.length;
  try {
    const result = await apply(plan, options);
    expect(result.failed.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ApprovalNeeded);
    expect(writes(project.service.requests.slice(before))).toEqual([]);
    const files = Object.entries((error as ApprovalNeeded).files);
    const named = Object.fromEntries(files.map(([path, text]) => [path.replace("approvals/", ""), text]));
    return readApprovals(named, new Date()).flatMap(({ pairs }) => pairs.map(pairMembers));
  }
}

test("two approved changes in one run pass, one that nobody has approved does not, and then nothing is written", async () => {
  const project = await start();
  await project.apply(platform([]));
  const plan = await project.plan(platform(["vss.format_disks", "vss.remove_vss"]));
  const lines = [
    "user: jane@acme, permission: vss.format_disks, until: never",
    "user: jane@acme, permission: vss.remove_vss, until: never",
  ];
  expect(needsOf(plan)).toEqual(lines);
  expect(await missing(project, plan)).toEqual(lines);
  const one = approvalFor(plan, lines.slice(0, 1));
  expect(await missing(project, plan, { ...DEMANDED, approvals: [one] })).toEqual(lines.slice(1));
  const other = approvalFor(plan, lines.slice(1));
  expect(await missing(project, plan, { ...DEMANDED, approvals: [one, other] })).toEqual([]);
});

test("what narrows passes, unless all that bears on access is to be approved", async () => {
  const project = await start();
  await project.apply(platform(["vss.format_disks"]));
  const narrowed = await project.plan(platform([]));
  expect(await missing(project, narrowed, { requireApproval: "access" })).toEqual([
    "user: jane@acme, permission: vss.format_disks",
  ]);
  expect(await missing(project, narrowed)).toEqual([]);
});

test("a first apply can be approved whole: names of accounts, users and tokens that are yet to be made are known", async () => {
  const project = await start();
  const plan = await project.plan(
    platform(["vss.format_disks"], (stack, account) => {
      const csi = new UserProfile(stack, "csi", {
        username: "csi",
        accountId: account.id,
        permissions: { "user.manage_authorizations": true },
      });
      new Authorization(stack, "token", {
        login: csi.login,
        name: "csi prod",
        loginWith: "temporary_password",
      });
    }),
  );
  expect(approvalNeeds(plan).flatMap(({ unknown }) => unknown)).toEqual([]);
  expect(needsOf(plan)).toEqual([
    "user: csi@acme, permission: user.manage_authorizations, until: never",
    "user: jane@acme, permission: vss.format_disks, until: never",
    "user: csi@acme, access: web, until: never",
    "user: csi@acme, access: api, until: never",
    'user: jane@acme, vss_scope: "*", until: never',
    'user: csi@acme, token: "csi prod", until: never',
  ]);
  expect(
    await missing(project, plan, { ...DEMANDED, approvals: [approvalFor(plan, needsOf(plan))] }),
  ).toEqual([]);
});

test("an account whose rights nobody declares is approved with every right, in one line", async () => {
  const project = await start();
  const plan = await project.plan((stack) => void new Account(stack, "acme", { name: "acme" }));
  expect(needsOf(plan)).toEqual([
    "account: acme, permissions: all, until: never",
    'account: acme, vss_scope: "*", until: never',
    "account: acme, access: web, until: never",
    "account: acme, access: api, until: never",
  ]);
  expect(
    await missing(project, plan, { ...DEMANDED, approvals: [approvalFor(plan, needsOf(plan))] }),
  ).toEqual([]);
});

test("what only the apply will know is refused, whatever was approved", async () => {
  const project = await start();
  const plan = await project.plan(
    platform([], (stack, account) => {
      new UserProfile(stack, "joe", {
        username: "joe",
        accountId: account.id,
        permissions: {},
        twoFactorSecurityEmail: `${account.id}@acme.example`,
        accessApi: false,
        accessWeb: false,
      });
    }),
  );
  const approvals = [approvalFor(plan, needsOf(plan))];
  await expect(apply(plan, { ...DEMANDED, approvals })).rejects.toThrow(
    expect.objectContaining({
      code: "TENANCY_APPROVAL_NEEDED",
      detail:
        "cannot be approved, since only the apply will know it: joe@acme security e-mail address (known after apply)",
      files: {},
    }) as Error,
  );
  expect(writes(project.service.requests)).toEqual([]);
});

test("a program that hands over the environment cannot go round what it demands", async () => {
  const project = await start();
  await project.apply(platform([]));
  const plan = await project.plan(platform(["vss.format_disks"]), {
    environment: { TENANCY_REQUIRE_APPROVAL: "broadening" },
  });
  await expect(apply(plan, { requireApproval: "never" })).rejects.toThrow(ApprovalNeeded);
  const misspelt = await project.plan(platform([]), {
    environment: { TENANCY_REQUIRE_APPROVAL: "brodening" },
  });
  await expect(apply(misspelt)).rejects.toThrow('TENANCY_REQUIRE_APPROVAL is "brodening"');
  await expect(apply(plan, { requireApproval: "all" as "access" })).rejects.toThrow(
    'requireApproval is "all"',
  );
});

test("what somebody else has made needs approval before it is taken in, by its id", async () => {
  const project = await start();
  const { id } = project.service.records.createAccount({ name: "acme" });
  const plan = await project.plan((stack) => {
    new Account(stack, "acme", { name: "acme" }).importFrom("acme");
  });
  const [pair = "", ...more] = needsOf(plan);
  expect(more).toEqual([]);
  expect(pair).toMatch(
    new RegExp(`^import_account: acme, id: ${id}, permissions: \\[.*vss.format_disks.*\\], until: never$`),
  );
  expect(await missing(project, plan)).toEqual([pair]);
  // An approval is for the permissions that were there when it was written.
  const fewer = approvalFor(plan, [pair.replace("vss.format_disks, ", "")]);
  expect(await missing(project, plan, { ...DEMANDED, approvals: [fewer] })).toEqual([
    `import_account: acme, id: ${id}, permissions: [vss.format_disks], until: never`,
  ]);
  const other = approvalFor(plan, [pair.replace(id, `${id}0`)]);
  expect(await missing(project, plan, { ...DEMANDED, approvals: [other] })).toEqual([pair]);
  expect(await missing(project, plan, { ...DEMANDED, approvals: [approvalFor(plan, [pair])] })).toEqual([]);
});

test("a rotation that somebody asks for by name is judged only where the caller says so", async () => {
  const project = await start();
  const stack = project.synthesize(
    platform([], (inner, account) => {
      const csi = new UserProfile(inner, "csi", { username: "csi", accountId: account.id, permissions: {} });
      new Authorization(inner, "token", {
        login: csi.login,
        name: "csi-prod",
        loginWith: "temporary_password",
      });
    }),
  );
  await project.apply(stack);
  const options = project.options({ environment: { TENANCY_REQUIRE_APPROVAL: "access" } });
  const plan = await planRotation(stack, "csi-prod", options);
  expect(needsOf(plan)).toEqual(["user: csi@acme, rotates: csi-prod, until: never"]);
  expect(await missing(project, plan)).toEqual(["user: csi@acme, rotates: csi-prod, until: never"]);
  expect((await apply(plan)).ok).toBe(true);
});

test("a saved plan tells what it needs, without any secret", async () => {
  const project = await start();
  await project.apply(platform([]));
  const plan = await project.plan((stack) => {
    const secret = new TerraformVariable(stack, "password", {
      type: "string",
      sensitive: true,
      default: "canary-1",
    });
    platform([], (inner, account) => {
      new UserProfile(inner, "joe", {
        username: "joe",
        accountId: account.id,
        permissions: {},
        accessApi: false,
        accessWeb: false,
        passwordWo: secret.stringValue,
        passwordWoVersion: 3,
      });
    })(stack);
  });
  expect(needsOf(plan)).toEqual(["user: joe@acme, password: 3, until: never"]);
  expect(savePlan(plan)).not.toContain("canary");
});

// After a create.

test("a create that gave more than was shown is an error, and what was made is kept", async () => {
  const project = await start();
  // This service ignores what it is told about one right.
  const base = await alteredService(project.service.baseUrl, (request, answer) => {
    const body = answer.body as Record<string, unknown> | undefined;
    const isJoe = (record: unknown) => (record as { login?: unknown }).login === "joe@acme";
    const generous = (record: Record<string, unknown>) =>
      isJoe(record) ? { ...record, permissions: { vss: { rights: { format_disks: true } } } } : record;
    return request.path.includes("/user-profile") && body !== undefined && !Array.isArray(body)
      ? { ...answer, body: generous(body) }
      : answer;
  });
  const joe = platform([], (stack, account) => {
    new UserProfile(stack, "joe", {
      username: "joe",
      accountId: account.id,
      permissions: {},
      accessApi: false,
      accessWeb: false,
    });
  });
  const options = { environment: { TENANCY_BASE_URL: base } };
  await project.apply(platform([]), options);
  const tolerated = await project.plan(joe, options);
  expect(needsOf(tolerated)).toEqual([]);
  const result = await apply(tolerated, DEMANDED);
  expect(result.ok).toBe(false);
  const [failure] = result.failed;
  expect(codes(failure?.diagnostics ?? [])).toEqual(["TENANCY_GRANTED_MORE"]);
  expect(failure?.diagnostics[0]).toMatchObject({
    address: "tenancy_user_profile.joe",
    summary:
      'the service gave user profile "joe@acme" more than was approved: permission: vss.format_disks, until: never (destructive)',
  });
  // It is ours, and the next plan knows it.
  const next = await project.plan(joe);
  expect(next.changes.find(({ key }) => key === "joe@acme")?.action).not.toBe("create");
});

test("a longer retention of replaced tokens is asked for, and a shorter one passes", async () => {
  const project = await start();
  const declared = (retainPreviousFor: string, retainPrevious = 1) =>
    platform([], (stack) => {
      new Authorization(stack, "ci", {
        login: "system",
        name: "ci",
        passwordWo: "system",
        retainPreviousFor,
        retainPrevious,
      });
    });
  await project.apply(declared("7d"), { initState: true });
  expect((await project.plan(declared("7d"))).changes.filter(({ action }) => action !== "none")).toEqual([]);
  const plan = await project.plan(declared("3650d", 3));
  const lines = [
    "user: system, token: ci, retain_previous_for: 3650d, until: never",
    "user: system, token: ci, retain_previous: 3, until: never",
  ];
  expect(needsOf(plan)).toEqual(lines);
  const file = join(project.folder, "snapshot.json");
  const source = project.synthesize(declared("7d"));
  await writeFile(file, await takeSnapshot([source], project.options()));
  expect(needsOf(await project.plan(declared("3650d", 3), { fromSnapshot: { file } }))).toEqual(lines);
  expect(await missing(project, plan)).toEqual(lines);
  expect(await missing(project, plan, { ...DEMANDED, approvals: [approvalFor(plan, lines)] })).toEqual([]);
  expect(needsOf(await project.plan(declared("3650d", 3)))).toEqual([]);
  const shorter = await project.plan(declared("1d"));
  expect(needsOf(shorter)).toEqual([]);
  expect(await missing(project, shorter)).toEqual([]);
});

test("the rotation of a compromised token asks for nothing afterwards", async () => {
  const project = await start();
  const declared = platform([], (stack) => {
    new Authorization(stack, "ci", { login: "system", name: "ci", passwordWo: "system" });
  });
  await project.apply(declared, { initState: true });
  const source = project.synthesize(declared);
  const rotation = await planRotation(source, "ci", { ...project.options(), compromised: true });
  expect((await apply(rotation)).ok).toBe(true);
  const after = await project.plan(declared);
  expect(after.changes.filter(({ action }) => action !== "none")).toEqual([]);
});
