/** Writes to the terminal: data on stdout, everything else on stderr, colours where the terminal shows them. Ends a run, too: by Ctrl-C, and with its folders. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { PlanOptions, ProgressShare } from "../engine";
import { type Paint, paint } from "../render/text";
import { EXIT, type Io, type Sink } from "./io";

export interface Terminal {
  readonly io: Io;
  readonly screen: Screen;
  /** True if alike findings are shown one by one (`--all`). @default false */
  readonly all?: boolean;
  readonly folders: RunFolders;
}

/** Folders that one run alone reads and writes. */
export interface RunFolders {
  /** Makes a folder that no other user can read. */
  make(): string;
  /** Removes all of them: at the end of the run, and before a process ends at once. */
  remove(): void;
}

export function runFolders(): RunFolders {
  const folders: string[] = [];
  const remove = (): void => {
    process.off("exit", remove);
    for (const folder of folders.splice(0)) {
      try {
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      } catch {
        // A program of the app still writes there. The system empties its folder for temporary files.
      }
    }
  };
  return {
    make() {
      if (folders.length === 0) process.once("exit", remove);
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenancy-")));
      folders.push(folder);
      return folder;
    },
    remove,
  };
}

interface Screen {
  /** Prints data. */
  print(text: string): void;
  /** Prints anything else. */
  tell(text: string): void;
  /** Prints one of many lines. Without a terminal, lines that come close together are written at once, before any other output. */
  tellSoon(text: string): void;
  /**
   * Shows what is being done until something else is printed: on a terminal in place, with the time that it has taken; elsewhere as a line, and
   * another one now and then. With a share it also shows how far the work is and about how long it will take.
   */
  readonly progress: (text: string, share?: ProgressShare) => void;
  /** Shows the reason of a wait that takes so many milliseconds. */
  readonly showWait: (reason: string, milliseconds: number) => void;
  /** Ends the display of {@link progress}. */
  rest(): void;
  /** True if progress is shown in place. */
  readonly live: boolean;
  /** Colours for stdout, and for stderr. */
  readonly data: Paint;
  readonly talk: Paint;
}

const NARROW_COLUMNS = 80;

/** A line waits for others for this time, in milliseconds. */
const SHOW_AFTER_MS = 50;

/** Time between two looks at the clock, in milliseconds: on a terminal, and elsewhere. */
const TICK_MS = 1_000;
const LINE_MS = 10_000;

export function screenOf(io: Io, colours: boolean): Screen {
  let pending = 0;
  const live = io.stderr.isTTY === true;
  const talk = paint(colours && takesColours(io.stderr, io), io.stderr.columns);
  let unwritten = "";
  let timer: NodeJS.Timeout | undefined;
  let work: Work | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = unwritten;
    unwritten = "";
    if (text !== "") io.stderr.write(text);
  };
  const clear = (): void => {
    flush();
    if (pending > 0) io.stderr.write(`\r${" ".repeat(pending)}\r`);
    pending = 0;
  };
  const rest = (): void => {
    clear();
    clearInterval(work?.ticker);
    work = undefined;
  };
  const tell = (text: string): void => {
    rest();
    io.stderr.write(`${talk.fit(text)}\n`);
  };
  const showWork = (): void => {
    clear();
    if (work === undefined) return;
    const text = workText(work, performance.now());
    if (!live) {
      io.stderr.write(`${text}\n`);
      return;
    }
    const line = [...text].slice(0, (io.stderr.columns || NARROW_COLUMNS) - 1).join("");
    io.stderr.write(line);
    pending = line.length;
  };
  const currentWork = (): Work =>
    (work ??= {
      text: "",
      waitMs: 0,
      began: performance.now(),
      ticker: setInterval(showWork, live ? TICK_MS : LINE_MS).unref(),
    });
  return {
    live,
    print(text) {
      rest();
      io.stdout.write(`${text}\n`);
    },
    tell,
    tellSoon(text) {
      if (live) {
        clear();
        io.stderr.write(`${talk.fit(text)}\n`);
        return;
      }
      unwritten += `${text}\n`;
      timer ??= setTimeout(flush, SHOW_AFTER_MS);
    },
    progress(text, share) {
      const current = currentWork();
      current.text = text;
      current.share = share;
      if (live) showWork();
      // Away from a terminal, the ticker reports how far counted work is.
      else if (share === undefined) {
        clear();
        io.stderr.write(`${text}\n`);
      }
    },
    showWait(reason, milliseconds) {
      const current = currentWork();
      current.wait = { reason, until: performance.now() + milliseconds };
      current.waitMs += milliseconds;
      showWork();
    },
    rest,
    data: paint(colours && takesColours(io.stdout, io), io.stdout.columns),
    talk,
  };
}

