/** Suites that share modules: covers .config/shared-modules. */
import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { temporaryFolder } from "../support/temp-folder";

const ROOT = resolve(__dirname, "../..");
const folder = temporaryFolder();

/** Runs suites of a small project, one after the other in one process. @returns what Jest prints */
async function run(files: Readonly<Record<string, string>>, environment = {}): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder(), path)), { recursive: true });
    await writeFile(join(folder(), path), text);
  }
  await symlink(join(ROOT, "node_modules"), join(folder(), "node_modules"));
  const shared = (name: string) => join(ROOT, ".config/shared-modules", `${name}.cjs`);
  const config = {
    rootDir: folder(),
    transform: { "\\.ts$": join(ROOT, "node_modules/@swc/jest") },
    testEnvironment: shared("environment"),
    runtime: shared("runtime"),
    testSequencer: "./in-order.cjs",
  };
  await writeFile(join(folder(), "jest.config.json"), JSON.stringify(config));
  await writeFile(
    join(folder(), "in-order.cjs"),
    `module.exports = class extends require("@jest/test-sequencer").default {
      sort(tests) { return [...tests].sort((one, other) => (one.path < other.path ? -1 : 1)); }
    };`,
  );
  const jest = join(ROOT, "node_modules/jest/bin/jest.js");
  const env = { PATH: process.env["PATH"], CI: "true", ...environment };
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [jest, "--config", "jest.config.json", "--runInBand"],
      { cwd: folder(), env },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    ),
  );
}

const counter = `
/** Counts. */
let count: number = 0;

export interface Options {
  readonly isBroken?: boolean;
}

export function next({ isBroken = false }: Options = {}): number {
  if (isBroken) throw new Error("the counter is broken");
  return ++count;
}
`;

test("a source is loaded once, and what is under test anew for each suite", async () => {
  const suite = (expected: number) => `
    import { next } from "../src/counter";
    import { own } from "./support";
    test("counts", () => expect([next(), own()]).toEqual([${expected}, 1]));`;
  const printed = await run({
    "src/counter.ts": counter,
    "test/support.ts": "let count: number = 0;\nexport const own = () => ++count;",
    "test/a.test.ts": suite(1),
    "test/b.test.ts": suite(2),
  });
  expect(printed).toContain("Tests:       2 passed, 2 total");
});

test("what a suite leaves in the global object and in the environment, the next one does not find", async () => {
  const printed = await run(
    {
      "test/a.test.ts": `
        test("leaves something", () => {
          (globalThis as { left?: number }).left = 1;
          process.env["LEFT"] = "1";
          delete process.env["GIVEN"];
          jest.spyOn(Math, "max").mockReturnValue(7);
          expect(Math.max(1, 2)).toBe(7);
        });`,
      "test/b.test.ts": `
        test("finds nothing", () => {
          expect("left" in globalThis).toBe(false);
          expect([process.env["LEFT"], process.env["GIVEN"]]).toEqual([undefined, "given"]);
          expect(Math.max(1, 2)).toBe(2);
        });`,
    },
    { GIVEN: "given" },
  );
  expect(printed).toContain("Tests:       2 passed, 2 total");
});

test("a suite fails with the lines of sources that an earlier suite has loaded", async () => {
  const printed = await run({
    "src/counter.ts": counter,
    "test/a.test.ts": 'import { next } from "../src/counter";\ntest("counts", () => expect(next()).toBe(1));',
    "test/b.test.ts": `
interface Wanted { readonly count: number }
import { next } from "../src/counter";
const wanted: Wanted = { count: 2 };
test("counts", () => {
  expect(next({ isBroken: true })).toBe(wanted.count);
});`,
  });
  expect(printed).toContain("Tests:       1 failed, 1 passed, 2 total");
  expect(printed).toMatch(/at next \(src\/counter\.ts:10:\d+\)/);
  expect(printed).toMatch(/at Object\.\S+ \(test\/b\.test\.ts:6:\d+\)/);
});
