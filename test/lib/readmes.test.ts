/** The pages at the doors of the libraries: their examples do what they say, and the files that they name are there. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stringifyJson } from "../../src/lib/values";

const lib = resolve(__dirname, "../../src/lib");
const pages = ["values", "language", "simulator", "plugin-runtime"];
const read = (folder: string) => readFileSync(join(lib, folder, "README.md"), "utf8");

/** The example as a function: every line `expression; // value` adds the value that it has, and the one that it should have. */
async function runExample(folder: string): Promise<readonly (readonly [unknown, string])[]> {
  const example = /```ts\n(.*?)```/s.exec(read(folder))?.[1] ?? "";
  const body = example
    .replace(/^import \{(.*?)\} from "(.*?)";$/gms, "const {$1} = load('$2');")
    .replace(/^(?!const )(.*); \/\/ (.*)$/gm, (_line, expression: string, expected: string) => {
      return `results.push([${expression}, ${JSON.stringify(expected)}]);`;
    });
  const results: (readonly [unknown, string])[] = [];
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const load = (path: string): unknown => require(join(lib, folder, path));
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
  await new Function("load", "results", `return (async () => {${body}})();`)(load, results);
  return results;
}

/** A value as the pages write it. */
function written(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "bigint" ? `${value}n` : stringifyJson(value);
}

test.each(pages)("the example of src/lib/%s does what it says", async (folder) => {
  const results = await runExample(folder);
  expect(results.length).toBeGreaterThan(2);
  expect(results.map(([value]) => written(value))).toEqual(results.map(([, expected]) => expected));
});

test.each(pages)("the page of src/lib/%s names files that are there", (folder) => {
  const named = [...read(folder).matchAll(/`([\w/.-]+(?:\.ts|\.json|\/))`/g)].map(([, path = ""]) => path);
  const root = resolve(lib, "../..");
  expect(
    named.filter((path) => !existsSync(join(lib, folder, path)) && !existsSync(join(root, path))),
  ).toEqual([]);
});
