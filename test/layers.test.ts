/** The shape of the sources as a whole; which folder may import which, the linter says (.config/layers.mjs). */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const SRC = resolve(__dirname, "../src");

/** Sources that remember by themselves, and what. Elsewhere `onceForEach` remembers what was derived, and `CreatedInRun` what a run has created. */
const REMEMBERING = [
  "api/session.ts", // The last one-time code of each secret: a service takes each code once.
  "api/transport.ts", // The first answer of each service: the runs of several stacks wait for it once.
  "cli/tenancy.ts", // Who listens to signals.
  "constructs/address.ts", // Stacks that are validated already; the constructs import nothing of `values`.
  "constructs/stack-order.ts", // The stacks of an app, which its providers note in the order of their creation.
  "engine/index.ts", // The runs of plans, which are plain data.
  "engine/plan.ts", // The plan that a refusal is about: whoever prints an error prints its members.
  "lib/simulator/service.ts", // Texts of records, dropped when the records change; the simulator imports nothing of ours.
  "lib/values/once.ts",
  "lib/values/types.ts", // Types of elements: notes on plain lists and objects.
  "testing/simulator.ts", // Folders of simulated services, removed when the services end.
];

/** What is imported past its door, so that a program starts without what lies behind the door. */
const PAST_THE_DOOR = [
  "cli/failure.ts > render/text/diagnostics.ts",
  "cli/failure.ts > render/text/paint.ts",
  "cli/main.ts > render/text/paint.ts",
  "cli/tenancy.ts > render/text/paint.ts",
  "provider/main.ts > lib/plugin-runtime/greeting.ts",
];

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.startsWith(join("constructs", "generated")))
  .sort();

