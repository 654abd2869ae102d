/** Where sensitive values may flow to: covers the check in src/engine/evaluate/configuration.ts, in whole runs. */
import { TerraformOutput, TerraformVariable, type TerraformStack } from "cdktf";
import { Account, Authorization, UserProfile } from "tenancy";
import { validate } from "../../../src/engine";
import { TenancyError } from "../../../src/problems";
import { projects, type Build, type Project } from "../../support/projects";

const start = projects();

const TOKEN = "tenancy_authorization.ci.access_token";

/** Two tenants and a token of the first; `email` and the like go to the user of the second. */
const declaring =
  (config: object, more: Build = () => undefined): Build =>
  (stack) => {
    new TerraformVariable(stack, "sec", { type: "string", sensitive: true, default: "hush@acme.example" });
    const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
    const csi = new UserProfile(stack, "csi", { accountId: acme.id, username: "csi", permissions: {} });
    new Authorization(stack, "ci", { login: csi.login, name: "ci", loginWith: "temporary_password" });
    const globex = new Account(stack, "globex", { name: "globex", permissions: {} });
    const eve = new UserProfile(stack, "eve", { accountId: globex.id, username: "eve", permissions: {} });
    for (const [name, value] of Object.entries(config)) eve.addOverride(name, value);
    more(stack);
  };

/** Codes and paths of what is refused, and how many writes were sent before. */
async function refused(project: Project, build: Build): Promise<unknown> {
  const writes = () =>
    project.service.requests.filter(({ method, path }) => method !== "GET" && path !== "/api/oauth2/token");
  const before = writes().length;
  try {
    await project.run(build);
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    expect(writes().slice(before)).toEqual([]);
    return error.toDiagnostics().map(({ code, attribute = [] }) => [code, attribute.join(".")]);
  }
  return "nothing is refused";
}

/** Each is a way of a token into a plain attribute, be the token known or not. */
const WAYS = {
  itself: `\${${TOKEN}}`,
  "in a text": `\${"id-\${${TOKEN}}"}`,
  "a digest of it": `\${sha256(${TOKEN})}`,
  "what it is if it can be": `\${try(${TOKEN}, "")}`,
  "a choice that only the apply makes": `\${tenancy_account.acme.id == "x" ? "a" : ${TOKEN}}`,
  "one of a list that only the apply chooses": `\${(tenancy_account.acme.id == "x" ? ["a"] : [${TOKEN}])[0]}`,
  "a loop over what only the apply knows": `\${join("", [for x in [tenancy_account.acme.id] : ${TOKEN} if x != "x"])}`,
  "a member under a key that only the apply knows": `\${join("", values({(tenancy_account.acme.id) = ${TOKEN}}))}`,
  "an element that only the apply finds": `\${{a = ${TOKEN}, b = "x"}[tenancy_account.acme.id == "x" ? "b" : "a"]}`,
  "a call with arguments that only the apply knows": `\${coalesce([for x in [${TOKEN}] : x if tenancy_account.acme.id != "x"]...)}`,
};

test.each(Object.entries(WAYS))("a token does not flow into a plain attribute: %s", async (_way, xref) => {
  const project = await start();
  expect(await refused(project, declaring({ xref }))).toEqual([["TENANCY_SENSITIVE_VALUE", "xref"]]);
  // The same with a token that the state knows.
  await project.apply(declaring({}));
  expect(await refused(project, declaring({ xref }))).toEqual([["TENANCY_SENSITIVE_VALUE", "xref"]]);
});

test("a sensitive variable does not flow into a plain attribute, unless the configuration says that it may be shown", async () => {
  const project = await start();
  const email = "${var.sec}";
  expect(await refused(project, declaring({ email }))).toEqual([["TENANCY_SENSITIVE_VALUE", "email"]]);
  expect(await refused(project, declaring({ node_scope: [email] }))).toEqual([
    ["TENANCY_SENSITIVE_VALUE", "node_scope.0"],
  ]);
  await project.apply(declaring({ email: "${nonsensitive(var.sec)}" }));
  expect(project.service.records.profile("eve@globex")).toMatchObject({ email: "hush@acme.example" });
});

test("sensitive values flow into write-only attributes, keepers and sensitive outputs", async () => {
  const project = await start();
  const { result } = await project.apply(
    declaring({ password_wo: `\${${TOKEN}}`, password_wo_version: 1 }, (stack: TerraformStack) => {
      new TerraformOutput(stack, "token", { value: `\${${TOKEN}}`, sensitive: true });
      new Authorization(stack, "cd", {
        login: "${tenancy_user_profile.csi.login}",
        name: "cd",
        loginWith: "temporary_password",
        keepers: { after: `\${${TOKEN}}`, by: "${var.sec}" },
      });
    }),
  );
  expect(result.applied).toHaveLength(6);
});

const NOT_LIFTED = {
  "a token": `\${nonsensitive(${TOKEN})}`,
  "a text with a token": `\${nonsensitive("token \${${TOKEN}}")}`,
  "a digest of a token": `\${nonsensitive(md5(${TOKEN}))}`,
  "a token of the past": "${nonsensitive(tenancy_authorization.ci.previous)}",
  "a token, where another value would do": `\${try(nonsensitive(${TOKEN}), ${TOKEN})}`,
};

test.each(Object.entries(NOT_LIFTED))("nonsensitive() does not take the mark off %s", async (what, value) => {
  const project = await start();
  const build = declaring({}, (stack) => void new TerraformOutput(stack, "leak", { value }));
  const told = what.includes("another") ? ["TENANCY_SENSITIVE_OUTPUT", ""] : ["TENANCY_EXPRESSION", "value"];
  expect(await refused(project, build)).toEqual([told]);
  await project.apply(declaring({}));
  expect(await refused(project, build)).toEqual([told]);
});

test("a value that only the apply chooses counts as sensitive if one of the choices is", async () => {
  const project = await start();
  const value = '${try(jsondecode(tenancy_account.acme.id == "x" ? "1" : "["), var.sec)}';
  const build = declaring({}, (stack) => void new TerraformOutput(stack, "late", { value }));
  expect(await refused(project, build)).toEqual([["TENANCY_SENSITIVE_OUTPUT", ""]]);
});

test("validation says so without a service", async () => {
  const project = await start();
  const source = project.synthesize(declaring({ xref: `\${${TOKEN}}` }));
  const error = await validate(source, project.options()).catch((reason: unknown) => reason);
  const codes = error instanceof TenancyError ? error.toDiagnostics().map(({ code }) => code) : [];
  expect(codes).toEqual(["TENANCY_SENSITIVE_VALUE"]);
  expect(project.service.requests).toEqual([]);
});

test("the id of a value block hides the trigger that it is made of", async () => {
  const project = await start();
  const build = declaring({ xref: "${terraform_data.t.id}" }, (stack) =>
    stack.addOverride("resource.terraform_data.t", { triggers_replace: ["${var.sec}"] }),
  );
  expect(await refused(project, build)).toEqual([["TENANCY_SENSITIVE_VALUE", "xref"]]);
});
