/** Synthesized stacks, as they are read: covers src/lib/language/compile.ts, node.ts and type-constraint.ts, besides its own source. */
import {
  Fn,
  LocalBackend,
  Op,
  ref,
  TerraformCount,
  TerraformIterator,
  TerraformLocal,
  TerraformOutput,
  TerraformVariable,
  Token,
} from "cdktf";
import { compile, type Compiled, type Reference } from "../../src/lib/language";
import { readStack } from "../../src/stack";
import { bare, EPHEMERAL, mark, type Marked, UNKNOWN, unmark, type Value } from "../../src/lib/values";
import { plain, scopeOf } from "../lib/language/support";
import {
  account,
  blockAt,
  Declared,
  DeclaredData,
  DeclaredProvider,
  OPTIONS,
  read,
  synthesized,
} from "./synthesized";

/** The value of a compiled part, where references have the given values. */
const valueOf = (part: Compiled, values: Readonly<Record<string, Marked>> = {}): Value =>
  plain(bare(part.evaluate(scopeOf(values))));

describe("resources", () => {
  test("a resource has its attributes, its address and the path of its construct", () => {
    const stack = read((scope) => void account(scope, "acme", { name: "acme", limits: { vss_num: 20 } }));
    const block = blockAt(stack, "resource", "tenancy_account.acme");
    expect(block).toMatchObject({
      type: "tenancy_account",
      name: "acme",
      constructPath: "prod/acme",
      provider: "tenancy",
    });
    expect(block.body.constant).toEqual({ name: "acme", limits: { vss_num: 20 } });
    expect(block.dependencies).toEqual(["provider.tenancy"]);
  });

  test("a reference is evaluated, and what it refers to comes first", () => {
    const stack = read((scope) => {
      const acme = account(scope, "z", { name: "acme" });
      new Declared(scope, "a", "tenancy_user_profile", {
        account_id: acme.getStringAttribute("id"),
        username: "jane",
      });
    });
    const block = blockAt(stack, "resource", "tenancy_user_profile.a");
    expect(block.dependencies).toEqual(["tenancy_account.z", "provider.tenancy"]);
    expect(valueOf(block.body, { "tenancy_account.z": { id: "account:1:1" } })).toEqual({
      account_id: "account:1:1",
      username: "jane",
    });
    const order = stack.blocks.map(({ address }) => address);
    expect(order.indexOf("tenancy_account.z")).toBeLessThan(order.indexOf("tenancy_user_profile.a"));
  });

  test("a switch may be written as text, as Terraform converts it", () => {
    const stack = read((scope) => {
      for (const [name, text] of Object.entries({ acme: "1", globex: "0", initech: "true" }))
        account(scope, name, { name }).addOverride("lifecycle", { prevent_destroy: text });
    });
    const isProtected = (name: string) =>
      blockAt(stack, "resource", `tenancy_account.${name}`).lifecycle.preventDestroy;
    expect(["acme", "globex", "initech"].map(isProtected)).toEqual([true, false, true]);
  });

  test("depends_on, prevent_destroy, ignore_changes and conditions are read", () => {
    const stack = read((scope) => {
      const acme = account(scope, "acme", { name: "acme" });
      account(
        scope,
        "globex",
        { name: "globex" },
        {
          dependsOn: [acme],
          lifecycle: {
            preventDestroy: true,
            ignoreChanges: ["email", "limits.vss_num", 'tags_user["a b"]', "address.addr[0]"],
            precondition: [
              { condition: Op.eq(acme.getStringAttribute("name"), "acme"), errorMessage: "not acme" },
            ],
            postcondition: [{ condition: ref("self.id != null"), errorMessage: "no ${self.name}" }],
          },
        },
      );
    });
    const { dependencies, lifecycle } = blockAt(stack, "resource", "tenancy_account.globex");
    expect(dependencies).toContain("tenancy_account.acme");
    expect(lifecycle).toMatchObject({
      preventDestroy: true,
      ignoreChanges: [["email"], ["limits", "vss_num"], ["tags_user", "a b"], ["address", "addr", 0]],
    });
    const [before] = lifecycle.preconditions;
    expect(before && valueOf(before.condition, { "tenancy_account.acme": { name: "acme" } })).toBe(true);
    const [after] = lifecycle.postconditions;
    expect(after && valueOf(after.condition, { self: { id: "1" } })).toBe(true);
    expect(after && valueOf(after.errorMessage, { self: { name: "globex" } })).toBe("no globex");
  });

  test("ignore_changes of everything is an empty path", () => {
    const stack = read((scope) => void account(scope, "acme", {}, { lifecycle: { ignoreChanges: "all" } }));
    expect(blockAt(stack, "resource", "tenancy_account.acme").lifecycle.ignoreChanges).toEqual([[]]);
  });

  test("count and for_each are read, with what they mean inside", () => {
    const stack = read((scope) => {
      const count = TerraformCount.of(3);
      account(scope, "numbered", { name: `tenant-${Token.asString(count.index)}` }, { count });
      const each = TerraformIterator.fromMap({ eu: { size: 1 }, us: { size: 2 } });
      account(
        scope,
        "named",
        { name: each.key, limits: { vss_num: each.getNumber("size") } },
        { forEach: each },
      );
      new TerraformOutput(scope, "sizes", { value: each.pluckProperty("size") });
    });
    const numbered = blockAt(stack, "resource", "tenancy_account.numbered");
    expect(numbered.count && valueOf(numbered.count)).toBe(3);
    expect(valueOf(numbered.body, { "count.index": 2 })).toEqual({ name: "tenant-2" });
    const named = blockAt(stack, "resource", "tenancy_account.named");
    expect(named.forEach && valueOf(named.forEach)).toEqual({ eu: { size: 1 }, us: { size: 2 } });
    expect(valueOf(named.body, { "each.key": "eu", "each.value": { size: 1 } })).toEqual({
      name: "eu",
      limits: { vss_num: 1 },
    });
    expect(valueOf(blockAt(stack, "output", "output.sizes").value)).toEqual([1, 2]);
  });

  test("null_resource and terraform_data are values", () => {
    const stack = read((scope) => {
      new DeclaredProvider(scope, "null", {}, { name: "null", source: "null" });
      new Declared(scope, "n", "null_resource", { triggers: { a: "${terraform_data.d.output}" } });
      new Declared(scope, "d", "terraform_data", { input: 1 });
    });
    expect(blockAt(stack, "value", "null_resource.n").dependencies).toEqual(["terraform_data.d"]);
    expect(blockAt(stack, "value", "terraform_data.d").body.constant).toEqual({ input: 1 });
  });
});

