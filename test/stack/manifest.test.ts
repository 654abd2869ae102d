import { App, S3Backend, TerraformLocal, TerraformStack, Annotations } from "cdktf";
import { Construct } from "constructs";
import { rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brokenStack, InvalidConfiguration } from "../../src/problems";
import { inOrderOfCreation, readManifest, readStack } from "../../src/stack";
import { temporaryFolder } from "../support/temp-folder";
import { account, blockAt, DeclaredProvider, OPTIONS } from "./synthesized";
import { thrown } from "../support/thrown";

const folder = temporaryFolder();

function synthesizeApp(): string {
  const outdir = join(folder(), "cdktf.out");
  const app = new App({ outdir, stackTraces: false });
  const group = new Construct(app, "group");
  const first = new TerraformStack(group, "eu.prod");
  const second = new TerraformStack(app, "shared");
  const third = new TerraformStack(app, "reports");
  for (const stack of [first, second]) new DeclaredProvider(stack, "tenancy");
  new S3Backend(second, { bucket: "b", key: "k", region: "r" });
  Annotations.of(third).addWarning("careful");
  const acme = account(first, "acme", { name: "acme" });
  const globex = account(second, "globex", { name: "globex" });
  new TerraformLocal(third, "ids", [acme.getStringAttribute("id"), globex.getStringAttribute("id")]);
  app.synth();
  return outdir;
}

test("the manifest lists each stack with its file and what it refers to, after those that it refers to", async () => {
  const outdir = synthesizeApp();
  const stacks = inOrderOfCreation(await readManifest(outdir));
  expect(stacks.map(({ name, constructPath, dependencies }) => [name, constructPath, dependencies])).toEqual([
    ["eu.prod", "group/eu.prod", []],
    ["shared", "shared", []],
    ["reports", "reports", ["eu.prod", "shared"]],
  ]);
  expect(stacks[2]).toMatchObject({
    file: join(outdir, "stacks/reports/cdk.tf.json"),
    folder: join(outdir, "stacks/reports"),
    annotations: [{ level: "warning", message: "careful", constructPath: "reports" }],
  });
});

test("stacks that refer to each other are all listed", async () => {
  const outdir = folder();
  await writeFile(join(outdir, "a.json"), "{}");
  const entry = (name: string, other: string) => ({
    name,
    synthesizedStackPath: "a.json",
    dependencies: [other],
  });
  const manifest = { stacks: { a: entry("a", "b"), b: entry("b", "a") } };
  await writeFile(join(outdir, "manifest.json"), JSON.stringify(manifest));
  const stacks = inOrderOfCreation(await readManifest(outdir));
  expect(stacks.map(({ name }) => name).sort()).toEqual(["a", "b"]);
});

test("stacks without a note of their creation have the order of the manifest's text, after those that they refer to", async () => {
  const outdir = folder();
  await writeFile(join(outdir, "a.json"), "{}");
  const entry = (name: string, ...dependencies: string[]) =>
    `${JSON.stringify(name)}: ${JSON.stringify({ name, synthesizedStackPath: "a.json", dependencies, note: '"7":' })}`;
  const entries = [
    entry("staging"),
    entry("2026", "base"),
    entry("__proto__"),
    entry('a"7":'),
    entry("1"),
    entry("base"),
  ];
  await writeFile(join(outdir, "manifest.json"), `{ "stacks" :\n{ ${entries.join(", ")} } }`);
  const stacks = inOrderOfCreation(await readManifest(outdir));
  expect(stacks.map(({ name }) => name)).toEqual(["staging", "base", "2026", "__proto__", 'a"7":', "1"]);
});

test("a cross-stack reference is read from the stack that it names, whatever its backend", async () => {
  const siblings = await readManifest(synthesizeApp());
  const entry = siblings.find(({ name }) => name === "reports");
  if (entry === undefined) throw new Error("no such stack");
  const stack = readStack(entry.text(), { ...OPTIONS, folder: entry.folder, siblings });
  const address = "data.terraform_remote_state.cross-stack-reference-input-";
  expect(blockAt(stack, "remote-state", `${address}group--euprod`).stack).toBe("eu.prod");
  expect(blockAt(stack, "remote-state", `${address}shared`).stack).toBe("shared");
  expect(blockAt(stack, "local", "local.ids").dependencies).toEqual([
    `${address}group--euprod`,
    `${address}shared`,
  ]);
  expect(() =>
    readStack(
      { data: { terraform_remote_state: { "cross-stack-reference-input-gone": {} } } },
      { ...OPTIONS, siblings },
    ),
  ).toThrow(InvalidConfiguration);
});

test("a folder without a manifest, or with a broken one, says so", async () => {
  const file = join(folder(), "manifest.json");
  await expect(readManifest(folder())).rejects.toThrow("there is no manifest.json");
  for (const [text, problem] of [
    ["{", "is not JSON"],
    ["[]", "lists no stacks"],
    ['{"stacks": {"a": {}}}', "does not say where"],
    ['{"stacks": {"a": {"synthesizedStackPath": "gone.json"}}}', "its file does not exist"],
    ['{"stacks": {"a": {"synthesizedStackPath": "\\u0000"}}}', "its file does not exist"],
    [`{"stacks": {"a": {"synthesizedStackPath": "${"x".repeat(5000)}"}}}`, "its file does not exist"],
  ] as const) {
    await writeFile(file, text);
    await expect(readManifest(folder())).rejects.toThrow(thrown(brokenStack));
    await expect(readManifest(folder())).rejects.toThrow(problem);
  }
});

test("a stack that is too large to be one is not read", async () => {
  const outdir = synthesizeApp();
  const [before] = await readManifest(outdir);
  await truncate(before?.file ?? "", 256 * 2 ** 20 + 1);
  const [entry, sibling] = await readManifest(outdir);
  expect(() => entry?.text()).toThrow('"eu.prod" is larger than 256 MiB');
  expect(sibling?.text()).toContain("{");
});

test("a stack whose file cannot be read, or is not JSON, says so", async () => {
  const outdir = synthesizeApp();
  const [entry] = await readManifest(outdir);
  if (entry === undefined) throw new Error("no stack");
  expect(() => readStack("{", { ...OPTIONS, file: entry.file })).toThrow("is not JSON");
  expect(() => readStack("[1]", { ...OPTIONS, file: entry.file })).toThrow(
    expect.objectContaining({ diagnostics: [expect.objectContaining({ file: entry.file })] }) as Error,
  );
  const file = join(folder(), "manifest.json");
  // A file that exists and gives no bytes.
  await writeFile(file, '{"stacks": {"a": {"synthesizedStackPath": "/proc/self/mem"}}}');
  const [unreadable] = await readManifest(folder());
  expect(() => unreadable?.text()).toThrow('"a" cannot be read');
});

test("a stack is the one that was read with the manifest, also when its file is gone", async () => {
  const [entry] = await readManifest(synthesizeApp());
  if (entry === undefined) throw new Error("no stack");
  const text = entry.text();
  await rm(entry.file);
  expect(entry.text()).toBe(text);
});
