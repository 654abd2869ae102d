/**
 * What a run tells of values that are sensitive, wherever they stand: covers src/engine/evaluate/secrets.ts in whole runs, and with it
 * src/engine/evaluate/stack-evaluation.ts, src/engine/evaluate/stack.ts and src/engine/evaluate/providers.ts.
 */
import { TerraformVariable, type TerraformStack } from "cdktf";
import { Account, Authorization, UserProfile } from "tenancy";
import { SecretNames } from "../../../src/engine/evaluate/secrets";
import { convertOrFail } from "../../../src/lib/language";
import { type Finding, TenancyError, wordsFor } from "../../../src/problems";
import { Mark, SENSITIVE, type Type } from "../../../src/lib/values";
import { projects, type Build, type Project } from "../../support/projects";

const start = projects();

const CANARY = "canary-3141592653";
const SEEN = /canary-3|3141592653/;

/** A stack with secrets: a text, a number, an object, and an ephemeral text. */
const withSecrets =
  (build: Build): Build =>
  (stack) => {
    const variable = (name: string, type: string, more = {}) =>
      new TerraformVariable(stack, name, { type, sensitive: true, ...more });
    variable("sec", "string");
    variable("num", "number");
    variable("map", "map(number)", { default: { [CANARY]: 1 } });
    variable("once", "string", { sensitive: false }).addOverride("ephemeral", true);
    build(stack);
  };

const environment = { TF_VAR_sec: CANARY, TF_VAR_num: "-3141592653", TF_VAR_once: CANARY };

const account = (config: object): Build => {
  return (stack) => {
    new Account(stack, "acme", { name: "acme", permissions: {} }).addOverride("lifecycle", {});
    for (const [name, value] of Object.entries(config))
      override(stack, `resource.tenancy_account.acme.${name}`, value);
  };
};

function override(stack: TerraformStack, path: string, value: unknown): void {
  stack.addOverride(path, value);
}

const user =
  (config: object): Build =>
  (stack) => {
    const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
    const jane = new UserProfile(stack, "jane", { accountId: acme.id, username: "jane", permissions: {} });
    for (const [name, value] of Object.entries(config)) jane.addOverride(name, value);
  };

const token =
  (config: object): Build =>
  (stack) => {
    const token = new Authorization(stack, "ci", { login: "jane@acme", name: "ci" });
    for (const [name, value] of Object.entries(config)) token.addOverride(name, value);
  };

const block =
  (path: string, value: unknown): Build =>
  (stack) =>
    stack.addOverride(path, value);

const condition = (message: string) => [{ condition: "${1 > 2}", error_message: message }];

