/** What `tenancy export --language hcl` writes, in the hands of real engines: there is something to import, and nothing else. */
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { exportLive } from "../../../src/engine";
import { createProvider } from "../../../src/provider";
import { attachProvider, type AttachedProvider } from "../../support/attached-provider";
import {
  AWKWARD_NAMES,
  CANARY,
  environmentOf,
  type LiveLists,
  listsNamed,
  OWNER,
  serve,
  services,
} from "../../support/live-services";
import { rounds } from "../../support/rounds";
import { withEachEngine } from "../../support/terraform/engines";
import { TerraformWorkspace } from "../../support/terraform/workspace";

withEachEngine(({ program, registry }) => {
  let provider: AttachedProvider;
  let terraform: TerraformWorkspace;

  beforeEach(async () => {
    provider = await attachProvider(() => createProvider({}));
    terraform = await TerraformWorkspace.create(program);
  });

  afterEach(async () => {
    await terraform.remove();
    await provider.close();
  });

  async function expectImportsAlone(lists: LiveLists): Promise<void> {
    const service = await serve(lists);
    const { files } = await exportLive(undefined, {
      environment: environmentOf(service),
      language: "hcl",
    });
    for (const file of await readdir(terraform.folder))
      await rm(join(terraform.folder, file), { recursive: true });
    for (const [name, text] of files) await writeFile(join(terraform.folder, name), text, { flag: "wx" });
    await terraform.configure(`
      terraform {
        required_providers {
          tenancy = { source = "tenancy/tenancy" }
        }
      }
      provider "tenancy" {
        base_url = "${service.url}"
        username = "system"
        password = "system"
        owner    = "${OWNER}"
      }`);
    const code = [...files.values()].join("");
    expect(code).not.toContain(CANARY);
    const reattach = provider.reattach(`${registry}/tenancy/tenancy`);
    const planned = await terraform.run(["plan"], { environment: { TF_REATTACH_PROVIDERS: reattach } });
    const imports = code.split("\nimport {\n").length - 1;
    expect(planned.stdout + planned.stderr).toContain(
      `Plan: ${imports} to import, 0 to add, 0 to change, 0 to destroy.`,
    );
    for (const name of files.keys())
      expect(await terraform.run(["fmt", "-check", "-diff", name])).toMatchObject({ code: 0, stdout: "" });
  }

  test("20 services are exported as HCL, and planned with objects to import alone", async () => {
    await fc.assert(fc.asyncProperty(services, expectImportsAlone), {
      numRuns: rounds(20),
      endOnFailure: true,
    });
  });

  test("names that labels, files or templates could stumble over survive", async () => {
    await expectImportsAlone(listsNamed([...AWKWARD_NAMES, "nul\u0000"]));
  });
});
