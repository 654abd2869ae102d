/** examples/remote-state, with a real database. */
import type { ChildProcess } from "node:child_process";
import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createProvider } from "../../../src/provider";
import { attachProvider, type AttachedProvider } from "../../support/attached-provider";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { startPostgres, type Postgres } from "../../support/postgres";
import { describeWith } from "../../support/programs";
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TerraformWorkspace } from "../../support/terraform/workspace";

const EXAMPLE = join(__dirname, "../../../examples/remote-state/main.tf");

withEachEngine(({ program, registry }) =>
  describeWith(["initdb", "postgres"], "and PostgreSQL", (files) => {
    let database: Postgres;
    let service: Simulator;
    let provider: AttachedProvider;
    let workspace: TerraformWorkspace;
    let environment: Record<string, string>;

    beforeEach(async () => {
      [database, service, workspace] = await Promise.all([
        startPostgres(files),
        startSimulator(),
        TerraformWorkspace.create(program),
      ]);
      const { baseUrl, username, password } = service;
      provider = await attachProvider(() =>
        createProvider({ TENANCY_BASE_URL: baseUrl, TENANCY_USERNAME: username, TENANCY_PASSWORD: password }),
      );
      environment = {
        PG_CONN_STR: database.url,
        TF_REATTACH_PROVIDERS: provider.reattach(`${registry}/tenancy/tenancy`),
      };
      await copyFile(EXAMPLE, join(workspace.folder, "main.tf"));
      await workspace.succeed(["init"], { environment });
    });

    afterEach(async () => {
      await provider.close();
      await service.close();
      await workspace.remove();
      await database.stop();
    });

    test("the state is in the database alone, and one run at a time holds its lock", async () => {
      let first: ChildProcess | undefined;
      let second = Promise.resolve("");
      let asked = "";
      const applied = await workspace.run(["apply"], {
        environment,
        onStart: (child) => (first = child),
        onOutput: (text) => {
          const before = asked;
          asked += text;
          if (before.includes("Enter a value") || !asked.includes("Enter a value")) return;
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
      expect(await readdir(workspace.folder)).not.toContain("terraform.tfstate");
    });
  }),
);