/** Each is refused, and the refusal tells no secret. */
const REFUSED: Readonly<Record<string, Build>> = {
  "a variable's validation": block("variable.other", {
    type: "string",
    default: "x",
    validation: condition("not ${var.sec}"),
  }),
  "its own validation": block("variable.num.validation", condition("not ${var.num}")),
  "a precondition": account({ lifecycle: { precondition: condition("not ${var.sec}") } }),
  "a precondition with something ephemeral": account({
    lifecycle: { precondition: condition("not ${var.once}") },
  }),
  "a precondition with a length": account({ lifecycle: { precondition: condition("not ${var.num}") } }),
  "a postcondition": account({
    lifecycle: { postcondition: condition("${self.name} is not ${var.sec}") },
  }),
  "a condition that is no bool": account({
    lifecycle: { precondition: [{ condition: "${var.sec}", error_message: "no" }] },
  }),
  "an output's precondition": block("output.x", {
    value: 1,
    precondition: condition("not ${var.sec}"),
  }),
  "an output that is open": block("output.x", { value: "${var.sec}" }),
  "an output that is ephemeral": block("output.x", { value: "${var.once}" }),
  "a data source by name": block("data.tenancy_account.d", { name: "${var.sec}" }),
  "a data source by id": block("data.tenancy_account.d", { id: "${var.sec}" }),
  "a data source of a user": block("data.tenancy_user_profile.d", { login: "${var.sec}" }),
  "a data source with a sensitive argument": block("data.tenancy_user_profiles.d", {
    "${var.sec}": "${var.sec}",
  }),
  "a data source's postcondition": block("data.tenancy_status.d", {
    lifecycle: { postcondition: condition("not ${var.sec}") },
  }),
  "a key that is missing": block("locals.x", "${{a = 1}[var.sec]}"),
  "two equal keys": block("locals.x", "${{for k in [var.sec, var.sec] : k => 1}}"),
  "an index out of range": block("locals.x", "${[1, 2][var.num]}"),
  "a right": account({ permissions: { "${var.sec}": true } }),
  "rights as a whole": account({ permissions: "${var.map}" }),
  "a member of a contact": account({ primary_contact: { "${var.sec}": "x" } }),
  "an attribute": user({ "${var.sec}": 1 }),
  "a text in place of a number": account({ limits_vss_num: "${var.sec}" }),
  "a level": account({ level: "${var.sec}" }),
  "a uuid": account({ uuid: "${var.sec}" }),
  "a value among several": account({
    provisioning_tags_include: ["${var.sec}", "${var.sec}"],
    level: "${var.sec}",
  }),
  "a scope": user({ vss_scope: ["*", "${var.sec}"] }),
  "what is unset": user({ unset: ["${var.sec}"] }),
  "a preset": user({ undeclared_rights: "${var.sec}" }),
  "two factors": user({ two_factor_auth: "${var.sec}" }),
  "two users of the same name": (stack) => {
    const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
    for (const id of ["a", "b"])
      new UserProfile(stack, id, { accountId: acme.id, username: "${var.sec}", permissions: {} });
  },
  "a user's name of wrong letters": user({ username: "${var.sec} @/" }),
  "a token's login": token({ login: "${var.sec}" }),
  "a token's creating user": token({ login_with: "${var.sec}" }),
  "a token's retaining": token({ retain_previous_for: "${var.sec}" }),
  "a token's end": token({ expires_at: "${var.sec}", login: "${var.sec}@acme" }),
  count: account({ count: "${var.num}" }),
  "an ephemeral count": account({ count: "${var.once}" }),
  "for_each of a set": account({ for_each: "${toset([var.sec])}" }),
  "for_each of an ephemeral set": account({ for_each: "${toset([var.once])}" }),
  "for_each of a map": account({ for_each: "${{(var.sec) = 1}}" }),
  "for_each of a map that is sensitive": account({ for_each: "${var.map}" }),
  "for_each of a text": account({ for_each: "${var.sec}" }),
  "an ephemeral value that would be kept": account({ description: "${var.once}", level: "${var.once}" }),
  "an import's id": (stack) => {
    account({})(stack);
    stack.addOverride("import", [{ to: "tenancy_account.acme", id: "${var.sec}" }]);
  },
  "the triggers of a value": block("resource.null_resource.n", { triggers: { "${var.sec}": ["x"] } }),
  "the input of a value": block("resource.terraform_data.n", { input: "${tonumber(var.sec)}" }),
  "a value that is kept": block("resource.terraform_data.n", { input: "${var.once}" }),
  "a session's user": block("ephemeral.tenancy_session_token.s", {
    username: "${var.sec}",
    password: "${var.sec}",
  }),
  "a session's attribute": block("ephemeral.tenancy_session_token.s", { "${var.sec}": 1 }),
  "a timeout": block("provider.tenancy.0.request_timeout", "${var.sec}"),
  "a number of requests": block("provider.tenancy.0.max_concurrency", "${var.num}"),
  "an address": block("provider.tenancy.0.base_url", "${var.sec}"),
  "an address with a path": block("provider.tenancy.0.base_url", "http://127.0.0.1:1/${var.sec}?a#b"),
  "a service that is not there": block("provider.tenancy.0.base_url", "http://${var.sec}.invalid:1"),
  "a file of certificates": block("provider.tenancy.0.ca_file", "/nowhere/${var.sec}"),
  "a user of the provider": block("provider.tenancy.0.username", "${var.sec}"),
  "an argument of the provider": block("provider.tenancy.0.${var.sec}", 1),
};

