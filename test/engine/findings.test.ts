/** Every finding of a plan has its address and its construct: covers src/engine/evaluate and src/engine/guard.ts. */
import { TerraformOutput, TerraformStack, TerraformVariable } from "cdktf";
import { Account, DataTenancyAccount, Permissions, TenancyProvider, Tenant, UserProfile } from "tenancy";
import { validate } from "../../src/engine";
import type { Diagnostic } from "../../src/problems";
import { formatPath } from "../../src/lib/values";
import { startService, json, html } from "../support/scripted-service";
import { codes, findings, projects, type Build } from "../support/projects";

const start = projects();

const brief = (all: readonly Diagnostic[]) =>
  all.map(({ code, address, attribute }) =>
    [code, address, attribute && formatPath(attribute)].filter(Boolean).join(" "),
  );

/** An account and a user with overrides, as a program that the compiler did not see would have them. */
const overridden =
  (account: object, user: object = {}): Build =>
  (stack) => {
    const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
    const jane = new UserProfile(stack, "jane", { username: "jane", accountId: acme.id, permissions: {} });
    for (const [name, value] of Object.entries(account)) acme.addOverride(name, value);
    for (const [name, value] of Object.entries(user)) jane.addOverride(name, value);
  };

const unfit: readonly (readonly [string, Build, readonly string[]])[] = [
  [
    "a text in place of a list",
    overridden({ unset: "x" }),
    ["TENANCY_INVALID_VALUE tenancy_account.acme unset"],
  ],
  [
    "a fractional quota",
    overridden({ limits_vss_num: 1.5 }),
    ["TENANCY_INVALID_VALUE tenancy_account.acme limits_vss_num"],
  ],
  [
    "a right that isn't one",
    overridden({}, { permissions: { "vss.manage_target": true } }),
    ['TENANCY_UNKNOWN_RIGHT tenancy_user_profile.jane permissions["vss.manage_target"]'],
  ],
  [
    "a name of 65 characters",
    overridden({ name: "a".repeat(65) }),
    ["TENANCY_INVALID_VALUE tenancy_account.acme name"],
  ],
  [
    "a word that the API does not know",
    overridden({}, { app_default: "games" }),
    ["TENANCY_INVALID_VALUE tenancy_user_profile.jane app_default"],
  ],
  [
    "a uuid that isn't one",
    overridden({ uuid: "acme" }),
    ["TENANCY_INVALID_VALUE tenancy_account.acme uuid"],
  ],
  [
    "an e-mail address that isn't one",
    overridden({}, { email: "jane" }),
    ["TENANCY_INVALID_VALUE tenancy_user_profile.jane email"],
  ],
  [
    "a username with an @",
    overridden({}, { username: "jane@acme" }),
    ["TENANCY_INVALID_VALUE tenancy_user_profile.jane username"],
  ],
  [
    "text where a number belongs",
    overridden({ level: "high" }),
    ["TENANCY_INVALID_VALUE tenancy_account.acme level"],
  ],
  [
    "an attribute that the service gives",
    overridden({ disabled: true }),
    ["TENANCY_INVALID_VALUE tenancy_account.acme disabled"],
  ],
  [
    "a name that is missing",
    overridden({ name: undefined }),
    ["TENANCY_MISSING_ATTRIBUTE tenancy_account.acme name"],
  ],
  [
    "a star beside nodes",
    overridden({}, { node_scope: ["node:1:7", "*"] }),
    ["TENANCY_INVALID_VALUE tenancy_user_profile.jane node_scope"],
  ],
  [
    "the same account twice",
    (stack) => ["a", "b"].forEach((id) => new Account(stack, id, { name: "acme", permissions: {} })),
    ["TENANCY_DECLARED_TWICE tenancy_account.b"],
  ],
  [
    "the same user twice, in an account that is yet to be made",
    (stack) => {
      const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
      for (const id of ["a", "b"])
        new UserProfile(stack, id, { username: "jane", accountId: acme.id, permissions: {} });
    },
    ["TENANCY_DECLARED_TWICE tenancy_user_profile.b"],
  ],
  [
    "a circle",
    overridden({ "primary_contact.first_name": "${tenancy_user_profile.jane.id}" }),
    ["TENANCY_CYCLE tenancy_account.acme"],
  ],
  [
    "a reference to nothing",
    overridden({ "primary_contact.first_name": "${tenancy_account.nobody.name}" }),
    ["TENANCY_UNDECLARED_NAME tenancy_account.acme"],
  ],
  [
    "a variable that is missing",
    (stack) => {
      const name = new TerraformVariable(stack, "name", { type: "string" });
      new Account(stack, "acme", { name: name.stringValue, permissions: {} });
    },
    ["TENANCY_INVALID_VARIABLE var.name"],
  ],
  [
    "an unknown set of what is to be taken away",
    overridden({}, { unset: "${[tenancy_account.acme.id]}" }),
    ["TENANCY_INVALID_VALUE tenancy_user_profile.jane unset"],
  ],
];

