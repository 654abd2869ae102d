/** Pages of the manual stay short enough to be read: a page that grows is divided by subject. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const manual = resolve(__dirname, "../../docs/manual");
const linesOf = (page: string) => readFileSync(join(manual, page), "utf8").trimEnd().split("\n");

test("no page that a person writes has more than 250 lines", () => {
  const longPages = readdirSync(manual, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && linesOf(path).length > 250)
    .filter((path) => !/^reference\/(cli\/|typescript\/|errors\.md)/.test(path));
  expect(longPages).toEqual([]);
});

test("the glossary has at most 15 terms", () => {
  const terms = linesOf("explanation/glossary.md").filter((line) => line.startsWith("| **"));
  expect(terms).toContainEqual(expect.stringContaining("**owner**"));
  expect(terms.length).toBeLessThanOrEqual(15);
});
