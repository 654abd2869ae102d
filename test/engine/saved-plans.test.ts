/** Plans that are saved, read back and applied: covers src/engine/saved.ts and src/plan/fingerprint.ts. */
import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Account, Permissions, Secret, Tenant } from "tenancy";
import { TerraformVariable } from "cdktf";
import { apply, close, planSaved, savePlan } from "../../src/engine";
import type { PlanOptions, StackSource } from "../../src/engine/options";
import { actions, codes, findings, projects, writes, type Build, type Project } from "../support/projects";

const start = projects();

const acme =
  (limit = 3, version = 1): Build =>
  (stack) => {
    const city = new TerraformVariable(stack, "city", { type: "string", default: "Berlin" });
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      limits: { vssNum: limit },
      primaryContact: { address: { city: city.stringValue } },
      users: { jane: { permissions: Permissions.none(), password: Secret.variable("pw", { version }) } },
    });
  };

const given = (more: PlanOptions = {}): PlanOptions => ({
  ...more,
  environment: { TF_VAR_pw: "secret", ...more.environment },
});

async function saved(project: Project, source: StackSource, options: PlanOptions = given()): Promise<string> {
  const made = await project.plan(source, options);
  const text = savePlan(made);
  await close(made);
  return text;
}

async function applied(project: Project, text: string, source: StackSource, options: PlanOptions = given()) {
  const made = await planSaved(text, source, project.options(options));
  try {
    return { made, result: await apply(made) };
  } finally {
    await close(made);
  }
}

/** A project with something applied, so that it has a state. */
async function begun(): Promise<Project> {
  const project = await start();
  await project.apply(acme(), given());
  return project;
}

test("a saved plan is applied as it was shown, once", async () => {
  const project = await begun();
  const source = project.synthesize(acme(7));
  const text = await saved(project, source);
  const { made, result } = await applied(project, text, source);
  expect(actions(made)).toEqual(["update tenancy_account.acme"]);
  expect(result.ok).toBe(true);
  expect(project.service.records.account("acme").limits.vss_num).toBe(7);
  expect(codes(await findings(applied(project, text, source)))).toEqual(["TENANCY_PLAN_OUTDATED"]);
});

test("a record that was lost and made again is another one, although it has the same id and login", async () => {
  const project = await start();
  const users = (names: readonly string[], level = 1): Build => {
    const declared = names.map((name) => [name, { permissions: Permissions.none(), level }] as const);
    return (stack) => void new Tenant(stack, "acme", { name: "acme", users: Object.fromEntries(declared) });
  };
  await project.apply(users([]));
  const restore = project.service.records.backup();
  await project.apply(users(["jane"]));
  const before = project.service.records.profile("jane@acme");
  const source = project.synthesize(users(["jane"], 4));
  const text = await saved(project, source);
  restore();
  await project.apply(users(["jane"]));
  expect(project.service.records.profile("jane@acme").id).toBe(before.id);
  const [finding] = await findings(applied(project, text, source));
  expect(finding).toMatchObject({ code: "TENANCY_PLAN_OUTDATED" });
  expect(JSON.stringify(finding)).toContain("tenancy_user_profile.acme_jane");
});

test("what has moved on is told by its address, without the secrets that would be sent with it", async () => {
  const project = await begun();
  const source = project.synthesize(acme(7));
  const text = await saved(project, source);
  project.service.records.patchProfile("jane@acme", {
    permissions: { vss: { rights: { manage_targets: true } } },
  });
  const [finding] = await findings(applied(project, text, source));
  expect(finding).toMatchObject({ code: "TENANCY_PLAN_OUTDATED" });
  expect(JSON.stringify(finding)).toContain("tenancy_user_profile.acme_jane");
  expect(JSON.stringify(finding)).not.toContain("password_wo");
});

test("a plan of a first apply can be saved and applied, without a state to key digests with", async () => {
  const project = await start();
  const source = project.synthesize(acme());
  const { result } = await applied(project, await saved(project, source), source);
  expect(result.ok).toBe(true);
});

test("a saved plan holds no secret", async () => {
  const project = await begun();
  const text = await saved(
    project,
    project.synthesize(acme(7, 2)),
    given({ environment: { TF_VAR_pw: "correct-horse" } }),
  );
  expect(text).toContain("password_wo");
  expect(text).not.toContain("correct-horse");
});

