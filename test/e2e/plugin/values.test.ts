/** Values on their way through a real engine: covers src/lib/plugin-runtime/values.ts. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { parseJson, stringifyJson, type Value } from "../../../src/lib/values";
import { attachProvider, type AttachedProvider } from "../../support/attached-provider";
import { fixtureProvider } from "../../support/fixture-provider/provider";
import { withEachEngine } from "../../support/terraform/engines";
import { rounds } from "../../support/rounds";
import { typedValues } from "../../support/typed-values";
import { FixtureWorkspace } from "../../support/terraform/fixture";

withEachEngine((engine) => {
  let workspace: FixtureWorkspace;
  let provider: AttachedProvider;
  const environment = () => ({ TF_REATTACH_PROVIDERS: provider.reattach(workspace.address) });

  beforeAll(async () => {
    provider = await attachProvider(fixtureProvider);
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    workspace = await FixtureWorkspace.create(engine, { install: false });
  });
  afterEach(() => workspace.remove());

  /** Applies a thing with these attributes; afterwards no plan, with or without a refresh, finds a difference. */
  async function settle(attributes: string): Promise<void> {
    await workspace.configure(`
    variable "text" { default = null }
    resource "fixture_thing" "it" {
      name = "it"
      ${attributes}
    }
    output "number" { value = fixture_thing.it.number }`);
    const { terraform } = workspace;
    await terraform.succeed(["apply", "-auto-approve"], { environment: environment() });
    await terraform.succeed(["plan", "-detailed-exitcode"], { environment: environment() });
    await terraform.succeed(["plan", "-detailed-exitcode", "-refresh=false"], { environment: environment() });
  }

  describe("a value comes back from the provider as it was configured", () => {
    test.each([
      ["an integer beyond 2^53", "9007199254740993"],
      ["the greatest 64-bit integer", "9223372036854775807"],
      ["the least 64-bit integer", "-9223372036854775808"],
      ["an integer of 65 bits", "18446744073709551616"],
      ["an integer of a hundred digits", `1${"0".repeat(99)}`],
      ["a decimal fraction", "0.1"],
      ["a binary fraction", "0.5"],
      ["a tiny fraction", "0.00000001"],
      ["zero", "0"],
      ["less than zero", "-1.5"],
    ])("number: %s", async (_what, number) => {
      await settle(`number = ${number}\nnumbers = [${number}, 1]`);
      expect(await output("number")).toBe(await evaluate(number));
    });

    test.each([
      ["the key __proto__", `dictionary = { __proto__ = "x", constructor = "y", toString = "z" }`],
      ["composed accents", `text = "\u00e9"\ndictionary = { "\u00e9" = "\u00e9" }`],
      [
        "decomposed accents",
        `text = "e\u0301"\ndictionary = { "e\u0301" = "e\u0301" }\ntags = ["e\u0301", "\u00e9"]`,
      ],
      ["an empty list", "strings = []\ntags = []\ndictionary = {}\nrules = []"],
      ["a null list", "strings = null\ntags = null\ndictionary = null\nrules = null"],
      ["a list with a null", `strings = ["a", null]`],
      ["an empty string", `text = ""`],
      ["control characters", `text = "\\u0000\\u001f\\n"`],
      ["characters beyond the basic plane", `text = "\u{1f600}"`],
      ["a set in another order, and twice the same", `tags = ["b", "a", "b"]`],
      ["an object", `object = { a = null, b = [true, null] }`],
      ["a long text", `text = join("", [for i in range(1000) : "${"0123456789".repeat(10)}"])`],
    ])("%s", async (_what, attributes) => settle(attributes));

    test("attributes inside nested attributes", () =>
      settle(`
      limits = { note = "n" }
      rules = [{ port = 80 }, { port = 9007199254740993 }]`));
  });

  test("what is not known while planning is filled in at apply, in every shape", async () => {
    await workspace.configure(`
    resource "terraform_data" "later" { input = "x" }
    resource "fixture_thing" "it" {
      name = "it"
      text = "prefix-\${terraform_data.later.output}"
      strings = [terraform_data.later.output]
      tags = [terraform_data.later.id, "a"]
      number = length(terraform_data.later.id)
      rules = [for port in [80, length(terraform_data.later.id)] : { port = port }]
      dictionary = { (terraform_data.later.input) = terraform_data.later.id }
    }`);
    await workspace.terraform.succeed(["apply", "-auto-approve"], { environment: environment() });
    await workspace.terraform.succeed(["plan", "-detailed-exitcode"], { environment: environment() });
  });

  test("what is certain of an unknown value is certain in the plan, too", async () => {
    await workspace.configure(`
    resource "terraform_data" "later" { input = "x" }
    resource "fixture_thing" "it" {
      name = "it"
      text = "prefix-\${terraform_data.later.id}"
    }
    output "is_text" { value = fixture_thing.it.text != null }`);
    const { terraform } = workspace;
    await terraform.succeed(["plan", "-out=planned"], { environment: environment() });
    const plan = JSON.parse(
      await terraform.succeed(["show", "-json", "planned"], { environment: environment() }),
    ) as { readonly planned_values: { readonly outputs: Readonly<Record<string, unknown>> } };
    expect(plan.planned_values.outputs["is_text"]).toMatchObject({ value: true });
  });

  // Terraform keeps values with go-cty: its types, MessagePack and numbers are the oracle.
  test("drawn values of drawn types come back from a function as they went in", async () => {
    const drawn = fc.sample(typedValues({ unknowns: false, sets: false }), {
      numRuns: rounds(150),
      seed: 11,
    });
    const functions = Object.fromEntries(
      drawn.map(({ type }, index) => [
        `same${index}`,
        {
          parameters: [{ name: "value", type, allowNull: true }],
          returns: type,
          call: (value: Value | undefined) => value ?? null,
        },
      ]),
    );
    const echo = await attachProvider({ ...fixtureProvider, functions });
    try {
      const { terraform } = workspace;
      const echoed = { TF_REATTACH_PROVIDERS: echo.reattach(workspace.address) };
      await writeFile(join(terraform.folder, "values.json"), stringifyJson(drawn.map(({ value }) => value)));
      await workspace.configure(`
        locals { values = jsondecode(file("values.json")) }
        output "same" {
          value = jsonencode([
            ${drawn.map((_one, index) => `provider::fixture::same${index}(local.values[${index}]),`).join("\n")}
          ])
        }`);
      await terraform.succeed(["apply", "-auto-approve"], { environment: echoed });
      const same = parseJson(JSON.parse(await output("same")) as string) as readonly Value[];
      drawn.forEach(({ value }, index) => expect(same[index]).toEqual(value));
    } finally {
      await echo.close();
    }
  });

  /** An output, as Terraform prints it. */
  async function output(name: string): Promise<string> {
    return (await workspace.terraform.succeed(["output", "-json", name])).trim();
  }

  /** The value of an expression, as Terraform prints it when no provider has touched it. */
  async function evaluate(expression: string): Promise<string> {
    const { terraform } = workspace;
    await terraform.configure(`output "plain" { value = ${expression} }`);
    await terraform.succeed(["apply", "-auto-approve", "-state=plain.tfstate"]);
    return (await terraform.succeed(["output", "-state=plain.tfstate", "-json", "plain"])).trim();
  }
});
