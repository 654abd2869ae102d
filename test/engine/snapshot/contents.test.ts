/**
 * What a snapshot holds, what it never holds, and what a plan says of what it lacks: covers src/state/published.ts, src/engine/snapshot,
 * src/engine/options.ts and src/lib/simulator/seed.ts.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TerraformOutput, type TerraformStack, TerraformVariable } from "cdktf";
import {
  Account,
  Authorization,
  DataTenancyAccountUsage,
  DataTenancyUserProfile,
  Permissions,
  Tenant,
  UserProfile,
} from "tenancy";
import {
  type plan,
  type PlanOptions,
  type SnapshotOptions,
  snapshotRecords,
  type StackSource,
  takeSnapshot,
} from "../../../src/engine";
import { jsonPlan } from "../../../src/render/json";
import { paint, planText } from "../../../src/render/text";
import { startSimulator } from "../../../src/lib/simulator";
import { NOT_IN_SNAPSHOT } from "../../../src/lib/values";
import {
  actions,
  type Build,
  changeAt,
  codes,
  findings,
  type Project,
  projects,
} from "../../support/projects";

const start = projects();

/** Takes a snapshot, and gives what it takes to plan from it. */
async function taken(
  project: Project,
  declared: Build | StackSource | undefined,
  options: SnapshotOptions = {},
): Promise<{
  readonly file: string;
  readonly text: string;
  readonly plan: (build: Build | StackSource, more?: PlanOptions) => ReturnType<typeof plan>;
}> {
  const source = typeof declared === "function" ? project.synthesize(declared) : declared;
  const text = await takeSnapshot(source === undefined ? [] : [source], project.options(options));
  const file = join(project.folder, "live.json");
  await writeFile(file, text);
  return { file, text, plan: (build, more = {}) => project.plan(build, { fromSnapshot: { file }, ...more }) };
}

type Shown = { readonly record: Readonly<Record<string, unknown>>; readonly left_out: readonly string[] };

function profileIn(text: string, login: string): Shown {
  const { services } = JSON.parse(text) as { services: { profiles: Shown[] }[] };
  const found = services.flatMap(({ profiles }) => profiles).find(({ record }) => record["login"] === login);
  if (found === undefined) throw new Error(`there is no ${login}`);
  return found;
}

describe("no secret of the service or of the state is in a snapshot", () => {
  const CANARY = "canary-of-a-talkative-service";
  const secrets = {
    TF_VAR_password: "canary-password",
    TF_VAR_secret: "cafe00000000000000000000000000ff",
    TF_VAR_keeper: "canary-keeper",
  };
  const build =
    (year: string): Build =>
    (stack) => {
      const [password, secret, keeper] = ["password", "secret", "keeper"].map(
        (name) => new TerraformVariable(stack, name, { type: "string", sensitive: true }).stringValue,
      );
      const contact = { firstName: "Ann", phone: "+49151000001", email: "ann@acme.example" };
      const acme = new Account(stack, "acme", {
        name: "acme",
        primaryContact: contact,
        billingContact: contact,
        permissions: {},
      });
      acme.addOverride("password_wo", password);
      acme.addOverride("password_wo_version", 1);
      const csi = new UserProfile(stack, "csi", {
        username: "csi",
        accountId: acme.id,
        permissions: {},
        email: "csi@acme.example",
        sms: "+49151000002",
        twoFactorSecurityEmail: "safe@acme.example",
        passwordWo: password!,
        passwordWoVersion: 1,
        twoFactorSecretWo: secret!,
        twoFactorSecretWoVersion: 1,
        twoFactorPrivateIdWo: secret!,
        twoFactorPrivateIdWoVersion: 1,
      });
      new Authorization(stack, "token", {
        login: csi.login,
        name: "prod",
        passwordWo: password!,
        keepers: { year, hidden: keeper! },
      });
    };

  test.each([
    ["plain", {}],
    ["in full", { full: true, usage: true }],
    ["without a project", { none: true }],
  ])("%s", async (_what, { none = false, ...options }: SnapshotOptions & { none?: boolean }) => {
    const project = await start({ contacts: "full" });
    const { service } = project;
    await project.apply(build("1"), { environment: secrets });
    await project.apply(build("2"), { environment: secrets });
    service.fail({
      path: /^\/api\/(account|user-profile|status)/,
      times: 99,
      alter: (body) => ([body].flat().length > 0 ? talkative(body) : body),
    });
    const { text } = await taken(project, none ? undefined : build("2"), {
      environment: secrets,
      ...options,
    });
    const state = JSON.parse(await readFile(project.state, "utf8")) as {
      parts: {
        key: string;
        tokens: { record: Record<string, unknown>; previous: object[] }[];
        objects: { objects: Record<string, { secrets?: object }> };
      }[];
    };
    const kept = state.parts.flatMap(({ key, tokens, objects: { objects } }) => [
      key,
      ...tokens.flatMap(({ record, previous }) => [
        record["access_token"],
        record["access_token_digest"],
        ...previous.map((one) => (one as { access_token: string }).access_token),
      ]),
      ...Object.values(objects).flatMap(({ secrets: versions = {} }) =>
        Object.values(versions).flatMap((one) => (one as { hash: string | null }).hash ?? []),
      ),
    ]);
    const profiles = service.records.profiles.flatMap(({ sms, two_factor: two, password }) => [
      sms?.token,
      two.secret,
      two.private_id,
      password?.digest,
      password?.salt,
    ]);
    const contacts = service.records.accounts.flatMap(({ primary_contact: one, billing_contact: two }) => [
      one.phone?.token,
      one.email?.token,
      two?.phone?.token,
      two?.email?.token,
    ]);
    const tokens = service.records.authorizations.flatMap((one) => [one.access_token_digest]);
    const all = [...Object.values(secrets), CANARY, ...kept, ...profiles, ...contacts, ...tokens].filter(
      (one): one is string => typeof one === "string" && one !== "",
    );
    expect(all.length).toBeGreaterThan(20);
    expect(
      all.filter((secret) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1))),
    ).toEqual([]);
  });

  function talkative(body: unknown): unknown {
    if (Array.isArray(body)) return body.map(talkative);
    const record = body as Record<string, unknown>;
    return {
      ...record,
      debug: CANARY,
      password: CANARY,
      access_token: CANARY,
      two_factor: { ...(record["two_factor"] as object), secret: CANARY },
      limits: { ...(record["limits"] as object), why: CANARY },
      access: { ...(record["access"] as object), why: CANARY },
      ec: { status: "current", table: { v: CANARY } },
      permissions: {
        ...(record["permissions"] as object),
        [`${CANARY} `]: { rights: { a: true } },
        vss: { rights: { x: true }, token: CANARY },
      },
    };
  }
});

