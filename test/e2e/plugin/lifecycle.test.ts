/** Objects from their creation to their end under a real engine: covers src/lib/plugin-runtime/calls. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withEachEngine } from "../../support/terraform/engines";
import { FixtureWorkspace, said } from "../../support/terraform/fixture";

withEachEngine((engine) => {
  let workspace: FixtureWorkspace;
  beforeEach(async () => {
    workspace = await FixtureWorkspace.create(engine);
  });
  afterEach(() => workspace.remove());

  const apply = () => workspace.terraform.succeed(["apply", "-auto-approve"]);
  const expectNoChange = () => workspace.terraform.succeed(["plan", "-detailed-exitcode"]);

  test("a thing is created, changed in place, replaced and destroyed", async () => {
    await workspace.configure(`resource "fixture_thing" "it" { name = "a" }`);
    expect(await apply()).toContain("1 added, 0 changed, 0 destroyed");
    const first = await workspace.resource("fixture_thing.it");
    expect(first).toMatchObject({ name: "a", label: "label of a" });

    await workspace.configure(`resource "fixture_thing" "it" {\nname = "a"\nlabel = "own"\n}`);
    expect(await apply()).toContain("0 added, 1 changed, 0 destroyed");
    expect(await workspace.resource("fixture_thing.it")).toMatchObject({ id: first["id"], label: "own" });

    await workspace.configure(`resource "fixture_thing" "it" { name = "b" }`);
    const plan = await workspace.terraform.succeed(["plan"]);
    expect(plan).toContain("# forces replacement");
    expect(await apply()).toContain("1 added, 0 changed, 1 destroyed");
    await expectNoChange();

    expect(await workspace.terraform.succeed(["destroy", "-auto-approve"])).toContain("1 destroyed");
  });

  test("what was changed behind Terraform's back is drift, and what is gone is made again", async () => {
    await workspace.configure(`resource "fixture_thing" "it" {\nname = "a"\ntext = "x"\n}`);
    await apply();
    const { id } = await workspace.resource("fixture_thing.it");
    const file = join(workspace.store, `${String(id)}.json`);
    await writeFile(file, (await readFile(file, "utf8")).replace('"x"', '"y"'));
    expect(await workspace.terraform.succeed(["plan"])).toMatch(/text += "y" -> "x"/);
    await writeFile(file, "{}");
    expect(said(await workspace.terraform.run(["plan"]))).toContain(
      "id must be a string or null, but is missing",
    );
  });

  test("private state is kept beside the state from call to call, integers exact", async () => {
    await workspace.configure(`resource "fixture_thing" "it" { name = "a" }`);
    await apply();
    const state = JSON.parse(await workspace.terraform.readState()) as {
      resources: { instances: { private: string }[] }[];
    };
    const kept = Buffer.from(state.resources[0]?.instances[0]?.private ?? "", "base64").toString();
    expect(kept).toBe('{"seal":9007199254740993}');

    await workspace.configure(`resource "fixture_thing" "it" {\nname = "a"\ntext = "x"\n}`);
    await apply();
    expect(workspace.calls()).toContain('update with ["planned"]');
  });

  test("a write-only value reaches the provider, and neither plan nor state", async () => {
    await workspace.configure(`
    resource "fixture_thing" "it" {
      name           = "a"
      secret_wo      = "canary"
      secret_version = 1
      limits         = { pin_wo = "canary" }
    }`);
    await workspace.terraform.succeed(["plan", "-out=plan"]);
    const { configuration: _asWritten, ...plan } = JSON.parse(
      await workspace.terraform.succeed(["show", "-json", "plan"]),
    ) as Record<string, unknown>;
    expect(JSON.stringify(plan)).not.toContain("canary");
    await workspace.terraform.succeed(["apply", "plan"]);
    expect(workspace.calls()).toContain("secret canary");
    expect(await workspace.terraform.readState()).not.toContain("canary");
    await expectNoChange();
  });

  test("a thing is imported by its id, and the plan after it is empty", async () => {
    await workspace.configure(`resource "fixture_thing" "it" { name = "a" }`);
    await apply();
    const { id } = await workspace.resource("fixture_thing.it");
    await workspace.terraform.succeed(["state", "rm", "fixture_thing.it"]);
    await workspace.terraform.succeed(["import", "fixture_thing.it", String(id)]);
    await expectNoChange();
  });

  test("an import of nothing, or of what has no import, says so", async () => {
    await workspace.configure(`
    resource "fixture_thing" "it" { name = "a" }
    resource "fixture_successor" "it" {}`);
    const nothing = await workspace.terraform.run(["import", "fixture_thing.it", "nowhere"]);
    expect(said(nothing)).toContain('There is no fixture_thing "nowhere" to import');
    const never = await workspace.terraform.run(["import", "fixture_successor.it", "x"]);
    expect(said(never)).toContain("fixture_successor cannot be imported");
  });

  test("state of another type of resource is not taken over", async () => {
    await workspace.configure(`resource "terraform_data" "old" {}`);
    await apply();
    await workspace.configure(`
    resource "fixture_successor" "new" {}
    moved {
      from = terraform_data.old
      to   = fixture_successor.new
    }`);
    const outcome = await workspace.terraform.run(["plan"]);
    expect(outcome.code).toBe(1);
    expect(said(outcome)).toMatch(/Unsupported|not support/);
    expect(await workspace.terraform.succeed(["state", "list"])).toContain("terraform_data.old");
  });

  test("state of an older schema, or of a newer one, is refused", async () => {
    await workspace.configure(`resource "fixture_thing" "it" { name = "a" }`);
    await apply();
    const state = await workspace.terraform.readState();
    const planned = async (version: number) => {
      const other = state.replace('"schema_version": 1', `"schema_version": ${version}`);
      await writeFile(join(workspace.terraform.folder, "terraform.tfstate"), other);
      return said(await workspace.terraform.run(["plan"]));
    };
    expect(await planned(0)).toContain("of schema version 0, from which there is no upgrade");
    expect(await planned(2)).toMatch(/newer version|newer provider version/);
  });

  test("stored state with an attribute that the schema has no more, and without one that it has, still plans clean", async () => {
    await workspace.configure(`resource "fixture_thing" "it" { name = "a" }`);
    await apply();
    const state = JSON.parse(await workspace.terraform.readState()) as {
      resources: { instances: { attributes: Record<string, unknown> }[] }[];
    };
    const attributes = state.resources[0]?.instances[0]?.attributes ?? {};
    attributes["formerly"] = true;
    delete attributes["old_text"];
    await writeFile(join(workspace.terraform.folder, "terraform.tfstate"), JSON.stringify(state));
    await expectNoChange();
  });

  test("a delete can be refused while it is planned", async () => {
    await workspace.configure(`resource "fixture_successor" "it" { protected = true }`);
    await apply();
    const destroy = await workspace.terraform.run(["plan", "-destroy"]);
    expect(said(destroy)).toContain("This one is protected");
    expect(workspace.calls()).toContain('plan delete with ["made"]');
    await workspace.configure(`resource "fixture_successor" "it" { protected = false }`);
    await apply();
    await workspace.terraform.succeed(["destroy", "-auto-approve"]);
  });

  test("a resource without an update is replaced by every change", async () => {
    await workspace.configure(`
    resource "fixture_fixed" "it" {
      name = "a"
    }`);
    await apply();
    await expectNoChange();
    await workspace.configure(`resource "fixture_fixed" "it" {}`);
    expect(await apply()).toContain("1 added, 0 changed, 1 destroyed");
    await expectNoChange();
  });

  test("an ephemeral value is opened, and is in no state", async () => {
    await workspace.configure(`
    ephemeral "fixture_secret" "it" { name = "s" }
    resource "fixture_thing" "it" {
      name           = "a"
      secret_wo      = ephemeral.fixture_secret.it.value
      secret_version = 1
    }`);
    await apply();
    expect(workspace.calls()).toEqual(expect.arrayContaining(["open s", "secret secret of s"]) as unknown);
    expect(await workspace.terraform.readState()).not.toContain("secret of s");
  });

  test("a data source is read; its error stands at its attribute", async () => {
    await workspace.configure(`
    resource "fixture_thing" "it" { name = "a" }
    data "fixture_thing" "it" { id = fixture_thing.it.id }
    output "name" { value = data.fixture_thing.it.name }`);
    await apply();
    expect(await workspace.terraform.succeed(["output", "-raw", "name"])).toBe("a");
    await workspace.configure(`data "fixture_thing" "it" { id = "nowhere" }`);
    const outcome = said(await workspace.terraform.run(["plan"]));
    expect(outcome).toContain("There is no thing nowhere");
    expect(outcome).toContain('data "fixture_thing" "it" { id = "nowhere" }');
  });

  test("functions take null, many arguments, and blame the one that is wrong", async () => {
    await workspace.configure(`
    output "same" { value = provider::fixture::same(toset(["a"])) }
    output "null" { value = provider::fixture::same(null) == null }
    output "sum" { value = provider::fixture::sum(9007199254740993, 1, 1) }`);
    await apply();
    expect(await workspace.terraform.succeed(["output", "-raw", "sum"])).toBe("9007199254740995");

    await workspace.configure(`output "sum" { value = provider::fixture::sum(1, 0.1) }`);
    const fraction = said(await workspace.terraform.run(["plan"]));
    expect(fraction).toContain('Invalid value for "others" parameter: a whole number is needed');
    await workspace.configure(`output "faulty" { value = provider::fixture::faulty() }`);
    expect(said(await workspace.terraform.run(["plan"]))).toContain(
      "the value must be a number or null, but is a string",
    );
  });

  test("documentation, deprecations and sensitivity reach Terraform", async () => {
    await workspace.configure("");
    const schemas = JSON.parse(
      await workspace.terraform.succeed(["providers", "schema", "-json"]),
    ) as Schemas;
    const provider = schemas.provider_schemas[workspace.address];
    const { block, version } = provider?.resource_schemas["fixture_thing"] ?? {};
    expect(version).toBe(1);
    expect(block).toMatchObject({
      description_kind: "markdown",
      description: "A thing with attributes of **every** shape.",
    });
    expect(block?.attributes["token"]).toMatchObject({ computed: true, sensitive: true });
    expect(block?.attributes["old_text"]).toMatchObject({ deprecated: true });
    expect(block?.attributes["secret_wo"]).toMatchObject({ write_only: true });
    expect(block?.attributes["rules"]).toMatchObject({ nested_type: { nesting_mode: "list" } });
    expect(block?.attributes["limits"]).toMatchObject({ nested_type: { nesting_mode: "single" } });
  });
});

interface Schemas {
  readonly provider_schemas: Readonly<
    Record<
      string,
      {
        readonly resource_schemas: Readonly<
          Record<
            string,
            { readonly version: number; readonly block: { readonly attributes: Record<string, unknown> } }
          >
        >;
      }
    >
  >;
}