/** What each file imports, types too. What is loaded only when it is needed makes no circle. */
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(SRC, file), "utf8");
  return [...text.matchAll(/^(?:import|export)\b[^;"]*?"(\.[^"]+)";/gm)].flatMap(([, specifier = ""]) => {
    const path = relative(SRC, resolve(SRC, dirname(file), specifier));
    return [`${path}.ts`, join(path, "index.ts")].find((one) => imported(one)) ?? [];
  });
}

function imported(file: string): boolean {
  return files.includes(file);
}

/** The first circle that is found from a file on: the way to it, and it. */
function circleFrom(file: string, way: readonly string[], done: Set<string>): readonly string[] | undefined {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
  if (done.has(file)) return undefined;
  for (const next of imports.get(file) ?? []) {
    const circle = circleFrom(next, [...way, file], done);
    if (circle !== undefined) return circle;
  }
  done.add(file);
  return undefined;
}

/** The stages of a run of the engine. A stage imports only those before it; evaluating a block compares each of its objects. */
const STAGES = ["load/", "diff/", "evaluate/", "checks.ts", "plan.ts", "apply/"].map(
  (stage) => `engine/${stage}`,
);

/** Folders with words of their own: the simulator speaks as the service does, the runtime as Terraform's protocol does. */
const OWN_WORDS = ["lib/simulator/", "lib/plugin-runtime/"];

/** Every file that a file leads to by its imports. */
function reachedFrom(file: string, reached = new Set<string>()): ReadonlySet<string> {
  for (const next of imports.get(file) ?? []) if (!reached.has(next)) reachedFrom(next, reached.add(next));
  return reached;
}

/** Folders that hold `to`, and not `from`, and have a door. */
function doorsBetween(from: string, to: string): readonly string[] {
  const doors: string[] = [];
  for (let folder = dirname(to); folder !== "."; folder = dirname(folder))
    if (!from.startsWith(`${folder}/`) && existsSync(join(SRC, folder, "index.ts")))
      doors.push(join(folder, "index.ts"));
  return doors;
}

test("no imports go round in a circle, those of types included", () => {
  const done = new Set<string>();
  expect(files.flatMap((file) => circleFrom(file, [], done)?.join(" > ") ?? [])).toEqual([]);
});

test("no stage of the engine's run leads to a later one", () => {
  const stageOf = (file: string) => STAGES.findIndex((stage) => file.startsWith(stage));
  const staged = files.filter((file) => stageOf(file) >= 0);
  expect(new Set(staged.map(stageOf)).size).toBe(STAGES.length);
  const back = staged.flatMap((from) =>
    [...reachedFrom(from)].filter((to) => stageOf(to) > stageOf(from)).map((to) => `${from} > ${to}`),
  );
  expect(back).toEqual([]);
});

test("a folder is entered by its door", () => {
  const past = files.flatMap((from) =>
    (imports.get(from) ?? [])
      .filter((to) => doorsBetween(from, to).some((door) => door !== to))
      .map((to) => `${from} > ${to}`),
  );
  expect(past.sort()).toEqual(PAST_THE_DOOR);
});

const textOf = (file: string) => readFileSync(join(SRC, file), "utf8");
const linesOf = (file: string) => textOf(file).trimEnd().split("\n").length;

test("a file of under 20 lines has several importers, or says in its first line why it is a file of its own", () => {
  const importers = (file: string) => files.filter((other) => imports.get(other)?.includes(file)).length;
  const small = files.filter((file) => linesOf(file) < 20 && importers(file) <= 1);
  expect(small.filter((file) => !/^.*\bfile of its own since\b/.test(textOf(file)))).toEqual([]);
});

test("what is derived is remembered in one place, and nothing else at the top of a module without a reason", () => {
  const remembers =
    /^(export )?(const|let) [^=]*= new (Weak(Map|Set)\b|(Map|Set)(<.*>)?\(\))|\bnew WeakMap\b/m;
  expect(files.filter((file) => remembers.test(textOf(file))).sort()).toEqual(REMEMBERING);
});

test("no file is over 500 lines, except the grammar, whose rules call each other", () => {
  expect(files.filter((file) => linesOf(file) > 500)).toEqual([join("lib", "language", "grammar.ts")]);
});

test("each file begins with a comment that says what the file is for", () => {
  expect(
    files.filter((file) => !/^(#!.*\n)?\/(\*\*|\/) /.test(textOf(file).replace("/**\n *", "/**"))),
  ).toEqual([]);
});

test("an exported type has a name that no other one has, except for the words of the service and of Terraform's protocol", () => {
  const worldOf = (file: string) => OWN_WORDS.find((folder) => file.startsWith(folder)) ?? "";
  const declared = new Map<string, Set<string>>();
  for (const file of files)
    for (const [, name = ""] of textOf(file).matchAll(
      /^export (?:declare |abstract )*(?:interface|type|class|enum) (\w+)/gm,
    )) {
      const key = `${worldOf(file)}${name}`;
      declared.set(key, (declared.get(key) ?? new Set()).add(file));
    }
  expect(declared.size).toBeGreaterThan(300);
  const several = [...declared].filter(([, where]) => where.size > 1);
  expect(several.map(([name, where]) => `${name}: ${[...where].join(", ")}`)).toEqual([]);
});

test("the program that npm links can be started by itself", () => {
  expect(textOf(join("cli", "tenancy.ts"))).toMatch(/^#!\/usr\/bin\/env node\n/);
});

/** The folders of `src/`, and what each may import: the linter's own table. */
const table = JSON.parse(
  execFileSync(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      'import { table } from "./.config/layers.mjs"; console.log(JSON.stringify(table));',
    ],
    { cwd: resolve(__dirname, ".."), encoding: "utf8" },
  ),
) as Readonly<Record<string, readonly string[]>>;

const guide = readFileSync(resolve(__dirname, "../docs/manual/contributing/development.md"), "utf8");

/** How many layers lie below a folder. */
function heightOf(folder: string): number {
  return Math.max(0, ...(table[folder] ?? []).map((below) => heightOf(below) + 1));
}

test("the contributor's guide draws the layers as the linter has them", () => {
  const [, picture = ""] = /^```text\n(.*?)^```/ms.exec(guide) ?? [];
  const drawn = picture
    .trim()
    .split("\n")
    .map((row) => row.split(/\s+/).sort())
    .reverse();
  const layers: string[][] = [];
  for (const folder of Object.keys(table)) (layers[heightOf(folder)] ??= []).push(folder);
  expect(drawn).toEqual(layers.map((layer) => layer.sort()));
});

test("a comment that refers to the design names one of its sections, and one that refers to a page names one that exists", () => {
  const docs = resolve(__dirname, "..");
  const headings = ["design", "design-guards-and-tokens"]
    .map((page) => readFileSync(join(docs, `docs/manual/explanation/${page}.md`), "utf8"))
    .flatMap((text) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading));
  const dangling = files.flatMap((file) => {
    const text = readFileSync(join(SRC, file), "utf8");
    const sections = [...text.matchAll(/\(design: ([^)]*)\)/g)]
      .map(([, section = ""]) => section.replace(/\s+\*?\s*/g, " "))
      .filter((section) => !headings.includes(section));
    const pages = [...text.matchAll(/\((docs\/[\w/-]+\.md)\)/g)]
      .map(([, page = ""]) => page)
      .filter((page) => !existsSync(join(docs, page)));
    const elsewhere = text.match(/\(contract\b[^)]*\)/g) ?? [];
    return [...sections, ...pages, ...elsewhere].map((reference) => `${file}: ${reference}`);
  });
  expect(headings).toContain("Complete lists");
  expect(dangling).toEqual([]);
});

test("the contributor's guide says what each folder may import", () => {
  const rows = [...guide.matchAll(/^\| `([\w/-]+)` +\|[^|]*\| (.*?) +\|$/gm)].map(
    ([, folder = "", others = ""]) => [folder, others],
  );
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
  const allowed = Object.entries(table).map(([folder, others]) => {
    if (others.length === 0) return [folder, "no other folder"];
    const further = others.filter((other) => other !== "lib/values" && other !== "problems");
    if (!others.includes("lib/values") || !others.includes("problems"))
      return [folder, `only ${list(others)}`];
    return [folder, further.length === 0 ? "nothing else" : list(further)];
  });
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(allowed));
});
