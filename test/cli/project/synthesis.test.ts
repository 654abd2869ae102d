/** From a project to its stacks, and what is said where that fails: covers src/cli/project/project.ts and src/constructs/app-failure.ts, besides its own source. */
import { resolve } from "node:path";
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

test("an app that throws is shown with the line of its own that did it, and without a stack trace", async () => {
  const project = await start({ service: false });
  await project.write("cdktf.json", { app: "node main.cjs" });
  await project.write(
    "node_modules/library/index.js",
    "exports.fail = () => {\n  throw new Error('no name');\n};\n",
  );
  await project.write("main.cjs", 'const make = () => require("library").fail();\n\nmake();\n');
  const { code, stderr } = await project.tenancy(["plan"]);
  expect(code).toBe(1);
  expect(stderr).toContain("\n    Error: no name\n    in main.cjs:1:");
  expect(stderr).not.toMatch(/^ +at |node_modules|throw new/m);
  expect(stderr).toContain("\n  Fix the app; run by itself, it prints more.");
});

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
  expect(stderr).toContain('Error TENANCY_UNKNOWN_MEMBER: "primaryContact.address" of tenant "acme"');
  expect(stderr).toContain("\n  in main.ts:4:");
});

test("an app that writes nothing is not mistaken for what an earlier run wrote", async () => {
  const project = await start({ service: false });
  await project.write("cdktf.out/manifest.json", { stacks: {} });
  await project.write("cdktf.json", { app: "true" });
  const { stderr } = await project.tenancy(["plan"]);
  expect(stderr).toContain("Error TENANCY_SYNTHESIS_FAILED: the app wrote no stacks to cdktf.out");
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
    TENANCY_STORE_KEY: "s3cret-6",
    TF_VAR_password: "s3cret-7",
  };
  await project.tenancy(["plan"], { environment: { ...secrets, TENANCY_BASE_URL: "https://kept.example" } });
  const { readFile } = await import("node:fs/promises");
  const seen = await readFile(`${project.folder}/seen.txt`, "utf8");
  expect(seen).not.toContain("s3cret");
  expect(seen).toContain("TENANCY_BASE_URL=https://kept.example");
  expect(seen).toContain("CDKTF_OUTDIR=somewhere");
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
  expect((await project.tenancy(["validate"])).code).toBe(0);
  await project.write("cdktf.json", { app: "exit 1" });
  expect((await project.tenancy(["validate", "--skip-synth"])).code).toBe(0);
});

describe("verbs that need no fresh synthesis", () => {
  const outputs = (values: Readonly<Record<string, string>>) => ({
    prod: {
      provider: { tenancy: [{}] },
      output: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
    },
  });

  test("an output is read from the stacks as they lie, until --synth makes them anew", async () => {
    const project = await start();
    await project.declare(outputs({ region: "eu" }));
    expect(await project.tenancy(["output", "region", "--raw"])).toMatchObject({ code: 0, stdout: "eu" });

    await project.declare(outputs({ region: "us", zone: "b" }));
    expect(await project.tenancy(["output", "region", "--raw"])).toMatchObject({ code: 0, stdout: "eu" });
    const { code, stderr } = await project.tenancy(["output", "zone"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "There are: region. The stacks were read as the app left them when it last ran; --synth runs it again.",
    );
    expect(await project.tenancy(["output", "zone", "--raw", "--synth"])).toMatchObject({ stdout: "b" });
  });

  test("a name that a fresh synthesis does not know is just not there", async () => {
    const project = await start();
    await project.declare(outputs({ region: "eu" }));
    for (const words of [
      ["zone", "--synth"],
      ["test", "region", "--synth"],
    ]) {
      const { stderr } = await project.tenancy(["output", ...words]);
      expect(stderr).toContain("Error TENANCY_UNKNOWN_");
      expect(stderr).not.toContain("--synth");
    }
  });

  test("tokens are listed without running the app, and a stack that does not lie there is not guessed", async () => {
    const project = await start();
    await project.declare(outputs({ region: "eu" }));
    await project.tenancy(["validate"]);
    await project.write("cdktf.json", { app: "exit 1" });
    expect((await project.tenancy(["token", "list"])).code).toBe(0);
    const unknown = await project.tenancy(["token", "list", "test"]);
    expect(unknown.stderr).toContain("The stacks are: prod. The stacks were read as the app left them");
    for (const verb of ["rotate", "revoke"]) {
      const { code, stderr } = await project.tenancy(["token", verb, "csi", "--yes"]);
      expect(code).toBe(1);
      expect(stderr).toContain("TENANCY_NO_SUCH_TOKEN");
      expect(stderr).toContain("--synth runs it again");
    }
  });
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
  await project.declare({ prod: accounts("acme") });
  await project.tenancy(["validate"]);
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
  expect(warned.stderr).toContain("Warning TENANCY_APP_ANNOTATION: deprecated\n  on prod/acme\n");
  expect(warned.stderr).not.toContain("unheard");
  await project.write(
    "cdktf.out/manifest.json",
    manifest([{ constructPath: "prod/x", level: "@cdktf/error", message: "wrong" }]),
  );
  const refused = await project.tenancy(["plan", "--skip-synth"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("Error TENANCY_APP_ANNOTATION: wrong\n  on prod/x\n");
});