describe("personal data", () => {
  const ours: Build = (stack) => {
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: { jane: { permissions: Permissions.none(), email: "jane@acme.example", xref: "4711" } },
    });
  };

  async function withStranger(): Promise<Project> {
    const project = await start({ contacts: "full" });
    await project.apply(ours);
    project.service.records.createAccount({
      name: "globex",
      primary_contact: { first_name: "Grace", phone: "+49" },
    });
    project.service.records.createProfile("acme", {
      username: "eve",
      email: "eve@home.example",
      sms: "+4912345678901234567",
      xref: "xref-of-eve",
    });
    return project;
  }

  test("is taken of what a stack manages, and of nobody else", async () => {
    const project = await withStranger();
    const { text } = await taken(project, ours);
    expect(profileIn(text, "jane@acme").record).toMatchObject({ email: "jane@acme.example", xref: "4711" });
    const eve = profileIn(text, "eve@acme");
    expect(eve.record).toMatchObject({ login: "eve@acme", access: { api: true } });
    expect(eve.left_out).toEqual(expect.arrayContaining(["email", "sms", "xref", "sessions"]));
    expect(text).not.toMatch(/eve@home|4912345678901234|xref-of-eve|Grace/);
  });

  test("is taken of everybody with --full", async () => {
    const project = await withStranger();
    const { text } = await taken(project, ours, { full: true });
    expect(profileIn(text, "eve@acme").record).toMatchObject({
      email: "eve@home.example",
      xref: "xref-of-eve",
      sessions: [],
    });
    expect(text).toContain("Grace");
  });

  test("of a user whom a change imports is unknown, and marked so", async () => {
    const project = await withStranger();
    const live = await taken(project, ours);
    const made = await live.plan((stack) => {
      ours(stack);
      const accountId = project.service.records.account("acme").id;
      new UserProfile(stack, "eve", {
        username: "eve",
        accountId,
        permissions: {},
        email: "eve@acme.example",
      }).importFrom("eve@acme");
    });
    const change = changeAt(made, "tenancy_user_profile.eve");
    expect(change.notes).toContain("email is not known here: only the apply shows whether it changes");
    expect(planText(made, paint(false))).toContain('(not known here) -> "eve@acme.example"');
    expect(jsonPlan(made).resource_changes.find(({ address }) => address === change.address)).toMatchObject({
      change: { actions: ["update"], before_unknown: { email: true } },
    });
  });
});

