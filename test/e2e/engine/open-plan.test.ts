/** Programs that plan with the library and do not close the plan: covers src/engine/index.ts. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Account } from "tenancy";
import { projects, type Project } from "../../support/projects";

const start = projects();
const main = join(__dirname, "../../support/plan-main.ts");

/** What the program says, once it has ended by itself. */
async function planned(project: Project, environment: Record<string, string> = {}): Promise<string> {
  const { name, outdir } = project.synthesize(
    (stack) => void new Account(stack, "acme", { name: "acme", permissions: {} }),
    { owner: "acme-platform", retryTimeout: "5s" },
  );
  const child = spawn(process.execPath, ["--import", "tsx", main, name, outdir, project.folder], {
    env: { ...process.env, ...project.environment, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said = text(child.stdout);
  await once(child, "exit");
  return said;
}

test("a program ends by itself although it neither applies nor closes its plan", async () => {
  expect(await planned(await start())).toBe("1 to create\n");
});

test("a program ends by itself when its plan fails", async () => {
  expect(await planned(await start(), { TENANCY_PASSWORD: "wrong" })).toContain(
    "does not accept this username and password",
  );
});
