/** The built command in the job of a review, started by its path as the workflow starts it: what it is bundled of suffices. */
import { built, tenancy } from "../../support/built-command";
import { ReviewedProject } from "../../support/reviewed-project";

let project: ReviewedProject;

beforeAll(() => built());

afterEach(() => project.close());

test("the built command packs and reviews", async () => {
  project = await ReviewedProject.start(["staging"]);
  const { run, sha } = await project.pullRequest(project.stacks({ limit: 20 }));
  const { folder, environment } = project.reviewJob(run);
  const { code, stdout, stderr } = await tenancy(["ci", "review", "--pages", "pages"], {
    folder,
    environment,
  });
  expect(stdout).toContain("Planned (success)");
  expect([code, stderr]).toEqual([0, ""]);
  expect(project.api.statuses).toMatchObject([{ sha, state: "success", description: "Planned" }]);
});
