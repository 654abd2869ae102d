/** What starts fast: `src/cli/tenancy.ts` loads Node's own modules before it sets a flag of V8, and so ready compiled. */
import { builtinModules } from "node:module";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accounts, commandProjects } from "../../support/command";
import { built, tenancy } from "../../support/built-command";

/** Loaded before the command: tells at the end which modules came after a flag. */
const WATCH = `
const v8 = require("node:v8");
const { writeFileSync } = require("node:fs");
const set = v8.setFlagsFromString;
let before;
v8.setFlagsFromString = (flag) => {
  before ??= new Set(process.moduleLoadList);
  set(flag);
};
process.on("exit", () => {
  const after = before && process.moduleLoadList.filter((name) => !before.has(name));
  writeFileSync(process.env.TOLD, JSON.stringify(after ?? null));
});
`;

beforeAll(built);
const start = commandProjects();

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tenancy-flags-"));
  await writeFile(join(folder, "watch.cjs"), WATCH);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test.each([
  ["plan", ["plan"], (url: string) => url],
  ["apply", ["apply", "--yes"], (url: string) => url],
  ["plan over TLS", ["plan"], (url: string) => url.replace("http:", "https:")],
])("no module of Node is loaded after a flag of V8 is set: %s", async (_name, words, over) => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const told = join(folder, "told.json");
  const { environment } = project;
  await tenancy(words, {
    folder: project.folder,
    environment: {
      ...environment,
      TENANCY_BASE_URL: over(environment["TENANCY_BASE_URL"] ?? "").replace("127.0.0.1", "localhost"),
      NODE_OPTIONS: `--require ${join(folder, "watch.cjs")}`,
      TOLD: told,
    },
  });
  const after = JSON.parse(await readFile(told, "utf8")) as readonly string[];
  const modules = after.map((name) => name.replace("NativeModule ", ""));
  expect(modules.filter((name) => builtinModules.includes(name) && !name.startsWith("_"))).toEqual([]);
});
