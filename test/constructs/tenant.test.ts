/** Tenants, and what is synthesized of them: covers src/constructs/address.ts, l1-config.ts and index.ts, besides its own source. */
import { TerraformOutput, TerraformVariable, Testing } from "cdktf";
import { Account, Permissions, Secret, TenancyProvider, Tenant } from "tenancy";
import { Construct } from "constructs";
import { invalidValue, literalSecret, undeclaredName } from "../../src/problems";
import { Synthesized } from "./synthesized";
import { thrown } from "../support/thrown";

describe("a tenant", () => {
  test("is an account with its users and tokens", () => {
    const synthesized = new Synthesized();
    const acme = new Tenant(synthesized.stack, "acme", {
      name: "acme",
      limits: { vssNum: 20 },
      primaryContact: { company: "Acme", email: "storage@acme.example" },
      users: {
        jane: { email: "jane@acme.example", permissions: Permissions.operator() },
        csi: { permissions: Permissions.none().allow("vss.manage_snapshots") },
      },
      tokens: { "csi-prod": { user: "csi" } },
    });

    expect(synthesized.account("acme")).toEqual({
      name: "acme",
      limits_vss_num: 20,
      unset: ["limits_size_reserve_total"],
      primary_contact: { company: "Acme", email: "storage@acme.example" },
    });
    expect(synthesized.profile("acme_jane")).toMatchObject({
      account_id: "${tenancy_account.acme.id}",
      username: "jane",
      email: "jane@acme.example",
    });
    expect(synthesized.profile("acme_csi")).toMatchObject({
      permissions: { "vss.manage_snapshots": true },
      vss_scope: ["*"],
      node_scope: ["*"],
    });
    expect(synthesized.authorization("acme_csi-prod")).toMatchObject({
      name: "csi-prod",
      login: "${tenancy_user_profile.acme_csi.login}",
    });
    expect(acme.user("jane").login).toBe("jane@acme");
    expect(acme.token("csi-prod").login).toBe("csi@acme");
  });

  test("is suspended with all its users, and notes so for the engine", () => {
    const synthesized = new Synthesized();
    const acme = new Tenant(synthesized.stack, "acme", {
      name: "acme",
      suspended: true,
      users: { jane: { access: { web: true } }, joe: { suspended: false } },
    });
    acme.addUser("late");
    for (const one of ["acme_jane", "acme_joe", "acme_late"])
      expect(synthesized.profile(one)).toMatchObject({ access_web: false, access_api: false });
    expect(synthesized.account("acme")).toMatchObject({ access_web: false, access_api: false });
    expect(synthesized.whole).toMatchObject({
      resource: { tenancy_account: { acme: { "//": { metadata: {}, tenancy: { suspended: true } } } } },
    });
  });

  test("gives back what is declared, and both kinds of access where nothing is", () => {
    const synthesized = new Synthesized();
    const access = { web: false };
    new Tenant(synthesized.stack, "acme", {
      name: "acme",
      suspended: false,
      users: { jane: {}, joe: { access }, jim: { suspended: true } },
    });
    expect(synthesized.account("acme")).toMatchObject({ access_web: true, access_api: true });
    expect(synthesized.profile("acme_jane")).toMatchObject({ access_web: true, access_api: true });
    expect(synthesized.profile("acme_joe")).toMatchObject({ access_web: false, access_api: true });
    expect(synthesized.profile("acme_jim")).toMatchObject({ access_web: false, access_api: false });
    expect(
      () => new Tenant(synthesized.stack, "other", { name: "other", suspended: "yes" as never }),
    ).toThrow('"suspended" of tenant "other" must be true or false');
  });

  test("writes the rights that it grants, and both scopes", () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", { name: "acme", permissions: Permissions.none() });
    expect(synthesized.account("acme")).toEqual({
      name: "acme",
      permissions: {},
      vss_scope: ["*"],
      node_scope: ["*"],
    });
  });

  test("writes denied rights too where undeclared ones are kept, for there only they take something away", () => {
    const synthesized = new Synthesized();
    const permissions = Permissions.none().allow("vss.manage_rules").deny("vss.remove_vss");
    new Tenant(synthesized.stack, "acme", {
      name: "acme",
      users: { jane: { permissions, undeclaredRights: "keep" }, bob: { permissions } },
    });
    expect(synthesized.profile("acme_jane")["permissions"]).toEqual({
      "vss.manage_rules": true,
      "vss.remove_vss": false,
    });
    expect(synthesized.profile("acme_bob")["permissions"]).toEqual({ "vss.manage_rules": true });
  });

  test("lets access end: of a user, with all access that is not declared otherwise", () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", {
      name: "acme",
      accessUntil: "2027-06-30",
      users: {
        jane: { until: "2026-12-31" },
        bob: { until: "2026-12-31", access: { web: false } },
      },
    });
    expect(synthesized.account("acme")).toEqual({ name: "acme", access_until: "2027-06-30" });
    expect(synthesized.profile("acme_jane")).toMatchObject({
      access_web: true,
      access_api: true,
      access_until: "2026-12-31",
    });
    expect(synthesized.profile("acme_bob")).toMatchObject({ access_web: false, access_api: true });
  });

  test("takes a value away where it is null, and leaves alone what is not mentioned", () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", {
      name: "acme",
      billingContact: null,
      limits: { vssNum: null, sizeReserveTotal: 10 },
      users: { jane: { email: null, password: null, twoFactor: { auth: "none", securityEmail: null } } },
    });
    expect(synthesized.account("acme")).toEqual({
      name: "acme",
      limits_size_reserve_total: 10,
      unset: ["billing_contact", "limits_vss_num"],
    });
    expect(synthesized.profile("acme_jane")).toMatchObject({
      two_factor_auth: "none",
      unset: ["email", "password_wo", "two_factor_security_email"],
    });
  });

  test("has limits and provisioning whole once they are given: what they leave out is taken away", () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", { name: "acme", limits: {}, provisioning: { iopsReserveMax: 9 } });
    expect(synthesized.account("acme")).toEqual({
      name: "acme",
      provisioning_iops_reserve_max: 9,
      provisioning_tags_include: [],
      provisioning_tags_exclude: [],
      unset: [
        "limits_size_reserve_total",
        "limits_vss_num",
        "provisioning_size_reserve_max",
        "provisioning_tags_permit",
      ],
    });
  });

  test("leaves alone the kinds of access and the second factor that it does not mention", () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", {
      name: "acme",
      access: { web: false },
      users: { jane: { twoFactor: { auth: "none" } } },
    });
    expect(synthesized.account("acme")).toEqual({ name: "acme", access_web: false });
    expect(synthesized.profile("acme_jane")).not.toHaveProperty("unset");
  });

  test("keeps the dependencies that it is given", () => {
    const synthesized = new Synthesized();
    const first = new Tenant(synthesized.stack, "first", { name: "first" });
    new Tenant(synthesized.stack, "second", { name: "second", dependsOn: [first.account] });
    expect(synthesized.account("second")["depends_on"]).toEqual(["tenancy_account.first"]);
  });

  test("lives in the service of its provider, with all that is in it", () => {
    const synthesized = new Synthesized();
    const provider = new TenancyProvider(synthesized.stack, "eu", { alias: "eu", owner: "eu" });
    new Tenant(synthesized.stack, "acme", {
      name: "acme",
      provider,
      users: { csi: {} },
      tokens: { "csi-prod": { user: "csi" } },
    }).importFrom();
    expect(synthesized.account("acme")["provider"]).toBe("tenancy.eu");
    expect(synthesized.profile("acme_csi")["provider"]).toBe("tenancy.eu");
    expect(synthesized.authorization("acme_csi-prod")["provider"]).toBe("tenancy.eu");
    expect(synthesized.json["import"]).toEqual([
      { to: "tenancy_account.acme", id: "acme", provider: "tenancy.eu" },
    ]);
  });

  test("of a name that another tenant has is an error that names both", () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", { name: "acme" });
    new Tenant(synthesized.stack, "acme-again", { name: "acme" });
    expect(() => synthesized.json).toThrow(/TENANCY_DECLARED_TWICE.*platform\/acme and platform\/acme-again/);
  });

  test("may have the name of a tenant in another service", () => {
    const synthesized = new Synthesized();
    const provider = new TenancyProvider(synthesized.stack, "eu", { alias: "eu" });
    new Tenant(synthesized.stack, "acme", { name: "acme" });
    new Tenant(synthesized.stack, "acme-eu", { name: "acme", provider });
    expect(() => synthesized.json).not.toThrow();
  });

  test("at the address of another construct is an error that names both", () => {
    const synthesized = new Synthesized();
    new Account(synthesized.stack, "a", { name: "other" }).overrideLogicalId("acme");
    new Tenant(synthesized.stack, "acme", { name: "acme" });
    expect(() => synthesized.json).toThrow(
      /TENANCY_DECLARED_TWICE.*platform\/a and platform\/acme\/Resource/,
    );
  });
});

