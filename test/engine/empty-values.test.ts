/** Every value converges, an empty one, too: covers src/schema and src/resources in whole runs. */
import { emptyValue, sampleValue, stackOfSingles } from "../support/described-values";
import { actions, projects } from "../support/projects";
import { writeStack } from "../support/synthesized-app";

const start = projects();

test.each(["names", "full"] as const)(
  "the plan after an apply changes nothing, whatever is empty, with contacts answered as %s",
  async (contacts) => {
    const project = await start({ contacts });
    for (const choose of [emptyValue, sampleValue, emptyValue]) {
      const resource = stackOfSingles(choose);
      writeStack(project.folder, { provider: { tenancy: [{ owner: "acme-platform" }] }, resource });
      const stack = { name: "prod", outdir: project.folder };
      await project.apply(stack, { initState: true });
      expect(actions(await project.plan(stack))).toEqual([]);
    }
  },
);
