/** The menu of the site: the pages of the manual in the order in which a reader needs them, and the pages of the registries. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Pages by the four kinds of the manual. A folder stands for all its pages; a test finds a page that is missing here. */
const MANUAL = {
  learn: ["tutorial", "tutorial-team"],
  "how-to": [
    "index",
    "install",
    "authenticate",
    "import-existing-tenants",
    "common-tasks",
    "rotate-a-token",
    "give-temporary-access",
    "require-approvals",
    "pull-requests-on-github",
    "pull-requests-on-gitlab",
    "work-as-a-team",
    "detect-drift",
    "review-access",
    "recover-a-lost-state",
    "move-to-terraform",
    "troubleshoot",
  ],
  reference: [
    "index",
    "cli",
    "constructs",
    "permissions",
    "errors",
    "json",
    "json-plans",
    "json-report",
    "library",
    "typescript",
    "state",
    "state-format",
    "credential-helper",
    "uuid",
    "compatibility",
  ],
  explanation: [
    "index",
    "how-it-works",
    "choose-an-engine",
    "safety-guards",
    "design",
    "design-guards-and-tokens",
    "how-tenancy-reads-the-api",
    "security-model",
    "glossary",
  ],
  contributing: ["development", "recipes", "tests", "performance", "releases"],
};

const TITLES = {
  learn: "Learn",
  "how-to": "How-to guides",
  reference: "Reference",
  explanation: "Explanation",
  contributing: "Contributing",
};

const REGISTRY = {
  guides: "Guides",
  resources: "Resources",
  "data-sources": "Data sources",
  "ephemeral-resources": "Ephemeral resources",
  "list-resources": "List resources",
  functions: "Functions",
};

/** @param docs the folder `docs` of the project */
export function sidebar(docs) {
  const manual = Object.entries(MANUAL).map(([kind, names]) => ({
    text: TITLES[kind],
    items: names.map((name) => entry(docs, `manual/${kind}`, name, `/${kind}`)),
  }));
  const registry = Object.entries(REGISTRY).map(([folder, text]) => ({
    text,
    items: pagesIn(join(docs, folder)).map((name) => entry(docs, folder, name, `/terraform/${folder}`)),
  }));
  return {
    "/terraform/": [{ text: "Terraform provider", link: "/terraform/" }, ...registry],
    "/": manual,
  };
}

/** One page, or a folder of pages. */
function entry(docs, folder, name, address) {
  const path = join(docs, folder, name);
  if (name === "index") return { text: "Overview", link: `${address}/` };
  const pages = pagesIn(path);
  if (pages.length === 0) return { text: titleOf(`${path}.md`), link: `${address}/${name}` };
  return {
    text: titleOf(join(path, "index.md")),
    link: `${address}/${name}/`,
    collapsed: true,
    items: pages
      .filter((page) => page !== "index")
      .map((page) => ({ text: titleOf(join(path, `${page}.md`)), link: `${address}/${name}/${page}` })),
  };
}

function pagesIn(folder) {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith(".md"))
      .map((file) => file.slice(0, -".md".length));
  } catch {
    return [];
  }
}

const titleOf = (file) => /^# (.*)$/m.exec(readFileSync(file, "utf8"))?.[1]?.replaceAll("`", "") ?? file;
