/** Asks a person at the terminal. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Io } from "../io";

/** Whether there is somebody to ask: a terminal to read from, and one on which the question can be seen. */
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
  // An input that ends leaves a question without an answer: nobody would ever resolve it.
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
