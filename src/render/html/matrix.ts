/** Writes a matrix of people and rights as tables with a column for each right, in a box that scrolls by itself. */
import type { Action } from "../../plan";
import { type CellState, type Column, type Matrix, type MatrixRow, SYMBOLS } from "../view";
import { chunkIntoContainers, escapeHtml, inline, PER_BOX } from "./inline";

/** The symbol of a cell, and its meaning. */
const CELLS: Readonly<Record<CellState, readonly [symbol: string, meaning: string]>> = {
  gains: ["+", "gains"],
  default: ["⊕", "gains by the service's default"],
  loses: ["−", "loses"],
  holds: ["•", "has"],
  unknown: ["?", "known after apply"],
};

const MARKS: Readonly<Record<string, string>> = { destructive: "▲", privileged: "◆" };

/** @param label what the box is called, for those who hear the page */
export function matrixHtml({ columns, rows }: Matrix, label: string): string {
  const hasFacts = rows.some(({ facts }) => facts.length > 0);
  const frame = frameOf(columns, hasFacts);
  const isLong = rows.length > PER_BOX;
  return [
    legend(columns, rows),
    `<div class="matrix${isLong ? " long" : ""}" tabindex="0" role="region" aria-label="${escapeHtml(label)}">`,
    // One head that stays in sight for all tables. Each has its own besides, for those who hear it and for print.
    ...(isLong ? [`<table class="sticky" aria-hidden="true">${frame}</table>`] : []),
    chunkIntoContainers(
      rows.map((row) => rowHtml(row, columns, hasFacts)),
      (content) => `<table>${frame}<tbody>\n${content}</tbody></table>`,
    ),
    "</div>",
  ].join("\n");
}

/** Columns and head, without rows. */
function frameOf(columns: readonly Column[], hasFacts: boolean): string {
  const cols = groupSizes(columns).map(
    (size, index) => `<col span="${size}"${index % 2 === 1 ? ' class="odd"' : ""}>`,
  );
  const heads = columns.map(({ name, marks }) => {
    const symbols = marks.map(
      (mark) =>
        ` <span class="mark" aria-hidden="true">${MARKS[mark] ?? ""}</span><span class="heard">, ${escapeHtml(mark)}</span>`,
    );
    return `<th scope="col"${marks.length > 0 ? ' class="danger"' : ""}><div>${inline([name])}${symbols.join("")}</div>`;
  });
  const [col, head] = hasFacts
    ? ['<col class="what">', '<th scope="col" class="what">other access']
    : ["", ""];
  return [
    `<colgroup><col class="who">${col}${cols.join("")}</colgroup>`,
    `<thead><tr><th scope="col" class="who">who${head}${heads.join("")}</thead>`,
  ].join("");
}

/** Number of columns that stand side by side, for each group. */
function groupSizes(columns: readonly Column[]): readonly number[] {
  const sizes: number[] = [];
  for (const [index, { group }] of columns.entries()) {
    if (columns[index - 1]?.group === group) sizes.push((sizes.pop() ?? 0) + 1);
    else sizes.push(1);
  }
  return sizes;
}

/** Words in front of facts that have a colour. */
const EFFECTS: ReadonlySet<string> = new Set(["grants", "changes", "removes", "unknown"]);

/** End tags that HTML does not need are left out: with thousands of people they are a third of the page. */
function rowHtml(row: MatrixRow, columns: readonly Column[], hasFacts: boolean): string {
  const { action, facts } = row;
  const besides = facts.map(
    ({ label, items }) =>
      `<div><span class="label${EFFECTS.has(label.text) ? ` ${label.text}` : ""}">${inline([label])}</span> ${items.map(inline).join(", ")}</div>`,
  );
  const css = `s${action === undefined ? "" : ` ${action}`}`;
  const what = hasFacts ? `<td class="what">${besides.join("")}` : "";
  return `<tr class="${css}"><th scope="row" class="who">${whoHtml(row)}${what}${cellsHtml(row, columns)}`;
}

function whoHtml({ who, about, action }: MatrixRow): string {
  const [first = []] = who;
  const rights = about.length === 0 ? "" : `<small>${inline(about)}</small>`;
  if (who.length === 1) return `${symbolHtml(action)}${inline(first)}${rights}`;
  const names = who.map((one) => `<li class="s">${inline(one)}`);
  return `<details><summary>${symbolHtml(action)}${who.length} alike: ${inline(first)}, …${rights}</summary>${chunkIntoContainers(names, (content) => `<ul tabindex="0">${content}</ul>`)}</details>`;
}

/** The action as a symbol, and as a word for screen readers. */
export function symbolHtml(action: Action | undefined): string {
  if (action === undefined) return "";
  return `<span class="symbol ${action}" aria-hidden="true">${escapeHtml(SYMBOLS[action])}</span><span class="heard">${action === "none" ? "unchanged" : action} </span>`;
}

/** Empty cells side by side are one, within their group. */
function cellsHtml({ cells }: MatrixRow, columns: readonly Column[]): string {
  let html = "";
  for (let index = 0; index < columns.length;) {
    const state = cells[index];
    const column = columns[index];
    let end = index + 1;
    if (state === undefined) {
      while (end < columns.length && cells[end] === undefined && columns[end]?.group === column?.group) end++;
      html += end === index + 1 ? "<td>" : `<td colspan=${end - index}>`;
    } else {
      const isDanger = column !== undefined && column.marks.length > 0 && state !== "holds";
      html += `<td class="${state[0] ?? ""}${isDanger ? " x" : ""}">${CELLS[state][0]}`;
    }
    index = end;
  }
  return html;
}

/** Explains the symbols that occur. */
function legend(columns: readonly Column[], rows: readonly MatrixRow[]): string {
  const occurring = new Set(rows.flatMap(({ cells }) => cells));
  const states = (Object.keys(CELLS) as CellState[]).filter((state) => occurring.has(state));
  // Before and after what is done to somebody; in an access review nothing is.
  const isChange = rows.some(({ action }) => action !== undefined);
  const meaning = (state: CellState) =>
    `${CELLS[state][1]}${state === "holds" && isChange ? ", before and after" : ""}`;
  const marks = Object.keys(MARKS).filter((mark) => columns.some((column) => column.marks.includes(mark)));
  const words = [
    ...states.map(
      (state) => `<span class="key ${state[0] ?? ""}">${CELLS[state][0]}</span> ${meaning(state)}`,
    ),
    ...marks.map((mark) => `<span class="mark">${MARKS[mark] ?? ""}</span> ${mark} right`),
  ];
  return `<p class="legend">${words.join(" · ")}</p>`;
}
