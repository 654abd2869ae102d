/** Rotations that follow from keepers: covers src/engine/tokens and src/resources/authorization. */
import { readFile, writeFile } from "node:fs/promises";
import { Authorization } from "tenancy";
import { actions, findings, projects, writes, type Build } from "../../support/projects";
import { csi, isGood, kept } from "./support";

const start = projects();

describe("rotation", () => {
  const week = (number: number, more: object = {}) => csi({ keepers: { week: String(number) }, ...more });

  test("keeps the old token good for a while, and revokes the oldest when there are too many", async () => {
    const project = await start();
    await project.apply(week(1));
    const first = (await kept(project)).tokens[0]!.record;
    const rotated = await project.apply(week(2));
    expect(actions(rotated.plan)).toEqual(["update tenancy_authorization.acme_prod"]);
    const [second] = (await kept(project)).tokens;
    expect(second?.previous.map(({ serial }) => serial)).toEqual([first.serial]);
    expect(await isGood(project, first)).toBe(true);
    expect(await isGood(project, second!.record)).toBe(true);
    expect(actions(await project.plan(week(2)))).toEqual([]);
    await project.apply(week(3), { retireEarly: true });
    expect(await isGood(project, first)).toBe(false);
    expect(await isGood(project, second!.record)).toBe(true);
  });

  test("that would end an earlier token before its time is refused, until it is allowed or more of them are kept", async () => {
    const project = await start();
    await project.apply(week(1));
    const first = (await kept(project)).tokens[0]!.record;
    await project.apply(week(2));
    const [previous] = (await kept(project)).tokens[0]!.previous;
    const until = new Date(Date.parse(previous!.retired_at) + 7 * 24 * 60 * 60 * 1000).toISOString();
    project.service.clearRequests();
    expect(await findings(project.plan(week(3)))).toMatchObject([
      {
        code: "TENANCY_RETIRES_EARLY",
        address: "tenancy_authorization.acme_prod",
        attribute: ["retain_previous"],
        summary: `rotating "csi@acme/prod" would revoke ${first.serial}, which must stay valid until ${until}`,
      },
    ]);
    expect(writes(project.service.requests)).toEqual([]);
    expect(actions(await project.plan(week(3), { retireEarly: true }))).toHaveLength(1);
    expect(actions(await project.plan(week(3, { retainPreviousFor: "0s" })))).toHaveLength(1);
    await project.apply(week(3, { retainPrevious: 2 }));
    expect(await isGood(project, first)).toBe(true);
  });

  test("follows from keepers that only the apply will tell, also where they are secret", async () => {
    const project = await start();
    const build =
      (keepers: unknown): Build =>
      (stack) => {
        const other = new Authorization(stack, "other", { name: "other" });
        new Authorization(stack, "own", { name: "own" }).addOverride("keepers", keepers);
        other.addOverride("count", typeof keepers === "string" ? 1 : 0);
      };
    await project.apply(build({ week: "1" }), { initState: true });
    const plan = await project.plan(build("${jsondecode(tenancy_authorization.other[0].access_token)}"));
    expect(actions(plan)).toContain("update tenancy_authorization.own");
  });

  test("does not follow from keepers that are ignored", async () => {
    const project = await start();
    const build =
      (number: number): Build =>
      (stack) => {
        const token = new Authorization(stack, "own", { name: "own", keepers: { week: String(number) } });
        token.lifecycle = { ignoreChanges: ["keepers"] };
      };
    await project.apply(build(1), { initState: true });
    const first = (await kept(project)).tokens[0]!.record;
    expect(actions(await project.plan(build(2)))).toEqual([]);
    await project.apply(build(2));
    expect((await kept(project)).tokens[0]!.record.serial).toBe(first.serial);
  });

  test("without overlap revokes the old token at once", async () => {
    const project = await start();
    await project.apply(week(1));
    const first = (await kept(project)).tokens[0]!.record;
    await project.apply(week(2, { retainPreviousFor: "0s" }));
    expect(await isGood(project, first)).toBe(false);
    expect((await kept(project)).tokens[0]?.previous).toEqual([]);
    expect(actions(await project.plan(week(2, { retainPreviousFor: "0s" })))).toEqual([]);
  });

  test("revokes what was replaced long enough ago at the next apply", async () => {
    const project = await start();
    await project.apply(week(1));
    const first = (await kept(project)).tokens[0]!.record;
    await project.apply(week(2));
    const text = await readFile(project.state, "utf8");
    await writeFile(
      project.state,
      text.replace(/"retired_at": ?"[^"]*"/, '"retired_at": "2020-01-01T00:00:00.000Z"'),
    );
    const { plan } = await project.apply(week(2));
    expect(actions(plan)).toEqual(["update tenancy_authorization.acme_prod"]);
    expect(await isGood(project, first)).toBe(false);
  });
});
