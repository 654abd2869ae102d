/** What a saved plan's file holds, and which files and arguments are refused: covers src/engine/saved.ts, whose histories are in saved-plans.test.ts. */
import { getEventListeners } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rm, symlink } from "node:fs/promises";
import { dirname } from "node:path";
import { TerraformVariable } from "cdktf";
import { Account, Authorization, TenancyProvider, UserProfile } from "tenancy";
import { close, planSaved, savePlan } from "../../src/engine";
import type { PlanOptions, StackSource } from "../../src/engine/options";
import { parseJson, stringifyJson, type ObjectValue, type Value } from "../../src/lib/values";
import { actions, findings, projects, type Build, type Project } from "../support/projects";

const start = projects();

describe("a file", () => {
  const SAVED: ObjectValue = {
    format: 1,
    stack: "prod",
    synthesized: "00ff",
    flags: {},
    variables: {},
    isKeyed: false,
    values: {},
    fingerprint: { targets: [], objects: [{ address: "tenancy_account.acme" }] },
  };

  /** What is told of a file, where there is no stack to plan. */
  async function toldOf(text: string) {
    const [finding] = await findings(planSaved(text, { outdir: "/nowhere" }));
    return `${finding?.code} ${finding?.summary}`;
  }

  const holding = (more: ObjectValue, tenancy: ObjectValue = {}) =>
    stringifyJson({ tenancy: { ...tenancy, saved: { ...SAVED, ...more } } });

  test.each<readonly [string, string]>([
    ["", "the file is not JSON"],
    ["{", "the file is not JSON"],
    ["[]", "the file is not a plan that tenancy plan --out wrote"],
    ['{"tenancy":{"saved":[]}}', "the file is not a plan that tenancy plan --out wrote"],
    ['{"tenancy":{"saved":{}}}', "the plan has the format null, not 1"],
    [holding({ format: 2 }), "the plan has the format 2, not 1"],
  ])("is no saved plan that this release reads: %j", async (text, told) => {
    expect(await toldOf(text)).toBe(`TENANCY_BROKEN_PLAN ${told}`);
  });

  test("is for review alone where it was made from a snapshot", async () => {
    const text = holding({}, { taken_at: "2026-01-02T03:04:05Z" });
    expect(await toldOf(text)).toContain("TENANCY_PLANNED_FROM_SNAPSHOT");
    expect(await toldOf(text)).toContain("2026-01-02T03:04:05Z");
  });

  test.each<ObjectValue>([
    { stack: 1 },
    { synthesized: null },
    { isKeyed: "yes" },
    { flags: [] },
    { variables: [] },
    { values: null },
    { variables: { city: "Berlin", zip: 10115 } },
    { fingerprint: { objects: [] } },
    { fingerprint: { targets: [], objects: {} } },
    { fingerprint: { targets: [], objects: [{ address: "tenancy_account.acme" }, {}] } },
    ...(
      [
        { only: "tenancy_account.acme" },
        { only: ["tenancy_account.acme", 1] },
        { exclude: true },
        { destroy: "yes" },
        { allowAccountDeletion: "acme" },
        { allowAccountDeletion: [1] },
        { maxDeletes: "7" },
        { maxDeletes: -1 },
        { maxDeletes: 1.5 },
        { noPrune: false, initState: 1 },
      ] as const
    ).map((flags) => ({ flags })),
  ])("is refused where a part of it is of another kind: %j", async (part) => {
    expect(await toldOf(holding(part))).toBe("TENANCY_BROKEN_PLAN the plan is incomplete");
  });

  test.each<ObjectValue>([
    {},
    { only: ["tenancy_account.acme"], exclude: [] },
    { destroy: true, noPrune: false, allowAccountDeletion: true, maxDeletes: 0 },
    { allowAccountDeletion: ["acme"], maxDeletes: 7 },
    { flagOfAnotherRelease: 1 },
  ])("is read, and its stack looked for, where it has the flags %j", async (flags) => {
    const variables = { city: "Berlin" };
    expect(await toldOf(holding({ flags, variables }))).toMatch(/^TENANCY_SYNTHESIS_FAILED /);
  });
});

const ONLY = given({ only: ["tenancy_account.acme"] });