test.each<[what: string, happens: (project: Project) => void]>([
  [
    "the value that would be changed",
    ({ service }) => service.records.patchAccount("acme", { limits: { vss_num: 5 } }),
  ],
  [
    "another value",
    ({ service }) =>
      service.records.patchProfile("jane@acme", {
        permissions: { user: { rights: { manage_users: true } } },
      }),
  ],
  ["that it is there", ({ service }) => service.records.deleteProfile("jane@acme")],
  [
    "its uuid",
    ({ service }) =>
      service.records.patchProfile("jane@acme", { uuid: "6ba7b810-9dad-11d1-80b4-00c04fd430c8" }),
  ],
])("a saved plan is refused where the service has moved on: %s", async (_what, happens) => {
  const project = await begun();
  const source = project.synthesize(acme(7));
  const text = await saved(project, source);
  happens(project);
  project.service.clearRequests();
  const refused = codes(await findings(applied(project, text, source)));
  expect(["TENANCY_PLAN_OUTDATED", "TENANCY_UNMANAGED"]).toContain(refused[0]);
  expect(writes(project.service.requests)).toEqual([]);
});

describe("a saved plan that trusted a token which was revoked outside", () => {
  const tried = given({ verifyTokens: true });
  const withToken =
    (limit: number): Build =>
    (stack) => {
      const users = { csi: { permissions: Permissions.none() } };
      new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        limits: { vssNum: limit },
        users,
        tokens: { prod: { user: "csi" } },
      });
    };
  const tokenIn = async (project: Project) =>
    (JSON.parse(await readFile(project.state, "utf8")) as State).parts[0].tokens[0];
  interface State {
    readonly parts: readonly [
      { readonly tokens: readonly [{ record: { serial: string }; refused?: readonly object[] }] },
    ];
  }

  async function outdated() {
    const project = await start();
    await project.apply(withToken(1), given());
    const { serial } = (await tokenIn(project)).record;
    project.service.records.revokeToken(serial);
    const source = project.synthesize(withToken(2));
    const text = await saved(project, source);
    return { project, source, text, serial };
  }

  test("is out of date, and the next one has it created again", async () => {
    const { project, source, text, serial } = await outdated();
    const before = project.service.requests.length;
    expect(await findings(applied(project, text, source, tried))).toMatchObject([
      {
        code: "TENANCY_PLAN_OUTDATED",
        advice: expect.stringMatching(
          /^The state was wrong about a token\. The state is corrected/,
        ) as string,
      },
    ]);
    expect(writes(project.service.requests.slice(before))).toEqual([]);
    expect((await tokenIn(project)).refused).toMatchObject([{ serial }]);
    const { made, result } = await applied(project, await saved(project, source), source, tried);
    expect(actions(made)).toEqual(["update tenancy_account.acme", "create tenancy_authorization.acme_prod"]);
    expect(result.ok).toBe(true);
  });

  test("says with which flag to plan where the state cannot be written", async () => {
    const { project, source, text } = await outdated();
    const before = await readFile(project.state, "utf8");
    await symlink(project.state, `${project.state}.lock`);
    const [finding] = await findings(applied(project, text, source, tried));
    expect(finding).toMatchObject({ code: "TENANCY_PLAN_OUTDATED" });
    expect(finding?.advice).toContain("Nothing was written. Make a new plan with --verify-tokens.");
    expect(await readFile(project.state, "utf8")).toBe(before);
  });

  test("is out of date, too, where the state notes an end that has passed, and the next one leaves the token", async () => {
    const project = await start();
    await project.apply(withToken(1), given());
    const state = JSON.parse(await readFile(project.state, "utf8")) as State;
    const [token] = state.parts[0].tokens;
    token.refused = [{ serial: token.record.serial, refused_at: "2026-01-02T03:04:05.678Z" }];
    await writeFile(project.state, JSON.stringify(state));
    const source = project.synthesize(withToken(2));
    const text = await saved(project, source);
    expect(codes(await findings(applied(project, text, source, tried)))).toEqual(["TENANCY_PLAN_OUTDATED"]);
    expect((await tokenIn(project)).refused).toEqual([]);
    const { made } = await applied(project, await saved(project, source), source, tried);
    expect(actions(made)).toEqual(["update tenancy_account.acme"]);
  });
});

