/** Stacks that the embedded engine refuses: covers src/stack/blocks.ts, placed.ts and reader.ts. */
import {
  ref,
  TerraformHclModule,
  TerraformIterator,
  TerraformLocal,
  TerraformOutput,
  type TerraformStack,
} from "cdktf";
import type { Diagnostic } from "../../src/problems";
import { readStack } from "../../src/stack";
import {
  account,
  Declared,
  DeclaredData,
  DeclaredProvider,
  findingsIn,
  findingsOf,
  OPTIONS,
} from "./synthesized";

/** What the only finding says, in the parts that matter to a user. */
function refusal(build: (stack: TerraformStack) => void): Partial<Diagnostic> {
  const findings = findingsOf(build);
  expect(findings).toHaveLength(1);
  return findings[0] ?? {};
}

const FOR_OTHER_ENGINE: unknown = expect.stringContaining("Terraform or OpenTofu");

describe("what only the other engine runs", () => {
  test("a provisioner is refused by name", () => {
    expect(
      refusal((scope) => {
        account(scope, "acme", {}, { provisioners: [{ type: "local-exec", command: "true" }] });
      }),
    ).toMatchObject({
      code: "TENANCY_UNSUPPORTED",
      summary: "the embedded engine does not run provisioners",
      address: "tenancy_account.acme",
      constructPath: "prod/acme",
      advice: FOR_OTHER_ENGINE,
    });
  });

  test("a connection is refused by name", () => {
    expect(
      refusal((scope) => void account(scope, "acme", {}, { connection: { type: "ssh", host: "h" } })),
    ).toMatchObject({ code: "TENANCY_UNSUPPORTED", attribute: ["connection"], advice: FOR_OTHER_ENGINE });
  });

  test("replace_triggered_by is refused by name", () => {
    expect(
      refusal((scope) => {
        account(scope, "acme", {}, { lifecycle: { replaceTriggeredBy: ["tenancy_account.globex"] } });
        account(scope, "globex");
      }),
    ).toMatchObject({ code: "TENANCY_UNSUPPORTED", attribute: ["lifecycle", "replace_triggered_by"] });
  });

  test("create_before_destroy is refused on our resources, and nowhere else", () => {
    expect(
      refusal((scope) => {
        account(scope, "acme", {}, { lifecycle: { createBeforeDestroy: true } });
        account(scope, "globex", {}, { lifecycle: { createBeforeDestroy: false } });
        new Declared(scope, "value", "terraform_data", {}, { lifecycle: { createBeforeDestroy: true } });
      }),
    ).toMatchObject({ address: "tenancy_account.acme", attribute: ["lifecycle", "create_before_destroy"] });
  });

  test("a module is refused by name", () => {
    expect(
      refusal((scope) => void new TerraformHclModule(scope, "net", { source: "acme/net/aws" })),
    ).toMatchObject({
      code: "TENANCY_UNSUPPORTED",
      summary: "the embedded engine does not run modules",
      address: "module.net",
      constructPath: "prod/net",
    });
  });

  test("a dynamic block is refused by name", () => {
    expect(
      refusal((scope) =>
        account(scope, "acme").addOverride("dynamic", { limits: { for_each: [1], content: {} } }),
      ),
    ).toMatchObject({ code: "TENANCY_UNSUPPORTED", attribute: ["dynamic"] });
  });

  test("a check block is refused by name", () => {
    expect(refusal((scope) => scope.addOverride("check", { healthy: { assert: [] } }))).toMatchObject({
      code: "TENANCY_UNSUPPORTED",
      address: "check",
    });
  });

  test("another provider is refused by name, and so is each of its resources and data sources", () => {
    const findings = findingsOf((scope) => {
      new DeclaredProvider(scope, "random", {}, { name: "random", source: "hashicorp/random" });
      const id = new Declared(scope, "id", "random_id", { byte_length: 4 });
      new DeclaredData(scope, "old", "null_data_source", {});
      account(scope, "acme", { name: id.getStringAttribute("hex") });
    });
    expect(findings.map(({ code, address }) => [code, address])).toEqual([
      ["TENANCY_UNSUPPORTED", "provider.random"],
      ["TENANCY_UNSUPPORTED", "provider.random"],
      ["TENANCY_UNSUPPORTED", "random_id.id"],
      ["TENANCY_UNSUPPORTED", "data.null_data_source.old"],
    ]);
  });

  test("somebody else's provider called tenancy is refused", () => {
    expect(
      refusal((scope) => scope.addOverride("terraform.required_providers.tenancy.source", "acme/tenancy")),
    ).toMatchObject({
      code: "TENANCY_UNSUPPORTED",
      summary: expect.stringContaining("acme/tenancy") as string,
    });
  });

  test("a function that the embedded engine does not know is refused by name", () => {
    expect(refusal((scope) => void account(scope, "acme", { name: "${uuid()}" }))).toMatchObject({
      code: "TENANCY_UNSUPPORTED",
      summary: 'the embedded engine has no function "uuid"',
      address: "tenancy_account.acme",
    });
    expect(refusal((scope) => void account(scope, "acme", { name: '${uper("x")}' }))).toMatchObject({
      advice: 'Did you mean "upper"?',
    });
  });

  test("remote state that is no cross-stack reference is refused", () => {
    expect(
      refusal(
        (scope) =>
          void new DeclaredData(scope, "other", "terraform_remote_state", {
            backend: "local",
            config: { path: "x" },
          }),
      ),
    ).toMatchObject({ code: "TENANCY_UNSUPPORTED", address: "data.terraform_remote_state.other" });
  });
});

