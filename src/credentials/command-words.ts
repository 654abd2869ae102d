import { UnfitHelperCommand } from "../errors";

/**
 * Splits a command as a shell would: at white space, save where quotes or a backslash say otherwise. Nothing is expanded.
 * @throws UnfitHelperCommand where a quote is not closed, or there is no word at all.
 */
export function commandWords(command: string): [program: string, ...args: string[]] {
  const words: string[] = [];
  const form = /\s*((?:[^\s"'\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)(?=\s|$)/gsy;
  let end = 0;
  for (const match of command.matchAll(form)) {
    words.push(unquoted(match[1] ?? ""));
    end = match.index + match[0].length;
  }
  const [program, ...args] = words;
  if (command.slice(end).trim() !== "") throw new UnfitHelperCommand("a quote in it is not closed");
  if (program === undefined) throw new UnfitHelperCommand("it is empty");
  return [program, ...args];
}

function unquoted(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
    (_match, single?: string, double?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? "") : double.replace(/\\(["\\$`])/g, "$1"),
  );
}
