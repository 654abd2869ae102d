/** Writes the sections of a view: rows by their form, and findings. */
import type { Diagnostic } from "../../problems";
import { type Fact, findingPlace, joinTexts, type Row, type Section, sentence } from "../view";
import { cardsHtml } from "./cards";
import {
  actionHtml,
  chunkIntoContainers,
  escapeHtml,
  headHtml,
  inline,
  namesHtml,
  sentenceHtml,
} from "./inline";
import { quotasHtml } from "./quotas";

export interface SectionPlace {
  /** Level of the headings. */
  readonly level: number;
  /** Prefix of the ids. */
  readonly prefix: string;
  /** The view that they belong to, in words. */
  readonly title: string;
}

/** Longer sections have their objects folded. */
const FEW = 25;

export function sectionHtml(section: Section, place: SectionPlace): string {
  const rows = section.groups.flat();
  const { title, id, matrix } = section;
  const { headings } = section;
  const body =
    headings !== undefined
      ? severitiesHtml(section.groups, headings, place.level)
      : matrix === undefined
        ? rowsHtml(section, rows, place)
        : cardsHtml(matrix, `${title} of ${place.title}`);
  const more = section.omittedCount === 0 ? "" : `<p class="left">… ${section.omittedCount} more`;
  const isAside = rows.every(({ weight }) => weight === "aside") && rows.length > 0 && id !== "quotas";
  return sectionOf(id, title, sectionCount(section), body + more, isAside, place);
}

/** Number of objects or people that a section is about. */
export function sectionCount({ groups, omittedCount }: Section): number {
  return groups.flat().reduce((sum, { count }) => sum + count, 0) + omittedCount;
}

function sectionOf(
  id: string,
  title: string,
  count: number,
  body: string,
  isFolded: boolean,
  { level, prefix }: SectionPlace,
): string {
  const heading = `<h${level}>${escapeHtml(title)} <small>${count}</small></h${level}>`;
  const content = isFolded
    ? `<details class="fold"><summary>${heading}</summary>${body}</details>`
    : `${heading}\n${body}`;
  return `<section id="${escapeHtml(prefix + id)}">${content}</section>`;
}

function rowsHtml(section: Section, rows: readonly Row[], place: SectionPlace): string {
  switch (section.form) {
    case "objects":
      return panel(rows.map((row) => objectHtml(row, rows.length <= FEW)));
    case "facts":
      return panel(rows.map((row) => objectHtml(row, true)));
    case "rows":
    case "names":
      return listPanel(
        rows.map((row) => `<li class="s row">${actionHtml(row.action)}${headHtml(row)}`),
        rows.length > FEW,
      );
    case "values":
      return listPanel(rows.map(({ name, about }) => `<li class="s row">${inline(name)} = ${inline(about)}`));
    case "table":
      return rows.some(({ gauge }) => gauge !== undefined)
        ? listPanel(quotasHtml(rows))
        : tableHtml(section, rows, place);
  }
}

function panel(items: readonly string[]): string {
  return `<div class="panel">${chunkIntoContainers(items)}</div>`;
}

/** @param isLong true if rows may be side by side on a wide page */
function listPanel(items: readonly string[], isLong = false): string {
  return `<div class="panel${isLong ? " many" : ""}">${chunkIntoContainers(items, (content) => `<ul>${content}</ul>`)}</div>`;
}

/** An object with its remarks below it. A delete is always shown in full. */
function objectHtml(row: Row, isOpen: boolean): string {
  const { action, facts, notes, members } = row;
  const css = `s object row${action === undefined ? "" : ` ${action}`}`;
  const head = `${actionHtml(action)}${headHtml(row)}`;
  const below = [...factList(facts), ...notes.map((note) => `<p class="note">${inline(note)}`)].join("");
  // The names of a group open separately, so its facts are outside of them.
  if (below === "" || members !== undefined)
    return `<div class="${css}"><div class="head">${head}</div>${below}</div>`;
  return `<details class="${css}"${isOpen ? " open" : ""}><summary>${head}</summary>${below}</details>`;
}