describe("providers", () => {
  test("aliases are configurations of their own, and resources say which they use", () => {
    const stack = read((scope) => {
      const eu = new DeclaredProvider(scope, "eu", { base_url: "https://eu.example" }, { alias: "eu" });
      account(scope, "acme", { name: "acme" }, { provider: eu });
      account(scope, "globex", { name: "globex" });
    });
    expect(blockAt(stack, "provider", "provider.tenancy").body.constant).toEqual({ owner: "acme-platform" });
    expect(blockAt(stack, "provider", "provider.tenancy.eu")).toMatchObject({
      name: "tenancy.eu",
      body: { constant: { base_url: "https://eu.example" } },
    });
    expect(blockAt(stack, "resource", "tenancy_account.acme").provider).toBe("tenancy.eu");
    expect(blockAt(stack, "resource", "tenancy_account.globex").provider).toBe("tenancy");
  });

  test("a stack without a provider block has the one that the environment describes", () => {
    const stack = readStack({ resource: { tenancy_account: { a: { name: "a" } } } }, OPTIONS);
    expect(blockAt(stack, "provider", "provider.tenancy").body.constant).toEqual({});
  });
});

describe("variables, locals and outputs", () => {
  test("a variable has type, default, marks and validations", () => {
    const stack = read((scope) => {
      new TerraformVariable(scope, "region", {
        type: "string",
        default: "eu",
        validation: [{ condition: ref('contains(["eu", "us"], var.region)'), errorMessage: "eu or us" }],
      });
      new TerraformVariable(scope, "secret", {
        type: "map(object({ a = optional(number, 1) }))",
        sensitive: true,
        nullable: false,
      });
      new TerraformVariable(scope, "token", {}).addOverride("ephemeral", true);
    });
    const region = blockAt(stack, "variable", "var.region");
    expect(region).toMatchObject({
      type: "string",
      default: "eu",
      sensitive: false,
      nullable: true,
      dependencies: [],
    });
    const [validation] = region.validations;
    expect(validation && valueOf(validation.condition, { "variable.region": "asia" })).toBe(false);
    expect(blockAt(stack, "variable", "var.secret")).toMatchObject({
      sensitive: true,
      nullable: false,
      default: undefined,
    });
    expect(blockAt(stack, "variable", "var.token").ephemeral).toBe(true);
  });

  test("a local is evaluated from what it refers to", () => {
    const stack = read((scope) => {
      const names = new TerraformLocal(scope, "names", ["b", "a"]);
      new TerraformLocal(scope, "first", Fn.element(Fn.sort(names.asList), 0));
    });
    expect(valueOf(blockAt(stack, "local", "local.first").value, { "local.names": ["b", "a"] })).toBe("a");
  });

  test("an output has its value, marks and what it waits for", () => {
    const stack = read((scope) => {
      const acme = account(scope, "acme", { name: "acme" });
      new TerraformOutput(scope, "id", {
        value: acme.getStringAttribute("id"),
        sensitive: true,
        description: "Id of acme",
        dependsOn: [acme],
      }).addOverride("precondition", [{ condition: true, error_message: "never" }]);
    });
    expect(blockAt(stack, "output", "output.id")).toMatchObject({
      sensitive: true,
      description: "Id of acme",
      dependencies: ["tenancy_account.acme"],
      preconditions: [{ condition: { constant: true } }],
    });
  });
});

