/**
 * Variables, locals, references and outputs of a real stack: covers src/engine/families.ts, src/engine/apply/values.ts,
 * src/engine/evaluate/stack.ts, workspace.ts, data.ts, blocks.ts, configuration.ts, objects.ts, providers.ts and src/engine/load/stack.ts.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { NullProvider } from "@cdktf/provider-null/lib/provider";
import { Resource as NullResource } from "@cdktf/provider-null/lib/resource";
import {
  DataResource,
  TerraformCount,
  TerraformIterator,
  TerraformLocal,
  TerraformOutput,
  TerraformStack,
  TerraformVariable,
  Token,
} from "cdktf";
import {
  Account,
  Authorization,
  DataTenancyAccount,
  DataTenancyAccounts,
  DataTenancyStatus,
  Permissions,
  permissionsPreset,
  Secret,
  SessionToken,
  TenancyProvider,
  Tenant,
  UserProfile,
} from "tenancy";
import { apply, close, outputs } from "../../src/engine";
import { actions, changeAt, codes, findings, projects, writes, type Build } from "../support/projects";

const start = projects();
const none = Permissions.none();

const output = (all: readonly { readonly name: string; readonly after: unknown }[], name: string) =>
  all.find((one) => one.name === name)?.after;

describe("variables", () => {
  const build: Build = (stack) => {
    const company = new TerraformVariable(stack, "company", { type: "string", default: "from the code" });
    const limit = new TerraformVariable(stack, "limit", { type: "number", default: 1 });
    const tags = new TerraformVariable(stack, "tags", { type: "set(string)", default: [] });
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      primaryContact: { firstName: company.stringValue },
      limits: { vssNum: limit.numberValue },
      provisioning: { tagsInclude: tags.listValue },
    });
  };

  test("come from the code, the environment, files by their order, and arguments, the later ones winning", async () => {
    const project = await start();
    const source = project.synthesize(build);
    const firstName = async (options = {}) => {
      const { after } = changeAt(await project.plan(source, options), "tenancy_account.acme");
      return (after?.["primary_contact"] as { first_name: string }).first_name;
    };
    const file = (name: string, text: string) => writeFile(join(project.folder, name), text);
    expect(await firstName()).toBe("from the code");
    const environment = { TF_VAR_company: "from the environment" };
    expect(await firstName({ environment })).toBe("from the environment");
    await file("terraform.tfvars", 'company = "from terraform.tfvars"\n');
    expect(await firstName({ environment })).toBe("from terraform.tfvars");
    await file("terraform.tfvars", '\uFEFFcompany = "after a byte order mark"');
    expect(await firstName({ environment })).toBe("after a byte order mark");
    await file("b.auto.tfvars.json", '\uFEFF{"company": "from b.auto.tfvars.json"}');
    await file("a.auto.tfvars", 'company = "from a.auto.tfvars"');
    expect(await firstName({ environment })).toBe("from b.auto.tfvars.json");
    await file("other.tfvars", '# a comment\ncompany = "from a named file"\n');
    const named = { file: join(project.folder, "other.tfvars") };
    expect(await firstName({ environment, variables: [named] })).toBe("from a named file");
    const given = { name: "company", value: "from an argument" };
    expect(await firstName({ environment, variables: [named, given] })).toBe("from an argument");
    expect(await firstName({ environment, variables: [given, named] })).toBe("from a named file");
    expect(await firstName({ environment, variables: { company: "by name" } })).toBe("by name");
  });

  test("may be null, and then stand for what is not declared", async () => {
    const project = await start();
    const nothing: Build = (stack) => {
      const template = new TerraformVariable(stack, "template", { type: "string" });
      stack.addOverride("variable.template.default", null);
      const local = new TerraformLocal(stack, "local", template.value);
      new Account(stack, "acme", { name: "acme", template: template.stringValue });
      new TerraformOutput(stack, "is_null", { value: `\${${local.fqn} == null}` });
    };
    const { plan } = await project.apply(nothing);
    expect(output(plan.outputs, "is_null")).toBe(true);
    expect(project.service.records.account("acme")).toBeDefined();
  });

  test("are converted to their types, whatever they come from", async () => {
    const project = await start();
    const variables = { limit: "9007199254740993", tags: '["b", "a", "b"]' };
    const { after } = changeAt(await project.plan(build, { variables }), "tenancy_account.acme");
    expect(after).toMatchObject({
      limits_vss_num: 9007199254740993n,
      provisioning_tags_include: ["a", "b"],
    });
    expect(codes(await findings(project.plan(build, { variables: { limit: "many" } })))).toEqual([
      "TENANCY_INVALID_VARIABLE",
    ]);
  });

  test("of the type any, or of several values, are written as values; without a type they are text", async () => {
    const project = await start();
    const open: Build = (stack) => {
      new TerraformVariable(stack, "any", { type: "any" });
      new TerraformVariable(stack, "list", { type: "list(string)" });
      for (const name of ["any", "list", "untyped"])
        new TerraformOutput(stack, `given_${name}`, { value: `\${var.${name}}` });
      stack.addOverride("variable.untyped.default", 1);
    };
    const fit = { any: '["a", 1]', list: '["a", 1]', untyped: '["a", 1]' };
    const { outputs } = await project.plan(open, { variables: fit });
    expect(output(outputs, "given_any")).toEqual(["a", 1]);
    expect(output(outputs, "given_list")).toEqual(["a", "1"]);
    expect(output(outputs, "given_untyped")).toBe('["a", 1]');
    for (const unfit of [{ any: "abc" }, { list: "a,b" }, { list: "[var.any]" }]) {
      const [finding] = await findings(project.plan(open, { variables: { ...fit, ...unfit } }));
      expect(finding).toMatchObject({ code: "TENANCY_INVALID_VARIABLE" });
      expect(finding?.advice).toContain("Write it as Terraform does");
    }
  });

  test("without a value, unknown ones and sensitive arguments are errors", async () => {
    const project = await start();
    const needy: Build = (stack) => {
      const pw = Secret.variable("pw");
      new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), password: pw });
      new TerraformVariable(stack, "region", { type: "string" });
    };
    const found = await findings(project.plan(needy, { variables: { regoin: "eu" } }));
    expect(found.map(({ summary }) => summary)).toEqual([
      expect.stringContaining('no variable "regoin"'),
      expect.stringMatching(/"(pw|region)" has no value/),
      expect.stringMatching(/"(pw|region)" has no value/),
    ]);
    const sensitive = await findings(project.plan(needy, { variables: { pw: "s3cr3t-one", region: "eu" } }));
    expect(sensitive[0]?.summary).toContain("sensitive");
    expect(JSON.stringify(sensitive)).not.toContain("s3cr3t-one");
    expect(writes(project.service.requests)).toEqual([]);
  });

  test("are held to their validations", async () => {
    const project = await start();
    const strict: Build = (stack) => {
      const size = new TerraformVariable(stack, "size", { type: "number", default: 9 });
      size.addValidation({ condition: `\${var.size < 5}`, errorMessage: "a tenant has less than 5" });
    };
    expect(await findings(project.plan(strict))).toMatchObject([
      { code: "TENANCY_CONDITION_FAILED", summary: "a tenant has less than 5", address: "var.size" },
    ]);
    await project.plan(strict, { variables: { size: "3" } });
  });
});

describe("count and for_each", () => {
  const counted =
    (count: number): Build =>
    (stack) => {
      const account = new Account(stack, "acme", { name: "acme", permissions: {} });
      const amount = TerraformCount.of(count);
      new UserProfile(stack, "user", {
        count: amount,
        username: `user${amount.index}`,
        accountId: account.id,
        permissions: {},
      });
      new TerraformOutput(stack, "logins", { value: "${tenancy_user_profile.user[*].login}" });
    };

  test("make as many as they say, and take away what is more", async () => {
    const project = await start();
    const { plan, result } = await project.apply(counted(3));
    expect(actions(plan)).toContain("create tenancy_user_profile.user[2]");
    expect(output(result.outputs, "logins")).toEqual(["user0@acme", "user1@acme", "user2@acme"]);
    const fewer = await project.apply(counted(2));
    expect(actions(fewer.plan)).toEqual(['delete tenancy_user_profile.undeclared["user2@acme"]']);
    expect(actions(await project.plan(counted(2)))).toEqual([]);
  });

  test("give accounts, and users in each of them, the same keys", async () => {
    const project = await start();
    const build: Build = (stack) => {
      const names = TerraformIterator.fromMap({ eu: { limit: 3 }, us: { limit: 5 } });
      new Account(stack, "region", {
        forEach: names,
        name: `acme-${names.key}`,
        permissions: {},
        limitsVssNum: names.getNumber("limit"),
      });
      const user = new UserProfile(stack, "ops", { username: "ops", permissions: {} });
      user.addOverride("for_each", "${tenancy_account.region}");
      user.addOverride("account_id", "${each.value.id}");
      new TerraformOutput(stack, "eu", { value: '${tenancy_user_profile.ops["eu"].login}' });
    };
    const { result, plan } = await project.apply(build);
    expect([...actions(plan)].sort()).toEqual([
      'create tenancy_account.region["eu"]',
      'create tenancy_account.region["us"]',
      'create tenancy_user_profile.ops["eu"]',
      'create tenancy_user_profile.ops["us"]',
    ]);
    expect(output(result.outputs, "eu")).toBe("ops@acme-eu");
    expect(actions(await project.plan(build))).toEqual([]);
  });

  test("that are known only after apply are errors", async () => {
    const project = await start();
    const build: Build = (stack) => {
      new Account(stack, "acme", { name: "acme", permissions: {} });
      const other = new Account(stack, "other", { name: "other", permissions: {} });
      other.addOverride("for_each", "${toset([tenancy_account.acme.id])}");
    };
    expect(codes(await findings(project.plan(build)))).toEqual(["TENANCY_INVALID_VALUE"]);
  });
});

describe("enabled in lifecycle", () => {
  const withUser =
    (enabled: boolean | string): Build =>
    (stack) => {
      const on = new TerraformVariable(stack, "on", { type: "bool", default: true });
      const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
      const user = new UserProfile(stack, "ops", {
        accountId: acme.id,
        username: "ops",
        permissions: {},
      });
      user.addOverride("lifecycle.enabled", enabled === "variable" ? on.value : enabled);
      const data = new DataTenancyAccount(stack, "none", { name: "nobody" });
      data.addOverride("lifecycle.enabled", false);
      new TerraformOutput(stack, "login", { value: '${try(tenancy_user_profile.ops.login, "none")}' });
      new TerraformOutput(stack, "exists", { value: "${can(tenancy_user_profile.ops.login)}" });
      new TerraformOutput(stack, "data", { value: `\${${data.fqn} == null}` });
    };

  test("gives an object, or none: a reference to it is null then, and a live one is deleted", async () => {
    const project = await start();
    const first = await project.apply(withUser(false));
    expect(actions(first.plan)).toEqual(["create tenancy_account.acme"]);
    const shown = (outputs: Parameters<typeof output>[0]) =>
      ["login", "exists", "data"].map((name) => output(outputs, name));
    expect(shown(first.result.outputs)).toEqual(["none", false, true]);

    const second = await project.apply(withUser("variable"));
    expect(actions(second.plan)).toEqual(["create tenancy_user_profile.ops"]);
    expect(shown(second.result.outputs)).toEqual(["ops@acme", true, true]);
    expect(actions(await project.plan(withUser("true")))).toEqual([]);

    const third = await project.apply(withUser("${1 > 2}"));
    expect(actions(third.plan)).toEqual([expect.stringMatching(/^delete /)]);
    expect(shown(third.result.outputs)).toEqual(["none", false, true]);
  });

  test("excludes count and for_each, and must be known at plan", async () => {
    const project = await start();
    const build =
      (overrides: Readonly<Record<string, unknown>>): Build =>
      (stack) => {
        new Account(stack, "acme", { name: "acme", permissions: {} });
        const other = new Account(stack, "other", { name: "other", permissions: {} });
        for (const [path, value] of Object.entries(overrides)) other.addOverride(path, value);
      };
    const of = async (overrides: Readonly<Record<string, unknown>>) =>
      codes(await findings(project.plan(build(overrides))));
    expect(await of({ "lifecycle.enabled": true, count: 1 })).toEqual(["TENANCY_SYNTHESIS_FAILED"]);
    expect(await of({ "lifecycle.enabled": true, for_each: {} })).toEqual(["TENANCY_SYNTHESIS_FAILED"]);
    expect(await of({ "lifecycle.enabled": '${tenancy_account.acme.id == "x"}' })).toEqual([
      "TENANCY_INVALID_VALUE",
    ]);
    expect(await of({ "lifecycle.enabled": "${tenancy_account.nobody}" })).toEqual([
      "TENANCY_UNDECLARED_NAME",
    ]);
  });

  test("a reference into an object that is not enabled says so", async () => {
    const project = await start();
    const build: Build = (stack) => {
      withUser(false)(stack);
      new TerraformOutput(stack, "broken", { value: "${tenancy_user_profile.ops.login}" });
    };
    expect(codes(await findings(project.plan(build)))).toEqual(["TENANCY_EXPRESSION"]);
  });
});

describe("data sources", () => {
  test("are read while planning, four requests in all", async () => {
    const project = await start();
    project.service.records.createAccount({ name: "acme", primary_contact: { first_name: "Ada" } });
    const build: Build = (stack) => {
      const acme = new DataTenancyAccount(stack, "acme", { name: "acme" });
      const all = new DataTenancyAccounts(stack, "all", { namePrefix: "ac" });
      new Account(stack, "copy", {
        name: `${acme.name}-copy`,
        permissions: {},
        primaryContact: { firstName: acme.primaryContact.firstName },
      });
      new TerraformOutput(stack, "names", { value: `\${${all.fqn}.accounts[*].name}` });
    };
    const made = await project.plan(build);
    expect(project.service.requests).toHaveLength(4);
    expect(changeAt(made, "tenancy_account.copy").after).toMatchObject({
      name: "acme-copy",
      primary_contact: { first_name: "Ada" },
    });
    expect(output(made.outputs, "names")).toEqual(["acme"]);
  });

  test("that depend on what the plan changes are read during apply", async () => {
    const project = await start();
    const build: Build = (stack) => {
      const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
      const again = new DataTenancyAccount(stack, "again", { id: acme.id });
      const all = new DataTenancyAccounts(stack, "all", { dependsOn: [acme] });
      new Account(stack, "copy", { name: `${again.name}-copy`, permissions: {} });
      new TerraformOutput(stack, "count", { value: `\${length(${all.fqn}.accounts)}` });
    };
    const { plan, result } = await project.apply(build);
    expect(plan.outputs).toMatchObject([{ name: "count", action: "update" }]);
    expect(output(result.outputs, "count")).toBeGreaterThanOrEqual(2);
    expect(project.service.records.accounts.map(({ name }) => name).sort()).toEqual([
      "acme",
      "acme-copy",
      "system",
    ]);
    expect(actions(await project.plan(build))).toEqual([]);
  });

  test("that find nothing are errors at their address", async () => {
    const project = await start();
    const build: Build = (stack) => void new DataTenancyAccount(stack, "acme", { name: "acme" });
    expect(await findings(project.plan(build))).toMatchObject([
      { code: "TENANCY_NO_SUCH_OBJECT", address: "data.tenancy_account.acme", constructPath: "prod/acme" },
    ]);
  });

  test("do not let a user be taken for undeclared whose account is read only during apply", async () => {
    const project = await start();
    const users = ["joe", "jack", "jill"];
    const build =
      (phone: string): Build =>
      (stack) => {
        const acme = new Account(stack, "acme", {
          name: "acme",
          permissions: {},
          primaryContact: { firstName: phone },
        });
        const again = new DataTenancyAccount(stack, "again", { id: acme.id });
        for (const username of users)
          new UserProfile(stack, username, { username, accountId: again.id, permissions: {} });
      };
    await project.apply(build("Ada"));
    const { plan } = await project.run(build("Eve"));
    expect(actions(plan).filter((line) => line.startsWith("delete"))).toEqual([]);
    expect(plan.retained.map(({ key }) => key).sort()).toEqual(["jack@acme", "jill@acme", "joe@acme"]);
    await project.apply(build("Eve"));
    expect(actions(await project.plan(build("Eve")))).toEqual([]);
  });
});

describe("preconditions and postconditions", () => {
  const withLifecycle =
    (lifecycle: object): Build =>
    (stack) => {
      const acme = new Account(stack, "acme", { name: "acme", permissions: {}, limitsVssNum: 3 });
      acme.addOverride("lifecycle", lifecycle);
    };
  const condition = (text: string) => [{ condition: text, error_message: "it must be so" }];

  test("may be true as text, as Terraform converts it", async () => {
    const project = await start();
    const holds = (text: string) => project.plan(withLifecycle({ precondition: condition(text) }));
    await expect(holds("1")).resolves.toBeDefined();
    await expect(holds("0")).rejects.toMatchObject({
      message: expect.stringContaining("it must be so") as string,
    });
  });

  test("are judged at plan, as far as they are known", async () => {
    const project = await start();
    const found = async (lifecycle: object) => codes(await findings(project.plan(withLifecycle(lifecycle))));
    expect(await found({ precondition: condition("${1 > 2}") })).toEqual(["TENANCY_CONDITION_FAILED"]);
    expect(await found({ postcondition: condition("${self.limits_vss_num > 5}") })).toEqual([
      "TENANCY_CONDITION_FAILED",
    ]);
    await project.plan(withLifecycle({ postcondition: condition('${self.id != ""}') }));
  });

  test("that are known only after apply are judged at apply", async () => {
    const project = await start();
    const { result } = await project.run(withLifecycle({ postcondition: condition('${self.id == "x"}') }));
    expect(result.failed).toMatchObject([
      {
        change: { key: "acme" },
        diagnostics: [{ code: "TENANCY_CONDITION_FAILED", summary: "it must be so" }],
      },
    ]);
  });

  describe("that refer to an object yet to be made, are judged once it is made", () => {
    const LATER = condition('${tenancy_account.first.id == "x"}');

    async function applied(build: Build) {
      const project = await start();
      const { result } = await project.run((stack) => {
        new Account(stack, "first", { name: "first", permissions: {} });
        build(stack);
      });
      const codes = [...result.diagnostics, ...result.failed.flatMap(({ diagnostics }) => diagnostics)];
      expect(codes).toMatchObject([{ code: "TENANCY_CONDITION_FAILED", summary: "it must be so" }]);
      expect(result.ok).toBe(false);
      return { project, result };
    }

    test("and keep a resource from being made", async () => {
      const { project, result } = await applied((stack) => {
        const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
        acme.addOverride("lifecycle", { precondition: LATER });
      });
      expect(result.failed).toMatchObject([{ change: { key: "acme" } }]);
      expect(project.service.records.accounts.map(({ name }) => name)).not.toContain("acme");
    });

    test("also where their resource does not change", async () => {
      const project = await start();
      const acme: Build = (stack) => {
        const account = new Account(stack, "acme", { name: "acme", permissions: {} });
        if (stack.node.tryFindChild("first")) account.addOverride("lifecycle", { precondition: LATER });
      };
      await project.apply(acme);
      const { result } = await project.run((stack) => {
        new Account(stack, "first", { name: "first", permissions: {} });
        acme(stack);
      });
      expect(result.ok).toBe(false);
      expect(result.diagnostics).toMatchObject([
        { code: "TENANCY_CONDITION_FAILED", address: "tenancy_account.acme" },
      ]);
    });

    test.each(["precondition", "postcondition"])("also as the %s of a terraform_data", async (kind) => {
      const { result } = await applied((stack) => {
        stack.addOverride("resource.terraform_data.note", { input: "a", lifecycle: { [kind]: LATER } });
      });
      expect(result.diagnostics).toMatchObject([{ address: "terraform_data.note" }]);
    });

    test("also on an output", async () => {
      const { result } = await applied((stack) => {
        stack.addOverride("output.note", { value: "a", precondition: LATER });
      });
      expect(result.diagnostics).toMatchObject([{ address: "output.note" }]);
    });
  });

  test("of a data source see what was read", async () => {
    const project = await start();
    const build: Build = (stack) => {
      const status = new DataTenancyStatus(stack, "status");
      status.addOverride("lifecycle", { postcondition: condition('${self.message == "down"}') });
    };
    expect(codes(await findings(project.plan(build)))).toEqual(["TENANCY_CONDITION_FAILED"]);
  });
});

test("ignore_changes leaves alone what others do there", async () => {
  const project = await start();
  const build =
    (limit: number): Build =>
    (stack) => {
      const acme = new Account(stack, "acme", {
        name: "acme",
        permissions: {},
        limitsVssNum: limit,
        limitsSizeReserveTotal: 5,
      });
      acme.lifecycle = { ignoreChanges: ["limits_vss_num"] };
    };
  await project.apply(build(3));
  project.service.records.patchAccount("acme", { limits: { vss_num: 99, size_reserve_total: 6 } });
  const { requests } = await project.apply(build(4));
  expect(requests.find(({ method }) => method === "PATCH")?.body).toEqual({
    limits: { vss_num: 99, size_reserve_total: 5 },
  });
  const all: Build = (stack) => {
    const acme = new Account(stack, "acme", { name: "acme", permissions: {}, limitsVssNum: 1 });
    acme.lifecycle = { ignoreChanges: "all" };
  };
  expect(actions(await project.plan(all))).toEqual([]);
});

test("ignore_changes of an attribute that does not exist is an error", async () => {
  const project = await start();
  const build: Build = (stack) => {
    const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
    acme.lifecycle = { ignoreChanges: ["limits_vss_num", "limits_vss_nmu", "primary_contcat"] };
  };
  expect(await findings(project.plan(build))).toMatchObject([
    {
      code: "TENANCY_UNKNOWN_ATTRIBUTE",
      address: "tenancy_account.acme",
      attribute: ["lifecycle", "ignore_changes"],
      advice: 'Did you mean "limits_vss_num"?',
    },
    { code: "TENANCY_UNKNOWN_ATTRIBUTE", advice: 'Did you mean "primary_contact"?' },
  ]);
});

describe("outputs", () => {
  const build: Build = (stack) => {
    const acme = new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: { csi: { permissions: none } },
      tokens: { prod: { user: "csi" } },
    });
    new TerraformOutput(stack, "account", { value: acme.account.id });
    new TerraformOutput(stack, "token", { value: acme.token("prod").accessToken, sensitive: true });
  };

  test("are known after apply, and later without a change", async () => {
    const project = await start();
    const { result } = await project.apply(build);
    const { id } = project.service.records.account("acme");
    expect(output(result.outputs, "account")).toBe(id);
    const later = await outputs(project.synthesize(build), project.options());
    expect(output(later, "account")).toBe(id);
    expect(later.find(({ name }) => name === "token")).toMatchObject({
      sensitive: true,
      after: expect.stringMatching(/^1\//) as unknown,
    });
  });

  test("have the types that Terraform gives them: by the schema, by a variable's type, as they are written", async () => {
    const project = await start();
    const typed: Build = (stack) => {
      const names = new TerraformVariable(stack, "names", { type: "list(string)", default: [] });
      new Account(stack, "acme", {
        name: "acme",
        permissions: {},
        provisioningTagsInclude: ["b", "a"],
        primaryContact: { address: { addr: ["12 High Street"] } },
      });
      const values = {
        given: names.value as unknown,
        written: ["a"],
        set: "${tenancy_account.acme.provisioning_tags_include}",
        list: "${tenancy_account.acme.primary_contact.address.addr}",
        equal_set: '${tenancy_account.acme.provisioning_tags_include == toset(["a", "b"])}',
        equal_tuple: "${var.names == []}",
        none_given: "${length(var.names) == 0}",
      };
      for (const [name, value] of Object.entries(values)) new TerraformOutput(stack, name, { value });
    };
    const { result } = await project.apply(typed);
    const types = result.outputs.map(({ name, type }) => [name, type] as const);
    expect(Object.fromEntries(types)).toEqual({
      given: ["list", "string"],
      written: ["tuple", ["string"]],
      set: ["set", "string"],
      list: ["list", "string"],
      equal_set: "bool",
      equal_tuple: "bool",
      none_given: "bool",
    });
    expect(output(result.outputs, "set")).toEqual(["a", "b"]);
    expect(output(result.outputs, "equal_set")).toBe(true);
    expect(output(result.outputs, "equal_tuple")).toBe(false);
    expect(output(result.outputs, "none_given")).toBe(true);
  });

  test("that have no value after all are errors, beside the account of what was applied", async () => {
    const project = await start();
    const { result } = await project.run((stack) => {
      const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
      new TerraformOutput(stack, "id", { value: acme.id });
      new TerraformOutput(stack, "city", { value: "${tenancy_account.acme.primary_contact.address.city}" });
    });
    expect(result.ok).toBe(false);
    expect(result.applied.map(({ address }) => address)).toEqual(["tenancy_account.acme"]);
    expect(result.outputs.map(({ name }) => name)).toEqual(["id"]);
    expect(result.diagnostics).toMatchObject([{ code: "TENANCY_EXPRESSION", address: "output.city" }]);
  });

  test("that would show a secret must say so", async () => {
    const project = await start();
    const careless: Build = (stack) => {
      build(stack);
      new TerraformOutput(stack, "leak", { value: "token ${tenancy_authorization.acme_prod.access_token}" });
    };
    expect(codes(await findings(project.plan(careless)))).toEqual(["TENANCY_SENSITIVE_OUTPUT"]);
  });

  test("are evaluated although a guard would stop the plan", async () => {
    const project = await start();
    await project.apply((stack) => {
      build(stack);
      new UserProfile(stack, "jane", {
        username: "jane",
        accountId: "${tenancy_account.acme.id}",
        permissions: {},
      });
    });
    const source = project.synthesize(build);
    const options = { maxDeletes: 0 };
    expect(codes(await findings(project.plan(source, options)))).toContain("TENANCY_TOO_MANY_DELETES");
    const found = await outputs(source, project.options(options));
    expect(output(found, "account")).toBe(project.service.records.account("acme").id);
    expect(output(found, "token")).toMatch(/^1\//);
  });
});

describe("stacks of one app", () => {
  const app =
    (limit = 3) =>
    (project: Awaited<ReturnType<typeof start>>) =>
      project.synthesizeApp((scope) => {
        const base = new TerraformStack(scope, "base");
        new TenancyProvider(base, "service", { owner: "acme-base" });
        const acme = new Account(base, "acme", { name: "acme", permissions: {}, limitsVssNum: limit });
        const prod = new TerraformStack(scope, "prod");
        new TenancyProvider(prod, "service", { owner: "acme-prod" });
        new UserProfile(prod, "jane", { username: "jane", accountId: acme.id, permissions: {} });
        new TerraformOutput(prod, "limit", { value: acme.limitsVssNum });
      });

  test("refer to each other's outputs, with one log-in", async () => {
    const project = await start();
    const source = app()(project);
    const unknown = await project.plan(source);
    expect(changeAt(unknown, "tenancy_user_profile.jane").key).toContain("known after apply");
    await project.apply({ ...source, name: "base" });
    project.service.clearRequests();
    const made = await project.plan(source);
    expect(changeAt(made, "tenancy_user_profile.jane").key).toBe("jane@acme");
    expect(project.service.requests).toHaveLength(4);
    await project.apply(source);
    expect(actions(await project.plan(source))).toEqual([]);
  });
});

test("two services are run by one stack, each with an owner and a part of its own", async () => {
  const project = await start();
  const other = await start();
  const build =
    (...names: readonly string[]): Build =>
    (stack) => {
      const provider = new TenancyProvider(stack, "second", {
        alias: "second",
        owner: "acme-second",
        baseUrl: other.service.baseUrl,
      });
      for (const name of names) {
        new Tenant(stack, `first-${name}`, {
          name,
          permissions: Permissions.none(),
          users: { csi: { permissions: none } },
          tokens: { t: { user: "csi" } },
        });
        new Tenant(stack, `second-${name}`, {
          name,
          permissions: Permissions.none(),
          provider,
          users: { csi: { permissions: none } },
          tokens: { t: { user: "csi" } },
        });
      }
    };
  await project.apply(build("acme", "globex"));
  expect(actions(await project.plan(build("acme", "globex")))).toEqual([]);
  for (const { service } of [project, other])
    expect(service.records.accounts.map(({ name }) => name).sort()).toEqual(["acme", "globex", "system"]);
  const { plan } = await project.apply(build("acme"), { allowAccountDeletion: true, maxDeletes: 8 });
  expect(actions(plan)).toHaveLength(6);
  for (const { service } of [project, other])
    expect(service.records.accounts.map(({ name }) => name).sort()).toEqual(["acme", "system"]);
});

test("the provider's function gives a preset, with overrides", async () => {
  const project = await start();
  const build: Build = (stack) => {
    const account = new Account(stack, "acme", { name: "acme", permissions: {} });
    new UserProfile(stack, "jane", {
      username: "jane",
      accountId: account.id,
      permissions: permissionsPreset("observer", { "vss.manage_snapshots": true }),
    });
  };
  await project.apply(build);
  const { permissions } = project.service.records.profile("jane@acme");
  expect(permissions.vss.rights.manage_snapshots).toBe(true);
  expect(permissions.account.rights.view_events).toBe(true);
  expect(permissions.vss.rights.remove_vss).toBe(false);
  expect(actions(await project.plan(build))).toEqual([]);
});

test("an ephemeral session configures another provider, and is kept nowhere", async () => {
  const project = await start();
  project.service.records.createAccount({ name: "acme", password: "secret" });
  const build: Build = (stack) => {
    const password = new TerraformVariable(stack, "pw", { type: "string", sensitive: true });
    const session = new SessionToken(stack, "session", { username: "acme", password: Secret.of(password) });
    const provider = new TenancyProvider(stack, "as-acme", {
      alias: "acme",
      owner: "acme-own",
      token: session.accessToken,
    });
    new UserProfile(stack, "jane", { username: "jane", permissions: {}, provider });
  };
  const { plan } = await project.apply(build, { environment: { TF_VAR_pw: "secret" } });
  expect(changeAt(plan, "tenancy_user_profile.jane").key).toContain("jane@");
  expect(project.service.records.profile("jane@acme")).toBeDefined();
  const leak: Build = (stack) => {
    const session = new SessionToken(stack, "session");
    new TerraformOutput(stack, "leak", { value: session.accessToken, sensitive: true });
  };
  expect(codes(await findings(project.plan(leak)))).toEqual(["TENANCY_SENSITIVE_VALUE"]);
  const kept: Build = (stack) => {
    const session = new SessionToken(stack, "session");
    new DataResource(stack, "kept", { input: { session: session.accessToken } });
  };
  expect(await findings(project.plan(kept))).toMatchObject([
    { code: "TENANCY_SENSITIVE_VALUE", address: "terraform_data.kept", attribute: ["input", "session"] },
  ]);
});

describe("null_resource and terraform_data", () => {
  const keepers =
    (week: string): Build =>
    (stack) => {
      new NullProvider(stack, "null");
      const rotation = new NullResource(stack, "rotation", { triggers: { week } });
      const data = new DataResource(stack, "data", { input: { company: "Acme" }, triggersReplace: { week } });
      new Account(stack, "acme", {
        name: "acme",
        permissions: {},
        primaryContact: { firstName: Token.asString(`\${${data.fqn}.output.company}`) },
      });
      new Authorization(stack, "token", {
        name: "t",
        login: "acme",
        loginWith: "temporary_password",
        keepers: { rotation: rotation.id, data: data.id },
      });
    };

  test("are values: shown as evaluated, never a change, the same in every run until a trigger changes", async () => {
    const project = await start();
    const { plan } = await project.apply(keepers("1"));
    expect(plan.evaluated.map(({ address }) => address).sort()).toEqual([
      "null_resource.rotation",
      "terraform_data.data",
    ]);
    expect(plan.changes.map(({ address }) => address)).not.toContain("null_resource.rotation");
    expect(actions(await project.plan(keepers("1")))).toEqual([]);
    expect(actions(await project.plan(keepers("2")))).toEqual(["update tenancy_authorization.token"]);
    expect(project.service.records.account("acme").primary_contact.first_name).toBe("Acme");
  });
});

test("locals may configure the provider, and import blocks", async () => {
  const project = await start();
  project.service.records.createAccount({ name: "acme" });
  const source = project.synthesizeApp((app) => {
    const stack = new TerraformStack(app, "prod");
    const names = new TerraformLocal(stack, "names", { url: project.service.baseUrl, account: "acme" });
    new TenancyProvider(stack, "service", { baseUrl: `\${${names.fqn}.url}` });
    new Account(stack, "acme", { name: "acme", permissions: {} });
    stack.addOverride("import", [{ to: "tenancy_account.acme", id: `\${${names.fqn}.account}` }]);
  });
  const made = await project.plan(source);
  expect(made.targets[0]?.origin).toBe(project.service.baseUrl);
  expect(changeAt(made, "tenancy_account.acme").claim).toBe("imported");
});

test("the time of the apply is known in the apply", async () => {
  const project = await start();
  const build: Build = (stack) => {
    const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
    acme.addOverride("primary_contact", { first_name: '${formatdate("YYYY", timestamp())}' });
  };
  await project.apply(build);
  expect(project.service.records.account("acme").primary_contact.first_name).toMatch(/^\d{4}$/);
});

test("a plan made for nothing holds nothing open", async () => {
  const project = await start();
  const made = await project.plan(
    (stack) => void new Account(stack, "acme", { name: "acme", permissions: {} }),
  );
  await close(made);
  await expect(apply(made)).rejects.toThrow(TypeError);
  expect(writes(project.service.requests)).toEqual([]);
});

test("a plan cannot be altered once it is made", async () => {
  const project = await start();
  const build: Build = (stack) => void new Account(stack, "acme", { name: "acme", permissions: {} });
  const made = await project.plan(build);
  expect(() => (made.changes as unknown[]).pop()).toThrow(TypeError);
  expect(() => Object.assign(changeAt(made, "tenancy_account.acme"), { key: "globex" })).toThrow(TypeError);
  expect(() => Object.assign(changeAt(made, "tenancy_account.acme").after!, { name: "globex" })).toThrow(
    TypeError,
  );
  await apply(made);
  const settled = changeAt(await project.plan(build), "tenancy_account.acme");
  expect(() => Object.assign(settled, { key: "globex" })).toThrow(TypeError);
  expect(() => Object.assign(settled.before!, { name: "globex" })).toThrow(TypeError);
});

test("the folder of variable files need not be there", async () => {
  const project = await start();
  const made = await project.plan(() => undefined, { projectFolder: join(project.folder, "nowhere") });
  expect(actions(made)).toEqual([]);
});

test.each([
  ["nowhere.tfvars", undefined, "there is no such variable file", "Name a file that can be read"],
  ["reference.tfvars", "company = var.other", "it refers to something", 'region = "eu"'],
  ["broken.tfvars", "company = ", "the variable file cannot be parsed", 'region = "eu"'],
  ["broken.json", "company", "the variable file is not JSON", '{ "region": "eu" }'],
  ["list.json", "[1]", "the variable file is not an object", '{ "region": "eu" }'],
])("the variable file %s is refused with what to do", async (name, text, problem, advice) => {
  const project = await start();
  const file = join(project.folder, name);
  if (text !== undefined) await writeFile(file, text);
  await expect(project.plan(() => undefined, { variables: [{ file }] })).rejects.toMatchObject({
    code: "TENANCY_INVALID_VARIABLE",
    message: expect.stringContaining(problem) as string,
    advice: expect.stringContaining(advice) as string,
    where: { file },
  });
});

test.each([
  ["s3cret-hunter2"],
  ["s3cret hunter2"],
  ["s3cret%hunter2!!"],
  ["s3cret_hunter2(1)"],
  ["s3cret_hunter2"],
  ['"s3cret-hunter2'],
  ["<<s3cret\nhunter2"],
])("a value without its quotes is told by its line, and not shown: %s", async (value) => {
  const project = await start();
  await writeFile(join(project.folder, "terraform.tfvars"), `region = "eu"\npassword = ${value}\nsize = 1\n`);
  const error: unknown = await project.plan(() => undefined).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "TENANCY_INVALID_VARIABLE" });
  const told = inspect(error, { depth: 10, showHidden: true });
  expect(told).toMatch(/cannot be parsed at line [23]/);
  expect(told).not.toMatch(/s3cret|hunter2/);
});
