/** Writes a matrix of people and rights as tables behind a button: one for each group of rights, with a column for each right, in a box that scrolls by itself. */
import { type CellState, type Column, type Matrix, type MatrixRow } from "../view";
import { chunkIntoContainers, escapeHtml, inline, nameInGroup, PER_BOX, SHAPES, whoHtml } from "./inline";

/** The symbol of a cell, and its meaning. */
const CELLS: Readonly<Record<CellState, readonly [symbol: string, meaning: string]>> = {
  gains: ["+", "gains"],
  default: ["⊕", "gains by the service's default"],
  loses: ["−", "loses"],
  holds: ["•", "has"],
  unknown: ["?", "known after apply"],
};

/**
 * With more people than these, the page has the cells as letters. Its script writes the tables, and the kept rights, when they are opened. In full they
 * would be most of the page.
 */
export const MOST_WRITTEN_OUT = 500;

/** The cells of one person, a letter for each column: `g.h` */
export function cellsText(cells: MatrixRow["cells"]): string {
  return cells.map((state) => state?.[0] ?? ".").join("");
}

/** @param label name of the boxes, for screen readers */
export function matrixHtml({ columns, rows }: Matrix, label: string): string {
  if (columns.length === 0) return "";
  const groups = [...new Set(columns.map(({ group }) => group))].map((group) => {
    const places = [...columns.keys()].filter((index) => columns[index]?.group === group);
    return groupHtml(group, places, { columns, rows }, label);
  });
  return [
    `<details class="matrix"${rows.length > MOST_WRITTEN_OUT ? ` data-columns="${columnsText(columns)}"` : ""}><summary>Matrix of all rights</summary>`,
    ...(rows.length > MOST_WRITTEN_OUT
      ? ["<noscript><p>Of so many people this page writes the matrix with its script.</noscript>"]
      : []),
    legend(columns, rows),
    ...groups,
    "</details>",
  ].join("\n");
}

/** For the script, by column: the group, the name in it, the marks. */
function columnsText(columns: readonly Column[]): string {
  const texts = columns.map(({ name, group, marks }) => [
    group,
    group === "" ? name.text : name.text.slice(group.length + 1),
    ...marks,
  ]);
  return escapeHtml(JSON.stringify(texts));
}

/** Rights of one group, and all people who have, gain or lose one of them. */
function groupHtml(group: string, places: readonly number[], matrix: Matrix, label: string): string {
  const columns = places.flatMap((index) => matrix.columns[index] ?? []);
  const rows = matrix.rows.filter(({ cells }) => places.some((index) => cells[index] !== undefined));
  const isLong = rows.length > PER_BOX;
  const title = `${escapeHtml(group)} <small>${columns.length} ${columns.length === 1 ? "right" : "rights"}, ${rows.length} ${rows.length === 1 ? "row" : "rows"}</small>`;
  const frame = frameOf(columns);
  return [
    `<details class="group"${isLong ? "" : " open"}><summary>${title}</summary>`,
    `<div class="scroll${isLong ? " long" : ""}" tabindex="0" role="region" aria-label="${escapeHtml(`${label}, ${group}`)}">`,
    // One head that stays in sight for all tables. Each table also has its own, for screen readers and print.
    ...(isLong ? [`<table class="sticky" aria-hidden="true">${frame}</table>`] : []),
    ...(matrix.rows.length > MOST_WRITTEN_OUT
      ? [`<table class="unwritten" data-first="${places[0] ?? 0}">${frame}</table>`]
      : [
          chunkIntoContainers(
            rows.map((row) => rowHtml(row, columns, places)),
            (content) => `<table>${frame}<tbody>\n${content}</tbody></table>`,
          ),
        ]),
    "</div></details>",
  ].join("\n");
}

/** Columns and head, without rows. */
function frameOf(columns: readonly Column[]): string {
  const heads = columns.map((column) => {
    const marks = column.marks
      .map((mark) => ` <span>${SHAPES[mark] ?? ""}</span> ${escapeHtml(mark)}`)
      .join("");
    return `<th scope="col"${marks === "" ? "" : ' class="danger"'}><div>${nameInGroup(column)}${marks}</div>`;
  });
  return [
    `<colgroup><col class="who"><col span="${columns.length}"></colgroup>`,
    `<thead><tr><th scope="col">Who${heads.join("")}</thead>`,
  ].join("");
}

/** End tags that HTML does not need are left out: with thousands of people they are a third of the page. */
function rowHtml(row: MatrixRow, columns: readonly Column[], places: readonly number[]): string {
  const { who, cells } = row;
  const [first = []] = who;
  let html = `<tr><th scope=row>${who.length === 1 ? inline(first) : whoHtml(row)}`;
  for (let index = 0; index < places.length;) {
    const state = cells[places[index] ?? 0];
    let end = index + 1;
    if (state === undefined) {
      // Empty cells side by side are one.
      while (end < places.length && cells[places[end] ?? 0] === undefined) end++;
      html += end === index + 1 ? "<td>" : `<td colspan=${end - index}>`;
    } else {
      const isDanger = (columns[index]?.marks.length ?? 0) > 0 && state !== "holds";
      html += `<td class=${state[0] ?? ""}${isDanger ? "x" : ""}>${CELLS[state][0]}`;
    }
    index = end;
  }
  return html;
}

/** Explains the symbols that occur. */
function legend(columns: readonly Column[], rows: readonly MatrixRow[]): string {
  const occurring = new Set(rows.flatMap(({ cells }) => cells));
  const states = (Object.keys(CELLS) as CellState[]).filter((state) => occurring.has(state));
  // Only a plan has actions with cells before and after; an access review has none.
  const isChange = rows.some(({ action }) => action !== undefined);
  const meaning = (state: CellState) =>
    `${CELLS[state][1]}${state === "holds" && isChange ? ", before and after" : ""}`;
  const marks = Object.keys(SHAPES).filter((mark) => columns.some((column) => column.marks.includes(mark)));
  const words = [
    ...states.map(
      (state) =>
        `<span><span class="key ${state[0] ?? ""}">${CELLS[state][0]}</span> ${meaning(state)}</span>`,
    ),
    ...marks.map(
      (mark) =>
        `<span><span class="danger">${SHAPES[mark] ?? ""}</span> ${mark.replace(/ right$/, "")} right</span>`,
    ),
  ];
  return `<p class="legend">${words.join(" ")}`;
}