describe("data sources and ephemeral resources", () => {
  test("our data sources are read", () => {
    const stack = read((scope) => void new DeclaredData(scope, "acme", "tenancy_account", { name: "acme" }));
    expect(blockAt(stack, "data", "data.tenancy_account.acme")).toMatchObject({
      constructPath: "prod/acme",
      provider: "tenancy",
      body: { constant: { name: "acme" } },
    });
  });

  test("an ephemeral resource, which CDKTF has no class for, is read from an override", () => {
    const stack = read((scope) => {
      scope.addOverride("ephemeral.tenancy_session_token.ci", { login: "ci@acme" });
      account(scope, "acme", { password_wo: ref("ephemeral.tenancy_session_token.ci.access_token") });
    });
    expect(blockAt(stack, "ephemeral", "ephemeral.tenancy_session_token.ci").body.constant).toEqual({
      login: "ci@acme",
    });
    const { body } = blockAt(stack, "resource", "tenancy_account.acme");
    const token = mark({ access_token: "secret" }, EPHEMERAL);
    expect(unmark(body.evaluate(scopeOf({ "tenancy_session_token.ci": token }))).ephemeral).toEqual([
      ["password_wo"],
    ]);
  });

  test("our provider's function may be called", () => {
    const stack = read(
      (scope) =>
        void account(scope, "acme", {
          permissions: ref(
            'provider::tenancy::permissions_preset("operator", { vss = { rights = { remove_vss = true } } })',
          ),
        }),
    );
    expect(blockAt(stack, "resource", "tenancy_account.acme").body.calls).toEqual([
      "provider::tenancy::permissions_preset",
    ]);
  });
});

describe("import", () => {
  test("importFrom says which object an instance takes in", () => {
    const stack = read((scope) => {
      account(scope, "acme", { name: "acme" }).importFrom("acme");
      scope.addOverride("import.1", { to: 'tenancy_account.many["eu"]', id: "account:1:2" });
      account(scope, "many", {}, { forEach: TerraformIterator.fromList(["eu"]) });
    });
    expect(stack.imports.map(({ to, id }) => [to.constant, id.constant])).toEqual([
      ["tenancy_account.acme", "acme"],
      ['tenancy_account.many["eu"]', "account:1:2"],
    ]);
  });

  test("with for_each the target is made for each element", () => {
    const stack = read((scope) => {
      account(scope, "many", { name: ref("each.key") }, { forEach: TerraformIterator.fromMap({ eu: 1 }) });
      scope.addOverride("import", [
        { to: "tenancy_account.many[each.key]", id: "${each.value}", for_each: { eu: "account:1:2" } },
      ]);
    });
    const [block] = stack.imports;
    const values = { "each.key": "eu", "each.value": "account:1:2" };
    expect(block && valueOf(block.to, values)).toBe('tenancy_account.many["eu"]');
    expect(block && valueOf(block.id, values)).toBe("account:1:2");
    expect(block && block.to.evaluate(scopeOf({ "each.key": UNKNOWN }))).toBe(UNKNOWN);
  });
});

