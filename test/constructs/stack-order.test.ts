/** Stacks of a real app keep the order of their creation: covers src/constructs/stack-order.ts and the way from there to the commands. */
import { join } from "node:path";
import { App, TerraformOutput, TerraformStack } from "cdktf";
import { Account, TenancyProvider } from "tenancy";
import { listStacks } from "../../src/engine";
import { temporaryFolder } from "../support/temp-folder";

const folder = temporaryFolder();

/** @returns names of the stacks, in the order of the commands */
async function namesOf(declare: (app: App) => void): Promise<readonly string[]> {
  const outdir = join(folder(), "cdktf.out");
  const app = new App({
    outdir,
    stackTraces: false,
    context: { targetVersions: { terraform: ">=1.11.0", opentofu: ">=1.11.0" } },
  });
  declare(app);
  app.synth();
  return (await listStacks(outdir)).map(({ name }) => name);
}

function environment(app: App, name: string): TerraformStack {
  const stack = new TerraformStack(app, name);
  new TenancyProvider(stack, "service", { owner: `platform-${name}` });
  return stack;
}

test("stacks go in the order in which the app creates them, and not by name", async () => {
  const names = ["dev", "staging", "2026", "production", "archive"];
  expect(await namesOf((app) => names.forEach((name) => environment(app, name)))).toEqual(names);
});

test("a second provider, and a second app in the same process, change nothing", async () => {
  for (const names of [
    ["dev", "staging", "production"],
    ["production", "dev"],
  ])
    expect(
      await namesOf((app) => {
        for (const name of names) {
          const stack = environment(app, name);
          new TenancyProvider(stack, "second", { alias: "second", owner: "other" });
        }
      }),
    ).toEqual(names);
});

test("dependencies come first, and stacks without a provider last", async () => {
  const names = await namesOf((app) => {
    new TerraformStack(app, "archive");
    const dev = environment(app, "dev");
    const staging = environment(app, "staging");
    const base = new Account(environment(app, "base"), "acme", { name: "acme" });
    new TerraformOutput(dev, "id", { value: base.id });
    staging.addDependency(dev);
  });
  expect(names).toEqual(["base", "dev", "staging", "archive"]);
});
