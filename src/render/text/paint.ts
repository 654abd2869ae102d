/** Colours text, or leaves it plain. */
import { createColors } from "picocolors";

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
}

/** @param colours whether the text goes where colours can be seen */
export function paint(colours: boolean): Paint {
  const { bold, dim, green, yellow, red } = createColors(colours);
  return { bold, faint: dim, added: green, changed: yellow, removed: red, warned: yellow };
}

export const plain: Paint = paint(false);
