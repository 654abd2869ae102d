/** Pages of the manual stay short enough to be read: a page that grows is divided by subject. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const manual = resolve(__dirname, "../../docs/manual");
const GENERATED = /^reference\/(cli\/|typescript\/|errors\.md)/;

const linesOf = (page: string) => readFileSync(join(manual, page), "utf8").trimEnd().split("\n");

const written = readdirSync(manual, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".md") && !GENERATED.test(path),
);

test("no page that a person writes has more than 250 lines", () => {
  expect(written).toContain("learn/tutorial.md");
  const longPages = written.filter((page) => linesOf(page).length > 250);
  expect(longPages).toEqual([]);
});

test("the glossary has at most 15 terms", () => {
  const terms = linesOf("explanation/glossary.md").filter((line) => line.startsWith("| **"));
  expect(terms.length).toBeGreaterThan(5);
  expect(terms.length).toBeLessThanOrEqual(15);
});
