/** The examples in HCL, judged by real engines: covers the files of examples. */
import { readdirSync, readFileSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { createProvider } from "../../../src/provider";
import { attachProvider, type AttachedProvider } from "../../support/attached-provider";
import { withEachEngine, withNextTerraform, type Engine } from "../../support/terraform/engines";
import { TerraformWorkspace } from "../../support/terraform/workspace";

const EXAMPLES = resolve(__dirname, "../../../examples");

/** What the registry's pages leave out, since each would say the same. */
const REQUIRED = `
terraform {
  required_providers {
    tenancy = { source = "tenancy/tenancy" }
  }
}
`;

/** The ways to import are told apart by their files, since an object is imported once. */
const IMPORTS = { byId: "import-by-string-id.tf", byIdentity: "import-by-identity.tf" };

withEachEngine((engine) => areValid(engine, IMPORTS.byIdentity));

withNextTerraform((engine) => {
  areValid(engine, IMPORTS.byId);
  areValidQueries(engine);
});

function areValidQueries({ program, registry }: Engine): void {
  test.each(folders(".tfquery.hcl"))("examples/%s is a valid query", async (name) => {
    const provider = await attachProvider(() => createProvider({}));
    const workspace = await TerraformWorkspace.create(program);
    try {
      const query = "list-resource.tfquery.hcl";
      await copyFile(join(EXAMPLES, name, query), join(workspace.folder, query));
      await workspace.configure(
        `${REQUIRED}\nprovider "tenancy" {\n  base_url = "https://storage.example"\n}\n`,
      );
      const environment = { TF_REATTACH_PROVIDERS: provider.reattach(`${registry}/tenancy/tenancy`) };
      await workspace.succeed(["init", "-backend=false"], { environment });
      expect(await workspace.succeed(["validate", "-query"], { environment })).toContain("Success");
    } finally {
      await workspace.remove();
      await provider.close();
    }
  });
}

/** @param left the file that is left out */
function areValid({ program, registry }: Engine, left: string): void {
  let provider: AttachedProvider;
  let workspace: TerraformWorkspace;
  beforeEach(async () => {
    provider = await attachProvider(() => createProvider({}));
    workspace = await TerraformWorkspace.create(program);
  });
  afterEach(async () => {
    await workspace.remove();
    await provider.close();
  });

  test.each(folders(".tf"))("examples/%s is valid", async (name) => {
    const folder = join(EXAMPLES, name);
    const files = readdirSync(folder).filter((file) => file.endsWith(".tf") && file !== left);
    for (const file of files) await copyFile(join(folder, file), join(workspace.folder, file));
    const text = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
    if (!text.includes("required_providers"))
      await writeFile(join(workspace.folder, "versions.tf"), REQUIRED);
    const environment = { TF_REATTACH_PROVIDERS: provider.reattach(`${registry}/tenancy/tenancy`) };
    await workspace.succeed(["init", "-backend=false"], { environment });
    expect(await workspace.succeed(["validate"], { environment })).toContain("The configuration is valid");
  });
}

/** Folders that hold a file whose name ends so. */
function folders(ending: string): readonly string[] {
  return readdirSync(EXAMPLES, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map(({ parentPath }) => relative(EXAMPLES, parentPath))
    .filter((folder, index, all) => all.indexOf(folder) === index)
    .sort();
}