async function toldOf(project: Project, build: Build): Promise<string> {
  const source = project.synthesize(withSecrets(build));
  try {
    await project.plan(source, { environment });
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    const causes = [];
    for (let cause = error.cause; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
    const shown = [error.message, error.detail, error.advice, JSON.stringify(error.where), ...causes];
    return [...shown, JSON.stringify(error.toDiagnostics())].join("\n");
  }
  throw new Error("it is not refused");
}

test.each(Object.entries(REFUSED))("%s is refused without its value", async (_what, build) => {
  const told = await toldOf(await start(), build);
  expect(told).not.toMatch(SEEN);
});

test("a refusal says what is hidden", async () => {
  const project = await start();
  const told = (name: string) => toldOf(project, REFUSED[name] as Build);
  expect(await told("a right")).toContain("there is no right (sensitive value)");
  expect(await told("a precondition")).toContain("a condition does not hold, and its message");
});

// Names in the titles of objects.

function noting(...names: readonly string[]): SecretNames {
  const secrets = new SecretNames();
  for (const name of names) secrets.note({ name }, [["name"]], "tenancy_account.a");
  return secrets;
}

test.each([
  ["acme", "(sensitive value)"],
  ["jane@acme", "jane@(sensitive value)"],
  ["jane@acme/csi", "jane@(sensitive value)/csi"],
  ["acme@acme/acme", "(sensitive value)@(sensitive value)/(sensitive value)"],
  ["acme-2", "acme-2"],
  ["jane@my-acme", "jane@my-acme"],
])("a secret name is hidden where it is a whole part: %s", (key, title) => {
  expect(noting("acme").titleOf(key)).toBe(title);
});

test("a login is hidden as a whole, whichever was noted first", () => {
  expect(noting("acme", "jane@acme").titleOf("jane@acme/csi")).toBe("(sensitive value)/csi");
  expect(noting("jane@acme", "acme").titleOf("jane@acme/csi")).toBe("(sensitive value)/csi");
});

test("a name is taken literally, however long it is and whatever it holds", () => {
  for (const name of ["a.c", "[", "$&", "x".repeat(100_000), "a@a"]) {
    expect(noting(name).titleOf(`jane@${name}`)).toBe("jane@(sensitive value)");
  }
  expect(noting("a.c").titleOf("abc")).toBe("abc");
});

test("an empty name hides nothing, and neither does what is sensitive within a group", () => {
  const secrets = noting("");
  secrets.note({ name: "acme", contact: { email: "acme" } }, [["contact", "email"]], "tenancy_account.a");
  expect(secrets.titleOf("jane@acme")).toBe("jane@acme");
});

// Findings: names are hidden everywhere, other values only where their own object is told of.

const finding = (summary: string, address = "tenancy_account.c"): Finding => ({
  severity: "error",
  code: "TENANCY_UNMANAGED",
  summary,
  address,
});

test("a name is hidden in every finding, and once", () => {
  const { hide } = noting("value", "acme");
  const once = hide(finding('"value" of acme, acme-2 and acmes: (sensitive value)'));
  expect(once.summary).toBe(
    "(sensitive value) of (sensitive value), (sensitive value)-2 and acmes: (sensitive value)",
  );
  expect(hide(once)).toEqual(once);
});

test("a value that is no name is hidden only in what is told of its own object", () => {
  const secrets = new SecretNames();
  secrets.note({ contact: { company: "globex" } }, [["contact", "company"]], "tenancy_account.b");
  expect(secrets.hide(finding("globex has rights")).summary).toBe("globex has rights");
  expect(secrets.hide(finding("globex has rights", "tenancy_account.b")).summary).toBe(
    "(sensitive value) has rights",
  );
  expect(secrets.titleOf("globex")).toBe("globex");
});

test("how much is looked at does not grow with the number of names", () => {
  const looked = (count: number) => {
    const secrets = noting(...Array.from({ length: count }, (_, i) => `name-${10_000 + i}`));
    const has = jest.spyOn(Set.prototype, "has");
    const sort = jest.spyOn(Array.prototype, "sort");
    try {
      const { summary } = secrets.hide(finding("name-10003 is not name-9"));
      expect(summary).toBe("(sensitive value) is not name-9");
      expect(secrets.titleOf("jane@name-10003")).toBe("jane@(sensitive value)");
      return [has.mock.calls.length, sort.mock.calls.length];
    } finally {
      has.mockRestore();
      sort.mockRestore();
    }
  };
  expect(looked(3000)).toEqual(looked(10));
});

test("an advice that says nothing to a reader stays without words", () => {
  const { advice } = noting("acme").hide({ ...finding("acme"), advice: () => undefined });
  expect(typeof advice === "function" && advice(wordsFor("library"))).toBeUndefined();
});

test.each([
  ["what only the apply learns", '${tenancy_account.acme.id == "" ? "" : var.sec}'],
  ["what the plan knew", "${var.sec}"],
])("a failure of the apply tells nothing sensitive: %s", async (_what, keeper) => {
  const project = await start();
  const source = project.synthesize(
    withSecrets((stack) => {
      new Account(stack, "acme", { name: "acme", permissions: {} });
      token({ login: "acme", keepers: { keeper }, login_with: "temporary_password" })(stack);
    }),
  );
  const body = { status: 400, message: `${CANARY} does not fit`, type: "validation", errors: [] };
  project.service.fail({ method: "POST", path: "/api/authorization", times: 1, status: 400, body });
  const { result } = await project.run(source, { environment: { ...environment, TF_VAR_once: "another" } });
  const told = JSON.stringify([...result.failed.map(({ diagnostics }) => diagnostics), result.diagnostics]);
  expect(told).toContain("(sensitive value) does not fit");
  expect(told).not.toMatch(SEEN);
});

test("a sensitive user of the provider is not shown as the caller, nor in what the apply tells", async () => {
  const project = await start({ systemUser: { username: CANARY, password: "pw-of-admin" } });
  const source = project.synthesize(
    withSecrets((stack) => {
      stack.addOverride("provider.tenancy.0.username", "${var.sec}");
      new Account(stack, "acme", { name: "acme", permissions: {} });
    }),
  );
  const body = { status: 403, message: `${CANARY} may not do that` };
  project.service.fail({ method: "POST", path: "/api/account", times: 1, status: 403, body });
  const { plan, result } = await project.run(source, {
    environment: { ...environment, TENANCY_USERNAME: "" },
  });
  expect(plan.targets.map(({ caller }) => caller)).toEqual(["(sensitive value)"]);
  expect(result.ok).toBe(false);
  const told = [plan.warnings, result.diagnostics, result.failed.map(({ diagnostics }) => diagnostics)];
  expect(JSON.stringify(told)).not.toMatch(SEEN);
});

test("what the type of a sensitive variable names is no secret, and its keys are", () => {
  const hidden = new Mark({ a: "x", [CANARY]: "y" }, SENSITIVE);
  const object: Type = { kind: "object", members: new Map([["a", { type: "number" }]]) };
  expect(() => convertOrFail(hidden, object)).toThrow(/^a: a number is required/);
  expect(() => convertOrFail(hidden, { kind: "map", element: "number" })).toThrow(/sensitive value/);
});
