/** No run deletes an object that another stack of the app declares: covers src/engine/other-stacks.ts. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { TerraformStack, TerraformVariable } from "cdktf";
import { Deletion, Permissions, TenancyProvider, Tenant } from "tenancy";
import {
  apply,
  type PlanOptions,
  retireStack,
  type StateOptions,
  takeSnapshot,
  validate,
} from "../../src/engine";
import type { Plan } from "../../src/plan";
import type { TenancyError } from "../../src/problems";
import { planView } from "../../src/render/view";
import { viewText } from "../../src/render/text";
import { plain } from "../../src/render/text/paint";
import {
  actions,
  type Build,
  codes,
  failures,
  findings,
  type Project,
  projects,
  RECKLESS,
  tenant,
  together,
  writes,
} from "../support/projects";

const start = projects();
const none = Permissions.none();

/** An app with these stacks, each with an owner of its own. */
const appOf = (project: Project, stacks: Readonly<Record<string, Build>>) =>
  project.synthesizeApp((scope) => {
    for (const [name, build] of Object.entries(stacks)) {
      const stack = new TerraformStack(scope, name);
      new TenancyProvider(stack, "service", { owner: `acme-${name}` });
      build(stack);
    }
  });
const app = (project: Project, prod: Build, other: Build) => appOf(project, { prod, other });
/** One of the two stacks without the other, as an app makes it that synthesizes the stack of a stage alone. */
const alone = (project: Project, name: string, build: Build) => ({
  ...appOf(project, { [name]: build }),
  name,
});

const nothing: Build = (stack) => void stack.addOverride("locals.nothing", 1);
const acme = (...users: readonly string[]) => tenant("acme", users);
const importedAcme: Build = (stack) =>
  void new Tenant(stack, "acme", { name: "acme", permissions: none }).importFrom();
const inAcme =
  (users: readonly string[], tokens: readonly string[] = []): Build =>
  (stack) => {
    const named = Tenant.fromName(stack, "acme", "acme");
    for (const user of users) named.addUser(user, { permissions: none });
    for (const user of tokens) named.addToken(`${user}-token`, { user, loginWith: "temporary_password" });
  };
const deletion =
  (name: { readonly account: string } | { readonly login: string }, id = ""): Build =>
  (stack) =>
    void new Deletion(stack, "removed", { ...name, ...(id !== "" && { id }) });
const textOf = (plan: Plan) => viewText(planView(plan, { all: true }), plain);
const open = { ...RECKLESS, initState: true };

interface Story {
  /** Users of the account, where all were made by hand. */
  readonly byHand?: readonly string[];
  /** The declaration of `prod` that was applied before. */
  readonly before?: Build;
  readonly other: Build;
  /** Everything that a destroy of `prod` deletes. */
  readonly destroyed?: readonly string[];
  readonly prod: (ids: { readonly account: string; readonly user: string }) => Build;
}

const stories: Readonly<Record<string, Story>> = {
  "an account that it imports, named by its id": {
    byHand: ["jane"],
    other: importedAcme,
    prod: ({ account }) => deletion({ account: "acme" }, account),
  },
  "a user in an account that was made by hand": {
    byHand: ["jane"],
    other: inAcme(["joe"]),
    prod: ({ account }) => deletion({ account: "acme" }, account),
  },
  "a user in an account of this stack": {
    before: acme("jane"),
    other: inAcme(["joe"]),
    destroyed: ["delete tenancy_user_profile.acme_jane"],
    prod: () => deletion({ account: "acme" }),
  },
  "a token alone in an account of this stack": {
    before: acme("jane"),
    other: inAcme([], ["jane"]),
    prod: () => deletion({ account: "acme" }),
  },
  "a token of a user of this stack": {
    before: acme("jane"),
    other: inAcme([], ["jane"]),
    prod: () => together(acme(), deletion({ login: "jane@acme" })),
  },
};

