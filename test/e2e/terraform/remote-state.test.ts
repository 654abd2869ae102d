/** examples/remote-state, with a real database. */
import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ChildProcess } from "node:child_process";
import { startPostgres, type Postgres } from "../../support/postgres";
import { engines } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

let database: Postgres;
beforeAll(async () => {
  database = await startPostgres();
}, 60_000);
afterAll(() => database.stop());

describe.each(engines)("with $name", (engine) => {
  let workspace: TenancyWorkspace;
  let environment: Record<string, string>;

  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
    const { baseUrl, username, password } = workspace.simulator;
    environment = {
      PG_CONN_STR: database.url,
      TENANCY_BASE_URL: baseUrl,
      TENANCY_USERNAME: username,
      TENANCY_PASSWORD: password,
    };
    const example = join(__dirname, "../../../examples/remote-state/main.tf");
    await copyFile(example, join(workspace.engine.folder, "main.tf"));
    await workspace.succeed(["init"], { environment });
  });

  afterEach(async () => {
    await workspace.succeed(["state", "rm", "tenancy_account.acme"], { environment });
    await workspace.close();
  });

  test("the state is in the database alone, and one run at a time holds its lock", async () => {
    let first: ChildProcess | undefined;
    let second: Promise<string> | undefined;
    const applied = await workspace.run(["apply"], {
      environment,
      onStart: (child) => (first = child),
      onOutput: (text) => {
        if (!text.includes("Enter a value")) return;
        // While the first one waits for an answer, it holds the lock.
        second = workspace.run(["plan", "-lock-timeout=0s"], { environment }).then((outcome) => {
          first?.stdin?.end("yes\n");
          return said(outcome);
        });
      },
    });
    expect(said(applied)).toContain("Apply complete! Resources: 3 added");
    expect(await second).toContain("Error acquiring the state lock");

    await workspace.succeed(["plan", "-detailed-exitcode", "-lock-timeout=0s"], { environment });
    expect(await workspace.succeed(["output", "-raw", "csi_token"], { environment })).not.toBe("");
    expect(await readdir(workspace.engine.folder)).not.toContain("terraform.tfstate");
  }, 60_000);
});
