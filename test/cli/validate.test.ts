/** `tenancy validate`: covers src/cli/verbs/validate.ts and src/engine/plan.ts. */
import { accounts, commandProjects } from "../support/command";

const start = commandProjects();
const stack = { provider: { tenancy: [{ base_url: "https://storage.example", owner: "o" }] } };
const wrong = { ...stack, resource: { tenancy_account: { a: { name: "a", lmits: {} }, b: { name: "" } } } };

test("validate checks every stack, and contacts nobody", async () => {
  const project = await start();
  await project.declare({
    a: { ...accounts("acme"), provider: { tenancy: [{ owner: "a" }] } },
    b: { ...accounts("globex"), provider: { tenancy: [{ owner: "b" }] } },
  });
  const { code, stdout } = await project.tenancy(["validate"]);
  expect(code).toBe(0);
  expect(stdout).toBe("Valid: a, b.\n");
  expect(project.service.requests).toEqual([]);
});

test("validate shows all findings at once", async () => {
  const project = await start({ service: false });
  await project.declare({ prod: wrong });
  const { code, stdout, stderr } = await project.tenancy(["validate"]);
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toContain('there is no attribute "lmits" here\n  on tenancy_account.a');
  expect(stderr).toContain("  on tenancy_account.b, name");
});

test("a reference to nothing is found, also where it leads into what only the apply will tell", async () => {
  const project = await start({ service: false });
  await project.declare({
    prod: {
      ...stack,
      resource: { tenancy_account: { a: { name: "a" }, b: { name: "b" } } },
      output: {
        right: { value: "${tenancy_account.a.limits_vss_num}" },
        wrong: { value: "${tenancy_account.a.limits_vss_nmu}" },
      },
    },
  });
  const { code, stderr } = await project.tenancy(["validate"]);
  expect(code).toBe(1);
  expect(stderr).toContain('there is no attribute "limits_vss_nmu" here');
  expect(stderr).toContain('Did you mean "limits_vss_num"?');
  expect(stderr.match(/there is no attribute/g)).toHaveLength(1);
});

test("validate --json has the form of Terraform's, whatever fails", async () => {
  const project = await start({ service: false });
  await project.declare({ prod: wrong });
  const found = JSON.parse((await project.tenancy(["validate", "--json"])).stdout) as { error_count: number };
  expect(found).toMatchObject({ format_version: "1.0", valid: false, warning_count: 0 });
  expect(found.error_count).toBeGreaterThanOrEqual(2);

  await project.write("cdktf.json", "{");
  expect(JSON.parse((await project.tenancy(["validate", "--json"])).stdout)).toMatchObject({
    valid: false,
    diagnostics: [{ severity: "error", code: "TENANCY_NO_PROJECT" }],
  });
});

test("what is wrong between two stacks is told once", async () => {
  const project = await start({ service: false });
  const same = { ...accounts("acme"), provider: { tenancy: [{ base_url: "https://storage.example" }] } };
  await project.declare({ a: same, b: same });
  const { code, stderr } = await project.tenancy(["validate"]);
  expect(code).toBe(1);
  expect(stderr.match(/Error TENANCY_\w+/g)).toEqual(["Error TENANCY_DECLARED_TWICE"]);
});
