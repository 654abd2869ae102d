import { readFileSync } from "node:fs";
import { join } from "node:path";
import { App, TerraformStack, TerraformVariable } from "cdktf";
import { Account, Deletion, TenancyProvider, Tenant, type DeletionProps } from "tenancy";
import { invalidValue } from "../../src/problems";
import { temporaryFolder } from "../support/temp-folder";
import { Synthesized } from "./synthesized";
import { thrown } from "../support/thrown";

const folder = temporaryFolder();

test("a tenant that left stands in the stack's metadata, where Terraform does not look", () => {
  const { stack, whole } = removing(
    ["acme-left", { account: "acme" }],
    ["bob-left", { login: "bob@globex", id: "user-profile:1:9" }],
  );
  expect(whole["//"]).toMatchObject({
    metadata: { stackName: stack.node.id },
    tenancy: {
      removed: [
        { account: "acme", path: "platform/acme-left" },
        { login: "bob@globex", id: "user-profile:1:9", path: "platform/bob-left" },
      ],
    },
  });
  expect(whole).not.toHaveProperty("resource");
});

test("a removal names its service where there are several", () => {
  const synthesized = new Synthesized();
  const provider = new TenancyProvider(synthesized.stack, "eu", { alias: "eu" });
  new Deletion(synthesized.stack, "acme-left", { account: "acme", serial: "ACT1", provider });
  expect(synthesized.whole["//"]).toMatchObject({
    tenancy: { removed: [{ account: "acme", serial: "ACT1", provider: "tenancy.eu" }] },
  });
});

test("the name is written letter by letter, and is no template", () => {
  const { whole } = removing(["left", { account: "${acme}" }]);
  expect(whole["//"]).toMatchObject({ tenancy: { removed: [{ account: "${acme}" }] } });
});

test("a removal survives the app's own synthesis", () => {
  const outdir = folder();
  const app = new App({ outdir });
  new Deletion(new TerraformStack(app, "platform"), "left", { account: "acme" });
  app.synth();
  const written = readFileSync(join(outdir, "stacks", "platform", "cdk.tf.json"), "utf8");
  expect(JSON.parse(written)).toMatchObject({
    "//": { tenancy: { removed: [{ account: "acme", path: "platform/left" }] } },
  });
});

test("exactly one of account and login is needed, known before the plan", () => {
  const { stack } = new Synthesized();
  const name = new TerraformVariable(stack, "name", { type: "string" }).stringValue;
  expect(() => new Deletion(stack, "a", {} as DeletionProps)).toThrow(thrown(invalidValue));
  expect(() => new Deletion(stack, "b", { account: "a", login: "b@a" } as unknown as DeletionProps)).toThrow(
    thrown(invalidValue),
  );
  expect(() => new Deletion(stack, "c", { account: name })).toThrow(thrown(invalidValue));
});

describe("what is still declared", () => {
  const declaring = () => {
    const synthesized = new Synthesized();
    new Tenant(synthesized.stack, "acme", { name: "acme", users: { jane: {} } });
    return synthesized;
  };

  test("is an error that names both, for a tenant and for a user", () => {
    const tenant = declaring();
    new Deletion(tenant.stack, "left", { account: "acme" });
    expect(() => tenant.json).toThrow(
      /TENANCY_REMOVED_AND_DECLARED: "acme" is declared.*platform\/acme\/Resource.*platform\/left/,
    );
    const user = declaring();
    new Deletion(user.stack, "left", { login: "jane@acme" });
    expect(() => user.json).toThrow(/TENANCY_REMOVED_AND_DECLARED: "jane@acme".*platform\/acme\/users\/jane/);
  });

  test("is found as an L1 construct, too", () => {
    const synthesized = new Synthesized();
    new Account(synthesized.stack, "acme", { name: "acme" });
    new Deletion(synthesized.stack, "left", { account: "acme" });
    expect(() => synthesized.json).toThrow(/TENANCY_REMOVED_AND_DECLARED/);
  });

  test("is no matter under another name, or at another service", () => {
    const synthesized = declaring();
    const provider = new TenancyProvider(synthesized.stack, "eu", { alias: "eu" });
    new Deletion(synthesized.stack, "other", { account: "globex" });
    new Deletion(synthesized.stack, "elsewhere", { account: "acme", provider });
    new Deletion(synthesized.stack, "somebody", { login: "joe@acme" });
    expect(() => synthesized.json).not.toThrow();
  });
});

function removing(...removed: readonly (readonly [id: string, props: DeletionProps])[]): Synthesized {
  const synthesized = new Synthesized();
  for (const [id, props] of removed) new Deletion(synthesized.stack, id, props);
  return synthesized;
}