describe("data sources", () => {
  const build: Build = (stack) => {
    const acme = new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none() });
    const usage = new DataTenancyAccountUsage(stack, "usage", { accountId: acme.account.id });
    const eve = new DataTenancyUserProfile(stack, "eve", { login: "eve@acme" });
    new TerraformOutput(stack, "disks", { value: usage.vdiskNum });
    new TerraformOutput(stack, "email", { value: eve.email });
    new TerraformOutput(stack, "level", { value: eve.level });
  };

  test("are answered by the snapshot, and what it lacks is unknown with a warning", async () => {
    const project = await start();
    await project.apply(
      (stack) => void new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none() }),
    );
    project.service.records.createProfile("acme", { username: "eve", email: "eve@home.example", level: 3 });
    const outputs = async (options: SnapshotOptions) => {
      const made = await (await taken(project, build, options)).plan(build);
      return {
        ...Object.fromEntries(
          made.outputs.map(({ name, after }) => [name, typeof after === "object" ? "unknown" : after]),
        ),
        codes: codes(made.warnings),
      };
    };
    expect(await outputs({})).toEqual({
      disks: "unknown",
      email: "unknown",
      level: 3,
      codes: ["TENANCY_NOT_IN_SNAPSHOT"],
    });
    expect(await outputs({ usage: true, full: true })).toEqual({
      disks: 0,
      email: "eve@home.example",
      level: 3,
      codes: [],
    });
  });
});

describe("the state's objects", () => {
  const token =
    (keepers: Record<string, string>, sensitive = false): Build =>
    (stack) => {
      const secret = new TerraformVariable(stack, "secret", { type: "string", sensitive: true });
      const hidden = sensitive ? { hidden: secret.stringValue } : {};
      const acme = new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        users: { csi: { permissions: Permissions.none() } },
      });
      const made = new Authorization(stack, "token", {
        login: acme.user("csi").login,
        name: "prod",
        loginWith: "temporary_password",
        keepers: { ...keepers, ...hidden },
      });
      new TerraformOutput(stack, "out", { value: made.accessToken, sensitive: true });
    };
  const environment = { TF_VAR_secret: "the value of today" };

  test("tells tokens and their keepers: nothing changes, a rotation is due, and no secret is needed", async () => {
    const project = await start();
    await project.apply(token({ year: "1" }), { environment });
    const live = await taken(project, token({ year: "1" }), { environment });
    const made = await live.plan(token({ year: "1" }));
    expect(actions(made)).toEqual([]);
    expect(made.outputs).toMatchObject([{ name: "out", action: "none" }]);
    expect(made.warnings).toEqual([]);
    expect(changeAt(made, "tenancy_authorization.token").before?.["access_token"]).toBe(NOT_IN_SNAPSHOT);
    expect(actions(await live.plan(token({ year: "2" })))).toEqual(["update tenancy_authorization.token"]);
  });

  /** The provider's own token, whose keepers are as they are written. */
  const own =
    (
      keepers?: (stack: TerraformStack) => string | Record<string, string>,
      ignoreChanges: string[] = [],
    ): Build =>
    (stack) => {
      const password = new TerraformVariable(stack, "password", { type: "string", sensitive: true });
      const made = new Authorization(stack, "own", {
        login: "system",
        name: "own",
        passwordWo: password.stringValue,
        retainPrevious: 9,
        lifecycle: { ignoreChanges },
      });
      if (keepers !== undefined) made.addOverride("keepers", keepers(stack));
    };
  const secretKeepers = (stack: TerraformStack) =>
    new TerraformVariable(stack, "keepers", { type: "map(string)", sensitive: true }).fqn;
  const NOTE = "is not known here: only the apply shows whether it changes";

  test("tells that there are no keepers, and of those that are secret together that it cannot tell", async () => {
    const project = await start();
    const given = { environment: { TF_VAR_password: "system", TF_VAR_keepers: '{"hidden":"h1"}' } };
    const update = ["update tenancy_authorization.own"];
    const year = () => ({ year: "1" });
    await project.apply(own(), { ...given, initState: true });
    const bare = await taken(project, own(), given);
    expect(actions(await bare.plan(own(), given))).toEqual([]);
    expect(actions(await bare.plan(own(year), given))).toEqual(update);
    await project.apply(own(year), given);
    expect(actions(await (await taken(project, own(year), given)).plan(own(), given))).toEqual(update);
    await project.apply(own(secretKeepers), given);
    const live = await taken(project, own(secretKeepers), given);
    for (const environment of [given.environment, { TF_VAR_password: "system" }]) {
      const made = await live.plan(own(secretKeepers), { environment });
      expect(actions(made)).toEqual([]);
      expect(changeAt(made, "tenancy_authorization.own").notes).toEqual([`keepers ${NOTE}`]);
    }
    const ignored = await live.plan(own(secretKeepers, ["keepers"]), given);
    expect(changeAt(ignored, "tenancy_authorization.own").notes).toEqual([]);
    const later = own((stack) => `\${jsondecode(${new Account(stack, "other", { name: "other" }).fqn}.id)}`);
    expect(actions(await live.plan(later, given))).toEqual(expect.arrayContaining(update));
  });

  test("holds no keepers if one is sensitive: they count as unchanged, and are noted", async () => {
    const project = await start();
    await project.apply(token({ year: "1" }, true), { environment });
    const live = await taken(project, token({ year: "1" }, true), { environment });
    expect(live.text).not.toContain("the value of today");
    for (const year of ["1", "2"])
      for (const known of [{}, { environment }]) {
        const made = await live.plan(token({ year }, true), known);
        expect(actions(made)).toEqual([]);
        expect(changeAt(made, "tenancy_authorization.token").notes).toEqual([`keepers ${NOTE}`]);
      }
  });

  test("holds no keeper that was sensitive when its token was created, although the code shows another value now", async () => {
    const project = await start();
    await project.apply(token({ year: "1" }, true), { environment });
    const plain = token({ year: "1", hidden: "not sensitive" });
    expect((await taken(project, plain, { environment })).text).not.toContain("the value of today");
    await project.apply(plain, { environment });
    const live = await taken(project, plain, { environment });
    expect(actions(await live.plan(plain))).toEqual([]);
    expect(live.text).toContain("not sensitive");
  });

  test("tells a number that the service masks and the code shows", async () => {
    const project = await start();
    const user =
      (sms: string): Build =>
      (stack) => {
        new Tenant(stack, "acme", {
          name: "acme",
          permissions: Permissions.none(),
          users: { jane: { permissions: Permissions.none(), sms } },
        });
      };
    await project.apply(user("+49151001"));
    const live = await taken(project, user("+49151001"));
    expect(actions(await live.plan(user("+49151001")))).toEqual([]);
    expect(actions(await live.plan(user("+49151002")))).toEqual(["update tenancy_user_profile.acme_jane"]);
  });
});

