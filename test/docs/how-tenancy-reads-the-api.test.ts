/** The page on gaps of the API's specification: covers docs/manual/explanation/how-tenancy-reads-the-api.md. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { USAGE_COUNTERS } from "../../src/resources/account/description";
import { ALL_RIGHTS, successorsOf } from "../../src/service";

const root = resolve(__dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const page = read("docs/manual/explanation/how-tenancy-reads-the-api.md");

test("the page is linked where people look for it", () => {
  expect(read("README.md")).toContain("(docs/manual/explanation/how-tenancy-reads-the-api.md)");
  expect(read("docs/manual/explanation/design.md")).toContain("(how-tenancy-reads-the-api.md)");
});

test("it names each status call, each deprecated right, and both counters of users", () => {
  const sources = readdirSync(join(root, "src/api")).map((file) => read(join("src/api", file)));
  const calls = new Set(sources.join("\n").match(/\/api\/status[a-z/]*/g));
  expect([...calls].filter((call) => !page.includes(`\`GET ${call}\``))).toEqual([]);
  const deprecated = ALL_RIGHTS.filter((right) => successorsOf(right) !== undefined);
  expect(deprecated.filter((right) => !page.includes(right))).toEqual([]);
  const counters = Object.keys(USAGE_COUNTERS).filter((name) => /^(user|profile)_num$/.test(name));
  expect(counters.filter((name) => !page.includes(name))).toEqual([]);
});
