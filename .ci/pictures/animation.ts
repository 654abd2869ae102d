/** An animated picture of a terminal: plain SVG with CSS, without scripts, fonts or other files. */
import { htmlEscaped } from "../../src/lib/values";
import type { Cell, Rows } from "./terminal";

/** One state of the terminal, and the time for which it is shown. */
export interface Frame {
  readonly rows: Rows;
  readonly seconds: number;
}

export interface Look {
  readonly title: string;
  readonly description: string;
  /** Size of the terminal, in characters. */
  readonly columns: number;
  readonly height: number;
}

const CHAR = 8;
const LINE = 18;
const MARGIN = 16;
const BAR = 32;

/** The picture ends with its last frame, which is also all that is shown to readers who want no motion. */
const PLAYS = 3;

/** The colours of GitHub's dark theme: they have enough contrast on its background. */
const STYLE = `text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:#e6edf3}
.bold{font-weight:700}.dim{fill:#9198a1}.red{fill:#ff7b72}.green{fill:#56d364}.yellow{fill:#e3b341}.cyan{fill:#76e3ea}.past{visibility:hidden}`;

/** Draws each row once, and shows it from the frame in which it appears to the one in which it is overwritten. */
export function animation(frames: readonly Frame[], { title, description, columns, height }: Look): string {
  const starts = startsOf(frames);
  const total = starts.at(-1) ?? 0;
  const percent = (frame: number) => `${Number((((starts[frame] ?? 0) / total) * 100).toFixed(2))}%`;
  const groups = [...groupsOf(frames)].map(([span, rows], index) => {
    const [from = 0, to = 0] = span.split("-").map(Number);
    const isLast = to === frames.length;
    const steps = [
      ...(from > 0 ? [`0%{visibility:hidden}`] : []),
      `${percent(from)}{visibility:visible}`,
      ...(isLast ? [] : [`${percent(to)}{visibility:hidden}`]),
    ];
    return {
      rule: `@keyframes g${index}{${steps.join("")}}.g${index}{animation-name:g${index}}`,
      drawing: `<g class="g${index}${isLast ? "" : " past"}">${rows.join("")}</g>`,
    };
  });
  const scrolled = frames.map(({ rows }) => LINE * Math.max(0, rows.length - height));
  const scroll = scrolled.map((pixels, frame) => `${percent(frame)}{transform:translateY(-${pixels}px)}`);
  const width = columns * CHAR + 2 * MARGIN;
  const bottom = BAR + height * LINE + MARGIN;
  const cycle = `animation-duration:${total.toFixed(1)}s;animation-iteration-count:${PLAYS};animation-timing-function:step-end`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${bottom}" viewBox="0 0 ${width} ${bottom}" role="img">
<title>${htmlEscaped(title)}</title>
<desc>${htmlEscaped(description)}</desc>
<style>
${STYLE}
.screen{transform:translateY(-${scrolled.at(-1) ?? 0}px)}
@media (prefers-reduced-motion:no-preference){
.screen,.screen g{${cycle}}
@keyframes scroll{${scroll.join("")}}.screen{animation-name:scroll}
${groups.map(({ rule }) => rule).join("\n")}
}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${bottom - 1}" rx="8" fill="#0d1117" stroke="#3d444d"/>
<g fill="#3d444d"><circle cx="20" cy="16" r="5"/><circle cx="38" cy="16" r="5"/><circle cx="56" cy="16" r="5"/></g>
<svg x="${MARGIN}" y="${BAR}" width="${columns * CHAR}" height="${height * LINE}">
<g class="screen">
${groups.map(({ drawing }) => drawing).join("\n")}
</g>
</svg>
</svg>
`;
}

/** The second at which each frame begins, and the one at which the last frame ends. */
function startsOf(frames: readonly Frame[]): readonly number[] {
  let time = 0;
  return [0, ...frames.map(({ seconds }) => (time += seconds))];
}

/** Drawings of rows by the frames that show them: `from-to`, without the last one. */
function groupsOf(frames: readonly Frame[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  const height = Math.max(...frames.map(({ rows }) => rows.length));
  for (let row = 0; row < height; row++) {
    const drawings = frames.map(({ rows }) => drawnRow(rows[row] ?? [], row));
    for (let from = 0; from < frames.length;) {
      const drawing = drawings[from] ?? "";
      const next = drawings.findIndex((other, frame) => frame > from && other !== drawing);
      const to = next < 0 ? frames.length : next;
      if (drawing !== "") {
        const span = `${from}-${to}`;
        groups.set(span, [...(groups.get(span) ?? []), drawing]);
      }
      from = to;
    }
  }
  return groups;
}

/** Draws each text at its column. `textLength` gives the text the same width in every font, so that columns stay aligned. */
function drawnRow(cells: readonly Cell[], row: number): string {
  return wordsOf(cells)
    .map(({ column, text, style }) => {
      const place = `x="${column * CHAR}" y="${row * LINE + 13}" textLength="${[...text].length * CHAR}"`;
      return `<text ${place}${style === "" ? "" : ` class="${style}"`}>${htmlEscaped(text)}</text>`;
    })
    .join("");
}

/** Parts of one style, without the space of two and more characters that separates columns. */
function wordsOf(
  cells: readonly Cell[],
): readonly { readonly column: number; readonly text: string; readonly style: string }[] {
  const words: { column: number; text: string; style: string }[] = [];
  for (const [column, { char, style }] of cells.entries()) {
    const word = words.at(-1);
    const end = word === undefined ? -1 : word.column + [...word.text].length;
    if (char === " ") continue;
    const gap = column - end;
    if (word !== undefined && word.style === style && gap <= 1) word.text += " ".repeat(gap) + char;
    else words.push({ column, text: char, style });
  }
  return words;
}