test("whether an account is empty that goes: by its counters, or left to the apply with a warning", async () => {
  const project = await start();
  const nothing: Build = () => undefined;
  await project.apply((stack) => void new Account(stack, "acme", { name: "acme", permissions: {} }));
  project.service.records.setUsage("acme", { vdisk_num: 2 });
  const flags = { allowAccountDeletion: true, maxDeletes: 9 };
  const counted = await taken(project, nothing, { usage: true });
  expect(codes(await findings(counted.plan(nothing, flags)))).toEqual(["TENANCY_ACCOUNT_NOT_EMPTY"]);
  const made = await (await taken(project, nothing)).plan(nothing, flags);
  expect(actions(made)).toEqual(['delete tenancy_account.undeclared["acme"]']);
  expect(made.warnings).toMatchObject([
    {
      code: "TENANCY_NOT_IN_SNAPSHOT",
      summary: 'whether the account "acme" is empty is not in the snapshot',
    },
  ]);
});

test("a plan from a snapshot says what was deleted outside, as the plan from the service does", async () => {
  const project = await start();
  const build: Build = (stack) => {
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: { jane: { permissions: Permissions.operator() } },
    });
  };
  await project.apply(build);
  project.service.records.deleteProfile("jane@acme");
  const { plan: planFrom } = await taken(project, build);
  for (const made of [await project.plan(build), await planFrom(build)]) {
    const created = made.changes.filter(({ action }) => action === "create");
    expect(created.map(({ key, notes }) => [key, notes])).toEqual([
      ["jane@acme", ["deleted outside since the last apply"]],
    ]);
    expect(made.drift?.().map(({ kind }) => kind)).toEqual(["deleted"]);
  }
});

test("a simulator that begins with a snapshot gives the plans of the service", async () => {
  const project = await start({ contacts: "full" });
  const build =
    (vssNum: number): Build =>
    (stack) => {
      new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        limits: { vssNum },
        primaryContact: { firstName: "Ann", phone: "+49151", email: "ann@acme.example" },
        users: {
          jane: { permissions: Permissions.operator(), email: "jane@acme.example", sms: "+49151222" },
        },
      });
    };
  await project.apply(build(1));
  const { file } = await taken(project, build(1), { usage: true });
  const [records] = await snapshotRecords({ file });
  const simulator = await startSimulator({ contacts: "full", ...(records !== undefined && { records }) });
  try {
    const { baseUrl, username, password } = simulator;
    const environment = { TENANCY_BASE_URL: baseUrl, TENANCY_USERNAME: username, TENANCY_PASSWORD: password };
    expect(simulator.records.profile("jane@acme")).toMatchObject({
      id: project.service.records.profile("jane@acme").id,
    });
    // No state has recorded the objects of the other service.
    await project.apply(build(1), { environment, recover: true });
    expect(actions(await project.plan(build(1), { environment }))).toEqual([]);
    expect(actions(await project.plan(build(2), { environment }))).toEqual(["update tenancy_account.acme"]);
  } finally {
    await simulator.close();
  }
});
