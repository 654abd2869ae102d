/** The examples in TypeScript: covers the files of examples. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../support/temp-folder";

const output = temporaryFolder();

const folder = resolve(__dirname, "../../examples");
const examples = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "main.ts")))
  .map(({ name }) => name);

test.each(examples)("the example %s says what it is for, and how to run it", (name) => {
  expect(readFileSync(join(folder, name, "README.md"), "utf8")).toMatch(/^# .+\n\n[^]+npx tenancy/);
  expect(JSON.parse(readFileSync(join(folder, name, "cdktf.json"), "utf8"))).toMatchObject({
    language: "typescript",
    app: "npx tsx main.ts",
  });
});

test.each(examples)("the example %s synthesizes one stack of its name, with an owner of its own", (name) => {
  const stack = synthesized(name);
  expect(stack.provider.tenancy).toEqual([{ owner: expect.stringContaining(name) as string }]);
  expect(Object.keys(stack.resource.tenancy_account).length).toBeGreaterThan(0);
});

test("the company has three tenants, twelve users and three tokens at least", () => {
  const { tenancy_account, tenancy_user_profile, tenancy_authorization } = synthesized("company").resource;
  expect(Object.keys(tenancy_account).length).toBeGreaterThanOrEqual(3);
  expect(Object.keys(tenancy_user_profile ?? {}).length).toBeGreaterThanOrEqual(12);
  expect(Object.keys(tenancy_authorization ?? {}).length).toBeGreaterThanOrEqual(3);
});

test("the top-level project is the company", () => {
  const project: unknown = JSON.parse(readFileSync(resolve(folder, "../cdktf.json"), "utf8"));
  expect(project).toMatchObject({ app: "npx tsx examples/company/main.ts" });
  expect(existsSync(join(folder, "company", "main.ts"))).toBe(true);
});

interface Stack {
  readonly provider: { readonly tenancy: readonly unknown[] };
  readonly resource: { readonly tenancy_account: object } & Readonly<Record<string, object>>;
}

function synthesized(name: string): Stack {
  const outdir = output();
  process.env["CDKTF_OUTDIR"] = outdir;
  try {
    jest.isolateModules(() => {
      jest.requireActual(join(folder, name, "main.ts"));
    });
  } finally {
    delete process.env["CDKTF_OUTDIR"];
  }
  return JSON.parse(readFileSync(join(outdir, "stacks", name, "cdk.tf.json"), "utf8")) as Stack;
}