describe.each([
  ["before the other stack is applied", false, false],
  ["after the other stack is applied", true, false],
  ["in a run that does not synthesize the other stack", true, true],
])("a Deletion, %s, is refused where that stack declares", (_when, isApplied, isAlone) => {
  test.each(Object.entries(stories))("%s", async (_what, { byHand, before, other, prod }) => {
    const project = await start();
    const { records } = project.service;
    if (byHand !== undefined) records.createAccount({ name: "acme" });
    for (const username of byHand ?? []) records.createProfile("acme", { username });
    const prodOf = (build: Build) => (isAlone ? alone(project, "prod", build) : app(project, build, other));
    const otherSource = { ...app(project, before ?? nothing, other), name: "other" };
    if (before !== undefined) await project.apply(prodOf(before), open);
    if (isApplied) await project.apply(isAlone ? alone(project, "other", other) : otherSource, open);
    const ids = { account: records.account("acme").id, user: records.profile("jane@acme").id };
    const sent = project.service.requests.length;
    const found = await findings(project.plan(prodOf(prod(ids)), open));
    expect(found.map(({ code }) => code)).toEqual(["TENANCY_REMOVED_AND_DECLARED"]);
    expect(found[0]?.summary).toContain('the stack "other" declares');
    expect(writes(project.service.requests.slice(sent))).toEqual([]);
  });
});

describe.each([
  ["a plan", false],
  ["a destroy", false],
  ["a plan without the other stack", true],
  ["a destroy without the other stack", true],
])("%s keeps, and shows no way to delete,", (kind, isAlone) => {
  test.each(Object.entries(stories).filter(([, { before }]) => before !== undefined))(
    "what the other stack needs: %s",
    async (_what, { before, other, destroyed = [] }) => {
      const project = await start();
      const prodOf = (build: Build) => (isAlone ? alone(project, "prod", build) : app(project, build, other));
      const declared = prodOf(before ?? nothing);
      await project.apply(declared, open);
      await project.apply(isAlone ? alone(project, "other", other) : { ...declared, name: "other" }, open);
      const destroy = kind.startsWith("a destroy");
      const source = destroy ? declared : prodOf(nothing);
      const plan = await project.plan(source, { ...open, destroy });
      expect(actions(plan)).toEqual(destroy ? destroyed : []);
      expect(plan.retained.map(({ reason }) => reason).join()).toContain('the stack "other" declares "');
      expect(textOf(plan)).not.toContain("new Deletion");
    },
  );
});

test.each<readonly [string, Build]>([
  [
    "has a variable without a value",
    (stack) => void new TerraformVariable(stack, "email", { type: "string" }),
  ],
  [
    "is wrong elsewhere",
    (stack) => void stack.addOverride("resource.tenancy_account.wrong", { name: 1.5, limits_vss_num: "x" }),
  ],
  ["cannot log in", (stack) => void stack.addOverride("provider.tenancy.0.password", "mistyped")],
])("what another stack declares is kept although that stack %s", async (_what, disturb) => {
  const project = await start();
  await project.apply(app(project, acme("jane"), nothing));
  const source = app(project, deletion({ account: "acme" }), together(inAcme(["joe"]), disturb));
  const [found] = await findings(project.plan(source, open));
  expect(found?.code).toBe("TENANCY_REMOVED_AND_DECLARED");
  expect(found?.summary).toContain("stack");
});

const importedJane: Build = (stack) =>
  void Tenant.fromName(stack, "acme", "acme").addUser("jane", { permissions: none }).importFrom();
/** A project with a user who was made by hand. */
const withJane = async () => {
  const project = await start();
  const { records } = project.service;
  records.createAccount({ name: "acme" });
  return { project, records, id: records.createProfile("acme", { username: "jane" }).id };
};

test("an imported user who moves to the other stack is not deleted, and has moved after that stack is applied", async () => {
  const { project } = await withJane();
  await project.apply(app(project, importedJane, nothing), open);
  const moved = app(project, nothing, importedJane);
  const before = await project.plan(moved, open);
  await project.apply({ ...moved, name: "other" });
  const after = await project.plan(moved, open);
  expect([before, after].flatMap(actions)).toEqual([]);
  const reason = 'no longer declared, not deleted: the stack "other" declares it';
  expect([before, after].map(({ retained }) => retained[0]?.reason)).toEqual([reason, undefined]);
});

test("a user who was renamed at the service is kept for the stack that imported her", async () => {
  const { project, records, id } = await withJane();
  await project.apply({ ...app(project, nothing, importedJane), name: "other" });
  records.patchProfile("jane@acme", { login: "janet@acme" } as never);
  const source = app(project, deletion({ login: "janet@acme" }, id), importedJane);
  const [found] = await findings(project.plan(source, open));
  expect(found?.summary).toBe(
    '"janet@acme" is to be removed here, and the stack "other" declares "jane@acme", which would be deleted, too',
  );
});

