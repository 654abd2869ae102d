/** The examples in TypeScript: covers the files of examples. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { actions, changeAt, changed, projects } from "../support/projects";
import { temporaryFolder } from "../support/temp-folder";

const output = temporaryFolder();
const start = projects();

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

test("take-over brings the declared contact to a service that shows only names, in one apply that shows it", async () => {
  const project = await start({ contacts: "names" });
  const { records } = project.service;
  records.createAccount({ name: "initech", primary_contact: { first_name: "Bill", company: "Old Corp" } });
  records.createProfile("initech", { username: "peter" });
  const declared = { name: "take-over", outdir: outdirOf("take-over") };
  const { plan } = await project.apply(declared);
  const tenant = changeAt(plan, "tenancy_account.initech");
  expect(tenant.action).toBe("update");
  expect(changed(tenant)).toMatchObject({ "primary_contact.company": [null, "Initech"] });
  expect(tenant.notes).toContain(
    "sent once, because the service does not show the live value: primary_contact.company",
  );
  expect(records.account("initech").primary_contact).toMatchObject({
    first_name: "Bill",
    company: "Initech",
  });
  expect(actions(await project.plan(declared))).toEqual([]);
});

interface Stack {
  readonly provider: { readonly tenancy: readonly unknown[] };
  readonly resource: { readonly tenancy_account: object } & Readonly<Record<string, object>>;
}

function synthesized(name: string): Stack {
  return JSON.parse(readFileSync(join(outdirOf(name), "stacks", name, "cdk.tf.json"), "utf8")) as Stack;
}

/** Where the synthesized example stands. */
function outdirOf(name: string): string {
  const outdir = output();
  process.env["CDKTF_OUTDIR"] = outdir;
  try {
    jest.isolateModules(() => {
      jest.requireActual(join(folder, name, "main.ts"));
    });
  } finally {
    delete process.env["CDKTF_OUTDIR"];
  }
  return outdir;
}
