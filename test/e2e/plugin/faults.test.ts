/** Faulty providers under a real engine: covers what src/lib/plugin-runtime says of a provider's mistakes. Also covers src/lib/plugin-runtime/reattach.ts. */
import { attachProvider, type AttachedProvider } from "../../support/attached-provider";
import { fixtureProvider } from "../../support/fixture-provider/provider";
import { withEachEngine } from "../../support/terraform/engines";
import { FixtureWorkspace, said } from "../../support/terraform/fixture";
import { type Outcome } from "../../support/terraform/workspace";

withEachEngine((engine) => {
  let workspace: FixtureWorkspace;
  let provider: AttachedProvider;

  beforeAll(async () => {
    provider = await attachProvider(fixtureProvider);
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    workspace = await FixtureWorkspace.create(engine, { install: false });
  });
  afterEach(() => workspace.remove());

  function run(...args: readonly string[]): Promise<Outcome> {
    const environment = { TF_REATTACH_PROVIDERS: provider.reattach(workspace.address) };
    return workspace.terraform.run(args, { environment });
  }

  async function applyFault(fault: string): Promise<string> {
    await workspace.configure(`resource "fixture_faulty" "it" { fault = "${fault}" }`);
    const outcome = await run("apply", "-auto-approve");
    expect(outcome.code).toBe(1);
    return said(outcome);
  }

  test.each([
    ["an attribute too few", "lacking", "fault must be a string or null, but is missing"],
    [
      "an attribute too many",
      "unmanaged",
      "another must be absent, but is an attribute that the schema lacks",
    ],
    ["a value of another type", "wrong_type", "id must be a string or null, but is a number"],
    ["an unknown value after apply", "unknown", "id must be a known string, but is unknown"],
    [
      "a plan that isn't the configuration",
      "other_plan",
      "note must be planned as it is configured, but is something else",
    ],
  ])("%s is the provider's mistake, and is said to be", async (_what, fault, message) => {
    const outcome = await applyFault(fault);
    expect(outcome).toContain("The provider returned an invalid value");
    expect(outcome).toContain(message);
  });

  test("what was made by a faulty create is in the state, tainted, and is not lost", async () => {
    await applyFault("wrong_type");
    expect((await run("state", "list")).stdout).toContain("fixture_faulty.it");
    expect((await run("plan")).stdout).toContain("tainted");
  });

  test("what was half made is in the state, tainted", async () => {
    expect(await applyFault("half_made")).toContain("Half of it was made");
    expect(await workspace.resource("fixture_faulty.it").catch(String)).toBeDefined();
    expect((await run("plan")).stdout).toContain("tainted");
  });

  test("what a resource throws is an error at its block, and nothing is in the state", async () => {
    const outcome = await applyFault("throw");
    expect(outcome).toContain("cannot create: ");
    expect(outcome).toContain("außer Betrieb");
    expect(outcome).toContain('resource "fixture_faulty" "it"');
    expect((await run("state", "list")).stdout).toBe("");
  });

  test("a read, an update or a delete that throws leaves the state as it was", async () => {
    await workspace.configure(`resource "fixture_faulty" "it" { fault = "delete" }`);
    expect((await run("apply", "-auto-approve")).code).toBe(0);
    const before = await workspace.terraform.readState();
    expect(said(await run("destroy", "-auto-approve"))).toContain("cannot delete");
    await workspace.configure(`resource "fixture_faulty" "it" { fault = "read" }`);
    expect(said(await run("apply", "-auto-approve"))).toContain("cannot update");
    expect(JSON.parse(await workspace.terraform.readState())).toMatchObject({
      resources: (JSON.parse(before) as { resources: unknown }).resources,
    });
  });

  test("a finding inside a nested attribute points at it", async () => {
    await workspace.configure(`
    resource "fixture_faulty" "it" {
      fault  = "nested_diagnostic"
      nested = [{ level = 11 }]
    }`);
    const outcome = said(await run("validate"));
    expect(outcome).toContain("This level is too high");
    expect(outcome).toContain("nested = [{ level = 11 }]");
    expect(outcome).toContain("At nested[0].level.");
  });

  test("a finding about the provider's own configuration points at it", async () => {
    await workspace.terraform.configure(`
    terraform {
      required_providers {
        fixture = {
          source = "fixture/fixture"
        }
      }
    }
    provider "fixture" {
      store = ""
    }
    resource "fixture_successor" "it" {}`);
    const outcome = said(await run("plan"));
    expect(outcome).toContain("A folder is needed");
    expect(outcome).toContain('store = ""');
  });
});