describe("tokens", () => {
  test("of a declared user refer to the user's login, so that a replaced user replaces the token", () => {
    const synthesized = new Synthesized();
    const acme = new Tenant(synthesized.stack, "acme", { name: "acme", users: { csi: {} } });
    acme.addToken("csi-prod", { user: "csi" });
    expect(synthesized.authorization("acme_csi-prod")["login"]).toBe(
      "${tenancy_user_profile.acme_csi.login}",
    );
  });

  test("of a user with a password are created with it; a new version of it does not concern them", () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", {
      name: "acme",
      users: { jane: { password: Secret.variable("jane_password", { version: 2 }) } },
      tokens: { laptop: { user: "jane" } },
    });
    expect(synthesized.authorization("acme_laptop")).toEqual({
      name: "laptop",
      login: "${tenancy_user_profile.acme_jane.login}",
      login_with: "password",
      password_wo: "${var.jane_password}",
      depends_on: ["tenancy_user_profile.acme_jane"],
    });
  });

  test("of a machine, which has no password, are created with a passing one", () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", {
      name: "acme",
      users: { csi: {}, backup: { password: null } },
      tokens: { "csi-prod": { user: "csi" }, nightly: { user: "backup" } },
    });
    expect(synthesized.authorization("acme_csi-prod")["login_with"]).toBe("temporary_password");
    expect(synthesized.authorization("acme_nightly")["login_with"]).toBe("temporary_password");
  });

  test("are created as they are told to be", () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", {
      name: "acme",
      users: { jane: { password: Secret.variable("jane_password") } },
      tokens: {
        machine: { user: "jane", loginWith: "temporary_password" },
        own: { user: "jane", password: Secret.variable("other", { version: 3 }) },
      },
    });
    expect(synthesized.authorization("acme_machine")).not.toHaveProperty("password_wo");
    expect(synthesized.authorization("acme_own")).toMatchObject({
      password_wo: "${var.other}",
      password_wo_version: 3,
    });
  });

  test("without a user act for the account's primary user profile", () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", {
      name: "acme",
      password: Secret.variable("acme_password"),
      tokens: { cinder: {} },
    });
    expect(synthesized.authorization("acme_cinder")).toEqual({
      name: "cinder",
      login: "acme",
      login_with: "password",
      password_wo: "${var.acme_password}",
      depends_on: ["tenancy_account.acme"],
    });
  });

  test("rotate when their keepers change, which are texts like others", () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", {
      name: "acme",
      users: { csi: {} },
      tokens: { "csi-prod": { user: "csi", keepers: { "since ${x}": "50 %{ off" } } },
    });
    expect(synthesized.authorization("acme_csi-prod")["keepers"]).toEqual({ "since $${x}": "50 %%{ off" });
  });

  test("of a user that does not exist are refused at run time too", () => {
    const { stack } = new Synthesized();
    const tokens = { "csi-prod": { user: "cis" as "csi" } };
    expect(() => new Tenant(stack, "acme", { name: "acme", users: { csi: {} }, tokens })).toThrow(
      thrown(undeclaredName),
    );
  });

  test("give their secret as a reference", () => {
    const synthesized = new Synthesized();
    const acme = new Tenant(synthesized.stack, "acme", { name: "acme", tokens: { cinder: {} } });
    const { accessToken } = acme.token("cinder");
    new TerraformOutput(synthesized.stack, "token", { value: accessToken, sensitive: true });
    expect(synthesized.json["output"]).toEqual({
      token: { value: "${tenancy_authorization.acme_cinder.access_token}", sensitive: true },
    });
  });
});

