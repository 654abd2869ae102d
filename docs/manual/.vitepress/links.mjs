/** Links of the site: pages link to each other by their places in the repository, so that they work there, too. */
import { existsSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";

/** The anchor of a heading, as the hosts of repositories make it. */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/**
 * Has a renderer write links that work on the site.
 * @param places the folder `docs`, the project's folder, and the address of the repository if it is known
 * @throws Error for a link to a file that is not there
 */
export function siteLinks(markdown, places) {
  markdown.core.ruler.push("site-links", (state) => {
    const { tokens, env } = state;
    const page = env.realPath ?? env.path;
    if (page === undefined) return; // a title alone, which has no links
    // The registries' pages mark their sections with empty elements; all other HTML is text.
    for (const { content, children } of tokens)
      if (/^<a id="[\w-]+"><\/a>$/.test(content)) children[0].type = "html_inline";
    state.tokens = tokens.filter(
      (_, index) => ![index - 1, index, index + 1].some((near) => isComment(tokens[near])),
    );
    for (const token of tokens)
      if (token.children) token.children = withLinks(token.children, dirname(page), places);
  });
}

/** A paragraph has a token before its content and one behind it. */
const isComment = (token) => token?.type === "inline" && /^<!--[^]*-->$/.test(token.content);

/** Has a renderer write braces so that they are text. Without it, the site would evaluate `{{ … }}` of a page. */
export function literalBraces(markdown) {
  for (const rule of ["text", "code_inline"]) {
    const render = markdown.renderer.rules[rule];
    markdown.renderer.rules[rule] = (...args) => render(...args).replaceAll("{{", "&#123;&#123;");
  }
}

/** The tokens of a line with the addresses of the site. A link to a file outside it is plain text while no repository is known. */
function withLinks(tokens, folder, places) {
  let isPlain = false;
  return tokens.filter((token) => {
    if (token.type === "link_close" && isPlain) {
      isPlain = false;
      return false;
    }
    if (token.type !== "link_open" || isAddress(token.attrGet("href"))) return true;
    const place = placeOf(token.attrGet("href"), folder, places);
    isPlain = place === undefined;
    if (!isPlain) token.attrSet("href", place);
    return !isPlain;
  });
}

/** Not a place in the repository: a page's own section, or an address of the web. */
const isAddress = (link) => /^([a-z]+:|#|\/)/.test(link);

/** A page of the site by its address there; any other file by its address in the repository. */
function placeOf(link, folder, { docs, root, repository }) {
  const [path, anchor] = link.split("#");
  const file = resolve(folder, decodeURIComponent(path));
  if (!existsSync(file)) throw new Error(`There is no file ${file}, to which a page of ${folder} links.`);
  const page = relative(docs, file);
  const end = anchor === undefined ? "" : `#${anchor}`;
  if (page.endsWith(".md") && !page.startsWith(".."))
    return `/${page.startsWith("manual/") ? page.slice("manual/".length) : `terraform/${page}`}${end}`;
  if (repository === undefined) return undefined;
  const kind = statSync(file).isDirectory() ? "tree" : "blob";
  return `${repository}/${kind}/main/${relative(root, file)}${end}`;
}
