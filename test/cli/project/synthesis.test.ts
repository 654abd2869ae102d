/** From a project to its stacks, and what is said where that fails: covers src/cli/project/project.ts and src/constructs/app-failure.ts, besides its own source. */
import { existsSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { accounts, commandProjects } from "../../support/command";

const start = commandProjects();

test("outside a project the command says so", async () => {
  const project = await start({ service: false });
  const { code, stderr } = await project.tenancy(["plan"]);
  expect(code).toBe(1);
  expect(stderr).toContain(`Error TENANCY_NO_PROJECT: there is no cdktf.json in ${project.folder}
  Go to the project's folder, or create a project: tenancy init.`);
});

test.each([
  ["{ app: ", "cdktf.json is not JSON"],
  ["[]", "cdktf.json is not a JSON object"],
  ["{}", "cdktf.json does not say how to synthesize"],
  ['{"app": "true", "output": 1}', "`output` in cdktf.json is not a folder's name"],
])("a broken cdktf.json is named: %s", async (text, message) => {
  const project = await start({ service: false });
  await project.write("cdktf.json", text);
  const { code, stderr } = await project.tenancy(["plan"]);
  expect(code).toBe(1);
  expect(stderr).toContain(`Error TENANCY_NO_PROJECT: ${message}`);
});

test("an app that fails is shown with the end of what it printed", async () => {
  const project = await start({ service: false });
  await project.write("cdktf.json", { app: "echo 'one\u001b[2J' >&2; echo two; exit 3" });
  const { code, stderr } = await project.tenancy(["plan"]);
  expect(code).toBe(1);
  expect(stderr).toContain("Error TENANCY_SYNTHESIS_FAILED: the app ended with exit code 3\n  App: echo ");
  expect(stderr).toMatch(/\n {2}It printed:\n/);
  expect(stderr).toContain("\n    one\n");
  expect(stderr).toContain("\n    two\n");
  expect(stderr).not.toContain("\u001b");
});

test.each([
  ["a library", ""],
  ["a bundle of long lines", `/*${"x".repeat(40_000)}*/`],
  ["a bundle of very long lines", `/*${"x".repeat(70_000)}*/`],
])(
  "an app that throws in %s is shown with the line of its own that did it, first",
  async (_case, comment) => {
    const project = await start({ service: false });
    await project.write("cdktf.json", { app: "node main.cjs" });
    await project.write(
      "node_modules/library/index.js",
      `exports.fail = () => {\n  ${comment} throw new Error('no name');\n};\n`,
    );
    await project.write("main.cjs", 'const make = () => require("library").fail();\n\nmake();\n');
    const { code, stderr } = await project.tenancy(["plan"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/It printed:\n+ {4}Error: no name\n {4}in main\.cjs:1:/);
    expect(stderr).not.toMatch(/^ +at |node_modules|throw new|xxx/m);
    expect(stderr).toContain("\n  Fix the app; run by itself, it prints more.");
  },
);

test("an app whose packages are not installed is told to install them", async () => {
  const project = await start({ service: false });
  await project.write("cdktf.json", { app: "node --require tenancy/register main.cjs" });
  await project.write("main.cjs", "");
  const { code, stderr } = await project.tenancy(["plan"]);
  expect(code).toBe(1);
  expect(stderr).toContain("\n  Run npm install in the folder of the project: ");
});

test("a mistake that a construct finds is shown as itself, and nothing around it", async () => {
  const project = await start({ service: false });
  const root = resolve(__dirname, "../../..");
  const app = `node --require ${root}/node_modules/tsx/dist/cjs/index.cjs main.ts`;
  await project.write("cdktf.json", { app: `echo "npm warn deprecated" >&2; ${app}` });
  await project.write(
    "main.ts",
    `import { App, TerraformStack } from "${root}/node_modules/cdktf";
import { Secret } from "${root}/src/index";
const stack = new TerraformStack(new App(), "prod");
export const secret = Secret.of("plain text");
console.log(stack.node.path);
`,
  );
  const { code, stderr } = await project.tenancy(["plan"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^synthesizing\nError TENANCY_LITERAL_SECRET: .*\n/);
  expect(stderr).toContain("main.ts:4:");
  expect(stderr).not.toMatch(/npm warn|Node\.js v|SYNTHESIS_FAILED|It printed|^ +at /m);
  await project.write("main.ts", "throw new TypeError('no such thing');\n");
  const other = await project.tenancy(["plan"]);
  expect(other.stderr).toContain("Error TENANCY_SYNTHESIS_FAILED");
  expect(other.stderr).toContain("TypeError: no such thing\n    in main.ts:1:");
  expect(other.stderr).not.toMatch(/^ {4}npm warn|Node\.js v/m);
});

test("a misspelt member of a nested object is shown with the line of the app, however deep the check is", async () => {
  const project = await start({ service: false });
  const root = resolve(__dirname, "../../..");
  await project.write("cdktf.json", {
    app: `node --require ${root}/node_modules/tsx/dist/cjs/index.cjs main.ts`,
  });
  await project.write(
    "main.ts",
    `import { App, TerraformStack } from "${root}/node_modules/cdktf";
import { Tenant } from "${root}/src/index";
const stack = new TerraformStack(new App(), "prod");
new Tenant(stack, "acme", { name: "acme", ...JSON.parse('{"primaryContact": {"address": {"zipp": "1"}}}') });
`,
  );
  const { stderr } = await project.tenancy(["plan"]);
  expect(stderr).toContain('Error TENANCY_UNKNOWN_ATTRIBUTE: "primaryContact.address" of tenant "acme"');
  expect(stderr).toContain("\n  in main.ts:4:");
});

test("an app that writes nothing is not mistaken for what an earlier run wrote", async () => {
  const project = await start({ service: false });
  await project.write("cdktf.out/manifest.json", { stacks: {} });
  await project.write("cdktf.json", { app: "true" });
  for (const verb of ["plan", "synth"])
    expect((await project.tenancy([verb])).stderr).toContain(
      "Error TENANCY_SYNTHESIS_FAILED: the app wrote no stacks to the folder that CDKTF_OUTDIR names",
    );
});

test("output that is not JSON is an error with the file's name", async () => {
  const project = await start({ service: false });
  await project.write("cdktf.json", { app: 'echo "{" > $CDKTF_OUTDIR/manifest.json', output: "out" });
  await project.write("out/x", "");
  const { code, stderr } = await project.tenancy(["plan"]);
  expect(code).toBe(1);
  expect(stderr).toContain("manifest.json");
  expect(stderr).not.toContain("INTERNAL");
});

test("the app sees neither credentials nor variables, but the context and the output folder", async () => {
  const project = await start({ service: false });
  await project.write("cdktf.json", {
    app: "env > seen.txt; exit 1",
    output: "somewhere",
    context: { region: "eu" },
  });
  const secrets = {
    TENANCY_USERNAME: "s3cret-1",
    TENANCY_PASSWORD: "s3cret-2",
    TENANCY_TOKEN: "s3cret-3",
    TENANCY_OTP: "s3cret-4",
    TENANCY_TOTP_SECRET: "s3cret-5",
    TENANCY_STATE_KEY: "s3cret-6",
    TF_VAR_password: "s3cret-7",
  };
  await project.tenancy(["plan"], { environment: { ...secrets, TENANCY_BASE_URL: "https://kept.example" } });
  const seen = await readFile(`${project.folder}/seen.txt`, "utf8");
  expect(seen).not.toContain("s3cret");
  expect(seen).toContain("TENANCY_BASE_URL=https://kept.example");
  expect(seen).toContain("CDKTF_OUTDIR=/");
  expect(seen).toMatch(/^CDKTF_CONTEXT_JSON=\{"targetVersions":.*"region":"eu"\}$/m);
});

test("the app is told to capture no stack traces for references, unless somebody wants them", async () => {
  const project = await start({ service: false });
  await project.write("cdktf.json", { app: "echo traces $CDKTN_DISABLE_CREATION_STACK; exit 1" });
  expect((await project.tenancy(["plan"])).stderr).toContain("traces 1");
  const environment = { CDKTN_DISABLE_CREATION_STACK: "false" };
  expect((await project.tenancy(["plan"], { environment })).stderr).toContain("traces false");
});

test("--skip-synth uses what is there, and says when there is nothing", async () => {
  const project = await start({ service: false });
  await project.declare({ prod: accounts("acme") });
  expect((await project.tenancy(["validate", "--skip-synth"])).stderr).toContain(
    "there is nothing in cdktf.out yet",
  );
  expect((await project.tenancy(["synth"])).stdout).toBe("Synthesized in cdktf.out: prod.\n");
  await project.write("cdktf.json", { app: "exit 1" });
  expect((await project.tenancy(["validate", "--skip-synth"])).code).toBe(0);
});

test("outputs and tokens are those of the code as it is now", async () => {
  const project = await start();
  const declare = (values: Readonly<Record<string, string>>) =>
    project.declare({ prod: { provider: { tenancy: [{}] }, output: outputsOf(values) } });
  const outputsOf = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
  await declare({ region: "eu" });
  expect(await project.tenancy(["output", "region", "--raw"])).toMatchObject({ code: 0, stdout: "eu" });
  await declare({ region: "us", zone: "b" });
  expect(await project.tenancy(["output", "region", "--raw"])).toMatchObject({ code: 0, stdout: "us" });
  expect((await project.tenancy(["token", "list", "test"])).stderr).toContain("The stacks are: prod.");
  await project.write("cdktf.json", { app: "exit 1" });
  expect((await project.tenancy(["token", "list"])).stderr).toContain("Error TENANCY_SYNTHESIS_FAILED");
});

describe("two commands in one folder", () => {
  /** The app declares the stack of `$STAGE`, and ends only when the app of the other command has written its own. */
  async function stages() {
    const project = await start();
    for (const stage of ["test", "production"]) {
      await project.declare({ [stage]: accounts(stage) });
      await rename(join(project.folder, "synthesized"), join(project.folder, stage));
    }
    await project.write(
      "app.sh",
      `cp -R "$STAGE/." "$CDKTF_OUTDIR" && touch "$STAGE.written"
ls -ld "$CDKTF_OUTDIR" >> folders.txt
while [ $(ls *.written | wc -l) -lt 2 ]; do sleep 0.01; done`,
    );
    const inStage = (stage: string, ...words: readonly string[]) =>
      project.tenancy(words, { environment: { STAGE: stage } });
    return { project, inStage };
  }

  test("work with the stacks of their own, in private folders that do not stay", async () => {
    const { project, inStage } = await stages();
    const [applied, planned] = await Promise.all([
      inStage("production", "apply", "--yes"),
      inStage("test", "plan"),
    ]);
    expect([applied.code, planned.code]).toEqual([0, 0]);
    expect(planned.stdout).toContain("+ tenancy_account.test ");
    expect(planned.stdout).not.toContain("tenancy_account.production");
    expect(project.service.records.accounts.map(({ name }) => name)).toEqual(["system", "production"]);
    const lines = (await readFile(join(project.folder, "folders.txt"), "utf8")).trim().split("\n");
    const folders = new Set(lines.map((line) => line.slice(line.indexOf("/"))));
    expect(folders.size).toBe(2);
    expect(lines.every((line) => line.startsWith("drwx------"))).toBe(true);
    for (const folder of folders) expect(existsSync(folder)).toBe(false);
    expect(existsSync(join(project.folder, "cdktf.out"))).toBe(false);
  });

  test("leave no folder where the app fails, or has mistakes", async () => {
    const { project, inStage } = await stages();
    await project.write(
      "app.sh",
      'echo "$CDKTF_OUTDIR" > folder.txt; echo {} > "$CDKTF_OUTDIR/manifest.json"',
    );
    for (const app of ["sh app.sh; exit 1", "sh app.sh"]) {
      await project.write("cdktf.json", { app });
      expect((await inStage("test", "plan")).code).toBe(1);
      const folder = (await readFile(join(project.folder, "folder.txt"), "utf8")).trim();
      expect([isAbsolute(folder), existsSync(folder)]).toEqual([true, false]);
    }
  });
});

test("paths in a stack count from cdktf.out, and lead to the assets of this run and to the project's files", async () => {
  const project = await start({ service: false });
  const value = '${file("../../../region.txt")} ${file("assets/zone.txt")} ${abspath("x")} ${path.cwd}';
  await project.declare({ prod: { output: { places: { value } } } });
  await project.write("region.txt", "eu");
  await project.write("synthesized/stacks/prod/assets/zone.txt", "b");
  const cwd = join(project.folder, "cdktf.out/stacks/prod");
  const { stdout } = await project.tenancy(["output", "places", "--raw"]);
  expect(stdout).toBe(`eu b ${cwd}/x ${cwd}`);
});

test("Ctrl-C during the app ends it", async () => {
  const project = await start({ service: false });
  await project.write("cdktf.json", { app: "sleep 60 & sleep 60" });
  const { code, stderr } = await project.tenancy(["plan"], {
    onStderr: (text, stop) => {
      if (text.startsWith("synthesizing")) setTimeout(stop, 50);
    },
  });
  expect(code).toBe(1);
  expect(stderr).toContain("Stopping:");
  expect(stderr).toContain("Error TENANCY_CANCELLED: synthesis: stopped before it was done");
});

test("what constructs remark is told, and errors among it stop the run", async () => {
  const project = await start();
  await project.declare({ prod: { ...accounts("acme"), output: { group: { value: "##[group]x" } } } });
  await project.tenancy(["synth"]);
  const annotations = [
    { constructPath: "prod/acme", level: "@cdktf/warn", message: "deprecated" },
    { constructPath: "prod/acme", level: "@cdktf/info", message: "unheard" },
  ];
  const manifest = (more: readonly object[]): object => ({
    stacks: {
      prod: {
        name: "prod",
        constructPath: "prod",
        synthesizedStackPath: "stacks/prod/cdk.tf.json",
        dependencies: [],
        annotations: [...annotations, ...more],
      },
    },
  });
  await project.write("cdktf.out/manifest.json", manifest([]));
  const warned = await project.tenancy(["plan", "--skip-synth"]);
  expect(warned.code).toBe(0);
  expect(warned.stderr).toContain("Warning TENANCY_CONDITION_FAILED: deprecated\n  on prod/acme\n");
  expect(warned.stderr).not.toContain("unheard");
  await project.write(
    "cdktf.out/manifest.json",
    manifest([{ constructPath: "prod/x", level: "@cdktf/error", message: "wrong" }]),
  );
  const refused = await project.tenancy(["plan", "--skip-synth"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("Error TENANCY_CONDITION_FAILED: wrong\n  on prod/x\n");

  // The host of a pipeline reads lines of the log as commands.
  const message = "old\n::error::gotcha\n  ##[group]gotcha";
  const levels = ["@cdktf/warn", "@cdktf/error"];
  for (const level of levels) {
    await project.write("cdktf.out/manifest.json", manifest([{ constructPath: "prod/x", level, message }]));
    for (const verb of ["plan", "drift", "report"]) {
      const printed = await project.tenancy([verb, "--skip-synth"], { environment: { CI: "true" } });
      const text = printed.stdout + printed.stderr;
      expect([verb, text]).toEqual([verb, expect.stringContaining("error::gotcha")]);
      expect([verb, text.match(/^\s*(::|##\[).*/gm)]).toEqual([verb, null]);
    }
  }
  await project.write("cdktf.out/manifest.json", manifest([]));
  for (const words of [
    ["output", "--json"],
    ["output", "group", "--raw"],
    ["plan", "--json"],
  ]) {
    const { stdout } = await project.tenancy([...words, "--skip-synth"], { environment: { CI: "true" } });
    expect(stdout).toContain("##[group]x");
  }
});