describe("names", () => {
  test.each([
    ["csi-prod", "acme_csi-prod"],
    ["jane_doe", "acme_jane__doe"],
    ["42", "acme_42"],
  ])("the user %s has the address %s", (username, address) => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", { name: "acme", users: { [username]: {} } });
    expect(synthesized.profile(address)["username"]).toBe(username);
  });

  test.each([
    "jane.doe",
    "jane/doe",
    "_jane",
    "Zoë",
    "日本",
    "a b",
    "Default",
    "Resource",
    "-",
    "constructor",
    "toString",
  ])("the user %j has an address that Terraform accepts", (username) => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", { name: "acme", users: { [username]: {} } });
    const profiles = (synthesized.json["resource"] as Record<string, Record<string, unknown>>)[
      "tenancy_user_profile"
    ];
    expect(Object.keys(profiles ?? {})).toEqual([expect.stringMatching(/^acme_[\w-]+$/)]);
    expect(Object.values(profiles ?? {})).toEqual([expect.objectContaining({ username })]);
  });

  test("that differ only in their punctuation have addresses of their own", () => {
    const synthesized = new Synthesized();
    const usernames = ["jane.doe", "jane-doe", "jane_doe", "jane/doe", "jane--doe", "jane doe", "jane..doe"];
    new Tenant(synthesized.stack, "acme", {
      name: "acme",
      users: Object.fromEntries(usernames.map((name) => [name, {}])),
    });
    new Tenant(synthesized.stack, "acme_jane", { name: "acme_jane", users: { doe: {} } });
    const profiles = (synthesized.json["resource"] as Record<string, object>)["tenancy_user_profile"];
    expect(Object.keys(profiles ?? {})).toHaveLength(usernames.length + 1);
  });

  test("a tenant whose id begins with a digit has a valid address", () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "3com", { name: "3com" });
    expect(synthesized.account("_3com")["name"]).toBe("3com");
  });

  test("addresses stay when other tenants and users come and go", () => {
    const alone = new Synthesized();
    new Tenant(alone.stack, "acme", { name: "acme", users: { jane: {} } });
    const among = new Synthesized();
    new Tenant(among.stack, "globex", { name: "globex", users: { jane: {} } });
    new Tenant(among.stack, "acme", { name: "acme", users: { bob: {}, jane: {} } });
    expect(among.profile("acme_jane")).toEqual(alone.profile("acme_jane"));
  });

  test("a username that only the apply will tell can have no address", () => {
    const { stack } = new Synthesized();
    const variable = new TerraformVariable(stack, "who", { type: "string" });
    expect(() => new Tenant(stack, "acme", { name: "acme", users: { [variable.stringValue]: {} } })).toThrow(
      thrown(invalidValue),
    );
  });
});

