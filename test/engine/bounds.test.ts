/** Stacks that would never end are refused, and a long run can be stopped: covers src/lib/language/limits.ts in whole runs. */
import { TerraformLocal, TerraformOutput, type TerraformStack } from "cdktf";
import { Account } from "tenancy";
import { validate } from "../../src/engine";
import { findings, projects } from "../support/projects";
import { failure } from "../support/test-client";

const start = projects();

function doubling(stack: TerraformStack): void {
  let last = new TerraformLocal(stack, "l0", "x");
  for (let level = 1; level <= 60; level++)
    last = new TerraformLocal(
      stack,
      `l${level}`,
      [last.fqn, last.fqn].map((name) => `\${${name}}`),
    );
  new TerraformOutput(stack, "all", { value: `\${${last.fqn}}` });
}

test("sixty locals that each name the one before twice are an error at the one that gets too large", async () => {
  const project = await start();
  const [finding] = await findings(project.plan(doubling));
  expect(finding).toMatchObject({
    code: "TENANCY_EXPRESSION",
    address: "local.l21",
    summary: expect.stringContaining("more than 4000000 parts") as string,
  });
});

// Each takes long by itself, and all of them for minutes.
const SLOW = "length([for x in setproduct(range(300), range(300)) : x if x[0] > x[1]])";

test.each([
  ["have values", SLOW],
  ["are all wrong", `tonumber("a\${${SLOW}}")`],
])("evaluating stops soon after the run was stopped, between blocks that %s", async (_which, expression) => {
  const project = await start();
  const source = project.synthesize((stack) => {
    for (let number = 0; number < 400; number++) new TerraformLocal(stack, `l${number}`, `\${${expression}}`);
    new Account(stack, "acme", { name: "acme" });
  });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 300);
  const options = { ...project.options(), signal: controller.signal };
  expect(await failure(validate(source, options))).toMatchObject({ code: "TENANCY_CANCELLED" });
});

test("evaluating one block with very many instances stops soon after the run was stopped", async () => {
  const project = await start();
  const source = project.synthesize((stack) => {
    stack.addOverride("resource.tenancy_account.many", {
      count: 100_000,
      name: '${format("a%d", length([for x in range(1000) : x if x > count.index]))}',
    });
  });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 300);
  const options = { ...project.options(), signal: controller.signal };
  expect(await failure(validate(source, options))).toMatchObject({ code: "TENANCY_CANCELLED" });
});

test("a stack reads no file outside of the project, unless the run allows it", async () => {
  const project = await start();
  const source = project.synthesize((stack) => {
    new TerraformOutput(stack, "environment", { value: '${file("/proc/self/status")}' });
  });
  expect(await findings(project.plan(source))).toMatchObject([
    { code: "TENANCY_EXPRESSION", advice: expect.stringContaining("--allow-files DIR") as string },
  ]);
  const allowed = await project.plan(source, { allowFiles: ["/proc/self"] });
  expect(allowed.outputs[0]?.after).toContain("Pid:");
});
