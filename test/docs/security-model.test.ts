/** What the security model says of dependencies and of tests: covers that page. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, resolve } from "node:path";
import { dependencies, devDependencies, peerDependencies } from "../../package.json";

const root = resolve(__dirname, "../..");
const text = readFileSync(join(root, "docs/manual/explanation/security-model.md"), "utf8");

/** Of the package, without a path in it: `csv-parse/sync`. */
const packageOf = (path: string) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;

/** Packages that the sources import, apart from the embedded service and the plugin's protocol: each of them is one file with all that it needs. */
function imported(): readonly string[] {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
    (path) =>
      path.endsWith(".ts") &&
      !["simulator", "plugin-runtime"].some((library) => path.startsWith(join("lib", library))),
  );
  const paths = files.flatMap((path) =>
    [...readFileSync(join(root, "src", path), "utf8").matchAll(/(?:from |import\()"([\w@][^"]*)"/g)].map(
      ([, name = ""]) => packageOf(name),
    ),
  );
  const others = [...builtinModules, ...Object.keys(peerDependencies), "tenancy"];
  return [...new Set(paths)].filter((name) => !name.startsWith("node:") && !others.includes(name)).sort();
}

test("each run-time dependency is used, and has its reason in the security model, which names what is bundled", () => {
  const listed = [...text.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name]) => name);
  expect(listed).toEqual(Object.keys(dependencies));
  const bundled = Object.keys(devDependencies).filter((name) => text.includes(`\`${name}\``));
  expect(imported().filter((one) => !bundled.includes(one))).toEqual(Object.keys(dependencies).sort());
});

test("each test that the security model names is there", () => {
  const links = [...text.matchAll(/\]\((\.\.\/\.\.\/\.\.\/test\/[^)]+)\)/g)].map(([, path = ""]) => path);
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((path) => !existsSync(join(root, "docs/manual/explanation", path)))).toEqual([]);
});
