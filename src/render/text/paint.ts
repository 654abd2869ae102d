/** Fits text to where it is read: colours it, and breaks its lines. */
import { createColors } from "picocolors";
import { fitted } from "./layout";

export type Painter = (text: string) => string;

/** Colours by their meaning; the terminal's own theme says how they look. */
export interface Paint {
  readonly bold: Painter;
  readonly faint: Painter;
  readonly added: Painter;
  readonly changed: Painter;
  /** Also for failures. */
  readonly removed: Painter;
  readonly warned: Painter;
  /** Breaks lines that are wider than the terminal, between words. */
  readonly fit: Painter;
  /** Columns of the terminal; as many as are needed elsewhere. */
  readonly columns: number;
}

/**
 * @param colours whether the text goes where colours can be seen
 * @param width columns of the terminal. @default the text goes to none
 */
export function paint(colours: boolean, width = 0): Paint {
  const { bold, dim, green, yellow, red } = createColors(colours);
  const columns = width || Infinity;
  const fit: Painter = (text) => (columns === Infinity ? text : fitted(text, columns));
  return { bold, faint: dim, added: green, changed: yellow, removed: red, warned: yellow, fit, columns };
}

export const plain: Paint = paint(false);
