/** A small provider that others could write: covers src/lib/plugin-runtime as a library. */
import { join } from "node:path";
import { withEachEngine } from "../../support/terraform/engines";
import { installProvider } from "../../support/terraform/install-provider";
import { TerraformWorkspace } from "../../support/terraform/workspace";

withEachEngine((engine) => {
  let terraform: TerraformWorkspace;
  beforeEach(async () => {
    terraform = await TerraformWorkspace.create(engine.program);
    const main = join(__dirname, "../../support/null-provider/main.ts");
    await installProvider(terraform.home, {
      source: "hashicorp/null",
      version: "3.2.4",
      main,
      registry: engine.registry,
    });
  });
  afterEach(() => terraform.remove());

  const withTrigger = (value: string) =>
    terraform.configure(`resource "null_resource" "it" { triggers = { value = "${value}" } }`);

  test("a provider of a few dozen lines is found, planned, applied, replaced for its triggers, and destroyed", async () => {
    await withTrigger("a");
    await terraform.succeed(["init"]);
    expect(await terraform.succeed(["apply", "-auto-approve"])).toContain("1 added");
    await terraform.succeed(["plan", "-detailed-exitcode"]);
    await withTrigger("b");
    expect(await terraform.succeed(["apply", "-auto-approve"])).toContain("1 added, 0 changed, 1 destroyed");
    await terraform.succeed(["plan", "-detailed-exitcode"]);
    expect(await terraform.succeed(["destroy", "-auto-approve"])).toContain("1 destroyed");
  });
});
