/** Every value converges under Terraform, an empty one, too: covers src/schema and src/provider. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { emptyValue, sampleValue, stackOfSingles } from "../../support/described-values";
import { withEachEngine } from "../../support/terraform/engines";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

withEachEngine((engine) => {
  test("the plan after an apply changes nothing, whatever is empty", async () => {
    const workspace = await TenancyWorkspace.create(engine);
    await workspace.configure("");
    for (const choose of [emptyValue, sampleValue, emptyValue]) {
      const resource = stackOfSingles(choose);
      await writeFile(join(workspace.engine.folder, "values.tf.json"), JSON.stringify({ resource }));
      await workspace.apply();
      expect(await workspace.plan()).toEqual([]);
    }
    await workspace.close();
  });
});