describe("before anything is written", () => {
  test.each(unfit)("%s is found, at its place", async (_what, build, expected) => {
    const project = await start();
    const found = await findings(project.plan(build));
    expect(brief(found).map((line) => line.trim())).toEqual(expect.arrayContaining([...expected]));
    expect(found.filter(({ severity }) => severity === "error")).toHaveLength(expected.length);
    expect(
      project.service.requests.every(({ method, path }) => method === "GET" || path.endsWith("token")),
    ).toBe(true);
  });

  test.each(unfit.filter(([what]) => !/variable|unknown set/.test(what)))(
    "%s is found by validate, which asks nobody",
    async (_what, build, expected) => {
      const project = await start();
      const { environment: _environment, ...offline } = project.options();
      const found = await findings(validate(project.synthesize(build), offline));
      expect(brief(found)).toEqual(expect.arrayContaining([...expected]));
      expect(project.service.requests).toEqual([]);
    },
  );

  test("a misspelt attribute of a data source is found by validate, which does not read it", async () => {
    const project = await start();
    const source = project.synthesize((stack) => {
      const acme = new DataTenancyAccount(stack, "acme", { name: "acme" });
      new TerraformOutput(stack, "quota", { value: `\${${acme.fqn}.limits_vss_nun}` });
    });
    expect(await findings(validate(source, project.options()))).toMatchObject([
      { code: "TENANCY_EXPRESSION", advice: 'Did you mean "limits_vss_num"?' },
    ]);
    expect(project.service.requests).toEqual([]);
  });

  test("what decides over what is taken away need not be known yet to validate", async () => {
    const project = await start();
    const source = project.synthesize((stack) => {
      const names = new TerraformVariable(stack, "names", { type: "set(string)" });
      new Account(stack, "acme", { name: "acme", permissions: {}, unset: names.listValue });
    });
    expect(await validate(source, project.options())).toEqual([]);
  });

  test("an import block whose id is known only after apply is refused by name", async () => {
    const project = await start();
    const build: Build = (stack) => {
      new Account(stack, "other", { name: "other", permissions: {} });
      new Account(stack, "acme", { name: "acme", permissions: {} });
      stack.addOverride("import", [{ to: "tenancy_account.acme", id: "${tenancy_account.other.id}" }]);
    };
    expect(brief(await findings(project.plan(build)))).toEqual([
      "TENANCY_NOT_YET_KNOWN tenancy_account.acme",
    ]);
  });

  test("everything is found at once, each with its address and the path of its construct", async () => {
    const project = await start();
    const build: Build = (stack) => {
      new Tenant(stack, "acme", {
        name: "a".repeat(65),
        permissions: Permissions.none(),
        users: { jane: { email: "jane" } },
      });
      const other = new Account(stack, "other", { name: "other", permissions: {} });
      other.addOverride("primary_contact.first_name", '${file("nowhere.txt")}');
    };
    const found = (await findings(project.plan(build))).filter(({ severity }) => severity === "error");
    expect(found).toHaveLength(3);
    const places = found.map(({ address, constructPath, attribute = [] }) => [
      address,
      constructPath,
      formatPath(attribute),
    ]);
    expect(places.sort()).toEqual([
      ["tenancy_account.acme", "prod/acme/Resource", "name"],
      ["tenancy_account.other", "prod/other", "primary_contact.first_name"],
      ["tenancy_user_profile.acme_jane", "prod/acme/users/jane/Resource", "email"],
    ]);
  });

  test("what is wrong in the stack is found although the service cannot be reached", async () => {
    const project = await start();
    const build: Build = (stack) =>
      void new Account(stack, "acme", { name: "a".repeat(65), permissions: {} });
    const source = project.synthesize(build, { owner: "acme-platform", retryTimeout: "0s" });
    const environment = { TENANCY_BASE_URL: "http://127.0.0.1:9" };
    const found = await findings(project.plan(source, { environment }));
    expect(brief(found).sort()).toEqual([
      "TENANCY_API_UNREACHABLE provider.tenancy",
      "TENANCY_INVALID_VALUE tenancy_account.acme name",
    ]);
  });

  test("text of users that holds ${ is text", async () => {
    const project = await start();
    const build: Build = (stack) =>
      void new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        primaryContact: { firstName: "${not} %{a} template" },
      });
    await project.apply(build);
    expect(project.service.records.account("acme").primary_contact.first_name).toBe("${not} %{a} template");
  });
});