test("what another stack declares by a value that is given for this run is kept, whichever value the other stack's runs have", async () => {
  const project = await start();
  const declaredUsers =
    (users: string): Build =>
    (stack) => {
      stack.addOverride("variable.users", { type: "list(string)", default: [users] });
      stack.addOverride("data.tenancy_account.acme", { name: "acme" });
      stack.addOverride("resource.tenancy_user_profile.many", {
        ...{ for_each: "${toset(var.users)}", username: "${each.key}", permissions: {} },
        account_id: "${data.tenancy_account.acme.id}",
      });
    };
  await project.apply(app(project, acme("jane", "joe", "ann"), nothing));
  const withVariable = together(acme("ann"), (stack) => void new TerraformVariable(stack, "users", {}));
  const source = app(project, withVariable, declaredUsers("jane"));
  const plan = await project.plan(source, { ...open, variables: { users: '["joe"]' } });
  expect(actions(plan)).toEqual([]);
  expect(plan.retained.map(({ reason }) => reason)).toEqual(
    ["jane", "joe"].map(() => 'no longer declared, not deleted: the stack "other" declares it'),
  );
});

test("what another provider configuration of the stack declares is kept, and a Deletion of its account is refused", async () => {
  const project = await start();
  const inSecond: Build = (stack) => {
    const provider = new TenancyProvider(stack, "second", { alias: "second", owner: "second" });
    Tenant.fromName(stack, "known", "acme", { provider }).addUser("joe", { permissions: none });
  };
  await project.apply(acme("jane"));
  await project.apply(together(acme("jane"), inSecond), open);
  const plan = await project.plan(inSecond, open);
  expect(actions(plan)).toEqual([]);
  expect(plan.retained.map(({ reason }) => reason)).toEqual([
    'no longer declared, not deleted: the provider configuration "tenancy.second" declares "joe@acme", which would be deleted, too',
  ]);
  const [found] = await findings(project.plan(together(inSecond, deletion({ account: "acme" })), open));
  expect(found?.code).toBe("TENANCY_REMOVED_AND_DECLARED");
  expect(
    actions(await project.plan(together(acme("jane"), inSecond), { ...open, destroy: true })),
  ).toHaveLength(3);
});

test("a token that moves to the other stack is neither revoked nor forgotten", async () => {
  const project = await start();
  const token: Build = (stack) =>
    void new Tenant(stack, "acme", { name: "acme", permissions: none, tokens: { ci: {} } });
  await project.apply(app(project, token, nothing), open);
  const moved = app(project, acme(), (stack) => {
    Tenant.fromName(stack, "acme", "acme").addToken("ci", { loginWith: "temporary_password" });
  });
  const { plan, requests } = await project.apply(moved, open);
  expect(writes(requests)).toEqual([]);
  expect(plan.retained).toMatchObject([
    { key: "acme/ci", reason: 'no longer declared, not deleted: the stack "other" declares it' },
  ]);
});

test.each<readonly [string, (folder: string) => StateOptions]>([
  ["file", (folder) => ({ path: join(folder, "shared.json") })],
  ["helper", (folder) => ({ helper: `node '${resolve("test/support/folder-helper.mjs")}' '${folder}'` })],
])(
  "a stack of the same name in another project is not this one, though both use one %s",
  async (_place, at) => {
    const project = await start();
    const state = at(project.folder);
    await project.apply(acme("jane"), { state: { ...state, project: "one" } });
    const other = project.plan(tenant("globex"), { ...open, state: { ...state, project: "two" } });
    const [found] = await findings(other);
    expect(found?.summary).toContain("belongs to another project: one, not two");
  },
);

test("an object is deleted although another stack declares one of that name at another service", async () => {
  const project = await start();
  await project.apply(app(project, acme("jane"), nothing));
  const elsewhere: Build = (stack) => {
    stack.addOverride("provider.tenancy.0.base_url", "https://storage.example");
    importedAcme(stack);
  };
  const plan = await project.plan(app(project, deletion({ account: "acme" }), elsewhere), open);
  expect(actions(plan)).toContain('delete tenancy_account.undeclared["acme"]');
});

describe("one object in two stacks", () => {
  test.each<readonly [string, Build, Build]>([
    ["accounts", acme(), importedAcme],
    ["users of an account of one stack", acme("jane"), inAcme(["jane"])],
    ["users of an account of neither stack", inAcme(["jane"]), inAcme(["jane"])],
    ["tokens", inAcme([], ["jane"]), inAcme([], ["jane"])],
  ])("is an error before any request: %s", async (_what, prod, other) => {
    const project = await start();
    const source = app(project, prod, other);
    for (const run of [
      () => project.plan(source),
      () => project.plan(source, { destroy: true }),
      () => validate(source, project.options()),
    ]) {
      const [found, ...more] = await findings(run());
      expect(more).toEqual([]);
      expect(found?.code).toBe("TENANCY_DECLARED_TWICE");
      expect(found?.summary).toMatch(
        /of the stack "other", .* of the stack "prod"|stack "other" and by .* of the stack "prod"/,
      );
    }
    expect(project.service.requests).toEqual([]);
  });
});

