/** The provider's documents, read by the validator that the registries are served by. */
import { readFileSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { providerSchema } from "../../../.ci/generate/provider-schema";
import { families } from "../../../src/resources/registry";
import { run } from "../../support/built-command";
import { describeWith } from "../../support/programs";
import { temporaryFolder } from "../../support/temp-folder";

const root = resolve(__dirname, "../../..");
const folder = temporaryFolder();

describeWith(["tfplugindocs"], "tfplugindocs", ({ tfplugindocs }) => {
  /** Validates the documents in the test's folder. */
  async function validate() {
    // The validator looks for the schema of a provider without a namespace under this name.
    const schemas = { "registry.terraform.io/hashicorp/tenancy": providerSchema(families) };
    const file = join(folder(), "schema.json");
    await writeFile(file, JSON.stringify({ format_version: "1.0", provider_schemas: schemas }));
    const name = ["--provider-name", "terraform-provider-tenancy", "--providers-schema", file];
    return run(tfplugindocs, ["validate", "--provider-dir", folder(), ...name], { folder: folder() });
  }

  test("finds nothing in the documents, and every resource has its page", async () => {
    await cp(join(root, "docs"), join(folder(), "docs"), { recursive: true });
    const { code, stdout, stderr } = await validate();
    expect({ code, errors: stderr.split("\n").filter((line) => !line.includes("[DEBUG]")) }).toEqual({
      code: 0,
      errors: [""],
    });
    for (const page of ["index.md", "resources/account.md", "guides/rights.md"])
      expect(stdout).toContain(`running file checks on docs/${page}`);
  });

  test("refuses a subcategory on the provider's own page", async () => {
    await cp(join(root, "docs"), join(folder(), "docs"), { recursive: true });
    const page = readFileSync(join(folder(), "docs/index.md"), "utf8");
    await writeFile(
      join(folder(), "docs/index.md"),
      page.replace("description:", 'subcategory: ""\ndescription:'),
    );
    expect((await validate()).stderr).toContain("frontmatter should not contain subcategory");
  });
});