describe("what means nothing", () => {
  test("a type that our provider does not have is an error", () => {
    expect(refusal((scope) => void new Declared(scope, "acme", "tenancy_acount"))).toMatchObject({
      code: "TENANCY_UNDECLARED_NAME",
      advice: 'Did you mean "tenancy_account"?',
    });
    expect(refusal((scope) => void new DeclaredData(scope, "acme", "tenancy_disk"))).toMatchObject({
      code: "TENANCY_UNDECLARED_NAME",
      summary: 'there is no data source "tenancy_disk"',
    });
  });

  test("a reference to nothing is an error that says what was probably meant", () => {
    expect(
      refusal((scope) => {
        account(scope, "acme", { name: "acme" });
        new TerraformLocal(scope, "id", "${tenancy_account.acmee.id}");
      }),
    ).toMatchObject({
      code: "TENANCY_UNDECLARED_NAME",
      address: "local.id",
      summary: '"tenancy_account.acmee" is not declared in this stack',
      advice: 'Did you mean "tenancy_account.acme"?',
    });
  });

  test.each([
    "${var.x}",
    "${local.x}",
    "${data.tenancy_status.x.y}",
    "${ephemeral.tenancy_session_token.x.y}",
  ])("%s is an error where there is none", (text) => {
    expect(refusal((scope) => void account(scope, "acme", { name: text }))).toMatchObject({
      code: "TENANCY_UNDECLARED_NAME",
    });
  });

  test("depends_on, import and provider are errors where they name nothing", () => {
    const findings = findingsOf((scope) => {
      account(scope, "acme").addOverride("depends_on", ["tenancy_account.gone[0]"]);
      account(scope, "globex").addOverride("provider", "tenancy.eu");
      scope.addOverride("import", [{ to: "tenancy_account.initech", id: "initech" }]);
    });
    expect(findings.map(({ summary, address }) => [address, summary])).toEqual([
      ["tenancy_account.globex", '"provider.tenancy.eu" is not declared in this stack'],
      ["tenancy_account.acme", '"tenancy_account.gone" is not declared in this stack'],
      ["tenancy_account.initech", '"tenancy_account.initech" is not declared in this stack'],
    ]);
  });

  test("each, count and self are errors where they have no value", () => {
    const findings = findingsOf((scope) => {
      account(scope, "acme", { name: "${each.key}" });
      account(scope, "globex", { name: "${count.index}" }, { forEach: TerraformIterator.fromList(["a"]) });
      account(scope, "initech", { name: "${self.id}" });
      new TerraformOutput(scope, "o", { value: ref("each.value") });
      account(
        scope,
        "hooli",
        {},
        { lifecycle: { precondition: [{ condition: ref("self.id"), errorMessage: "x" }] } },
      );
    });
    expect(findings.map(({ code, address }) => [code, address])).toEqual([
      ["TENANCY_EXPRESSION", "tenancy_account.acme"],
      ["TENANCY_EXPRESSION", "tenancy_account.globex"],
      ["TENANCY_EXPRESSION", "tenancy_account.hooli"],
      ["TENANCY_EXPRESSION", "tenancy_account.initech"],
      ["TENANCY_EXPRESSION", "output.o"],
    ]);
  });

  test("two imports for one target are an error", () => {
    expect(
      refusal((scope) => {
        account(scope, "acme");
        scope.addOverride("import", [
          { to: "tenancy_account.acme", id: "a" },
          { to: "${tenancy_account.acme}", id: "b" },
        ]);
      }),
    ).toMatchObject({ code: "TENANCY_DECLARED_TWICE", address: "tenancy_account.acme" });
  });

  test("references in a circle are an error that names the circle", () => {
    expect(
      refusal((scope) => {
        new TerraformLocal(scope, "a", "${local.b}");
        new TerraformLocal(scope, "b", "${local.c}");
        new TerraformLocal(scope, "c", "${local.a}");
      }),
    ).toMatchObject({ code: "TENANCY_CYCLE", summary: "local.a needs local.b needs local.c needs local.a" });
    expect(
      refusal((scope) => void account(scope, "acme", { name: "${tenancy_account.acme.id}" })),
    ).toMatchObject({
      summary: '"tenancy_account.acme" refers to itself',
    });
  });

  test("an expression that cannot be read is an error at its attribute", () => {
    expect(refusal((scope) => void account(scope, "acme", { limits: { vss_num: "${1 +}" } }))).toMatchObject({
      code: "TENANCY_EXPRESSION",
      address: "tenancy_account.acme",
      constructPath: "prod/acme",
      attribute: ["limits", "vss_num"],
    });
  });

  test("all findings come at once", () => {
    const findings = findingsOf((scope) => {
      account(
        scope,
        "a",
        { name: "${1 +}", email: "${nosuch()}" },
        { connection: { type: "ssh", host: "h" } },
      );
      account(scope, "b", { name: "${var.gone}" });
    });
    expect(findings.map(({ code }) => code).sort()).toEqual([
      "TENANCY_EXPRESSION",
      "TENANCY_UNDECLARED_NAME",
      "TENANCY_UNSUPPORTED",
      "TENANCY_UNSUPPORTED",
    ]);
  });
});