function factList(facts: readonly Fact[]): readonly string[] {
  if (facts.length === 0) return [];
  const rows = facts.map(({ label, items, rest = [] }) => {
    // The last item counts the rest. Here the rest opens in its place.
    const shownItems = rest.length === 0 ? items : items.slice(0, -1);
    const others = rest.length === 0 ? "" : ` ${namesHtml(`${rest.length} more`, rest)}`;
    return `<div><dt>${inline([label])}</dt><dd>${inline(joinTexts(shownItems, ", "))}${others}</dd></div>`;
  });
  return [`<dl>${rows.join("")}</dl>`];
}

function tableHtml({ columns = [], title }: Section, rows: readonly Row[], place: SectionPlace): string {
  const heads = columns.map((one) => `<th scope="col">${escapeHtml(one)}`);
  const lines = rows.map((row) => {
    const cells = (row.cells ?? []).map((cell) => `<td>${inline(cell)}`);
    return `<tr class="s"><th scope="row">${actionHtml(row.action)}${inline(row.name)}${cells.join("")}`;
  });
  const tables = chunkIntoContainers(
    lines,
    (content) => `<table><thead><tr>${heads.join("")}</thead><tbody>\n${content}</tbody></table>`,
  );
  const label = escapeHtml(`${title} of ${place.title}`);
  return `<div class="scroll" tabindex="0" role="region" aria-label="${label}">${tables}</div>`;
}

// Findings of a report, and errors and warnings.

/** Shapes by severity, so color is not the only sign. */
const SEVERITY_SIGNS = { high: "●", medium: "◐", low: "○" } as const;

/** Groups below how severe they are, the severest first. A long group is closed. */
function severitiesHtml(
  groups: Section["groups"],
  headings: NonNullable<Section["headings"]>,
  level: number,
): string {
  return (Object.keys(SEVERITY_SIGNS) as (keyof typeof SEVERITY_SIGNS)[])
    .map((severity) => {
      const kinds = groups.flatMap((rows, index) => {
        const heading = headings[index];
        return heading?.severity === severity ? [{ rows, title: heading.title }] : [];
      });
      if (kinds.length === 0) return "";
      const count = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + row.count, 0);
      const parts = kinds.map(({ rows, title }) => {
        const isOpen = severity !== "low" && rows.length <= FEW;
        return `<details class="fold topic"${isOpen ? " open" : ""}><summary>${escapeHtml(title.slice(0, 1).toUpperCase() + title.slice(1))} <small>${count(rows)}</small></summary>${panel(rows.map(reportedHtml))}</details>`;
      });
      const total = kinds.reduce((sum, { rows }) => sum + count(rows), 0);
      return `<div class="severity ${severity}"><h${level + 1}>${SEVERITY_SIGNS[severity]} ${severity} <small>${total}</small></h${level + 1}>${parts.join("")}</div>`;
    })
    .join("");
}

/** A finding of a report: its subject, its text, and the advice. */
function reportedHtml(row: Row): string {
  const texts = row.facts.map(({ items }) => `<p>${inline(joinTexts(items, ", "))}`);
  return `<div class="s row reported">${headHtml(row)}${texts.join("")}</div>`;
}

export function findingsHtml(
  title: "Errors" | "Warnings" | "Remarks",
  findings: readonly Diagnostic[],
  place: SectionPlace,
): string {
  if (findings.length === 0) return "";
  return sectionOf(
    title.toLowerCase(),
    title,
    findings.length,
    chunkIntoContainers(findings.map(findingHtml)),
    false,
    place,
  );
}

function findingHtml(finding: Diagnostic): string {
  const { severity, code, summary, detail, advice } = finding;
  const place = findingPlace(finding);
  const lines = [detail ?? "", advice ?? ""]
    .flatMap((text) => text.split(/\r?\n/))
    .filter((line) => line.trim() !== "");
  return [
    `<div class="s finding ${severity}"><p class="says">${inline([sentence(summary)])}`,
    `<p class="place">${escapeHtml(code)}`,
    place.length === 0 ? "" : ` at ${inline(place)}`,
    ...lines.map(
      (line) => `<p class="line">${/^ */.exec(line)?.[0] ?? ""}<bdi>${sentenceHtml(line.trimStart())}</bdi>`,
    ),
    "</div>",
  ].join("");
}