const acme: Build = (stack) => {
  const city = new TerraformVariable(stack, "city", { type: "string", default: "Berlin" });
  const code = new TerraformVariable(stack, "code", { type: "string", sensitive: true, default: "b-4711" });
  const account = new Account(stack, "acme", {
    name: "acme",
    permissions: {},
    limitsVssNum: 3,
    primaryContact: { address: { city: city.stringValue } },
  });
  const keepers = { code: code.stringValue };
  new Authorization(stack, "token", {
    login: account.name,
    name: "prod",
    loginWith: "temporary_password",
    keepers,
  });
  new Account(stack, "initech", { name: "initech", permissions: {} });
  const password = new TerraformVariable(stack, "pw", { type: "string", sensitive: true });
  password.addOverride("ephemeral", true);
  for (const username of ["jane", "joe"])
    new UserProfile(stack, username, {
      accountId: account.id,
      username,
      xref: city.stringValue,
      permissions: {},
      passwordWo: password.stringValue,
      passwordWoVersion: 1,
    });
};

function given(more: PlanOptions = {}, password = "correct-horse"): PlanOptions {
  return { ...more, environment: { TF_VAR_pw: password, ...more.environment } };
}

interface Saved {
  readonly source: StackSource;
  readonly text: string;
  readonly promise: Readonly<Record<string, Value>>;
}

async function saved(
  project: Project,
  options: PlanOptions,
  source = project.synthesize(acme),
): Promise<Saved> {
  const text = savePlan(await project.plan(source, options));
  const { tenancy } = parseJson(text) as { tenancy: { saved: ObjectValue } };
  return { source, text, promise: tenancy.saved };
}

/** What an apply of the file would do, or why it would not. */
async function planned(project: Project, { source, text }: Saved, options = given()) {
  try {
    const made = await planSaved(text, source, project.options(options));
    await close(made);
    return actions(made);
  } catch (error) {
    return (await findings(Promise.reject(error as Error))).map(({ summary }) => summary);
  }
}

const outdated = (what: string) => [`the saved plan is out of date: ${what} changed since`];

describe("what a saved plan holds", () => {
  test("are the flags and variables that were given, and no secret, in whatever way it came", async () => {
    const project = await start();
    await project.apply(acme, ONLY);
    const options = given({
      variables: { city: "Paris" },
      allowAccountDeletion: ["initech"],
      maxDeletes: 7,
      only: [],
      destroy: false,
      verifyTokens: true,
      environment: { TF_VAR_code: "c-0815" },
    });
    const { promise, text } = await saved(project, options);
    expect(promise).toMatchObject({ stack: "prod", isKeyed: true });
    expect(promise["flags"]).toEqual({ allowAccountDeletion: ["initech"], maxDeletes: 7 });
    expect(promise["variables"]).toEqual({ city: "Paris" });
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    expect(promise["values"]).toEqual({
      "var.city": '"Paris"',
      "var.code": digest,
      "tenancy_user_profile.jane.password_wo": digest,
      "tenancy_user_profile.joe.password_wo": digest,
    });
    expect(text).not.toMatch(/correct-horse|c-0815|b-4711/);
  });

  test("is only that a secret is there, where there is no state with a key for digests", async () => {
    const project = await start();
    const made = await saved(project, given());
    expect(made.promise).toMatchObject({
      isKeyed: false,
      values: {
        "var.city": '"Berlin"',
        "var.code": "(sensitive value)",
        "tenancy_user_profile.jane.password_wo": "(sensitive value)",
      },
    });
    const [, ...others] = await planned(project, made, given({}, "another"));
    expect(others).toContain("create tenancy_user_profile.jane");
  });

  test("stays as it is where a state has come since, with a key that the file knows nothing of", async () => {
    const project = await start();
    const made = await saved(project, ONLY);
    await project.apply(made.source, given({ only: ["tenancy_account.initech"] }));
    expect(await planned(project, made)).toEqual(["create tenancy_account.acme"]);
  });
});

test("a saved plan holds no secret of what stays as it is", async () => {
  const project = await start();
  await project.apply(acme, given());
  const { promise } = await saved(project, given());
  expect(Object.keys(promise["values"] as ObjectValue)).toEqual(["var.city", "var.code"]);
});

