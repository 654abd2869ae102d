/**
 * Output that a pipeline's host reads. Hosts read some lines of a log as commands, and names of tenants may contain such lines. So commands are
 * switched off around the output. Text that could switch them on again, or hide other lines, is escaped.
 */
import { randomBytes } from "node:crypto";
import type { Environment } from "../lib/values";

interface TextSink {
  write(text: string): unknown;
}

/** @param text whole lines */
export function withoutHostCommands(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- the characters that hide or overwrite text in a log
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g, escaped)
      // The runner drops leading blanks before it looks for `::`, and finds the older form anywhere.
      .replace(/^([^\S\n]*):(?=:)/gm, "$1\\:")
      .replace(/##(?=\w*\[)/g, "#\\#")
      .replace(/section_(?=start:|end:)/g, "section\\_")
  );
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return character === "\r" ? "\\r" : `\\x${code.toString(16).padStart(2, "0")}`;
}

/**
 * Runs work whose output goes to one sink, guardedSink: two streams would reach the host in any order.
 * @param work gets the sink to write to
 */
export async function withGuardedOutput<T>(
  sink: TextSink,
  environment: Environment,
  work: (guardedSink: TextSink) => Promise<T>,
): Promise<T> {
  let unended = "";
  const guardedSink: TextSink = {
    write(text) {
      const end = text.lastIndexOf("\n") + 1;
      if (end > 0) sink.write(withoutHostCommands(unended + text.slice(0, end)));
      unended = end > 0 ? text.slice(end) : unended + text;
    },
  };
  const isGithub = environment["GITHUB_ACTIONS"] === "true";
  // 128 random bits, so the line that ends the guard cannot be guessed.
  const mark = randomBytes(16).toString("hex");
  if (isGithub) sink.write(`::stop-commands::${mark}\n`);
  try {
    return await work(guardedSink);
  } finally {
    if (unended !== "") guardedSink.write("\n");
    if (isGithub) sink.write(`::${mark}::\n`);
  }
}
