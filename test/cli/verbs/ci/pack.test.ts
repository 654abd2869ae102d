/** `tenancy ci pack`: also covers src/pipeline/archive.ts. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readArchive } from "../../../../src/pipeline";
import { accounts, commandProjects, type CommandProject } from "../../../support/command";

const start = commandProjects();
const stack = (owner: string) => ({
  ...accounts(`acme-${owner}`),
  provider: { tenancy: [{ base_url: "https://storage.example", owner }] },
});

/** Runs the verb as GitHub would; the marks around its output are left out. */
async function packed(project: CommandProject, environment: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await project.tenancy(["ci", "pack"], {
    environment: { GITHUB_ACTIONS: "true", TENANCY_STACKS: "staging production", ...environment },
  });
  const [, mark, text] = /^::stop-commands::([0-9a-f]{32})\n(.*)::\1::\n$/s.exec(stdout) ?? [];
  expect(mark).toHaveLength(32);
  expect(stderr).toBe("");
  return { code, text: text ?? "" };
}

const archive = (project: CommandProject) => readFile(join(project.folder, "tenancy-stacks.json"));

test("the stacks and the variable files stand in one document, and nothing else", async () => {
  const project = await start({ service: false });
  await project.declare({ staging: stack("a"), production: stack("b") });
  await project.write("terraform.tfvars", 'region = "eu"\n');
  await project.write(".auto.tfvars", 'zone = "a"\n');
  await project.write("secrets.txt", "nothing to see");
  const { code, text } = await packed(project);
  expect(text).toContain("Packed 2 stacks in tenancy-stacks.json: staging, production.");
  expect(code).toBe(0);
  const read = readArchive(await archive(project), "it");
  expect(read.stacks).toEqual(["production", "staging"]);
  expect([...read.files.keys()].sort()).toEqual([
    "cdktf.out/manifest.json",
    "cdktf.out/stacks/production/cdk.tf.json",
    "cdktf.out/stacks/staging/cdk.tf.json",
  ]);
  expect([...read.variableFiles.keys()]).toEqual([".auto.tfvars", "terraform.tfvars"]);
});

test.each([
  ["a stack more", "staging production spare"],
  ["a stack less", "staging"],
])("%s in the workflow than in the app is an error", async (_, names) => {
  const project = await start({ service: false });
  await project.declare({ staging: stack("a"), production: stack("b") });
  const { code, text } = await packed(project, { TENANCY_STACKS: names });
  expect(code).toBe(1);
  expect(text).toContain("TENANCY_CI_STACKS");
  expect(text).toContain("the app has the stacks staging, production, and the pipeline applies");
  await expect(archive(project)).rejects.toThrow("ENOENT");
});

test("the order is the workflow's, but for a stack that refers to another one", async () => {
  const project = await start({ service: false });
  const stacks = { staging: stack("a"), production: stack("b") };
  await project.declare(stacks);
  expect((await packed(project, { TENANCY_STACKS: "production staging" })).code).toBe(0);
  await project.declare(stacks, { production: ["staging"] });
  const { code, text } = await packed(project, { TENANCY_STACKS: "production staging" });
  expect([code, text]).toEqual([1, expect.stringContaining("TENANCY_CI_STACKS")]);
});

test("without the list of the workflow there is nothing to compare with", async () => {
  const project = await start({ service: false });
  await project.declare({ staging: stack("a") });
  const { code, text } = await packed(project, { TENANCY_STACKS: " " });
  expect(code).toBe(1);
  expect(text).toContain("TENANCY_STACKS is not set");
});

test("variables that the workflow does not hand on are named", async () => {
  const project = await start({ service: false });
  const variable = { region: {}, zone: { default: "a" }, size: {}, password: {} };
  await project.declare({ staging: { ...stack("a"), variable }, production: stack("b") });
  await project.write("terraform.tfvars", 'region = "eu"\n');
  expect((await packed(project)).text).toContain(
    "does not pass on: TF_VAR_password, TF_VAR_size.\nName each once",
  );
  await project.write(".github/workflows/tenancy.yml", "env:\n  TF_VAR_password: x\n");
  await project.write(".git/HEAD", "");
  expect((await packed(project)).text).toContain("does not pass on: TF_VAR_size.\n");
});

