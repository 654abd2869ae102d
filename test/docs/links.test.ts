/** Links of the documentation, and the files that it names: covers the pages at the top and docs. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { files } from "../../package.json";

const root = resolve(__dirname, "../..");

const pages = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...["docs", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md") && !path.includes("node_modules"))
      .map((path) => join(folder, path)),
  ),
];

/** For those who work on the project: they have the tests at hand. */
const FOR_CONTRIBUTORS = [
  "CONTRIBUTING.md",
  "docs/manual/contributing/development.md",
  "docs/manual/contributing/performance.md",
  "docs/manual/contributing/recipes.md",
  "docs/manual/contributing/releases.md",
  "docs/manual/contributing/tests.md",
  "docs/manual/explanation/security-model.md",
  "docs/manual/explanation/design.md",
  "docs/manual/explanation/design-guards-and-tokens.md",
];

const proseOf = (page: string) => readFileSync(join(root, page), "utf8").replace(/```.*?```/gs, "");

/** Where the links of a page lead, from the top of the project. */
function linksOf(page: string): readonly string[] {
  const text = proseOf(page);
  return [...text.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => join(dirname(page), link));
}

/** The anchors of a page, as hosts of repositories and the site of the manual write them. A heading that occurs again has a number. */
function anchorsOf(page: string): readonly string[] {
  const text = proseOf(page);
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
  const numbered = headings.map((heading, index) => {
    const earlier = headings.slice(0, index).filter((other) => other === heading).length;
    return earlier === 0 ? heading : `${heading}-${earlier}`;
  });
  return [...numbered, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)];
}

/** npm packs these whatever `files` says. */
const ALWAYS = ["README.md", "LICENSE"];

const isPacked = (path: string) =>
  [...files, ...ALWAYS].some((packed) => path === packed || path.startsWith(`${packed}/`));

/** They are for those who read the documentation online: the package does not grow by them. */
const isPicture = (path: string) =>
  files.includes("!docs/manual/pictures") && path.startsWith("docs/manual/pictures/");

test.each(pages)("every link of %s leads to something", (page) => {
  expect(linksOf(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each(pages)("every link of %s to a section leads to one that its page has", (page) => {
  const links = [...proseOf(page).matchAll(/\]\(([^)\s#:]*\.md)?#([^)\s]+)\)/g)];
  const dead = links.filter(([, target, anchor = ""]) => {
    const file = target === undefined ? page : join(dirname(page), target);
    return !anchorsOf(file).includes(anchor);
  });
  expect(dead.map(([link]) => link)).toEqual([]);
});

test.each(pages.filter((page) => !FOR_CONTRIBUTORS.includes(page)))(
  "what %s leads to is in the package, too",
  (page) => {
    expect(linksOf(page).filter((path) => !isPicture(path) && !isPacked(path))).toEqual([]);
  },
);

test.each(FOR_CONTRIBUTORS)("every source, test and tool that %s names is there", (page) => {
  const text = readFileSync(join(root, page), "utf8").replace(/```.*?```/gs, "");
  const named = [...text.matchAll(/`((?:src|test|\.ci|\.config|\.github)\/[\w./-]+)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

/** Folders of docs, and the one page beside them, that registries of providers publish. */
const PUBLISHED =
  /^docs\/(index\.md$|(resources|data-sources|ephemeral-resources|list-resources|functions|guides)\/)/;

test.each(pages.filter((page) => PUBLISHED.test(page)))(
  "every link of %s, which registries publish, leads to a page that they publish too",
  (page) => {
    expect(linksOf(page).filter((path) => !PUBLISHED.test(path))).toEqual([]);
  },
);