test("a saved plan that revokes rotated tokens holds none of them", async () => {
  const project = await start();
  const rotated =
    (keepers: Readonly<Record<string, string>>, retainPrevious: number): Build =>
    (stack) => {
      new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        users: { csi: { permissions: Permissions.none() } },
        tokens: { prod: { user: "csi", keepers, retainPrevious } },
      });
    };
  await project.apply(rotated({ round: "1" }, 1));
  await project.apply(rotated({ round: "2" }, 1));
  const text = await saved(project, project.synthesize(rotated({ round: "2" }, 0)));
  const tokens = await readFile(project.state, "utf8");
  const secrets = [...tokens.matchAll(/"access_token":\s*"([^"]+)"/g)].map(([, secret = ""]) => secret);
  expect(secrets).toHaveLength(2);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test("a saved plan is refused where what would be deleted is not what it was", async () => {
  const project = await start();
  const build =
    (...users: readonly string[]): Build =>
    (stack) => {
      const all = users.map((user) => [user, { permissions: Permissions.none() }] as const);
      new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        users: Object.fromEntries(all),
      });
    };
  await project.apply(build("jane", "joe", "jack"));
  const source = project.synthesize(build("jane", "joe"));
  const text = await saved(project, source);
  project.service.records.patchProfile("jack@acme", { email: "jack@acme.example" });
  expect(codes(await findings(applied(project, text, source)))).toEqual(["TENANCY_PLAN_OUTDATED"]);
});

test("a saved plan is refused where the stack was synthesized anew, and differs", async () => {
  const project = await begun();
  const text = await saved(project, project.synthesize(acme(7)));
  await applied(project, text, project.synthesize(acme(7)));
  const other = await saved(project, project.synthesize(acme(8)));
  const [finding] = await findings(applied(project, other, project.synthesize(acme(9))));
  expect(finding).toMatchObject({ code: "TENANCY_PLAN_OUTDATED" });
  expect(finding?.summary).toContain("the synthesized stack");
});

test("a saved plan is refused where a variable, a secret or a flag is another one", async () => {
  const project = await begun();
  const source = project.synthesize(acme(7, 2));
  const text = await saved(project, source);
  const city = given({ environment: { TF_VAR_city: "Paris" } });
  expect((await findings(applied(project, text, source, city)))[0]?.summary).toContain("var.city");
  const secret = given({ environment: { TF_VAR_pw: "another" } });
  expect((await findings(applied(project, text, source, secret)))[0]?.summary).toContain("password_wo");
  const flag = given({ allowAccountDeletion: true });
  expect((await findings(applied(project, text, source, flag)))[0]?.summary).toContain(
    "allowAccountDeletion",
  );
  const named = given({ variables: { city: "Paris" } });
  expect((await findings(applied(project, text, source, named)))[0]?.summary).toContain("var.city");
  expect((await applied(project, text, source)).result.ok).toBe(true);
});

test("a saved plan is made with the flags and variables that it was saved with", async () => {
  const project = await begun();
  const build: Build = (stack) => {
    acme()(stack);
    new Account(stack, "extra", { name: "extra", permissions: {} });
  };
  await project.apply(build, given());
  const source = project.synthesize(acme(7));
  const options = given({ allowAccountDeletion: ["extra"], variables: { city: "Paris" } });
  const text = await saved(project, source, options);
  const { made } = await applied(project, text, source);
  expect(actions(made)).toEqual([
    "update tenancy_account.acme",
    'delete tenancy_account.undeclared["extra"]',
  ]);
  expect(project.service.records.account("acme").primary_contact.address?.city).toBe("Paris");
});

test("a saved plan has of a value and a file what came last, whatever is given when it is applied", async () => {
  const project = await begun();
  const source = project.synthesize(acme(7));
  const file = join(project.folder, "city.tfvars");
  await writeFile(file, 'city = "Rome"\n');
  const paris = { name: "city", value: "Paris" };
  for (const [variables, city] of [
    [[paris, { file }], "Rome"],
    [[{ file }, paris], "Paris"],
  ] as const) {
    const text = await saved(project, source, given({ variables }));
    const other = given({ variables: [{ name: "city", value: "Bonn" }] });
    expect(codes(await findings(applied(project, text, source, other)))).toEqual(["TENANCY_PLAN_OUTDATED"]);
    await applied(project, text, source, given({ variables: [{ file }] }));
    expect(project.service.records.account("acme").primary_contact.address?.city).toBe(city);
  }
});

test("a saved plan is refused where the state that its digests were keyed with is gone", async () => {
  const project = await begun();
  const source = project.synthesize(acme(7, 2));
  const text = await saved(project, source);
  await rm(dirname(project.state), { recursive: true });
  expect(codes(await findings(applied(project, text, source)))).toEqual(["TENANCY_PLAN_OUTDATED"]);
});

test.each(["", "{", "[]", "{}", '{"tenancy":{"saved":{"format":99}}}', '{"tenancy":{"saved":{"format":1}}}'])(
  "what is no saved plan is refused: %j",
  async (text) => {
    const project = await start();
    const source = project.synthesize(acme());
    expect(codes(await findings(applied(project, text, source)))).toEqual(["TENANCY_BROKEN_PLAN"]);
    expect(project.service.requests).toEqual([]);
  },
);