describe("what a stack declared that the run does not synthesize", () => {
  const declared = inAcme(["joe"]);
  const deletes = deletion({ account: "acme" });
  const started = async (other: Build = declared, options: PlanOptions = {}) => {
    const project = await start();
    await project.apply(alone(project, "prod", acme("jane")), options);
    await project.apply(alone(project, "other", other), { ...open, ...options });
    return project;
  };
  const codesOf = async (project: Project, build: Build, options: PlanOptions = {}) =>
    project.plan(alone(project, "prod", build), { ...open, ...options }).then(
      () => [],
      (error: unknown) => codes((error as TenancyError).toDiagnostics()),
    );

  test("is protected by a plan, which writes nothing, and from a snapshot", async () => {
    const project = await started();
    const before = await readFile(project.state, "utf8");
    const source = alone(project, "prod", deletes);
    expect(codes(await findings(project.plan(source, open)))).toEqual(["TENANCY_REMOVED_AND_DECLARED"]);
    const file = join(project.folder, "live.json");
    await writeFile(file, await takeSnapshot([source], project.options()));
    expect(await codesOf(project, deletes, { fromSnapshot: { file } })).toEqual([
      "TENANCY_REMOVED_AND_DECLARED",
    ]);
    expect(await readFile(project.state, "utf8")).toBe(before);
  });

  test("is in a snapshot without the names that hold a secret of the run, the first one among them", async () => {
    const password = "canary-of-the-run";
    const project = await start({ systemUser: { password } });
    const other = together(tenant(password, ["joe"]), inAcme([password, "ann"]));
    await project.apply(app(project, acme("jane"), other));
    const text = await takeSnapshot([alone(project, "prod", acme("jane"))], project.options());
    expect(text).not.toContain(password);
    const { services } = JSON.parse(text) as { services: { state: { stacks: { other: string[][] } } }[] };
    const { id } = project.service.records.account("acme");
    expect(services.flatMap(({ state }) => state.stacks.other)).toEqual([
      ["ann@acme", "acme", id],
      [],
      ["acme", id],
      [],
    ]);
  });

  test("is protected where the other stack is applied between the plan and its apply", async () => {
    const project = await start();
    await project.apply(alone(project, "prod", acme("jane")));
    const planned = await project.plan(alone(project, "prod", deletes), open);
    await project.apply(alone(project, "other", inAcme([], ["jane"])), open);
    const [failure, ...others] = failures(await apply(planned));
    expect(others).toEqual([]);
    expect(failure?.summary).toContain('planned: the stack "other" declares "jane@acme/jane-token"');
    expect(project.service.records.profile("jane@acme").login).toBe("jane@acme");
  });

  test("is not written again by an apply that changes nothing, of either stack or of both", async () => {
    const project = await started();
    const both = app(project, acme("jane"), declared);
    const sources = [alone(project, "prod", acme("jane")), alone(project, "other", declared)];
    for (const one of sources) await project.apply(one, open);
    const before = await readFile(project.state, "utf8");
    for (const one of [both, { ...both, name: "other" }, ...sources]) await project.apply(one, open);
    expect(await readFile(project.state, "utf8")).toBe(before);
  });

  test("is protected although it was never applied, where an apply of another stack synthesized it", async () => {
    const project = await start();
    await project.apply(app(project, acme("jane"), declared));
    expect(await codesOf(project, deletes)).toEqual(["TENANCY_REMOVED_AND_DECLARED"]);
  });

  test.each<readonly [string, (project: Project) => Promise<unknown>]>([
    [
      "another key is declared in its place",
      (project) => {
        project.service.records.createAccount({ name: "globex" });
        const elsewhere: Build = (stack) =>
          void Tenant.fromName(stack, "globex", "globex").addUser("joe", { permissions: none });
        return project.apply(alone(project, "other", elsewhere), open);
      },
    ],
    [
      "the stack is destroyed",
      (project) => project.apply(alone(project, "other", declared), { destroy: true }),
    ],
    [
      "the stack is retired",
      async (project) => {
        const [found] = await findings(project.plan(alone(project, "prod", deletes), open));
        expect(found?.summary).toContain("tenancy state rm --stack other");
        expect(await retireStack([alone(project, "prod", deletes)], "other", project.options())).toHaveLength(
          1,
        );
      },
    ],
  ])("is protected no longer once %s", async (_what, end) => {
    const project = await started();
    expect(await codesOf(project, deletes)).toEqual(["TENANCY_REMOVED_AND_DECLARED"]);
    await end(project);
    expect(await codesOf(project, deletes)).toEqual([]);
  });

  test("does not protect an object of that name at another service", async () => {
    const project = await start();
    const second = await start();
    await project.apply(alone(project, "prod", acme("jane")));
    second.service.records.createAccount({ name: "acme" });
    const environment = second.environment;
    await project.apply(alone(project, "other", declared), { environment });
    expect(await codesOf(project, deletes)).toEqual([]);
    const byId = deletion({ account: "acme" }, second.service.records.account("acme").id);
    expect(await codesOf(project, byId, { environment })).toEqual(["TENANCY_REMOVED_AND_DECLARED"]);
  });

  test("is protected where a helper keeps the state, whose lock the note holds for a moment alone", async () => {
    const program = resolve(__dirname, "../support/folder-helper.mjs");
    const helper = await mkdtemp(join(tmpdir(), "tenancy-helper-"));
    const state = { helper: `"${process.execPath}" "${program}" "${helper}"` };
    const project = await started(declared, { state });
    expect(await codesOf(project, deletes, { state })).toEqual(["TENANCY_REMOVED_AND_DECLARED"]);
    await retireStack([alone(project, "prod", deletes)], "other", project.options({ state }));
    expect(await codesOf(project, deletes, { state })).toEqual([]);
    await rm(helper, { recursive: true });
  });

  test("cannot be taken out while the app makes the stack, nor where no state knows it", async () => {
    const project = await started();
    const both = app(project, acme("jane"), declared);
    for (const name of ["other", "nobody"])
      expect(codes(await findings(retireStack([both], name, project.options())))).toEqual([
        name === "other" ? "TENANCY_USAGE" : "TENANCY_UNKNOWN_NAME",
      ]);
  });
});

