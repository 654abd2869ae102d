/** What a failed app printed, as its author needs it: where in his own code, in place of a stack trace through libraries. */
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** As much of it is shown. */
const MOST_LINES = 25;

const FRAME = /^\s+at (?:.*\()?(?<location>[^()]+?)\)?(?: \{)?$/;
const MARKER = /^\s*\^+\s*$/;

/** What npm and Node print around what an app says. */
const NOISE = /^(?:npm (?:warn|notice|error|ERR!)\b|Node\.js v\d)/i;

/** The line of the project's own code that a stack trace leads to; undefined where it leads to none. */
export function ownPlaceIn(stack: string, folder: string): string | undefined {
  for (const line of stack.split("\n")) {
    const location = FRAME.exec(line)?.groups?.["location"];
    const own = location === undefined ? undefined : withinProject(location, folder);
    if (own !== undefined) return own;
  }
  return undefined;
}

/** @param folder the project's; where something failed is told relative to it */
export function appOutput(printed: string, folder: string): string {
  const lines: string[] = [];
  let isTold = false;
  for (const line of withoutSourceOfLibraries(printed.trim().split("\n"))) {
    const location = FRAME.exec(line)?.groups?.["location"];
    if (location === undefined) {
      lines.push(line);
      isTold = false;
      continue;
    }
    const own = isTold ? undefined : withinProject(location, folder);
    if (own !== undefined) {
      lines.push(`in ${own}`);
      isTold = true;
    }
    // Node opens the members of an error behind its last frame.
    if (line.endsWith(" {")) lines.push("{");
  }
  const told = lines.filter((line) => !NOISE.test(line));
  return told.slice(-MOST_LINES).join("\n").trim();
}

/** Node prints the line of code that threw; of a library's nobody learns anything. */
function withoutSourceOfLibraries(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (MARKER.test(lines[at + 2] ?? "") && isLibrary(line)) at += 2;
    else kept.push(line);
  }
  return kept;
}

function withinProject(location: string, folder: string): string | undefined {
  if (isLibrary(location)) return undefined;
  const file = location.startsWith("file:") ? pathOf(location) : location;
  if (file === undefined || !isAbsolute(file)) return undefined;
  const path = relative(folder, file);
  return path.startsWith("..") || isAbsolute(path) ? undefined : path;
}

function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

function isLibrary(location: string): boolean {
  return (
    location.startsWith("node:") ||
    location.split(/[\\/]/).includes("node_modules") ||
    !/[\\/]/.test(location)
  );
}