test("a saved plan takes its key from the first provider that keeps something in the state", async () => {
  const project = await start();
  const initech: Build = (stack) => {
    const provider = new TenancyProvider(stack, "second", { alias: "second", owner: "initech-platform" });
    new Account(stack, "initech", { name: "initech", permissions: {}, provider });
  };
  const both = project.synthesize((stack) => {
    initech(stack);
    new Account(stack, "acme", { name: "acme", permissions: {} });
  });
  expect((await saved(project, {}, both)).promise).toMatchObject({ isKeyed: false });
  // What is kept of the first provider is another owner's.
  await project.apply(project.synthesize(initech, { owner: "globex-platform" }));
  expect((await saved(project, {}, both)).promise).toMatchObject({ isKeyed: true });
});

test("a saved plan takes its key from the same provider, whichever service answers first", async () => {
  const [project, other] = [await start(), await start()];
  const { baseUrl } = other.service;
  const source = project.synthesize((stack) => {
    const code = new TerraformVariable(stack, "code", { type: "string", sensitive: true, default: "b-4711" });
    const password = { passwordWo: code.stringValue, passwordWoVersion: 1 };
    const first = new Account(stack, "acme", { name: "acme", permissions: {} });
    const provider = new TenancyProvider(stack, "second", {
      alias: "second",
      owner: "acme-platform",
      baseUrl,
    });
    const second = new Account(stack, "initech", { name: "initech", permissions: {}, provider });
    new UserProfile(stack, "jane", { accountId: first.id, username: "jane", ...password, permissions: {} });
    new UserProfile(stack, "joe", {
      accountId: second.id,
      username: "joe",
      ...password,
      permissions: {},
      provider,
    });
  });
  await project.apply(source, { only: ["tenancy_account.acme", "tenancy_account.initech"] });
  const late = { method: "GET", path: "/api/account", delay: 200 };
  project.service.fail(late);
  const made = await saved(project, {}, source);
  other.service.fail(late);
  expect(await planned(project, made, {})).toEqual([
    "create tenancy_user_profile.jane",
    "create tenancy_user_profile.joe",
  ]);
});

describe("a saved plan is planned anew", () => {
  async function begun(): Promise<readonly [Project, Saved]> {
    const project = await start();
    await project.apply(acme, ONLY);
    return [project, await saved(project, given({ allowAccountDeletion: ["globex"] }))];
  }

  const CREATES = ["jane", "joe"].map((name) => `create tenancy_user_profile.${name}`);

  test("with arguments of the file alone, or with the same ones again, or with some that are off", async () => {
    const [project, made] = await begun();
    for (const options of [
      {},
      { allowAccountDeletion: ["globex"], destroy: false, only: [] },
      { variables: { city: "Berlin" } },
    ])
      expect(await planned(project, made, given(options))).toEqual(expect.arrayContaining(CREATES));
  });

  test("with no option of the file but what decides over a plan", async () => {
    const [project, made] = await begun();
    const text = made.text.replace(
      '"flags": {',
      '"flags": { "environment": { "TENANCY_BASE_URL": "http://127.0.0.1:1" },',
    );
    expect(text).not.toBe(made.text);
    expect(await planned(project, { ...made, text })).toEqual(expect.arrayContaining(CREATES));
  });

  const [JANE, JOE] = ["tenancy_user_profile.jane", "tenancy_user_profile.joe"];

  test.each<readonly [string, PlanOptions, string]>([
    ["a flag", given({ allowAccountDeletion: true }), "the flag allowAccountDeletion"],
    ["a flag that it was made without", given({ destroy: true }), "the flag destroy"],
    ["a secret", given({}, "another"), `${JANE}.password_wo, ${JOE}.password_wo`],
    [
      "a variable, and a secret of what changes with it",
      given({ variables: { city: "Bonn" } }, "another"),
      `var.city, tenancy_account.acme, ${JANE}, ${JOE}`,
    ],
    [
      "a sensitive variable",
      given({ environment: { TF_VAR_code: "c-0815" } }),
      "var.code, tenancy_authorization.token",
    ],
  ])("and refused where it is given another value of %s", async (_what, options, what) => {
    const [project, made] = await begun();
    const [told = ""] = await planned(project, made, options);
    const sorted = (text: string) =>
      text
        .replace(/^.*: | changed since$/g, "")
        .split(", ")
        .sort();
    expect(sorted(told)).toEqual(what.split(", ").sort());
    expect(project.service.records.profiles.map(({ login }) => login)).not.toContain("jane@acme");
  });

  test("and refused where another value of a variable is given than the one that it was made with", async () => {
    const project = await start();
    const made = await saved(project, given({ variables: { city: "Paris" } }));
    expect(await planned(project, made, given({ variables: { city: "Bonn" } }))).toEqual(
      outdated("the variable city"),
    );
    expect(await planned(project, made, given({ variables: { city: "Paris" } }))).toHaveLength(5);
  });

  test("and refused where the service or the stack is another one", async () => {
    const [project, made] = await begun();
    const other = project.synthesize((stack) => {
      acme(stack);
      new TerraformVariable(stack, "unused", { type: "string", default: "" });
    });
    const [told = ""] = await planned(project, { ...made, source: other });
    expect(told).toMatch(/: the synthesized stack, var[.]unused changed since$/);
    project.service.records.patchAccount("acme", { limits: { vss_num: 5 } });
    expect(await planned(project, made)).toEqual(outdated("tenancy_account.acme"));
  });

  test("and refused where the state is gone that its digests were keyed with", async () => {
    const project = await start();
    await project.apply(acme, given({ only: ["tenancy_account.initech"] }));
    const made = await saved(project, given());
    await rm(dirname(project.state), { recursive: true });
    expect((await planned(project, made))[0]).toContain(": the state, ");
  });
});

