/**
 * Writes the pieces of a view as HTML. Every text goes through `escaped`, so that no name or value is ever markup, script or style, and each name is
 * isolated from what stands around it, so that one in a script that runs from right to left turns nothing around.
 */
import { htmlEscaped, escapeUnseen } from "../../lib/values";
import type { Piece, Text } from "../view";

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
      return `<bdi>${escapeHtml(text)}</bdi>`;
    case "mark":
      return `<strong class="mark">${escapeHtml(text)}</strong>`;
  }
}

/** Elements per box. The browser lays out only the boxes that are in sight. */
export const PER_BOX = 100;

/**
 * Elements in boxes of which those that are out of sight cost nothing.
 * @param wrap what stands around the elements inside of their box
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
