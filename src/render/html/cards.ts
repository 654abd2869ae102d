/** Writes a matrix of people and rights as cards, one for each person: gained, lost and kept rights. */
import type { CellState, Column, Matrix, MatrixRow } from "../view";
import { groupedBy } from "../../lib/values";
import { actionHtml, chunkIntoContainers, escapeHtml, inline, nameInGroup, SHAPES, whoHtml } from "./inline";
import { cellsText, matrixHtml, MOST_WRITTEN_OUT } from "./matrix";

/** @param label name of the matrix, for screen readers */
export function cardsHtml(matrix: Matrix, label: string): string {
  const isLarge = matrix.rows.length > MOST_WRITTEN_OUT;
  const cards = matrix.rows.map((row) => cardHtml(row, matrix.columns, isLarge));
  return [
    chunkIntoContainers(cards, (content) => `<ul class="cards">${content}</ul>`),
    matrixHtml(matrix, label),
  ].join("\n");
}

/** A line of a card: rights in these states, and facts with this label. */
const LINES: readonly (readonly [label: string, css: string, states: readonly CellState[], fact: string])[] =
  [
    ["Gains", "gains", ["gains"], "gains"],
    ["By default", "gains", ["default"], "default"],
    ["Changes", "changes", [], "changes"],
    ["Loses", "loses", ["loses"], "loses"],
    ["Not known", "unknown", ["unknown"], "unknown"],
    ["Keeps", "keeps", ["holds"], "holds"],
  ];
const IN_LINES: ReadonlySet<string> = new Set(LINES.map(([, , , fact]) => fact));

/** End tags that HTML does not need are left out: with thousands of people they are a third of the page. */
function cardHtml(row: MatrixRow, columns: readonly Column[], isLarge: boolean): string {
  const { action, about, cells } = row;
  const isChange = action !== undefined;
  const lines = LINES.map(([label, css, states, word]) => {
    const rights = columns.filter((_column, index) => states.some((state) => state === cells[index]));
    const others = row.facts
      .flatMap(({ label: { text }, items }) => items.map((item) => ({ text, item })))
      .filter(
        ({ text, item }) => (text === "gains" && item.at(-1)?.text === DEFAULT ? "default" : text) === word,
      )
      .map(({ item }) => item.filter(({ text }) => text !== DEFAULT));
    const isKept = css === "keeps";
    const letter = isLarge ? states[0]?.[0] : undefined;
    const [title, style] = isKept && !isChange ? ["Has", "has"] : [label, css];
    return lineHtml(title, style, [
      ...((isKept && isChange) || (css === "loses" && isLarge)
        ? foldedRights(rights, "", letter)
        : rightsHtml(rights, isKept || isLarge ? FEW_CARDS : MOST_UNFOLDED, letter)),
      ...(others.length === 0 ? [] : [`<p>${others.map(inline).join(", ")}`]),
    ]);
  });
  const rest = row.facts
    .filter(({ label }) => !IN_LINES.has(label.text))
    .map(({ label, items }) =>
      lineHtml(label.text, "fact", items.length === 0 ? [] : [items.map(inline).join(", ")]),
    );
  const [change, facts] = [lines.join(""), rest.join("")];
  return [
    `<li class="s card"${isLarge ? ` data-cells="${cellsText(cells)}"` : ""}><div class="head">${whoHtml(row)} ${actionHtml(action)}`,
    about.length === 0 ? "" : `<p class="about">${inline(about)}`,
    "</div>",
    change === "" ? "" : `<dl>${change}</dl>`,
    facts === "" ? "" : `<dl class="facts">${facts}</dl>`,
  ].join("");
}

function lineHtml(label: string, css: string, content: readonly string[]): string {
  return content.length === 0
    ? ""
    : `<div class="${css}"><dt>${escapeHtml(label)}<dd>${content.join("")}</div>`;
}

/** Suffix of the service's default rights. */
const DEFAULT = " (default)";

/** So few rights need no more room than their number. */
const FEW_CARDS = 3;
/** More ordinary rights than these are counted, and shown on demand. Dangerous rights are always shown. */
const MOST_UNFOLDED = 16;

/**
 * Dangerous rights first, below their kind, then a line for each group of the others.
 * @param letter the letter of the rights' cells, if the page's script writes the content on demand. @default it is written here
 */
function rightsHtml(
  rights: readonly Column[],
  mostUnfolded: number,
  letter: string | undefined,
): readonly string[] {
  const ordinary = rights.filter(({ marks }) => marks.length === 0);
  const dangerous = groupedBy(
    rights.filter(({ marks }) => marks.length > 0),
    ({ marks }) => marks.join(", "),
  );
  return [
    ...[...dangerous].map(
      ([text, some]) =>
        `<p class="danger">${inline([{ kind: "mark", text }])} ${rightsLines(some).join("; ")}`,
    ),
    ...(ordinary.length > mostUnfolded
      ? foldedRights(ordinary, ordinary.length < rights.length ? " other" : "", letter, " data-ordinary")
      : rightsLines(ordinary).map((line) => `<p>${line}`)),
  ];
}

/** The number of rights, which opens. Few elements: a large page has as many of these as users. */
function foldedRights(
  rights: readonly Column[],
  other: string,
  letter: string | undefined,
  which = "",
): readonly string[] {
  const lines = () => rightsLines(rights, true).map((line) => `<p>${line}`);
  if (rights.length <= FEW_CARDS) return lines();
  const groups = letter === undefined ? [...groupedBy(rights, ({ group }) => group)] : [];
  const counts = groups.map(([group, { length }]) => `${group} ${length}`);
  const dangers = Object.entries(SHAPES).flatMap(([mark, shape]) => {
    const { length } = rights.filter(({ marks }) => marks.some((one) => one === mark));
    return length === 0 ? [] : [`${shape}&nbsp;${mark} ${length}`];
  });
  const title = `${rights.length}${other} rights`;
  return [
    `<details${letter === undefined ? "" : ` data-rights=${letter}${which}`}><summary>${title} <small>${[...counts.map(escapeHtml), ...dangers].join(", ")}</small></summary>${letter === undefined ? lines().join("") : ""}</details>`,
  ];
}

/**
 * A line for each group, dangerous rights first: `vss format_disks, update_vss`.
 * @param isMarked true if each dangerous right is marked: `▲ format_disks (destructive)`
 */
function rightsLines(rights: readonly Column[], isMarked = false): readonly string[] {
  return [...groupedBy(rights, ({ group }) => group)].map(([group, some]) => {
    const names = [...some]
      .sort((a, b) => b.marks.length - a.marks.length)
      .map((right) => {
        // A long right may be broken behind each of its words.
        const whole = nameInGroup(right);
        const name = whole.includes("<") ? whole : whole.replaceAll("_", "_<wbr>");
        if (!isMarked || right.marks.length === 0) return name;
        return `${right.marks.map((mark) => SHAPES[mark] ?? "").join("")} ${name} (${escapeHtml(right.marks.join(", "))})`;
      });
    // A group is not torn from its first right where the line ends.
    return `<b>${escapeHtml(group)}</b>&nbsp;${names.join(", ")}`;
  });
}
