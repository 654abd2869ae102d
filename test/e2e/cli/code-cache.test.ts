/** The compiled code of the command, kept from one run to the next. Covers src/cli/code-cache.ts. */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const LOADER = resolve(__dirname, "../../../src/cli/code-cache.ts");

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tenancy-code-"));
  await bundle(
    "command.js",
    `exports.text = "one " + require("./other.js").text + require("node:path").sep;`,
  );
  await bundle("other.js", `exports.text = "two ";`);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function bundle(name: string, source: string): Promise<void> {
  return writeFile(join(folder, name), source);
}

/** What the command's bundle exports, in a process of its own. */
function run(purpose = "plan"): string {
  const program = `console.log(require(${JSON.stringify(LOADER)}).loadCached(...process.argv.slice(1)).text)`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "--eval", program, join(folder, "command.js"), purpose],
    { encoding: "utf8" },
  );
  return stdout.trim() + stderr;
}

const keptAt = async () => (await stat(join(folder, "command.js.code"))).ino;

test("the first run of a verb keeps the code, and the next one takes it", async () => {
  expect(run()).toBe("one two /");
  expect((await readdir(folder)).sort()).toEqual([
    "command.js",
    "command.js.code",
    "other.js",
    "other.js.code",
  ]);
  const first = await keptAt();
  expect(run()).toBe("one two /");
  expect(await keptAt()).toBe(first);
  expect(run("apply")).toBe("one two /");
  const second = await keptAt();
  expect(second).not.toBe(first);
  expect(run("plan")).toBe("one two /");
  expect(await keptAt()).toBe(second);
});

test("a bundle that has changed is run as it is, also where it is as long as before", async () => {
  expect(run()).toBe("one two /");
  await bundle("other.js", `exports.text = "six ";`);
  expect(run()).toBe("one six /");
  expect(run()).toBe("one six /");
});

test("a bundle may hold any character", async () => {
  await bundle("other.js", `exports.text = "zwölf ✓ ";`);
  expect(run()).toBe("one zwölf ✓ /");
  expect(run()).toBe("one zwölf ✓ /");
});

test("code that is broken, or of another program, is not run", async () => {
  run();
  const place = join(folder, "command.js.code");
  const whole = await readFile(place);
  const flipped = Buffer.from(whole);
  flipped[whole.length - 20] = ~(whole.at(-20) ?? 0);
  for (const broken of [flipped, whole.subarray(0, whole.length / 2), Buffer.from("{}\n"), Buffer.alloc(0)]) {
    await writeFile(place, broken);
    expect(run()).toBe("one two /");
    expect(await readFile(place)).not.toEqual(broken);
  }
});

test("code that another Node has kept is not run", async () => {
  run();
  const place = join(folder, "command.js.code");
  const foreign = (await readFile(place)).toString("latin1").replace(process.version, "v20.0.0");
  await writeFile(place, foreign, "latin1");
  expect(run()).toBe("one two /");
  expect((await readFile(place)).toString("latin1")).toContain(process.version);
});

test("where the code cannot be kept, the command works all the same", async () => {
  await mkdir(join(folder, "command.js.code"));
  expect(run()).toBe("one two /");
  expect(run()).toBe("one two /");
  expect((await readdir(folder)).filter((name) => name.includes(".code."))).toEqual([]);
});
