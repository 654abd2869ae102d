/** Writes to the terminal: data on stdout, everything else on stderr, colours where the terminal shows them. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { type Paint, paint } from "../render/text";
import { EXIT, type Io, type Sink } from "./io";

export interface Terminal {
  readonly io: Io;
  readonly screen: Screen;
}

interface Screen {
  /** Prints data. */
  print(text: string): void;
  /** Prints anything else. */
  tell(text: string): void;
  /** Prints one of many lines. Without a terminal, lines that come close together are written at once, before any other output. */
  tellSoon(text: string): void;
  /** Shows what is being done, until something else is shown; on a terminal in place, elsewhere as a line. */
  progress(text: string): void;
  /** True if progress is shown in place. */
  readonly live: boolean;
  /** Colours for stdout, and for stderr. */
  readonly data: Paint;
  readonly talk: Paint;
}

const NARROW = 80;

/** A line waits for others for this time, in milliseconds. */
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
    data: paint(colours && takesColours(io.stdout, io)),
    talk: paint(colours && takesColours(io.stderr, io)),
  };
}

/** NO_COLOR counts when it is set to anything (no-color.org). */
function takesColours(sink: Sink, { environment }: Io): boolean {
  return sink.isTTY === true && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
}

// Questions to a person at the terminal.

/** True if a person can be asked: there is a terminal to read from, and one that shows the question. */
export function canAsk({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** @returns the answer, trimmed; undefined where there is none: the input ended, or the run was stopped */
export async function ask(question: string, io: Io, signal?: AbortSignal): Promise<string | undefined> {
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      io.stderr.write(chunk.toString());
      done();
    },
  });
  const lines = createInterface({ input: io.stdin, output, terminal: false });
  // If the input ends, the question would never be answered.
  const ended = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  try {
    const answer = lines.question(question, signal === undefined ? {} : { signal }).catch(() => undefined);
    return (await Promise.race([answer, ended]))?.trim();
  } finally {
    lines.close();
  }
}

/** Nothing but "yes" confirms. */
export async function confirm(question: string, io: Io, signal: AbortSignal): Promise<boolean> {
  return (await ask(`${question} Type "yes" to confirm: `, io, signal)) === "yes";
}

// Ctrl-C: the first one lets the work in progress end, the second one ends the process. A closed output counts as the first one.

/** Runs work that can be stopped. */
export async function interruptible<T>(
  { io, screen }: { readonly io: Io; readonly screen: Screen },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stopListening = io.onStop((because) => {
    if (because === "unread") {
      if (!controller.signal.aborted)
        screen.tell(
          "Stopping: nobody reads the output any more. What is under way is finished, nothing new is started.",
        );
      controller.abort();
      return;
    }
    if (controller.signal.aborted) {
      screen.tell("Left while work was under way: the next plan shows what was done.");
      io.exit(EXIT.stopped);
      return;
    }
    screen.tell(
      "Stopping: what is under way is finished, nothing new is started. Interrupt again to leave at once.",
    );
    controller.abort();
  });
  try {
    return await work(controller.signal);
  } finally {
    stopListening();
  }
}
