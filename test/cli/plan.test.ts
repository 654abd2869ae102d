/** `tenancy plan`: covers src/cli/verbs/plan.ts, and what it prints where. */
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accounts, commandProjects } from "../support/command";

const start = commandProjects();

test("the plan is on stdout, all else on stderr", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const { code, stdout, stderr } = await project.tenancy(["plan"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^prod · http:\/\/127\.0\.0\.1:\d+ as system\n/);
  expect(stdout).toContain("  + tenancy_account.acme");
  expect(stdout).toMatch(/\n1 to create\.\n$/);
  expect(stderr).toContain("synthesizing\n");
});

test("the detailed exit code tells whether there is anything to apply", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  expect((await project.tenancy(["plan", "--detailed-exitcode"])).code).toBe(2);
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  expect((await project.tenancy(["plan", "--detailed-exitcode"])).code).toBe(0);
  await project.declare({ prod: { ...accounts("acme"), provider: { tenancy: [{ base_url: "ftp://x" }] } } });
  expect((await project.tenancy(["plan", "--detailed-exitcode"])).code).toBe(1);
});

test("--json prints one document and nothing else", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const { stdout } = await project.tenancy(["plan", "--json"]);
  const document = JSON.parse(stdout) as Record<string, unknown>;
  expect(document).toMatchObject({
    format_version: "1.2",
    resource_changes: [{ address: "tenancy_account.acme", change: { actions: ["create"] } }],
    applyable: true,
    errored: false,
    tenancy: { stack: "prod", destroy: false },
  });
});

test("a plan of everything is complete, a plan of a part is not", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme", "globex") });
  const planned = async (...words: readonly string[]): Promise<unknown> =>
    JSON.parse((await project.tenancy(["plan", "--json", ...words])).stdout);
  expect(await planned()).toMatchObject({ complete: true });
  expect(await planned("--only", "tenancy_account.acme")).toMatchObject({ complete: false });
  expect(await planned("--exclude", "tenancy_account.acme")).toMatchObject({ complete: false });
});

test("--no-prune lists what is no longer declared, and deletes none of it", async () => {
  const project = await start();
  const user = (name: string) => ({
    username: name,
    account_id: "${tenancy_account.acme.id}",
    permissions: {},
  });
  const declared = (...names: readonly string[]) => {
    const stack = accounts("acme");
    const users = Object.fromEntries(names.map((name) => [name, user(name)]));
    return {
      prod: { ...stack, resource: { ...(stack["resource"] as object), tenancy_user_profile: users } },
    };
  };
  await project.declare(declared("jane", "bob", "eve"));
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  await project.declare(declared("jane", "eve"));
  const { stdout } = await project.tenancy(["plan", "--no-prune", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    applyable: false,
    tenancy: {
      no_prune: true,
      retained: [{ key: "bob@acme", reason: "not declared; it stays because of --no-prune" }],
    },
  });
  expect((await project.tenancy(["apply", "--yes", "--no-prune"])).stdout).toContain("1 retained");
  expect(project.service.records.profile("bob@acme")).toBeDefined();
});

test("a saved plan is for its owner's eyes, and can be applied without a question", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const planned = await project.tenancy(["plan", "--out", "plan.json"]);
  expect(planned.stderr).toContain("Saved. To apply exactly this: tenancy apply plan.json");
  const file = join(project.folder, "plan.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ format_version: "1.2" });

  const applied = await project.tenancy(["apply", "plan.json"]);
  expect(applied.stderr).not.toContain("Error");
  expect(applied).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Applied: 1 created.") as string,
  });
  const again = await project.tenancy(["apply", "plan.json"]);
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("Error TENANCY_PLAN_OUTDATED");
});

test("a file that is no saved plan is refused", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  await project.write("notes.txt", "hello");
  const { code, stderr } = await project.tenancy(["apply", "notes.txt"]);
  expect(code).toBe(1);
  expect(stderr).toContain("Error TENANCY_BROKEN_PLAN");
});

test("several stacks are planned in the order of their dependencies", async () => {
  const project = await start();
  await project.declare(
    {
      web: { provider: { tenancy: [{ owner: "web" }] } },
      base: { provider: { tenancy: [{ owner: "base" }] } },
    },
    { web: ["base"] },
  );
  const { stdout, code } = await project.tenancy(["plan", "*"]);
  expect(code).toBe(0);
  expect(stdout.indexOf("base")).toBeLessThan(stdout.indexOf("web"));
});

