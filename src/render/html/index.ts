/**
 * Renders views as one HTML page: a file that opens from the disk and makes no requests. It is readable without scripts. Its own script adds the search
 * and, for many people, the content that opens on demand. A content security policy permits only that script and the page's style, by their hashes.
 */
import { createHash } from "node:crypto";
import { isError, isRemark } from "../../problems";
import { bareText, joinTexts, name, type Text, type View, word } from "../view";
import { escapeHtml, inline } from "./inline";
import { SCRIPT } from "./script";
import { findingsHtml, sectionCount, sectionHtml } from "./sections";
import { STYLE } from "./style";

/** @param views of which each has a part of the page */
export function html(views: readonly View[]): string {
  const title = titleOfViews(views);
  const kinds = [...new Set(views.map(({ kind }) => kind))];
  const kind = kinds.length === 1 ? (kinds[0] ?? "") : "";
  const labels = numberDuplicates(views.map((view) => bareText(titleText(view))));
  const isOne = views.length === 1;
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml([...(kind === "" ? [] : [kind]), bareText(title)].join(" · "))}</title>`,
    `<style>${STYLE}</style>`,
    "<body><header>",
    ...(kind === "" ? [] : [`<p class="kind">${escapeHtml(kind)}`]),
    `<h1>${inline(title)}</h1>`,
    ...(isOne ? views.map(leadHtml) : []),
    "</header>",
    '<search><form hidden><label>Find a user or an object <input type="search" autocomplete="off" spellcheck="false"></label> <output></output></form></search>',
    `<main>${isOne ? "" : contentsHtml(views)}`,
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
const MOST_TITLES = 3;

function titleOfViews(views: readonly View[]): Text {
  const titles = views.slice(0, MOST_TITLES).map(titleText);
  const more = views.length - titles.length;
  return [
    ...joinTexts(titles, ", "),
    ...(more > 0 ? [word(` and ${more} more`)] : []),
    ...(views.length === 0 ? [word("Nothing to show")] : []),
  ];
}

/** The title of a view; an ellipsis if it has no visible characters. */
function titleText({ title }: View): Text {
  return bareText(title).trim() === "" ? [name("…")] : title;
}

function contentsHtml(views: readonly View[]): string {
  const items = views.map(
    (view, index) => `<li><a href="#v${index}">${inline(titleText(view))}</a> ${inline(view.summary)}`,
  );
  return `<nav class="contents" aria-label="Contents"><ul>${items.join("")}</ul></nav>`;
}

/** Titles, with a number after repeated ones: screen readers distinguish the parts of the page by them. */
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
  const { findings, sections } = view;
  const place = { level: isOne ? 2 : 3, prefix: isOne ? "" : `v${index}-`, title: label };
  const errors = findings.filter(isError);
  const warnings = findings.filter((one) => !isError(one) && !isRemark(one));
  // Access comes before sections that need no action.
  const first = sections.findIndex(({ id }) => !READ_BEFORE_REMARKS.has(id));
  const cut = first < 0 ? sections.length : first;
  return [
    `<article id="v${index}">`,
    ...(isOne ? [] : [`<h2>${inline(titleText(view))}</h2>`, leadHtml(view)]),
    linksHtml(view, place.prefix, label),
    findingsHtml("Errors", errors, place),
    findingsHtml("Warnings", warnings, place),
    ...sections.slice(0, cut).map((section) => sectionHtml(section, place)),
    findingsHtml("Remarks", findings.filter(isRemark), place),
    ...sections.slice(cut).map((section) => sectionHtml(section, place)),
    "</article>",
  ].join("\n");
}

/** The service, the time, and the sentence that matters. */
function leadHtml({ lines, madeAt, notice, alert, summary }: View): string {
  const facts = [...lines.map(inline), ...(madeAt === undefined ? [] : [timeHtml(madeAt)])];
  return [
    `<div class="meta">${facts.map((fact) => `<p>${fact}`).join("")}</div>`,
    ...(notice === undefined ? [] : [`<p class="notice">${inline(notice)}`]),
    `<div class="lead">${alert.length === 0 ? "" : `<p class="alert">${inline(alert)}`}`,
    `<p class="summary">${inline(summary)}</div>`,
  ].join("\n");
}

const READ_BEFORE_REMARKS: ReadonlySet<string> = new Set(["access", "approval"]);

/** `2026-03-01 12:00 UTC`; a time of another form stays as it is. */
function timeHtml(iso: string): string {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*Z$/.exec(iso) ?? [];
  return day === undefined
    ? escapeHtml(iso)
    : `<time datetime="${escapeHtml(iso)}">${day} ${minute} UTC</time>`;
}

/** Links to the sections of a view, each with its count. */
function linksHtml({ sections, findings }: View, prefix: string, label: string): string {
  const link = (id: string, title: string, count: number) =>
    `<li><a href="#${escapeHtml(prefix + id)}">${escapeHtml(title)} <small>${count}</small></a>`;
  const remarks = findings.filter(isRemark).length;
  const errors = findings.filter(isError).length;
  const warnings = findings.length - errors - remarks;
  const links = [
    ...(errors > 0 ? [link("errors", "Errors", errors)] : []),
    ...(warnings > 0 ? [link("warnings", "Warnings", warnings)] : []),
    ...sections.map((section) => link(section.id, section.title, sectionCount(section))),
    ...(remarks > 0 ? [link("remarks", "Remarks", remarks)] : []),
  ];
  return links.length < 2
    ? ""
    : `<nav class="links" aria-label="${escapeHtml(`Sections of ${label}`)}"><ul>${links.join("")}</ul></nav>`;
}