describe("a saved plan that trusted a token which has ended since", () => {
  const withToken =
    (limit: number): Build =>
    (stack) => {
      const { id: accountId } = new Account(stack, "acme", {
        name: "acme",
        permissions: {},
        limitsVssNum: limit,
      });
      const { login } = new UserProfile(stack, "csi", { accountId, username: "csi", permissions: {} });
      new Authorization(stack, "prod", { login, name: "prod", loginWith: "temporary_password" });
      const provider = new TenancyProvider(stack, "second", { alias: "second", owner: "initech-platform" });
      new Account(stack, "initech", { name: "initech", permissions: {}, provider });
    };

  /** What an apply of the plan tells that tries the tokens; `happens` after the token has ended. */
  async function refused(happens: (project: Project) => Promise<void> = () => Promise.resolve()) {
    const project = await start();
    await project.apply(withToken(1));
    const made = await saved(project, {}, project.synthesize(withToken(2)));
    const serial = /"serial": ?"([^"]+)"/.exec(await readFile(project.state, "utf8"))?.[1] ?? "";
    project.service.records.revokeToken(serial);
    await happens(project);
    const stop = new AbortController();
    const options = project.options({ verifyTokens: true, signal: stop.signal });
    const [finding] = await findings(planSaved(made.text, made.source, options));
    expect(finding?.code).toBe("TENANCY_PLAN_OUTDATED");
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
    return { project, serial, made, advice: finding?.advice };
  }

  test("is out of date, says that the state has noted it, and leaves nothing open or locked", async () => {
    const { project, serial, advice } = await refused();
    expect(advice).toMatch(/^The state was wrong about a token\. The state is corrected/);
    expect(await readFile(project.state, "utf8")).toMatch(new RegExp(`"refused":\\[{"serial":"${serial}"`));
    expect(existsSync(`${project.state}.lock`)).toBe(false);
  });

  test("says with which flag to plan where the state cannot be written", async () => {
    const { project, advice } = await refused(({ state }) => symlink(state, `${state}.lock`));
    expect(advice).toContain("Nothing was written. Make a new plan with --verify-tokens.");
    expect(await readFile(project.state, "utf8")).not.toContain("refused_at");
  });

  test("notes nothing where something else has changed alone", async () => {
    const { project, made } = await refused();
    const before = await readFile(project.state, "utf8");
    project.service.records.patchAccount("acme", { limits: { vss_num: 5 } });
    const again = project.options({ verifyTokens: true });
    const [finding] = await findings(planSaved(made.text, made.source, again));
    expect(finding?.code).toBe("TENANCY_PLAN_OUTDATED");
    expect(finding?.advice).not.toMatch(/state|--verify-tokens/);
    expect(await readFile(project.state, "utf8")).toBe(before);
  });
});