test("the plans and applies of several stacks are set apart by a blank line", async () => {
  const project = await start();
  const { provider: _provider, ...other } = accounts("globex");
  await project.declare({ a: accounts("acme"), b: { provider: { tenancy: [{ owner: "b" }] }, ...other } });
  const planned = await project.tenancy(["plan", "*"]);
  expect(planned.stdout).toMatch(/1 to create\.\n\nb · /);
  const applied = await project.tenancy(["apply", "*", "--yes"]);
  expect(applied.stdout).toMatch(/Applied: 1 created\.\n\nb · /);
});

const owned = (owner: string, members: object = {}) => ({
  ...accounts(owner),
  provider: { tenancy: [{ owner }] },
  ...members,
});

test("the plans of several stacks are saved in one file, and applied in their order", async () => {
  const project = await start();
  await project.declare({ web: owned("web"), base: owned("base") }, { web: ["base"] });
  expect((await project.tenancy(["plan", "*", "--out", "plans"])).stderr).toContain("tenancy apply plans");
  const applied = await project.tenancy(["apply", "plans"]);
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stdout.match(/Applied: 1 created\./g)).toHaveLength(2);
  expect(applied.stdout.indexOf("base · ")).toBeLessThan(applied.stdout.indexOf("web · "));
  expect((await project.tenancy(["plan", "*", "--detailed-exitcode"])).code).toBe(0);
  const again = await project.tenancy(["apply", "plans"]);
  expect(again.stderr).toContain("Error TENANCY_PLAN_OUTDATED");
});

test("the destroy of several stacks is saved with those first that depend on others", async () => {
  const project = await start();
  await project.declare({ web: owned("web"), base: owned("base") }, { web: ["base"] });
  await project.tenancy(["apply", "*", "--yes"]);
  const flags = ["--destroy", "--allow-account-deletion", "--max-deletes", "9", "--out", "plans"];
  expect((await project.tenancy(["plan", "*", ...flags])).code).toBe(0);
  const { code, stdout } = await project.tenancy(["apply", "plans"]);
  expect(code).toBe(0);
  expect(stdout.indexOf("web · ")).toBeLessThan(stdout.indexOf("base · "));
});

test("where one of several saved plans is out of date, none is applied", async () => {
  const project = await start();
  await project.declare({ a: owned("a"), b: owned("b") });
  await project.tenancy(["plan", "*", "--out", "plans"]);
  await project.tenancy(["apply", "b", "--yes"]);
  const { code, stderr } = await project.tenancy(["apply", "plans"]);
  expect(code).toBe(1);
  expect(stderr).toContain("Error TENANCY_PLAN_OUTDATED");
  expect((await project.tenancy(["plan", "a"])).stdout).toContain("1 to create.");
});

const REMOTE = "cross-stack-reference-input-base";

test("a plan that needs what another stack's apply will make is not saved beside it", async () => {
  const project = await start();
  const base = owned("base", { output: { id: { value: "${tenancy_account.base.id}" } } });
  const web = owned("web", {
    data: {
      terraform_remote_state: { [REMOTE]: { backend: "local", config: { path: "terraform.base.tfstate" } } },
    },
    output: { base: { value: `\${data.terraform_remote_state.${REMOTE}.outputs.id}` } },
  });
  await project.declare({ base, web }, { web: ["base"] });
  const { code, stderr } = await project.tenancy(["plan", "*", "--out", "plans"]);
  expect(code).toBe(1);
  expect(stderr).toContain("Error TENANCY_NOT_YET_KNOWN");
  expect(stderr).toContain("Nothing was saved, since not all stacks could be planned.");
  await expect(stat(join(project.folder, "plans"))).rejects.toThrow("ENOENT");
});

