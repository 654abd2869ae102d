/**
 * Renders views as one HTML page: a file that opens from the disk and asks nobody for anything. It reads without scripts; its own script only adds
 * the search. A content security policy forbids everything but that script and the page's style, which it knows by their hashes.
 */
import { createHash } from "node:crypto";
import { bareText, joinTexts, name, type Text, type View, word } from "../view";
import { escapeHtml, inline } from "./inline";
import { SCRIPT } from "./script";
import { findingsHtml, sectionHtml } from "./sections";
import { STYLE } from "./style";

/** @param views of which each has a part of the page */
export function html(views: readonly View[]): string {
  const title = titleOf(views);
  const labels = numberDuplicates(views.map((view) => bareText(nameOf(view))));
  const isOne = views.length === 1;
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(bareText(title))}</title>`,
    `<style>${STYLE}</style>`,
    `<body><header><h1>${inline(title)}</h1>`,
    '<search><form hidden><label>Find a user or an object <input type="search" autocomplete="off" spellcheck="false"></label> <output></output></form></search>',
    `</header><main>${isOne ? "" : contentsHtml(views)}`,
    ...views.map((view, index) => viewHtml(view, index, labels[index] ?? "", isOne)),
    "</main>",
    `<script>${SCRIPT}</script>`,
    "",
  ].join("\n");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
].join("; ");

/** The title of the page names at most so many views. */
const NAMED = 3;

function titleOf(views: readonly View[]): Text {
  const titles = views.slice(0, NAMED).map(nameOf);
  const more = views.length - titles.length;
  return [
    ...joinTexts(titles, ", "),
    ...(more > 0 ? [word(` and ${more} more`)] : []),
    ...(views.length === 0 ? [word("Nothing to show")] : []),
  ];
}

/** The title of a view; an ellipsis if it has no visible characters. */
function nameOf({ title }: View): Text {
  return bareText(title).trim() === "" ? [name("…")] : title;
}

function contentsHtml(views: readonly View[]): string {
  const items = views.map(
    (view, index) => `<li><a href="#v${index}">${inline(nameOf(view))}</a> ${inline(view.summary)}`,
  );
  return `<nav aria-label="Contents"><ul>${items.join("")}</ul></nav>`;
}

/** Titles, with a number where one stands there again: who hears the page tells its parts by them. */
function numberDuplicates(titles: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return titles.map((title) => {
    const count = (counts.get(title) ?? 0) + 1;
    counts.set(title, count);
    return count === 1 ? title : `${title} (${count})`;
  });
}

/** @param label its title, which no other one has */
function viewHtml(view: View, index: number, label: string, isOne: boolean): string {
  const title = nameOf(view);
  const place = { level: isOne ? 2 : 3, prefix: isOne ? "" : `v${index}-`, title: label };
  return [
    `<article id="v${index}">${isOne ? "" : `<h2>${inline(title)}</h2>`}`,
    ...view.lines.map((line) => `<p class="target">${inline(line)}`),
    ...(view.notice === undefined ? [] : [`<p class="notice"><strong>${inline(view.notice)}</strong>`]),
    `<p class="summary"><strong>${inline(view.summary)}</strong>`,
    ...(view.alert.length === 0 ? [] : [`<p class="alert">It ${inline(view.alert)}.`]),
    findingsHtml(view.findings, place),
    ...view.sections.map((section) => sectionHtml(section, place)),
    "</article>",
  ].join("\n");
}
