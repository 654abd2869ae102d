/**
 * Writes the pieces of a view as HTML. Every text goes through `escaped`, so no name or value becomes markup, script or style. Each name is isolated from
 * the text around it, so a name in a right-to-left script does not reverse its neighbors.
 */
import type { Action } from "../../plan";
import { htmlEscaped, escapeUnseen } from "../../lib/values";
import { type Column, type MatrixRow, type Piece, type Row, SYMBOLS, type Text } from "../view";

/** For the content of elements, and for attributes in quotation marks. */
export function escapeHtml(text: string): string {
  return htmlEscaped(escapeUnseen(text));
}

export function inline(text: Text): string {
  return text.map(pieceHtml).join("");
}

function pieceHtml({ kind, text }: Piece): string {
  switch (kind) {
    case "word":
      return escapeHtml(text);
    case "name":
      return `<bdi class="n">${escapeHtml(text)}</bdi>`;
    case "value":
      return `<bdi class="n v">${escapeHtml(text)}</bdi>`;
    case "sentence":
      return `<bdi>${sentenceHtml(text)}</bdi>`;
    case "mark":
      return text
        .replace(/^\(|\)$/g, "")
        .split(", ")
        .map(markHtml)
        .join(" ");
  }
}

/** A constant sentence, with code between backticks. */
export function sentenceHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

/** The shape of each mark of a right, so color is not the only sign. */
export const SHAPES: Readonly<Record<string, string>> = {
  destructive: "▲",
  privileged: "◆",
  "unknown right": "?",
};

/** A mark as a shape and a word. */
function markHtml(mark: string): string {
  const shape = SHAPES[mark];
  return `<strong class="mark">${shape === undefined ? "" : `${shape}&nbsp;`}${escapeHtml(mark)}</strong>`;
}

/** The action on an object as a symbol and a word. */
export function actionHtml(action: Action | undefined): string {
  if (action === undefined) return "";
  const label = action === "none" ? "unchanged" : action;
  return `<span class="action ${action}">${escapeHtml(SYMBOLS[action])} ${label}</span> `;
}

/** Names behind a line that opens: all of them, each found by the search. */
export function namesHtml(title: string, names: readonly Text[]): string {
  const items = names.map((one) => `<li class="s">${inline(one)}`);
  return `<details class="names"><summary>${title}</summary>${chunkIntoContainers(items, (content) => `<ul tabindex="0">${content}</ul>`)}</details>`;
}

/** A row's name, followed by its remark or by all members of the row. */
export function headHtml({ name, about, members }: Pick<Row, "name" | "about" | "members">): string {
  if (members === undefined)
    return `<span class="who">${inline(name)}</span>${about.length === 0 ? "" : ` <span class="about">${inline(about)}</span>`}`;
  const first = inline(members.examples[0] ?? []);
  return `<div class="who">${namesHtml(`${inline(name)}: ${first}, …`, members.all)}</div>`;
}

/** All people of a row of a matrix. */
export function whoHtml({ who }: MatrixRow): string {
  const [first = []] = who;
  if (who.length === 1) return `<span class="who">${inline(first)}</span>`;
  return `<div class="who">${namesHtml(`${who.length} alike: ${inline(first)}, …`, who)}</div>`;
}

/** The name without its group. The API's own names need no isolation: they never reverse their neighbors. */
export function nameInGroup({ name, group }: Column): string {
  const text = group === "" ? name.text : name.text.slice(group.length + 1);
  return /^[\w.]+$/.test(text) ? text : inline([{ ...name, text }]);
}

/** Elements per box. The browser lays out only the boxes that are in sight. */
export const PER_BOX = 100;

/**
 * Elements in boxes. Boxes out of sight cost nothing.
 * @param wrap the markup around the elements inside their box
 */
export function chunkIntoContainers(
  elements: readonly string[],
  wrap = (content: string) => content,
): string {
  const css = elements.length > PER_BOX ? "box lazy" : "box";
  const boxes: string[] = [];
  for (let start = 0; start < elements.length; start += PER_BOX)
    boxes.push(`<div class="${css}">${wrap(elements.slice(start, start + PER_BOX).join("\n"))}</div>`);
  return boxes.join("\n");
}