test("what several saved plans need approved is approved in one step", async () => {
  const project = await start();
  await project.declare({ a: owned("a"), b: owned("b") });
  await project.tenancy(["plan", "*", "--out", "plans"]);
  const refused = await project.tenancy(["apply", "plans", "--require-approval", "broadening"]);
  expect(refused.code).toBe(3);
  const approving = await project.tenancy(["approve", "plans", "--yes"]);
  expect(approving.code).toBe(0);
  // Each stack has its own heading and its own lines.
  expect(approving.stdout.match(/^\w+ · http.*$/gm)).toEqual(
    ["a", "b"].map((name) => expect.stringMatching(`^${name} · http://\\S+$`) as string),
  );
  const { code, stdout } = await project.tenancy(["apply", "plans", "--require-approval", "broadening"]);
  expect(code).toBe(0);
  expect(stdout.match(/Applied: 1 created\./g)).toHaveLength(2);
});

test("a file with two plans of one stack is refused", async () => {
  const project = await start();
  await project.declare({ a: owned("a") });
  await project.tenancy(["plan", "--out", "one"]);
  const one = await readFile(join(project.folder, "one"), "utf8");
  await project.write("two", `{"format":"tenancy-plans","version":1,"plans":[${one},${one}]}`);
  const { stderr } = await project.tenancy(["apply", "two"]);
  expect(stderr).toContain("it holds two plans of one stack");
});

test("a stack that fails leaves those that depend on it out, and lets others go on", async () => {
  const project = await start();
  const broken = { provider: { tenancy: [{ base_url: "ftp://x" }] }, resource: accounts("a")["resource"] };
  await project.declare(
    { base: broken, web: accounts("web"), other: { provider: { tenancy: [{ owner: "other" }] } } },
    { web: ["base"] },
  );
  const { code, stdout, stderr } = await project.tenancy(["plan", "*"]);
  expect(code).toBe(1);
  expect(stderr).toContain("web: not tried, because base failed, which it depends on");
  expect(stdout).toContain("other");
});

test("a variable is given as NAME=VALUE", async () => {
  const project = await start({ service: false });
  await project.declare({ prod: accounts("acme") });
  const { code, stderr } = await project.tenancy(["plan", "--var", "region"]);
  expect(code).toBe(1);
  expect(stderr).toContain("Error TENANCY_USAGE: --var region is not of the form NAME=VALUE");
});

test("of --var and --var-file the later one wins", async () => {
  const project = await start();
  await project.declare({
    prod: {
      variable: { region: { type: "string", default: "us" } },
      output: { region: { value: "${var.region}" } },
    },
  });
  await writeFile(join(project.folder, "eu.tfvars"), 'region = "eu"\n');
  const region = async (...given: string[]) => {
    const { stdout } = await project.tenancy(["plan", "--json", ...given]);
    return (JSON.parse(stdout) as { planned_values: { outputs: unknown } }).planned_values.outputs;
  };
  const is = (value: string) => ({ region: { sensitive: false, type: "string", value } });
  expect(await region("--var", "region=asia", "--var-file", "eu.tfvars")).toEqual(is("eu"));
  expect(await region("--var-file=eu.tfvars", "--var=region=asia")).toEqual(is("asia"));
  expect(await region("--var", "region=asia", "--var", "region=africa")).toEqual(is("africa"));
});

test("a sensitive variable is refused on the command line, without its value", async () => {
  const project = await start();
  await project.declare({
    prod: { ...accounts("acme"), variable: { pw: { type: "string", sensitive: true } } },
  });
  const { code, stdout, stderr } = await project.tenancy(["plan", "--var", "pw=s3cret"]);
  expect(code).toBe(1);
  expect(stderr).toContain("pw");
  expect(stdout + stderr).not.toContain("s3cret");
});

test("a file that a plan cannot be saved to is told with what to do, and without a stack trace", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const { code, stderr } = await project.tenancy(["plan", "--out", "no/such/folder/plan.json"]);
  expect(code).toBe(1);
  expect(stderr).toContain(
    "Error TENANCY_FILE_UNUSABLE: no/such/folder/plan.json: its folder does not exist",
  );
  expect(stderr).toContain("Name a file in a folder that exists and that you can write to.");
  expect(stderr).not.toMatch(/\n\s+at /);
});

test("a saved plan is private, whatever permissions the file had that it replaces", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const file = join(project.folder, "plan.json");
  await writeFile(file, "old");
  await chmod(file, 0o666);
  expect((await project.tenancy(["plan", "--out", "plan.json"])).code).toBe(0);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
