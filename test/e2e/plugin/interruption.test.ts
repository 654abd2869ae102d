/** Interrupted and failing runs of a real engine, and the provider's log: covers src/lib/plugin-runtime. */
import { withEachEngine } from "../../support/terraform/engines";
import { FixtureWorkspace, said } from "../../support/terraform/fixture";
import { until } from "../../support/until";

withEachEngine((engine) => {
  let workspace: FixtureWorkspace;
  beforeEach(async () => {
    workspace = await FixtureWorkspace.create(engine);
  });
  afterEach(() => workspace.remove());

  /** The processes of the provider that the store tells of. */
  function providerProcesses(): readonly number[] {
    return workspace
      .calls()
      .flatMap((call) => /in process (\d+)/.exec(call)?.[1] ?? [])
      .map(Number);
  }

  function isRunning(pid: number): boolean {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  }

  const APPLY = ["apply", "-auto-approve"];

  test("Ctrl-C in the middle of an apply ends it cleanly, and the state holds what was made", async () => {
    await workspace.configure(`
    resource "fixture_slow" "it" { name = "a" }
    resource "fixture_thing" "next" { name = fixture_slow.it.id }`);
    // In a process group of its own, as the shell does it: the signal reaches Terraform and the provider alike.
    const outcome = await workspace.terraform.run(APPLY, {
      group: true,
      onStart: (child) =>
        void until(() => providerProcesses().length > 0).then(() =>
          process.kill(-(child.pid ?? 0), "SIGINT"),
        ),
    });
    expect(outcome.code).toBe(1);
    expect(said(outcome)).toContain("execution halted");
    expect(workspace.calls()).toContain("stopped");
    expect(await workspace.resource("fixture_slow.it")).toMatchObject({ id: "stopped a" });
    expect(await workspace.terraform.readState()).not.toContain("fixture_thing");
    await until(() => !providerProcesses().some(isRunning));
    const plan = await workspace.terraform.run(["plan"]);
    expect(plan.stdout).toContain("1 to add, 0 to change, 0 to destroy");
  });

  test("a killed Terraform leaves no process behind", async () => {
    await workspace.configure(`resource "fixture_slow" "it" { name = "a" }`);
    await workspace.terraform.run(APPLY, {
      onStart: (child) => void until(() => providerProcesses().length > 0).then(() => child.kill("SIGKILL")),
    });
    await until(() => !providerProcesses().some(isRunning));
    expect(workspace.calls()).toContain("stopped");
  });

  test("an error that nobody catches shows its stack to the user", async () => {
    await workspace.configure(`resource "fixture_faulty" "it" { fault = "crash" }`);
    // OpenTofu looks for it only while it logs, whatever a provider is written in.
    const environment = engine.name === "tofu" ? { TF_LOG: "ERROR" } : {};
    const outcome = await workspace.terraform.run(APPLY, { environment });
    expect(outcome.code).toBe(1);
    expect(said(outcome)).toMatch(/panic: Error: nobody catches this .*provider\.cjs:\d+:\d+/);
  });

  test("with TF_LOG, what the provider logs stands in Terraform's log at its level", async () => {
    await workspace.configure(`resource "fixture_thing" "it" { name = "a" }`);
    const { stderr } = await workspace.terraform.run(["plan"], { environment: { TF_LOG: "INFO" } });
    expect(stderr).toMatch(/\[INFO\] +provider\.[^\n]*: configured: [^\n]*folder=/);
    expect(stderr).not.toContain("[WARN]  unexpected data");
  });

  test("the lock file still fits after the provider has run", async () => {
    await workspace.configure(`resource "fixture_thing" "it" { name = "a" }`);
    await workspace.terraform.succeed(APPLY);
    await workspace.terraform.succeed(["init", "-lockfile=readonly"]);
  });
});
