/** Writes the sections of a view: rows by their form, and findings. */
import { type Diagnostic, isError } from "../../problems";
import {
  type Fact,
  findingPlace,
  type Gauge,
  joinTexts,
  membersText,
  type Row,
  type Section,
  sentence,
} from "../view";
import { chunkIntoContainers, escapeHtml, inline } from "./inline";
import { matrixHtml, symbolHtml } from "./matrix";

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
  const body =
    matrix === undefined ? rowsHtml(section, rows, place) : matrixHtml(matrix, `${title} of ${place.title}`);
  const more = section.omittedCount === 0 ? "" : `<p class="left">… ${section.omittedCount} more`;
  const isAside = rows.every(({ weight }) => weight === "aside") && rows.length > 0;
  return sectionOf(id, title, countOf(rows) + section.omittedCount, body + more, isAside, place);
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

function countOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

function rowsHtml(section: Section, rows: readonly Row[], place: SectionPlace): string {
  switch (section.form) {
    case "objects":
      return chunkIntoContainers(rows.map((row) => objectHtml(row, rows.length <= FEW)));
    case "facts":
      return chunkIntoContainers(rows.map((row) => objectHtml(row, true)));
    case "rows":
    case "names":
      return list(rows.map((row) => `<li class="s">${symbolHtml(row.action)}${headHtml(row)}`));
    case "values":
      return list(rows.map(({ name, about }) => `<li class="s">${inline(name)} = ${inline(about)}`));
    case "table":
      return tableHtml(section, rows, place);
  }
}

function list(items: readonly string[]): string {
  return chunkIntoContainers(items, (content) => `<ul>${content}</ul>`);
}

function headHtml({ name, about, members }: Row): string {
  const beside = members === undefined ? about : membersText(members);
  return `${inline(name)}${beside.length === 0 ? "" : ` <span class="about">${inline(beside)}</span>`}`;
}

/** An object, and below it what is said of it. A delete is shown in full without a click, as nothing hides it. */
function objectHtml(row: Row, isOpen: boolean): string {
  const { action, facts, notes } = row;
  const css = `s object${action === undefined ? "" : ` ${action}`}`;
  const head = `${symbolHtml(action)}${headHtml(row)}`;
  if (facts.length + notes.length === 0) return `<div class="${css}">${head}</div>`;
  const below = [...factList(facts), ...notes.map((note) => `<p class="note">${inline(note)}`)];
  return `<details class="${css}"${isOpen ? " open" : ""}><summary>${head}</summary>${below.join("")}</details>`;
}

function factList(facts: readonly Fact[]): readonly string[] {
  if (facts.length === 0) return [];
  const rows = facts.map(
    ({ label, items }) => `<div><dt>${inline([label])}</dt><dd>${inline(joinTexts(items, ", "))}</dd></div>`,
  );
  return [`<dl>${rows.join("")}</dl>`];
}

// Tables.

function tableHtml({ columns = [], title }: Section, rows: readonly Row[], place: SectionPlace): string {
  const hasGauges = rows.some(({ gauge }) => gauge !== undefined);
  // Bars of one quota have one scale, so that accounts can be compared.
  const scales = new Map<string, number>();
  for (const row of rows) {
    const { limit, before, used } = row.gauge ?? {};
    const kind = kindOf(row);
    scales.set(kind, Math.max(scales.get(kind) ?? 0, limit ?? 0, before ?? 0, used ?? 0));
  }
  const heads = [...columns, ...(hasGauges ? ["bar"] : [])].map(
    (one) => `<th scope="col">${escapeHtml(one)}`,
  );
  const lines = rows.map((row) => {
    const cells = (row.cells ?? []).map((cell) => `<td>${inline(cell)}`);
    const bar = hasGauges ? `<td>${barHtml(row.gauge, scales.get(kindOf(row)) ?? 0)}` : "";
    return `<tr class="s"><th scope="row">${symbolHtml(row.action)}${inline(row.name)}${cells.join("")}${bar}`;
  });
  const tables = chunkIntoContainers(
    lines,
    (content) => `<table><thead><tr>${heads.join("")}</thead><tbody>\n${content}</tbody></table>`,
  );
  const label = escapeHtml(`${title} of ${place.title}`);
  return `<div class="table" tabindex="0" role="region" aria-label="${label}">${tables}</div>`;
}

function kindOf({ cells: [kind] = [] }: Row): string {
  return JSON.stringify(kind ?? []);
}

const BAR = { width: 200, height: 14 } as const;

/** The limit, the limit before, and the usage on one scale. The cells beside it say the same in words. */
function barHtml(gauge: Gauge | undefined, scale: number): string {
  if (gauge === undefined) return "";
  const { limit, before, used } = gauge;
  const share = (part: number) => Math.round((Math.max(0, part) / (scale === 0 ? 1 : scale)) * BAR.width);
  const rect = (css: string, part: number | null | undefined, y: number, height: number) =>
    part === undefined
      ? ""
      : `<rect class="${css}" y="${y}" width="${part === null ? BAR.width : share(part)}" height="${height}"/>`;
  const isOver = used !== undefined && limit !== undefined && limit !== null && used > limit;
  return `<svg class="bar" width="${BAR.width}" height="${BAR.height}" aria-hidden="true"><rect class="track" width="${BAR.width}" height="${BAR.height}"/>${rect(limit === null ? "limit none" : "limit", limit, 0, 10)}${rect("before", before, 11, 3)}${rect(isOver ? "used over" : "used", used, 2, 6)}</svg>`;
}

// Errors and warnings.

export function findingsHtml(findings: readonly Diagnostic[], place: SectionPlace): string {
  const errors = findings.filter(isError);
  const warnings = findings.filter((one) => !isError(one));
  return [
    findingSection("errors", "Errors", errors, place),
    findingSection("warnings", "Warnings", warnings, place),
  ].join("");
}

function findingSection(
  id: string,
  title: string,
  findings: readonly Diagnostic[],
  place: SectionPlace,
): string {
  if (findings.length === 0) return "";
  return sectionOf(id, title, findings.length, chunkIntoContainers(findings.map(findingHtml)), false, place);
}

function findingHtml(finding: Diagnostic): string {
  const { severity, code, summary, detail, advice } = finding;
  const place = findingPlace(finding);
  const lines = [detail ?? "", advice ?? ""]
    .flatMap((text) => text.split(/\r?\n/))
    .filter((line) => line.trim() !== "");
  return [
    `<div class="s finding ${severity}"><p><strong>${escapeHtml(code)}</strong>`,
    place.length === 0 ? "" : ` at ${inline(place)}`,
    `<p>${inline([sentence(summary)])}`,
    ...lines.map((line) => `<p class="line"><bdi>${escapeHtml(line)}</bdi>`),
    "</div>",
  ].join("");
}
