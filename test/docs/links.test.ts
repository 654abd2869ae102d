import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(__dirname, "../..");

const filesIn = (folder: string, end: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(end) && !path.includes("node_modules"))
    .map((path) => join(root, folder, path));

const pages = [
  ...["README.md", "CHANGELOG.md"].map((name) => join(root, name)),
  ...filesIn("docs", ".md"),
  ...filesIn("examples", ".md"),
];

const headingsOf = (page: string): readonly string[] =>
  [...readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);

/** As GitHub and the registry name a heading in an address. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

function isDead(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(target)) return true;
  if (anchor === undefined || statSync(target).isDirectory()) return false;
  const explicit = readFileSync(target, "utf8").includes(`<a id="${anchor}">`);
  return !explicit && !headingsOf(target).some((heading) => anchorOf(heading) === anchor);
}

test("each link of the documentation leads somewhere", () => {
  const links = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/\]\(([^)\s:]+)\)/g)].map(([, link = ""]) => ({ page, link })),
  );
  expect(links.length).toBeGreaterThan(50);
  const dead = links.filter(({ page, link }) => isDead(page, link));
  expect(dead.map(({ page, link }) => `${relative(root, page)}: ${link}`)).toEqual([]);
});

test("each section of the design that a comment refers to is there", () => {
  const headings = new Set(headingsOf(join(root, "docs/design.md")));
  const named = [...filesIn("src", ".ts"), ...filesIn("test", ".ts")].flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\(design: ([A-Z][^)]+)\)/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !headings.has(name))).toEqual([]);
});
