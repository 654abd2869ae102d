/** How many requests a run of Terraform sends: covers src/service/directory.ts. */
import { withEachEngine } from "../../support/terraform/engines";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  const configure = (users: number) =>
    workspace.configure(`
      resource "tenancy_user_profile" "it" {
        count       = ${users}
        username    = "user-\${count.index}"
        permissions = {}
      }`);

  /** What a run asks of the service, log-in left out. */
  async function reads(run: () => Promise<unknown>): Promise<readonly string[]> {
    workspace.simulator.clearRequests();
    await run();
    return workspace.simulator.requests
      .filter(({ method }) => method === "GET")
      .map(({ path }) => path.replace(/[^/]*:.*/, "…"))
      .sort();
  }

  const LISTS = ["/api/account", "/api/status/authorization", "/api/user-profile"];

  test("an apply reads the lists once to plan and once to find its objects' places, however many it makes", async () => {
    await configure(25);
    expect(await reads(() => workspace.apply())).toEqual([...LISTS, ...LISTS].sort());
  });

  test("a plan with nothing to do reads ten objects one by one, and of more the lists", async () => {
    await configure(10);
    await workspace.apply();
    expect(await reads(() => workspace.plan())).toEqual(
      Array.from({ length: 10 }, () => "/api/user-profile/…"),
    );
    await configure(25);
    await workspace.apply();
    expect(await reads(() => workspace.plan())).toEqual(
      [...LISTS, ...Array.from({ length: 10 }, () => "/api/user-profile/…")].sort(),
    );
  });
});