test("the first apply of each stack of an app warns of no other state", async () => {
  const project = await start();
  const declared = app(project, acme("jane"), tenant("globex"));
  await project.apply(declared);
  const { plan } = await project.apply({ ...declared, name: "other" });
  expect(plan.warnings).toEqual([]);
});

test("a user whom the service has renamed is kept for a stack that this run does not synthesize", async () => {
  const project = await start();
  const { records } = project.service;
  await project.apply(alone(project, "other", acme("jane")));
  records.patchProfile("jane@acme", { login: "janet@acme", username: "janet" } as never);
  const { id } = records.profile("janet@acme");
  const deletes = alone(project, "prod", deletion({ login: "janet@acme" }, id));
  expect(codes(await findings(project.plan(deletes, open)))).toEqual(["TENANCY_REMOVED_AND_DECLARED"]);
});

describe("an apply that ends before its first write protects what its stack declares", () => {
  test("where each of its objects is refused", async () => {
    const project = await start();
    await project.apply(alone(project, "prod", acme("jane", "joe")), open);
    const { plan } = await project.run(alone(project, "other", inAcme(["jane"])), open);
    expect(codes(plan.refused ?? [])).toEqual(["TENANCY_UNMANAGED"]);
    expect(actions(await project.plan(alone(project, "prod", acme("joe")), open))).toEqual([]);
  });

  test("where it needs an approval", async () => {
    const project = await start();
    await project.apply(alone(project, "prod", acme("joe")), open);
    const other = project.run(alone(project, "other", inAcme(["kim"])), open, {
      requireApproval: "broadening",
    });
    await expect(other).rejects.toThrow(/approval/);
    expect(actions(await project.plan(alone(project, "prod", nothing), open))).not.toContain(
      'delete tenancy_account.undeclared["acme"]',
    );
  });

  test("where its plan fails under the lock", async () => {
    const project = await start();
    await project.apply(alone(project, "prod", acme("jane", "joe")), open);
    const missing: Build = (stack) =>
      stack.addOverride("data.tenancy_user_profile.x", { login: "nobody@acme" });
    const failing = alone(project, "other", together(inAcme(["jane"]), missing));
    await findings(project.plan(failing, { ...open, lockState: true }));
    expect(actions(await project.plan(alone(project, "prod", acme("joe")), open))).toEqual([]);
  });
});