describe("a user's text", () => {
  test("is text, whatever stands in it", () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", {
      name: "acme",
      primaryContact: { company: "${x} %{if} $${y}", address: { addr: ["c/o ${z}"] } },
    });
    expect(synthesized.account("acme")["primary_contact"]).toEqual({
      company: "$${x} %%{if} $$${y}",
      address: { addr: ["c/o $${z}"] },
    });
  });

  test("may hold references, which stay references", () => {
    const synthesized = new Synthesized();
    const suffix = new TerraformVariable(synthesized.stack, "suffix", { type: "string" });
    new Tenant(synthesized.stack, "acme", {
      name: `acme-${suffix.stringValue}`,
      primaryContact: { company: `\${x} for $${suffix.stringValue}` },
      users: { jane: {} },
      tokens: { laptop: { user: "jane" } },
    });
    expect(synthesized.account("acme")).toMatchObject({
      name: "acme-${var.suffix}",
      primary_contact: { company: '$${x} for ${"$"}${var.suffix}' },
    });
    expect(synthesized.authorization("acme_laptop")["login"]).toBe("${tenancy_user_profile.acme_jane.login}");
  });

  test("that a reference to a number was put into is refused, and says how to do it", () => {
    const { stack } = new Synthesized();
    const count = new TerraformVariable(stack, "count_of", { type: "number" });
    const company = `number ${count.numberValue}`;
    expect(() => new Tenant(stack, "acme", { name: "acme", primaryContact: { company } })).toThrow(
      expect.objectContaining({ advice: expect.stringContaining("Token.asString") as string }) as Error,
    );
  });

  test("numbers may be references", () => {
    const synthesized = new Synthesized();
    const quota = new TerraformVariable(synthesized.stack, "quota", { type: "number" });
    new Tenant(synthesized.stack, "acme", { name: "acme", limits: { vssNum: quota.numberValue } });
    expect(synthesized.account("acme")["limits_vss_num"]).toBe("${var.quota}");
  });
});

test("users and tokens that are declared at times only are left out at other times", () => {
  const declared = (isProduction: boolean) => {
    const synthesized = new Synthesized();
    const tenant = new Tenant(synthesized.stack, "acme", {
      name: "acme",
      users: { jane: {}, ...(isProduction ? { ops: {} } : {}), dev: isProduction ? undefined : {} },
      tokens: { laptop: { user: "jane" }, ...(isProduction && { nightly: { user: "ops" } }) },
    });
    return { tenant, json: JSON.stringify(synthesized.json["resource"]) };
  };
  expect(declared(true).json).toMatch(/"acme_ops"/);
  expect(declared(true).json).toMatch(/"acme_nightly"/);
  expect(declared(true).json).not.toContain("acme_dev");
  expect(declared(false).json).not.toMatch(/acme_ops|acme_nightly/);
  expect(declared(false).tenant.user("dev").username).toBe("dev");
  expect(() => declared(false).tenant.user("ops")).toThrow(thrown(undeclaredName));
});

