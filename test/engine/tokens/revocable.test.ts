/** A service without a call that revokes tokens, which is all that the specification shows: covers the setting `tokens_revocable`. */
import { actions, projects } from "../../support/projects";
import { csi, kept } from "./support";
const start = projects();

test("where the service is said to revoke no tokens, a rotation says which one stays, keeps it listed, and nothing fails", async () => {
  const project = await start({ revocation: false });
  const declared = project.synthesize(csi({ keepers: { a: "b" }, retainPreviousFor: "0s" }), {
    tokensRevocable: false,
  });
  await project.apply(csi({ retainPreviousFor: "0s" }));
  expect((await project.apply(declared, {})).plan.warnings[0]?.summary).toContain("so these stay valid");
  expect(actions(await project.plan(declared))).toEqual([]);
  expect((await kept(project)).failed_revocations).toHaveLength(1);
});
