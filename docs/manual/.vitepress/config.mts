/** The site of the manual. `npm run docs` serves it, `npm run docs:build` writes it to `site/`. */
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { anchorOf, literalBraces, siteLinks } from "./links.mjs";
import { miniSearch } from "./search.mjs";
import { sidebar } from "./sidebar.mjs";

const manual = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const root = resolve(manual, "../..");

// A host of pages serves the site below the repository's name.
const base = process.env["DOCS_BASE"] ?? "/";
const { GITHUB_SERVER_URL: host, GITHUB_REPOSITORY: name } = process.env;
const repository = host !== undefined && name !== undefined ? `${host}/${name}` : undefined;

export default defineConfig({
  title: "Tenancy",
  description:
    "Manage the tenants of a storage service as code: accounts, users, permissions and API tokens.",
  lang: "en-US",
  base,
  srcDir: resolve(manual, ".."),
  outDir: resolve(root, "site"),
  cacheDir: resolve(root, "node_modules/.cache/vitepress"),
  cleanUrls: true,
  // The manual is at the top; the pages that the registries publish are below terraform/.
  rewrites: (page) => (page.startsWith("manual/") ? page.slice("manual/".length) : `terraform/${page}`),
  markdown: {
    html: false,
    anchor: { slugify: anchorOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => {
      siteLinks(markdown, { docs: resolve(manual, ".."), root, repository });
      literalBraces(markdown);
    },
  },
  themeConfig: {
    search: { provider: "local", options: { miniSearch } },
    outline: [2, 3],
    nav: [
      { text: "Learn", link: "/learn/tutorial", activeMatch: "^/learn/" },
      { text: "How-to", link: "/how-to/", activeMatch: "^/how-to/" },
      { text: "Reference", link: "/reference/", activeMatch: "^/reference/" },
      { text: "Explanation", link: "/explanation/", activeMatch: "^/explanation/" },
      { text: "Terraform", link: "/terraform/", activeMatch: "^/terraform/" },
    ],
    sidebar: sidebar(resolve(manual, "..")),
    ...(repository === undefined ? {} : { socialLinks: [{ icon: "github", link: repository }] }),
  },
});
