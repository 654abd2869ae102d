/** TypeScript as the app of a project runs it, in real processes. Covers src/register/index.ts. */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { built } from "../../support/built-command";

const root = resolve(__dirname, "../../..");
let folder: string;

beforeAll(built);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "tenancy-register-")));
  // The compiler, which tells that it was asked.
  await file("node_modules/@swc/core/package.json", JSON.stringify({ version: "1.0.0" }));
  await file(
    "node_modules/@swc/core/index.js",
    `const { transformSync } = require(${JSON.stringify(join(root, "node_modules", "@swc", "core"))});
     exports.transformSync = (source, options) => {
       console.error("compiled " + require("node:path").basename(options.filename));
       return transformSync(source, options);
     };`,
  );
  await symlink(root, join(folder, "node_modules", "tenancy"), "dir");
  await file("main.ts", 'import { greeting } from "./greeting";\nconsole.log(greeting satisfies string);\n');
  await file("greeting.ts", 'export const greeting: string = "hello";\n');
});

afterEach(() => rm(folder, { recursive: true }));

async function file(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

function start(...words: readonly string[]) {
  return spawnSync(process.execPath, ["--require", "tenancy/register", ...words], {
    cwd: folder,
    encoding: "utf8",
  });
}

test("a source is compiled once, and anew when it has changed", async () => {
  expect(start("main.ts")).toMatchObject({
    stdout: "hello\n",
    stderr: "compiled main.ts\ncompiled greeting.ts\n",
  });
  expect(start("main.ts")).toMatchObject({ stdout: "hello\n", stderr: "" });
  await file("greeting.ts", 'export const greeting: string = "hi";\n');
  expect(start("main.ts")).toMatchObject({ stdout: "hi\n", stderr: "compiled greeting.ts\n" });
});

test("what another version of the compiler made is not used", async () => {
  start("main.ts");
  await file("node_modules/@swc/core/package.json", JSON.stringify({ version: "1.0.1" }));
  expect(start("main.ts").stderr).toBe("compiled main.ts\ncompiled greeting.ts\n");
});

test("a kept file that is cut or altered is made anew", async () => {
  start("main.ts");
  const kept = join(folder, "node_modules", ".cache", "tenancy");
  for (const name of (await readdir(kept)).filter((one) => one.endsWith(".js"))) {
    const text = await readFile(join(kept, name), "utf8");
    await writeFile(
      join(kept, name),
      text.replace("hello", "howdy").slice(0, text.includes("hello") ? undefined : 20),
    );
  }
  expect(start("main.ts")).toMatchObject({
    stdout: "hello\n",
    stderr: "compiled main.ts\ncompiled greeting.ts\n",
  });
});

test("where nothing can be kept, it is compiled each time", async () => {
  await file("node_modules/.cache", "not a folder");
  expect(start("main.ts").stdout).toBe("hello\n");
  expect(start("main.ts")).toMatchObject({
    stdout: "hello\n",
    stderr: "compiled main.ts\ncompiled greeting.ts\n",
  });
});

test("an error tells the line of the source, also from what was kept", async () => {
  await file(
    "greeting.ts",
    'interface Unused {\n  a: string;\n}\n\nthrow new Error("no name");\nexport const greeting = "";\n',
  );
  for (const _run of [1, 2]) {
    const { status, stderr } = start("main.ts");
    expect(status).toBe(1);
    expect(stderr).toContain(`${join(folder, "greeting.ts")}:5`);
    expect(stderr).toContain("Error: no name");
  }
});

test("a mistake that the compiler finds is shown with its place", async () => {
  await file("greeting.ts", "export const greeting = ;\n");
  const { status, stderr } = start("main.ts");
  expect(status).toBe(1);
  expect(stderr).toContain("greeting.ts:1:");
  expect(stderr).toContain("SyntaxError: Expression expected");
  expect(stderr).not.toMatch(/backtrace|Caused by|<unknown>/);
  expect(Math.max(...stderr.split("\n").map(({ length }) => length))).toBeLessThan(200);
});

test("the command shows file, line and message of a mistake that the compiler finds", async () => {
  await file("greeting.ts", "export const users = {\n  jane: { level: 1\n};\n");
  await file(
    "cdktf.json",
    JSON.stringify({ language: "typescript", app: "node --require tenancy/register main.ts" }),
  );
  const command = join(root, "lib", "cli", "tenancy.js");
  const { status, stderr } = spawnSync(process.execPath, [command, "validate"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr.replace(/^synthesizing\n/, "")).toBe(
    "Error TENANCY_SYNTHESIS_FAILED: Expected ',', got ';'\n  in greeting.ts:3:1\n",
  );
});

test("an import may name the JavaScript that would be made of a source", async () => {
  await file("main.ts", 'import { greeting } from "./greeting.js";\nconsole.log(greeting);\n');
  expect(start("main.ts").stdout).toBe("hello\n");
  await file("main.ts", 'import "./missing.js";\n');
  expect(start("main.ts").stderr).toContain("Cannot find module './missing.js'");
});

test("without the compiler it says what to install", async () => {
  await rm(join(folder, "node_modules", "@swc"), { recursive: true });
  const { status, stderr } = start("main.ts");
  expect(status).toBe(1);
  expect(stderr).toContain("npm install --save-dev @swc/core");
});