describe("secrets", () => {
  test("in plain text are refused", () => {
    const { stack } = new Synthesized();
    const password = "hunter2" as unknown as Secret;
    expect(() => new Tenant(stack, "acme", { name: "acme", password })).toThrow(thrown(literalSecret));
    expect(() => new Tenant(stack, "b", { name: "b", users: { jane: { password } } })).toThrow(
      expect.objectContaining({
        where: { constructPath: expect.stringMatching(/\bb\/users\/jane$/) as string },
      }) as Error,
    );
  });

  test("are written with their versions, wherever they stand", () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", {
      name: "acme",
      users: { jane: { twoFactor: { auth: "google", otp: Secret.variable("jane_otp", { version: 2 }) } } },
    });
    expect(synthesized.profile("acme_jane")).toMatchObject({
      two_factor_auth: "google",
      two_factor_otp_wo: "${var.jane_otp}",
      two_factor_otp_wo_version: 2,
    });
  });
});

describe("a tenant from elsewhere", () => {
  test("is looked up by its name, and takes users and tokens", () => {
    const synthesized = new Synthesized();
    const globex = Tenant.fromName(synthesized.stack, "globex", "globex");
    globex.addUser("csi", { permissions: Permissions.none() });
    globex.addToken("csi-prod", { user: "csi" });
    globex.addToken("ann-laptop", { user: "ann", loginWith: "temporary_password" });
    expect(synthesized.json["data"]).toEqual({ tenancy_account: { globex: { name: "globex" } } });
    expect(synthesized.profile("globex_csi")["account_id"]).toBe("${data.tenancy_account.globex.id}");
    expect(synthesized.authorization("globex_csi-prod")["login_with"]).toBe("temporary_password");
    expect(synthesized.authorization("globex_ann-laptop")).toEqual({
      name: "ann-laptop",
      login: "ann@globex",
      login_with: "temporary_password",
    });
  });
});

describe("import", () => {
  test("is declared with an import block, by name unless told otherwise", () => {
    const synthesized = new Synthesized();
    const acme = new Tenant(synthesized.stack, "acme", { name: "acme", users: { jane: {}, bob: {} } });
    acme.importFrom();
    acme.user("jane").importFrom();
    acme.user("bob").importFrom("user-profile:1:3");
    expect(synthesized.json["import"]).toEqual([
      { to: "tenancy_account.acme", id: "acme" },
      { to: "tenancy_user_profile.acme_jane", id: "jane@acme" },
      { to: "tenancy_user_profile.acme_bob", id: "user-profile:1:3" },
    ]);
  });

  test("takes in the account with all users that are declared so far, and later ones are made", () => {
    const synthesized = new Synthesized();
    const acme = new Tenant(synthesized.stack, "acme", { name: "acme", users: { jane: {}, bob: {} } });
    acme.importFrom({ users: true });
    acme.addUser("new");
    expect(synthesized.json["import"]).toEqual([
      { to: "tenancy_account.acme", id: "acme" },
      { to: "tenancy_user_profile.acme_jane", id: "jane@acme" },
      { to: "tenancy_user_profile.acme_bob", id: "bob@acme" },
    ]);
  });

  test("takes in a user by its id although all users are taken in: what is said last counts", () => {
    const synthesized = new Synthesized();
    const acme = new Tenant(synthesized.stack, "acme", { name: "acme", users: { jane: {} } });
    acme.importFrom({ id: "account:1:2", users: true });
    acme.user("jane").importFrom("user-profile:1:3");
    expect(synthesized.json["import"]).toEqual([
      { to: "tenancy_account.acme", id: "account:1:2" },
      { to: "tenancy_user_profile.acme_jane", id: "user-profile:1:3" },
    ]);
  });
});

test("a tenant inside other constructs has an address that tells where", () => {
  const synthesized = new Synthesized();
  for (const region of ["eu", "us"]) {
    const scope = new Construct(synthesized.stack, region);
    new Tenant(scope, "acme", { name: `acme-${region}`, users: { jane: {} } });
  }
  expect(synthesized.account("eu_acme")["name"]).toBe("acme-eu");
  expect(synthesized.profile("us_acme_jane")["account_id"]).toBe("${tenancy_account.us_acme.id}");
});

test("tenants of one name in two stacks do not get in each other's way", () => {
  const app = Testing.app();
  const [eu, us] = [new Synthesized(app, "eu"), new Synthesized(app, "us")];
  new Tenant(eu.stack, "acme", { name: "acme" });
  new Tenant(us.stack, "acme", { name: "acme" });
  expect(eu.account("acme")).toEqual(us.account("acme"));
});