describe("what else may stand there", () => {
  test("backend, moved and the required version are ignored", () => {
    expect(() =>
      read((scope) => {
        new LocalBackend(scope, {});
        scope.addOverride("terraform.required_version", ">= 1.11");
        scope.addOverride("terraform.cloud", { organization: "acme" });
        const acme = account(scope, "acme", { name: "acme" });
        acme.addMoveTarget("here");
        account(scope, "other", { name: "other" }).moveTo("there");
        account(scope, "target", { name: "other" }).addMoveTarget("there");
        scope.addOverride("moved", [{ from: "tenancy_account.a", to: "tenancy_account.acme" }]);
      }),
    ).not.toThrow();
  });

  test("what is to be removed is read from the stack's metadata", () => {
    const stack = read((scope) =>
      scope.addOverride("//.tenancy.removed", [
        { account: "acme", path: "prod/gone" },
        { login: "jane@globex", serial: "17", provider: "tenancy", path: "prod/jane" },
      ]),
    );
    expect(stack.removals).toEqual([
      { account: "acme", path: "prod/gone" },
      { login: "jane@globex", serial: "17", provider: "tenancy", path: "prod/jane" },
    ]);
  });

  test("integers beyond 2^53 and text that only looks like a template survive", () => {
    const text = synthesized(
      (scope) => void account(scope, "acme", { name: "$${x}", note: "a { b } $5 100%" }),
    ).replace('"name"', '"quota": 9223372036854775807, "name"');
    const stack = readStack(text, OPTIONS);
    expect(valueOf(blockAt(stack, "resource", "tenancy_account.acme").body)).toEqual({
      quota: 9223372036854775807n,
      name: "${x}",
      note: "a { b } $5 100%",
    });
  });

  test("a key named __proto__ is a key like any other", () => {
    const stack = readStack('{"locals":{"x":{"__proto__":{"a":"${1}"},"constructor":1}}}', OPTIONS);
    const value = blockAt(stack, "local", "local.x").value.evaluate(scopeOf());
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
  });

  test("tokens in a string template, conditionals and function calls are evaluated as CDKTF writes them", () => {
    const stack = read((scope) => {
      const size = new TerraformVariable(scope, "size", { type: "number", default: 2 });
      const acme = account(scope, "acme", { name: "acme", limits: { vss_num: size.numberValue } });
      new TerraformLocal(scope, "texts", {
        joined: Fn.join("-", ["a", acme.getStringAttribute("name"), Fn.upper("x")]),
        greeting: `Hello ${Token.asString(acme.getStringAttribute("name"))}, "quoted" \\ and ${size.stringValue}`,
        chosen: ref('var.size > 1 ? "many" : "one"'),
        next: Token.asString(Op.add(size.numberValue, 1)),
        legacy: "${tenancy_account.acme.tags.0.name}",
        all: "${[for t in tenancy_account.acme.tags : t.name]}",
        splat: "${tenancy_account.acme.tags.*.name}",
        looked: Token.asNumber(Fn.lookup({ a: 1 }, "b", 5)),
        encoded: Fn.jsonencode({ z: [1, "two"], a: null }),
      });
    });
    const acme = { name: "acme", tags: [{ name: "t1" }, { name: "t2" }] };
    expect(
      valueOf(blockAt(stack, "local", "local.texts").value, {
        "tenancy_account.acme": acme,
        "variable.size": 2,
      }),
    ).toEqual({
      joined: "a-acme-X",
      greeting: 'Hello acme, "quoted" \\ and 2',
      chosen: "many",
      next: 3,
      legacy: "t1",
      all: ["t1", "t2"],
      splat: ["t1", "t2"],
      looked: 5,
      encoded: '{"a":null,"z":[1,"two"]}',
    });
  });
});

test("a body without templates is not copied", () => {
  const json: Value = { a: [1, { b: "x" }] };
  expect(compile(json).constant).toBe(json);
  expect(compile(json).evaluate(scopeOf())).toBe(json);
  const mixed = compile({ same: json, dynamic: "${var.x}" });
  expect((mixed.evaluate(scopeOf()) as { same: Value }).same).toBe(json);
  expect(mixed.references.map((reference: Reference) => reference.sourceText)).toEqual(["var.x"]);
});
