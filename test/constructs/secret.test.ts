import { TerraformStack, TerraformVariable, Testing } from "cdktf";
import { Secret, Tenant } from "tenancy";
import { invalidValue, literalSecret } from "../../src/problems";
import { Synthesized } from "./synthesized";
import { thrown } from "../support/thrown";

test("a secret is a sensitive variable that no plan file holds", () => {
  const synthesized = new Synthesized();
  new Tenant(synthesized.stack, "acme", {
    name: "acme",
    password: Secret.variable("acme_password", { description: "First password of Acme" }),
  });
  expect(synthesized.json["variable"]).toEqual({
    acme_password: {
      type: "string",
      description: "First password of Acme",
      sensitive: true,
      ephemeral: true,
    },
  });
  expect(synthesized.account("acme")).toMatchObject({
    password_wo: "${var.acme_password}",
    password_wo_version: 1,
  });
});

test("a secret that need not be given again for a saved plan is just a sensitive variable", () => {
  const synthesized = new Synthesized();
  const password = Secret.variable("acme_password", { ephemeral: false });
  new Tenant(synthesized.stack, "acme", { name: "acme", password });
  expect(synthesized.json["variable"]).toEqual({ acme_password: { type: "string", sensitive: true } });
});

test("a name used twice is one variable", () => {
  const synthesized = new Synthesized();
  new Tenant(synthesized.stack, "acme", { name: "acme", password: Secret.variable("shared") });
  new Tenant(synthesized.stack, "globex", {
    name: "globex",
    password: Secret.variable("shared", { version: 2 }),
  });
  expect(Object.keys(synthesized.json["variable"] as object)).toEqual(["shared"]);
  expect(synthesized.account("globex")["password_wo_version"]).toBe(2);
});

test("one secret serves several stacks", () => {
  const app = Testing.app();
  const password = Secret.variable("shared");
  for (const name of ["eu", "us"]) {
    const stack = new TerraformStack(app, name);
    new Tenant(stack, "acme", { name: "acme", password });
    expect(JSON.parse(Testing.synth(stack))).toHaveProperty("variable.shared");
  }
});

test("a variable that the stack has already is used", () => {
  const synthesized = new Synthesized();
  new TerraformVariable(synthesized.stack, "acme_password", { type: "string", nullable: false });
  new Tenant(synthesized.stack, "acme", { name: "acme", password: Secret.variable("acme_password") });
  expect(synthesized.json["variable"]).toEqual({ acme_password: { type: "string", nullable: false } });
});

test("any expression can be a secret, plain text cannot", () => {
  const synthesized = new Synthesized();
  const own = new TerraformVariable(synthesized.stack, "own", { type: "string", sensitive: true });
  new Tenant(synthesized.stack, "a", { name: "a", password: Secret.of(own) });
  new Tenant(synthesized.stack, "b", { name: "b", password: Secret.of(own.stringValue, { version: 4 }) });
  expect(synthesized.account("a")).toMatchObject({ password_wo: "${var.own}", password_wo_version: 1 });
  expect(synthesized.account("b")).toMatchObject({ password_wo: "${var.own}", password_wo_version: 4 });
  expect(() => Secret.of("hunter2")).toThrow(thrown(literalSecret));
});

test("a refused literal is not repeated in the error", () => {
  expect(() => Secret.of("hunter2")).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining("hunter2") as string }) as Error,
  );
});

test("a variable's name is one that Terraform accepts", () => {
  expect(() => Secret.variable("jane password")).toThrow(thrown(invalidValue));
  expect(() => Secret.variable("1st")).toThrow(thrown(invalidValue));
});
