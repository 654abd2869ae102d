/** The built command in processes of its own: covers src/cli/tenancy.ts, signals, and pipes that are closed. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { accounts, commandProjects } from "../../support/command";
import type { Simulator } from "../../../src/lib/simulator";
import { built, COMMAND, run, tenancy } from "../../support/built-command";
import { until } from "../../support/until";

beforeAll(built);
const start = commandProjects();

test("the command plans, applies and plans again in processes of its own, and leaves no handle open", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const { folder, environment } = project;
  const planned = await tenancy(["plan", "--detailed-exitcode"], { folder, environment });
  expect(planned).toMatchObject({ code: 2, stdout: expect.stringContaining("1 to create.") as string });
  const applied = await tenancy(["apply", "--yes"], { folder, environment });
  expect(applied).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Applied: 1 created.") as string,
  });
  const again = await tenancy(["plan", "--detailed-exitcode"], { folder, environment });
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes.") as string });
});

test("what expressions and one-time passwords take from libraries is there", async () => {
  const project = await start();
  const { folder, environment } = project;
  await project.declare({
    prod: {
      ...accounts(),
      output: {
        csv: { value: '${csvdecode("name\\nacme")[0].name}' },
        files: { value: '${fileset("${path.module}", "*.tf.json")}' },
        network: { value: '${cidrhost("10.0.0.0/8", 5)}' },
        regular: { value: '${replace("acme", "/^a/", "A")}' },
        yaml: { value: '${yamldecode("name: acme").name}' },
      },
    },
  });
  const { code, stdout } = await tenancy(["output", "--json"], {
    folder,
    environment: { ...environment, TENANCY_TOTP_SECRET: "JBSWY3DPEHPK3PXP" },
  });
  expect(code).toBe(0);
  const values = Object.entries(JSON.parse(stdout) as Record<string, { value: unknown }>);
  expect(Object.fromEntries(values.map(([name, { value }]) => [name, value]))).toEqual({
    csv: "acme",
    files: ["cdk.tf.json"],
    network: "10.0.0.5",
    regular: "Acme",
    yaml: "acme",
  });
});

test("a reader that has seen enough ends the command quietly", async () => {
  const project = await start({ service: false });
  const { folder } = project;
  const piped = await run("sh", ["-c", `"${process.execPath}" "${COMMAND}" explain | head -n 1`], { folder });
  expect(piped).toEqual({ code: 0, stdout: expect.stringMatching(/^TENANCY_\w+\n$/) as string, stderr: "" });
});

test.each([
  ["is piped to a reader that leaves", `| head -n 2`],
  ["goes to a disk that is full", "> /dev/full"],
  ["goes with its messages to a reader that leaves", "2>&1 | head -n 2"],
])("an apply whose output %s stops as after Ctrl-C", async (_what, redirection) => {
  const project = await start();
  const names = Array.from({ length: 12 }, (_, index) => `a${index}`);
  await project.declare({ prod: accounts(...names) });
  project.service.fail({ method: "POST", path: "/api/account", delay: 300, times: 100 });
  const { folder, environment } = project;
  const json = redirection.startsWith("2>&1") ? "" : "--json";
  const apply = `"${process.execPath}" "${COMMAND}" apply --yes ${json} --parallelism 1`;
  await run("sh", ["-c", `{ ${apply}; echo $? > code; } ${redirection}`], { folder, environment });
  await until(() => existsSync(join(folder, "code")));
  const made = project.service.records.accounts.length - 1;
  expect(made).toBeLessThan(names.length);
  // What was under way has ended, the state is kept, and its lock is gone.
  expect(readFileSync(join(folder, "code"), "utf8")).toBe("1\n");
  if (made > 0) expect(readdirSync(join(folder, ".tenancy"))).toEqual(["state.json"]);
  else expect(existsSync(join(folder, ".tenancy", "state.json.lock"))).toBe(false);
  project.service.clearFaults();
  const again = await tenancy(["apply", "--yes"], { folder, environment });
  expect(again.stdout).toContain(`Applied: ${names.length - made} created.`);
});

test("Ctrl-C lets what is under way end, and begins nothing new", async () => {
  const project = await start();
  await project.declare({ prod: accounts("a", "b", "c") });
  project.service.fail({ method: "POST", path: "/api/account", delay: 1500 });
  const { folder, environment } = project;
  let interrupting: Promise<unknown> | undefined;
  const { code, stdout, stderr } = await tenancy(["apply", "--yes", "--parallelism", "1"], {
    folder,
    environment,
    onOutput: (printed, child) => {
      if (!printed.includes(": creating ")) return;
      interrupting ??= until(() => isCreating(project.service)).then(() => child.kill("SIGINT"));
    },
  });
  await interrupting;
  expect(code).toBe(1);
  expect(stderr).toContain("Stopping: ");
  expect(stdout).toContain("Not all was applied: 1 created, 2 not tried.");
  expect(stderr).toContain("Next: tenancy apply --yes --parallelism 1");
});

test("a second Ctrl-C leaves at once", async () => {
  const project = await start();
  await project.declare({ prod: accounts("a") });
  project.service.fail({ method: "POST", path: "/api/account", hang: true });
  const { folder, environment } = project;
  const told = new Set<string>();
  const { code } = await tenancy(["apply", "--yes"], {
    folder,
    environment,
    onOutput: (printed, child) => {
      for (const mark of [": creating ", "Stopping: "]) {
        if (told.has(mark) || !printed.includes(mark)) continue;
        told.add(mark);
        child.kill("SIGINT");
      }
    },
  });
  expect(code).toBe(130);
});

test("a second Ctrl-C leaves at once even where the system keeps a thread waiting", async () => {
  const project = await start();
  await project.declare({ prod: accounts("a") });
  const { folder, environment } = project;
  execFileSync("mkfifo", [join(folder, "nobody-writes.tfvars")]);
  let interrupts = 0;
  const { code } = await tenancy(["plan", "--var-file", "nobody-writes.tfvars"], {
    folder,
    environment,
    onOutput: (printed, child) => {
      const wanted = printed.includes("Stopping: ") ? 2 : printed.includes("synthesizing") ? 1 : 0;
      if (interrupts >= wanted) return;
      interrupts = wanted;
      setTimeout(() => child.kill("SIGINT"), 1000);
    },
  });
  expect(code).toBe(130);
});

test("no secret is in what a failing run prints", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const { folder, environment } = project;
  const { code, stdout, stderr } = await tenancy(["plan"], {
    folder,
    environment: { ...environment, TENANCY_PASSWORD: "s3cret-and-wrong" },
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error TENANCY_/m);
  expect(stdout + stderr).not.toContain("s3cret-and-wrong");
});

test("the simulated service prints what belongs in the environment, and ends on a signal", async () => {
  const project = await start({ service: false });
  const { folder } = project;
  const { code, stdout } = await tenancy(["simulator"], {
    folder,
    onOutput: (printed, child) => {
      if (printed.includes("TENANCY_PASSWORD=")) child.kill("SIGTERM");
    },
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^TENANCY_BASE_URL=http:\/\/127\.0\.0\.1:\d+\nTENANCY_USERNAME=system\nTENANCY_PASSWORD=system\n$/,
  );
});

/** Whether the service has been asked to make an account, and has not answered yet. */
function isCreating({ requests }: Simulator): boolean {
  return requests.some(
    ({ method, path, status }) => method === "POST" && path === "/api/account" && status === undefined,
  );
}
