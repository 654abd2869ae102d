/** How many requests an apply sends: covers src/service/created-in-run.ts and src/resources/record/create.ts. */
import { projects, tenant } from "../../support/projects";

const start = projects();

const users = Array.from({ length: 60 }, (_user, index) => `user-${index}`);

test("an apply that creates an account and its users sends its writes and at most ten requests more", async () => {
  const project = await start();
  await project.apply(tenant("acme", users));
  expect(project.service.records.profiles).toHaveLength(users.length + 2);
  expect(project.service.requests.length).toBeLessThanOrEqual(1 + users.length + 10);
});