/** Work that is shown while it lasts. */
interface Work {
  text: string;
  share?: ProgressShare | undefined;
  wait?: { readonly reason: string; readonly until: number };
  /** Time of all its waits; an estimate leaves it out. */
  waitMs: number;
  readonly began: number;
  readonly ticker: NodeJS.Timeout;
}

/** An estimate from less time than this would jump. */
const FIRST_ESTIMATE_MS = 2_000;

/** `[1204/2000] 35 s, about 24 s left · creating jane@acme`; during a wait its reason. */
function workText({ text, share, wait, waitMs, began }: Work, now: number): string {
  const elapsed = now - began;
  const reason = wait !== undefined && now < wait.until ? wait.reason : undefined;
  const time = elapsed < TICK_MS ? "" : spanText(elapsed);
  if (share === undefined || share.total === 0)
    return [reason ?? text, time].filter((part) => part !== "").join(" · ");
  const { done: count, total } = share;
  const isEstimated =
    reason === undefined && count > 0 && count < total && elapsed - waitMs >= FIRST_ESTIMATE_MS;
  const estimate = isEstimated
    ? `, about ${spanText(((elapsed - waitMs) / count) * (total - count))} left`
    : "";
  return [`[${count}/${total}] ${time}${estimate}`.trimEnd(), reason ?? text]
    .filter((part) => part !== "")
    .join(" · ");
}

/** `35 s`, `2 min 5 s`, `1 h 4 min`. */
function spanText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** The options of the engine by which it shows what it does. */
export function shownOn({
  progress,
  showWait,
}: Screen): Required<Pick<PlanOptions, "onProgress" | "onWait">> {
  return { onProgress: progress, onWait: showWait };
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

/** @returns the answer, trimmed; undefined if there is none: the input ended, or the run was stopped */
export async function ask(question: string, io: Io, signal?: AbortSignal): Promise<string | undefined> {
  const output = new Writable({
    write(chunk: Buffer, _encoding, whenWritten) {
      io.stderr.write(chunk.toString());
      whenWritten();
    },
  });
  const lines = createInterface({ input: io.stdin, output, terminal: false });
  // If the input ends, the question would never be answered.
  const endOfInput = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  try {
    const answer = lines.question(question, signal === undefined ? {} : { signal }).catch(() => undefined);
    return (await Promise.race([answer, endOfInput]))?.trim();
  } finally {
    lines.close();
  }
}

/** Only "yes" confirms. */
export async function confirm(question: string, io: Io, signal: AbortSignal): Promise<boolean> {
  return (await ask(`${question} Type "yes" to confirm: `, io, signal)) === "yes";
}

// Ctrl-C: the first one lets the work in progress end, the second one ends the process. A closed output counts as the first one.

/** Runs work that can be stopped. */
export async function interruptible<T>(
  { io, screen, folders }: Terminal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stopListening = io.onStop((because) => {
    if (because === "unread") {
      if (!controller.signal.aborted)
        screen.tellSoon(
          "Stopping: the reader of the output has gone. Requests under way are finished, no new ones are sent.",
        );
      controller.abort();
      return;
    }
    if (controller.signal.aborted) {
      screen.tell("Left while work was under way: the next plan shows what was done.");
      folders.remove();
      io.exit(EXIT.stopped);
      return;
    }
    screen.tellSoon(
      "Stopping: requests under way are finished, no new ones are sent. Interrupt again to stop at once.",
    );
    controller.abort();
  });
  try {
    return await work(controller.signal);
  } finally {
    screen.rest();
    folders.remove();
    stopListening();
  }
}
