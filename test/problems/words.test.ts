/** What problems say, and to whom: covers src/problems, besides its own source. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NULLABLE, SECRETS } from "../../src/constructs/generated/l2/declared";
import { HCL } from "../../src/provider/words";
import * as problems from "../../src/problems";
import {
  ApiProblem,
  type Finding,
  inWords,
  LIBRARY,
  Problem,
  TYPESCRIPT,
  Warning,
  type Words,
  worded,
} from "../../src/problems";

const SRC = join(__dirname, "../../src");

/** What only HCL and Terraform have: names with underscores, equal signs, blocks, flags. No such names are rights, as `vss.use_disks`, and values. */
const OF_HCL = /(?<![\w.]|: ")[a-z][a-z\d]*_\w+|\w = |`(?:import|moved)`|\bblock\b|(?<!-)-target/;

/** What only TypeScript and the command have: names with capitals inside, constructs, flags, verbs, codes for one run. */
const OF_THE_COMMAND =
  /\b[a-z]+[A-Z]\w*|`[\w.]+: |\bnew [A-Z]|`Tenant`|`Secret|(?<!\S)\(?--[a-z]|\btenancy [a-z]|embedded engine|TENANCY_OTP\b/;

test.each([
  ["Set password_wo_version.", OF_HCL],
  ['Set "password_wo_version".', OF_HCL],
  ["Import it with an `import` block.", OF_HCL],
  ["Apply `protected = false`.", OF_HCL],
  ["Apply it first (-target).", OF_HCL],
  ["Set passwordVersion.", OF_THE_COMMAND],
  ['Import it with `importFrom("acme")`.', OF_THE_COMMAND],
  ["Apply `protected: false`.", OF_THE_COMMAND],
  ["Pass --yes.", OF_THE_COMMAND],
  ["Apply it first (--only).", OF_THE_COMMAND],
  ["Declare `new Deletion(…)`.", OF_THE_COMMAND],
  ["Run `tenancy doctor`.", OF_THE_COMMAND],
])("%s is known as a sentence of one language", (text, language) => {
  expect(text).toMatch(language);
  expect(text).not.toMatch(language === OF_HCL ? OF_THE_COMMAND : OF_HCL);
});

/** Stands for any fact that a problem is told: any member of it, any call of it, no elements, the text "x". */
const anything: unknown = new Proxy(() => undefined, {
  get(_target, name): unknown {
    if (name === Symbol.toPrimitive || name === "toString") return () => "x";
    if (name === Symbol.iterator) return () => [][Symbol.iterator]();
    return name === "length" ? 0 : anything;
  },
  apply: () => anything,
});

const object = { noun: "account", key: "acme", id: "account:1:2", name: "acme", login: "jane@acme" };
const created = { ...object, serial: "ATH1", why: "no", revoked: true };

/** The facts by which the advice of a problem differs. Where they are not here, any will do. */
const FACTS: Readonly<Record<string, readonly unknown[]>> = {
  otpRequired: [
    { configured: "X-A", headerInAnswer: "X-A" },
    { configured: "X-A", headerInAnswer: "X-B" },
  ],
  missingAttribute: ["account_id", "password_wo"],
  versionWithoutValue: ["password_wo", "two_factor_secret_wo"],
  secretDiffers: ["password_wo", "two_factor_secret_wo"],
  noLongerDeclared: [
    { who: "acme", path: ["limits_vss_num"], value: "1", takenAwayBy: "unset" },
    { who: "acme", path: ["provisioning_tags_include"], value: "1", takenAwayBy: "emptying" },
    { who: "acme", path: ["host"], value: "1", takenAwayBy: "another value" },
  ],
  unknownMember: [
    { name: "vssNum", owner: "acme", known: ["limits"], object: "limits" },
    { name: "vssNum", owner: "acme", known: ["limits"] },
  ],
  originNotAllowed: [{ origin: "https://storage.example" }, { fault: "no origin" }],
  accountDeletionRefused: ["acme"],
  unmanagedObject: [object, { ...object, isSuccessor: true }],
  nothingManaged: [{ origin: "o", state: "s", addresses: ["tenancy_account.acme"] }],
  renamedOutside: [true, false].map((isRecorded) => ({
    ...object,
    declaredName: "jane",
    liveName: "jane2",
    isRecorded,
  })),
  importMismatch: [{ ...object, liveName: "globex", declaredName: undefined }],
  deletionOfUnmanaged: [
    { ...object, isNamed: true },
    { ...object, isNamed: false },
  ],
  uuidIgnored: [object],
  tokenOfAnother: [created, { ...created, revoked: false }],
  tokenCreationImpossible: Object.keys(problems.WAYS_TO_CREATE_TOKENS).map((way) => ({
    why: "no",
    instead: [way],
  })),
  stateElsewhere: [
    { state: "s", origin: "o", stack: "a", stacks: ["b"] },
    { state: "s", origin: "o", otherOrigin: "https://storage.example", logins: ["jane@acme"] },
  ],
  revokedNotReplaced: [{ key: "jane@acme/ci", failure: problems.otpRefused.error(request(), undefined) }],
};

function request(): problems.ApiFacts {
  return { method: "GET", path: "/api/account" };
}

interface Raised {
  readonly name: string;
  readonly findings: readonly Finding[];
}

/** Every problem that there is, made as its finder makes it. */
const raised: readonly Raised[] = Object.entries(problems).flatMap(([name, one]): Raised[] => {
  if (one instanceof ApiProblem) {
    const problem = one as ApiProblem<unknown>;
    const made = factsOf(name).map((facts) => problem.error(anything as problems.ApiFacts, facts));
    return [{ name, findings: made.flatMap((error) => error.toFindings()) }];
  }
  if (!(one instanceof Problem || one instanceof Warning)) return [];
  const problem = one as Problem<unknown>;
  return [{ name, findings: factsOf(name).map((facts) => problem.at(facts)) }];
});

function factsOf(name: string): readonly unknown[] {
  return FACTS[name] ?? [anything];
}

function advice(all: readonly Raised[], say: Words): readonly string[] {
  return all.flatMap(({ findings }) => findings.flatMap((finding) => inWords(finding.advice, say) ?? []));
}

test("the title of a warning is one sentence for all objects: it begins with a capital and has no full stop", () => {
  const titles = raised.flatMap(({ findings }) => findings.map(({ title }) => title));
  const given = titles.filter((title) => title !== undefined);
  expect(given.length).toBeGreaterThan(30);
  for (const title of given) expect(title).toMatch(/^[A-Z][^"]*[^.]$/);
});

test("nobody who writes TypeScript is advised in the words of HCL", () => {
  const told = advice(raised, TYPESCRIPT);
  expect(told.length).toBeGreaterThan(150);
  expect(told.filter((text) => OF_HCL.test(text))).toEqual([]);
});

/** The folders whose code Terraform's provider runs. */
const SHARED = ["schema", "ownership", "api", "service", "resources", "provider", "lib/plugin-runtime"];

/** The problems that code under those folders names. */
function namedByTheProvider(): ReadonlySet<string> {
  const files = SHARED.flatMap((folder) =>
    readdirSync(join(SRC, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      join(SRC, folder, file),
    ),
  );
  const imports = files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => [
      ...readFileSync(file, "utf8").matchAll(/import \{([^}]*)\} from "[./]+\/problems"/g),
    ]);
  return new Set(imports.flatMap(([, names = ""]) => names.split(",").map((name) => name.trim())));
}

/** What only the command has: its verbs and flags, and codes for one run. */
const OF_A_SHELL = /(?<!\S)\(?--[a-z]|(?<!-)\btenancy [a-z]|TENANCY_OTP\b/;

/** Problems of the command alone: its verbs raise them, the engine does not. */
const OF_THE_COMMAND_ALONE = ["confirmationNeeded", "notExportable", "stackWaits"];

test("nobody who calls the engine as a library is advised to run the command, or in the words of HCL", () => {
  const told = advice(
    raised.filter(({ name }) => !OF_THE_COMMAND_ALONE.includes(name)),
    LIBRARY,
  );
  expect(told.length).toBeGreaterThan(150);
  expect(told.filter((text) => OF_A_SHELL.test(text))).toEqual([]);
  expect(told.filter((text) => OF_HCL.test(text))).toEqual([]);
});

test("the command's flag is an option of the engine, which may stand in an object", () => {
  expect(LIBRARY.flag("verify_tokens")).toBe("`verifyTokens`");
  expect(LIBRARY.flagWith("max_age", "7d")).toBe('`live.maxAge: "7d"`');
  expect(LIBRARY.flagWith("max_deletes", "7")).toBe("`maxDeletes: 7`");
  expect(LIBRARY.only()).toBe("`only`");
  expect(TYPESCRIPT.flagWith("max_age", "7d")).toBe("--max-age 7d");
});

test("an error is plain data in the words of a library's user, where they are asked for", () => {
  const error = problems.plannedFromSnapshot.error("2026-03-01T12:00:00.000Z");
  expect(error.toDiagnostics({}, "library")).toMatchObject([
    { advice: "Plan without `live`, from the service itself, and apply that." },
  ]);
  expect(error.toDiagnostics()).toMatchObject([{ advice: error.advice }]);
});

test("nobody who runs Terraform is advised in the words of TypeScript, or to use the command", () => {
  const named = namedByTheProvider();
  const ours = raised.filter(({ name }) => named.has(name));
  const told = advice(ours, HCL);
  expect(told.length).toBeGreaterThan(80);
  expect(told.filter((text) => OF_THE_COMMAND.test(text))).toEqual([]);
});

test("advice is whole sentences, whoever reads it", () => {
  const told = [...advice(raised, TYPESCRIPT), ...advice(raised, LIBRARY), ...advice(raised, HCL)];
  const broken = told.filter((text) => /undefined|\s[.,;]|\.\.|[,;] *$|^[,;a-z ]/.test(text));
  // A command to be run, and the text that stands for any advice of a finder.
  expect(broken.filter((text) => text !== "x" && !text.startsWith("chmod "))).toEqual([]);
});

test.each([
  [
    problems.accountDeletionRefused.at("acme"),
    "`deletionProtection: false`",
    "`deletion_protection = false`",
  ],
  [problems.unmanagedObject.at(object), '`importFrom("acme")`', '`import` block (`id = "acme"`)'],
  [problems.secretDiffers.at("password_wo"), "`passwordWoVersion`", "`password_wo_version`"],
  [problems.preventDestroy.at("acme"), "`preventDestroy`", "`prevent_destroy`"],
  [problems.retiresEarly.at({ key: "a", ends: [] }), "--retire-early", "`retain_previous_for`"],
  [
    problems.rightsKept.at({ login: "a", rights: [], harm: undefined }),
    '`undeclaredRights: "deny"`',
    '`undeclared_rights = "deny"`',
  ],
])("%j is told to each in the words of the reader", (finding, typescript, hcl) => {
  const [ofTypescript] = worded([finding]);
  const [ofHcl] = worded([finding], HCL);
  expect(ofTypescript?.advice).toContain(typescript);
  expect(ofTypescript?.advice).not.toContain(hcl);
  expect(ofHcl?.advice).toContain(hcl);
  expect(ofHcl?.advice).not.toContain(typescript);
});

test.each([
  ...Object.values(NULLABLE).flatMap((names) =>
    Object.entries(names).map(([property, name]) => [name, property]),
  ),
  ...Object.values(SECRETS).flatMap((names) =>
    Object.entries(names).map(([property, holder]) => [snakeCase(holder), property]),
  ),
  ["login_with", "loginWith"],
  ["access_api", "access.api"],
  ["access_token", "accessToken"],
  ["base_url", "baseUrl"],
])("%s is called `%s` in TypeScript, as the constructs have it", (name = "", property) => {
  expect(TYPESCRIPT.name(name)).toBe(`\`${property}\``);
});

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

test("an error shows TypeScript's words, and keeps those of any other reader", () => {
  const error = problems.forbidden.error(request(), undefined);
  expect(error.advice).toBe("Run with a user whose permissions cover this; `tenancy doctor` shows yours.");
  expect(worded(error.toFindings(), HCL)).toMatchObject([
    { advice: "Run with a user whose permissions cover this." },
  ]);
});
