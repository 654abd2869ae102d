/** What the user sees: data on stdout, all else on stderr, colours where they can be seen. */
import { paint, type Paint } from "../../render/text";
import type { Io, Sink } from "../io";

export interface Screen {
  /** Prints data. */
  print(text: string): void;
  /** Prints anything else. */
  tell(text: string): void;
  /** Prints one of many such lines: where nobody watches, those that come close together are written at once, before anything else is. */
  tellSoon(text: string): void;
  /** Shows what is being done, until something else is shown; on a terminal in place, elsewhere as a line. */
  progress(text: string): void;
  /** Whether progress is shown in place. */
  readonly live: boolean;
  /** Colours for stdout, and for stderr. */
  readonly data: Paint;
  readonly talk: Paint;
}

const NARROW = 80;

/** How long a line waits for others, in milliseconds. */
const SOON_MS = 50;

export function screenOf(io: Io, colours: boolean): Screen {
  let pending = 0;
  const live = io.stderr.isTTY === true;
  let waiting = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    waiting = "";
    if (text !== "") io.stderr.write(text);
  };
  const clear = (): void => {
    flush();
    if (pending > 0) io.stderr.write(`\r${" ".repeat(pending)}\r`);
    pending = 0;
  };
  const tell = (text: string): void => {
    clear();
    io.stderr.write(`${text}\n`);
  };
  return {
    live,
    print(text) {
      clear();
      io.stdout.write(`${text}\n`);
    },
    tell,
    tellSoon(text) {
      if (live) return tell(text);
      waiting += `${text}\n`;
      timer ??= setTimeout(flush, SOON_MS);
    },
    progress(text) {
      clear();
      if (!live) {
        io.stderr.write(`${text}\n`);
        return;
      }
      const line = [...text].slice(0, (io.stderr.columns || NARROW) - 1).join("");
      io.stderr.write(line);
      pending = line.length;
    },
    data: paint(colours && coloured(io.stdout, io)),
    talk: paint(colours && coloured(io.stderr, io)),
  };
}

/** NO_COLOR counts when it is set to anything (no-color.org). */
function coloured(sink: Sink, { environment }: Io): boolean {
  return sink.isTTY === true && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
}