describe("a provider", () => {
  const account: Build = (stack) => void new Account(stack, "acme", { name: "acme", permissions: {} });

  test.each<[string, Record<string, string>, object, string]>([
    ["without an owner and without a state", { TENANCY_STATE: "none" }, {}, "TENANCY_INCOMPLETE_PROVIDER"],
    ["without an address", { TENANCY_BASE_URL: "" }, { owner: "o" }, "TENANCY_INCOMPLETE_PROVIDER"],
    [
      "without credentials",
      { TENANCY_USERNAME: "", TENANCY_PASSWORD: "" },
      { owner: "o" },
      "TENANCY_INCOMPLETE_PROVIDER",
    ],
    ["with a wrong password", { TENANCY_PASSWORD: "wrong" }, { owner: "o" }, "TENANCY_API_UNAUTHENTICATED"],
    [
      "over plain http beyond this machine",
      { TENANCY_BASE_URL: "http://storage.example" },
      { owner: "o" },
      "TENANCY_INVALID_SETTING",
    ],
    [
      "with an address that isn't one",
      { TENANCY_BASE_URL: "storage" },
      { owner: "o" },
      "TENANCY_INVALID_SETTING",
    ],
    ["with an owner that cannot be one", {}, { owner: " o " }, "TENANCY_INVALID_SETTING"],
    [
      "that is down",
      { TENANCY_BASE_URL: "http://127.0.0.1:9" },
      { owner: "o", retryTimeout: "0s" },
      "TENANCY_API_UNREACHABLE",
    ],
    [
      "with a file of certificates that is not there",
      {},
      { owner: "o", caFile: "/nowhere.pem" },
      "TENANCY_INVALID_SETTING",
    ],
  ])("%s is one finding", async (_what, environment, config, code) => {
    const project = await start();
    const build: Build = (stack) => {
      account(stack);
      new Account(stack, "other", { name: "other", permissions: {} });
    };
    const found = await findings(project.plan(project.synthesize(build, config), { environment }));
    expect(codes(found)).toEqual([code]);
  });

  test.each<[string, object, string]>([
    ["an address of another kind", { owner: "o", baseUrl: "ftp://storage.example" }, "INVALID_SETTING"],
    ["plain http beyond this machine", { owner: "o", baseUrl: "http://storage.example" }, "INVALID_SETTING"],
    ["an owner that cannot be one", { owner: " o " }, "INVALID_SETTING"],
    ["two identities", { owner: "o", token: "${var.secret}", username: "jane" }, "INVALID_VALUE"],
    ["a secret for codes that isn't one", { owner: "o", totpSecret: "${var.secret}" }, "INVALID_SETTING"],
  ])("with %s is refused though nothing is declared, and by validate too", async (_what, config, fault) => {
    const project = await start();
    const source = project.synthesizeApp((app) => {
      const stack = new TerraformStack(app, "prod");
      new TerraformVariable(stack, "secret", { type: "string", sensitive: true });
      new TenancyProvider(stack, "service", config);
    });
    const environment = { TF_VAR_secret: "!!" };
    const code = `TENANCY_${fault}`;
    expect(codes(await findings(project.plan(source, { environment })))).toEqual([code]);
    expect(await findings(validate(source, project.options({ environment })))).toMatchObject([
      { code, address: "provider.tenancy" },
    ]);
    expect(project.service.requests).toEqual([]);
  });

  test("without an owner is refused without a state though nothing is declared; validate leaves that to the environment", async () => {
    const project = await start();
    const source = project.synthesize(() => undefined, {});
    expect(codes(await findings(project.plan(source, { state: { path: "none" } })))).toEqual([
      "TENANCY_INCOMPLETE_PROVIDER",
    ]);
    expect(await validate(source, project.options())).toEqual([]);
  });

  test("that is known only after apply is refused by name", async () => {
    const project = await start();
    const source = project.synthesizeApp((app) => {
      const stack = new TerraformStack(app, "prod");
      const first = new TenancyProvider(stack, "service", { owner: "acme-platform" });
      const acme = new Account(stack, "acme", { name: "acme", permissions: {}, provider: first });
      const provider = new TenancyProvider(stack, "second", { alias: "second", owner: acme.id });
      new Account(stack, "other", { name: "other", permissions: {}, provider });
    });
    expect(await findings(project.plan(source))).toMatchObject([
      { code: "TENANCY_NOT_YET_KNOWN", address: "provider.tenancy.second" },
    ]);
  });

  test("with a literal password earns a warning", async () => {
    const project = await start();
    const { username, password } = project.service;
    const source = project.synthesize(account, { owner: "acme-platform", username, password });
    const made = await project.plan(source);
    expect(brief(made.warnings)).toEqual(["TENANCY_LITERAL_SECRET provider.tenancy password"]);
  });

  test("takes its password from an ephemeral variable", async () => {
    const project = await start();
    const source = project.synthesizeApp((app) => {
      const stack = new TerraformStack(app, "prod");
      const pw = new TerraformVariable(stack, "pw", { type: "string", sensitive: true });
      pw.addOverride("ephemeral", true);
      new TenancyProvider(stack, "service", {
        owner: "acme-platform",
        username: "system",
        password: pw.stringValue,
      });
      account(stack);
    });
    const made = await project.plan(source, {
      environment: { TF_VAR_pw: "system", TENANCY_PASSWORD: "wrong" },
    });
    expect(made.warnings).toEqual([]);
  });
});