describe("JSON that is no stack", () => {
  test.each([
    ["[]", "TENANCY_SYNTHESIS_FAILED"],
    ['{"resource": 1}', "TENANCY_SYNTHESIS_FAILED"],
    ['{"resource": {"tenancy_account": "x"}}', "TENANCY_SYNTHESIS_FAILED"],
    ['{"resource": {"tenancy_account": {"a": 1}}}', "TENANCY_SYNTHESIS_FAILED"],
    ['{"resource": {"tenancy_account": {"a": {"lifecycle": 1}}}}', "TENANCY_SYNTHESIS_FAILED"],
    ['{"resource": {"tenancy_account": {"a": {"count": 1, "for_each": {}}}}}', "TENANCY_SYNTHESIS_FAILED"],
    ['{"resource": {"tenancy_account": {"a": {"depends_on": [1]}}}}', "TENANCY_SYNTHESIS_FAILED"],
    ['{"import": [{"id": "x"}]}', "TENANCY_SYNTHESIS_FAILED"],
    ['{"output": {"o": {}}}', "TENANCY_SYNTHESIS_FAILED"],
    ['{"variable": {"v": {"default": "${var.x}"}}}', "TENANCY_SYNTHESIS_FAILED"],
    ['{"variable": {"v": {"type": "text"}}}', "TENANCY_EXPRESSION"],
    ['{"//": {"tenancy": {"removed": [{}]}}}', "TENANCY_SYNTHESIS_FAILED"],
  ])("is an error, not a crash: %.70s", (text, code) =>
    expect(findingsIn(text).map((finding) => finding.code)).toContain(code),
  );

  test("is an error where it is nested deeper than anything can read", () => {
    const deep = `{"locals": {"deep": ${"[".repeat(5000)}1${"]".repeat(5000)}}}`;
    expect(() => readStack(deep, OPTIONS)).toThrow("the synthesized stack is not JSON");
  });
});
