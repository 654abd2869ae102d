/** A terminal, as far as the command uses one: colours, ends of lines, and a line of progress that is overwritten. */

export interface Cell {
  readonly char: string;
  /** Names of its colour and weight, sorted, such as `bold green`. */
  readonly style: string;
}

/** All that was printed so far, row by row. Rows that have left the screen stay. */
export type Rows = readonly (readonly Cell[])[];

/** Each style by the number that begins it in an escape sequence. `end` is the number that ends it. */
const STYLES: Readonly<Record<string, { readonly end: string; readonly name: string }>> = {
  "1": { end: "22", name: "bold" },
  "2": { end: "22", name: "dim" },
  "31": { end: "39", name: "red" },
  "32": { end: "39", name: "green" },
  "33": { end: "39", name: "yellow" },
  "36": { end: "39", name: "cyan" },
};

const ESCAPE = "\u001b";

/** A change of style, or a character. */
const TOKEN = new RegExp(`${ESCAPE}\\[[\\d;]*m|[^]`, "gu");

export class Terminal {
  readonly #columns: number;
  readonly #rows: Cell[][] = [[]];
  readonly #active = new Set<string>();
  #column = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Its present rows. */
  get rows(): Rows {
    return this.#rows.map((row) => [...row]);
  }

  write(text: string): void {
    for (const [token] of text.matchAll(TOKEN)) {
      if (token === "\n") this.#startRow();
      else if (token === "\r") this.#column = 0;
      else if (token.length > 2) this.#setStyle(token.slice(2, -1));
      else if (token < " ") throw new Error(`The recording knows no ${JSON.stringify(token)}.`);
      else this.#put(token);
    }
  }

  #startRow(): void {
    this.#rows.push([]);
    this.#column = 0;
  }

  #put(char: string): void {
    if (this.#column === this.#columns) this.#startRow();
    const row = this.#rows.at(-1) ?? [];
    row[this.#column] = { char, style: [...this.#active].sort().join(" ") };
    this.#column += 1;
  }

  #setStyle(number: string): void {
    const style = STYLES[number];
    const ended = Object.values(STYLES).filter(({ end }) => end === number);
    if (style === undefined && ended.length === 0) throw new Error(`The recording knows no style ${number}.`);
    for (const { name } of ended) this.#active.delete(name);
    if (style !== undefined) this.#active.add(style.name);
  }
}