describe("a service", () => {
  const plan = async (script: Parameters<typeof startService>[0]) => {
    const project = await start();
    const service = await startService({
      "GET /api/status/authorization": json(200, { type: "user", serial: "USR1" }),
      "GET /api/user-profile": json(200, []),
      "GET /api/account": json(200, []),
      ...script,
    });
    const build: Build = (stack) => void new Account(stack, "acme", { name: "acme", permissions: {} });
    const source = project.synthesize(build, { owner: "acme-platform", retryTimeout: "0s" });
    return findings(project.plan(source, { environment: { TENANCY_BASE_URL: service.url } }));
  };

  test.each<[string, Parameters<typeof startService>[0], string]>([
    ["that is busy", { "GET /api/account": json(503, { status: 503, message: "busy" }) }, "TENANCY_API_BUSY"],
    [
      "behind a gateway that answers HTML",
      { "GET /api/account": html(502, "<h1>Bad Gateway</h1>") },
      "TENANCY_API_GATEWAY",
    ],
    [
      "that answers HTML as if all were well",
      { "GET /api/account": html(200, "<h1>Welcome</h1>") },
      "TENANCY_API_GATEWAY",
    ],
    ["whose list does not hold the caller", {}, "TENANCY_INCOMPLETE_LISTS"],
    ["that denies the lists", { "GET /api/account": json(403, { status: 403 }) }, "TENANCY_API_FORBIDDEN"],
  ])("%s is reported as such", async (_what, script, code) => {
    expect(codes(await plan(script))).toEqual([code]);
  });
});

test("validate gives warnings, and asks nobody", async () => {
  const project = await start();
  const build: Build = (stack) => {
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: { jane: { permissions: Permissions.none() } },
    });
    const jim = new UserProfile(stack, "jim", { username: "jim", accountId: "account:1:2", permissions: {} });
    jim.addOverride("password_wo", "in plain sight");
  };
  const warnings = await validate(project.synthesize(build), project.options());
  expect(brief(warnings)).toEqual(["TENANCY_LITERAL_SECRET tenancy_user_profile.jim password_wo"]);
  expect(project.service.requests).toEqual([]);
});

test("stacks that are not there, and folders without any, are named", async () => {
  const project = await start();
  const { outdir } = project.synthesize(() => undefined);
  expect(codes(await findings(project.plan({ name: "test", outdir })))).toEqual(["TENANCY_UNKNOWN_NAME"]);
  expect(codes(await findings(project.plan({ name: "prod", outdir: project.folder })))).toEqual([
    "TENANCY_SYNTHESIS_FAILED",
  ]);
});

test("a refused value is quoted where it is no secret", async () => {
  const project = await start();
  const of = async (overrides: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
    const found = await findings(
      project.plan(
        (stack) => {
          const address = new TerraformVariable(stack, "address", { type: "string", sensitive: true });
          const user = new UserProfile(stack, "jane", {
            username: "jane",
            accountId: "account:1:1",
            permissions: {},
          });
          for (const [name, value] of Object.entries(overrides))
            user.addOverride(name, value === "secret" ? `\${${address.fqn}}` : value);
        },
        { environment: { TF_VAR_address: "s3cr3t-one" } },
      ),
    );
    expect(JSON.stringify(found)).not.toContain("s3cr3t");
    return found.map(({ summary }) => summary);
  };
  expect(await of({ email: "jane.example" })).toEqual(['must be an e-mail address, not "jane.example"']);
  expect(await of({ level: "high" })).toEqual(['must be a whole number, not "high"']);
  expect(await of({ app_default: "storge" })).toEqual([
    'must be one of "storage", "infrastructure", "account", "securedrive", not "storge"',
  ]);
  expect(await of({ username: "jane@acme" })).toEqual(['must not contain "@", not "jane@acme"']);
  expect(await of({ email: "secret" })).toEqual([
    "must be an e-mail address",
    '"email" is sent and shown in plain, so it cannot have a sensitive value',
  ]);
  expect(await of({ password_wo: ["s3cr3t-two"] })).toEqual(["must be a string, not a list"]);
});
