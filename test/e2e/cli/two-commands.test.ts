/** Two real processes work in one folder with different stacks of one app: covers src/cli/project/stacks.ts and src/cli/terminal.ts. */
import { existsSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { built, tenancy } from "../../support/built-command";
import { accounts, commandProjects } from "../../support/command";

const start = commandProjects();

beforeAll(built, 300_000);

/** The app declares the stack of `$STAGE`, and notes its folder. */
async function stages() {
  const project = await start();
  for (const stage of ["test", "production"]) {
    await project.declare({ [stage]: accounts(stage) });
    await rename(join(project.folder, "synthesized"), join(project.folder, stage));
  }
  await project.write(
    "app.sh",
    'cp -R "$STAGE/." "$CDKTF_OUTDIR" && echo "$CDKTF_OUTDIR" > folder.txt; $THEN',
  );
  return project;
}

test("fifty times, neither an apply nor a plan beside it sees the other's stack", async () => {
  const { folder, environment, service } = await stages();
  for (let round = 0; round < 50; round++) {
    const [applied, planned] = await Promise.all([
      tenancy(["apply", "--yes"], { folder, environment: { ...environment, STAGE: "production" } }),
      tenancy(["plan"], { folder, environment: { ...environment, STAGE: "test" } }),
    ]);
    expect([applied.code, planned.code, applied.stderr + planned.stderr]).toEqual([
      0,
      0,
      expect.not.stringContaining("Error"),
    ]);
    expect(planned.stdout).toContain("+ tenancy_account.test ");
    expect(planned.stdout).not.toContain("account.production");
    expect(service.records.accounts.map(({ name }) => name)).toEqual(["system", "production"]);
    service.records.deleteAccount("production");
  }
}, 600_000);

test.each([["SIGTERM"], ["SIGHUP"], ["SIGINT", "SIGINT"]] as const)(
  "a run that %s ends during its app leaves no folder",
  async (...signals) => {
    const { folder, environment } = await stages();
    const file = join(folder, "folder.txt");
    // The last app ignores the first signal, so the second one ends the process at once.
    const then = signals.length === 1 ? "sleep 60" : "trap '' TERM; sleep 1";
    let isSent = false;
    const { code } = await tenancy(["plan"], {
      folder,
      environment: { ...environment, STAGE: "test", THEN: `eval ${then}` },
      onOutput: (_printed, child) => {
        if (isSent) return;
        isSent = true;
        const ticker = setInterval(() => {
          if (!existsSync(file)) return;
          clearInterval(ticker);
          for (const [index, signal] of signals.entries())
            setTimeout(() => child.kill(signal), 100 + index * 200);
        }, 20);
      },
    });
    expect(code).toBe(signals.length === 1 ? 1 : 130);
    expect(existsSync((await readFile(file, "utf8")).trim())).toBe(false);
  },
);
