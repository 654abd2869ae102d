/** Covers docs/manual/reference/errors.md, which has a section for each code. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../..");

/** The codes that a pattern finds in the TypeScript under a folder, without repetition, sorted. */
function codesIn(folder: string, pattern: RegExp): readonly string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  const codes = files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => [...readFileSync(join(root, folder, file), "utf8").matchAll(pattern)])
    .map(([, code = ""]) => code);
  return [...new Set(codes)].sort();
}

const page = readFileSync(join(root, "docs/manual/reference/errors.md"), "utf8");
const explained = [...page.matchAll(/^## (.*)$/gm)].map(([, code = ""]) => code);

test("each code is explained, in the order of the codes, and no other code is", () => {
  const codes = codesIn("src/problems", /(?:\bcode: |\bsuper\(\s*)"(TENANCY_\w+)"/g);
  expect(codes.length).toBeGreaterThan(100);
  expect(explained).toEqual(codes);
});

test("an error of sample data has a code that there is", () => {
  const codes = codesIn("test", /\bcode: (?:\w.*\? ".*" : )?"(TENANCY_\w+)"/g);
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter((code) => !explained.includes(code))).toEqual([]);
});