test("an app that prints commands of the host, and fails, commands nothing", async () => {
  const project = await start({ service: false });
  await project.declare({ staging: stack("a"), production: stack("b") });
  await project.write("app.sh", "printf '  ::add-mask::acme\\n##[error]x\\r\\n' >&2; exit 1");
  const { code, text } = await packed(project);
  expect(code).toBe(1);
  expect(text).toContain("\\::add-mask::acme");
  expect(text).toContain("#\\#[error]x");
  expect(text).not.toMatch(/^\s*::|##\[/m);
});

test("all findings of all stacks are told, and no archive is written", async () => {
  const project = await start({ service: false });
  const wrong = { ...stack("a"), resource: { tenancy_account: { a: { name: "a", lmits: 1 } } } };
  await project.declare({ staging: wrong, production: { ...wrong, ...{ provider: stack("b").provider } } });
  const { code, text } = await packed(project);
  expect(code).toBe(1);
  expect(text).toContain('there is no attribute "lmits" here');
  await expect(archive(project)).rejects.toThrow("ENOENT");
});

const manifest = (path: unknown) =>
  JSON.stringify({ stacks: { staging: { name: "staging", synthesizedStackPath: path } } });
const good = { "out/manifest.json": manifest("staging.json"), "out/staging.json": "{}" };
const written = (document: object) => Buffer.from(JSON.stringify(document));
const document = (files: object) => written({ format: "tenancy-stacks", version: 1, files });

test.each<[string, Buffer, string]>([
  ["no JSON", Buffer.from("{"), "not what `tenancy ci pack` writes"],
  ["another document", written({ files: {} }), "not what `tenancy ci pack` writes"],
  ["another version", written({ format: "tenancy-stacks", version: 2, files: {} }), "another version"],
  ["a member twice", Buffer.from('{"format":"tenancy-stacks","format":"x"}'), "not what"],
  ["a path that leads up", document({ ...good, "../x": "" }), 'no file can have the name "../x"'],
  ["a part that leads up", document({ ...good, "out/../x": "" }), "no file can have the name"],
  ["an absolute path", document({ ...good, "/etc/x": "" }), "no file can have the name"],
  ["a backslash", document({ ...good, "out\\x": "" }), "no file can have the name"],
  ["a line break in a name", document({ ...good, "out/x\n": "" }), "no file can have the name"],
  ["too deep a path", document({ ...good, "out/a/b/c/d": "" }), "no file can have the name"],
  ["a number for a text", document({ ...good, "out/x": 1 }), "is no text"],
  ["names that differ in case", document({ ...good, "out/STAGING.json": "" }), "differ only in case"],
  ["two manifests", document({ ...good, "o/manifest.json": "" }), "does not hold one manifest.json"],
  ["a file besides", document({ ...good, ".npmrc": "" }), ".npmrc is neither a stack nor a variable file"],
  ["a manifest without stacks", document({ ...good, "out/manifest.json": "{}" }), "lists no stacks"],
  [
    "a stack elsewhere",
    document({ ...good, "out/manifest.json": manifest("../../etc/passwd") }),
    "does not hold",
  ],
  [
    "an absolute stack",
    document({ ...good, "out/manifest.json": manifest("/staging.json") }),
    "does not hold",
  ],
  [
    "too many files",
    document(Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`o${at}`, ""]))),
    "1000",
  ],
  ["too large a file", Buffer.alloc(32 * 2 ** 20 + 1), "larger than 32 MiB"],
])("an archive with %s is refused", (_, bytes, words) => {
  expect(() => readArchive(bytes, "the archive")).toThrow(words);
});

test("an archive that holds what it should is read", () => {
  expect(readArchive(document(good), "it")).toMatchObject({ output: "out", stacks: ["staging"] });
});
