/** What a failed app printed, as its author needs it: where in his own code, in place of a stack trace through libraries. */
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** As much of it is shown. */
const MOST_LINES = 25;

const FRAME = /^\s+at (?:.*\()?(?<location>[^()]+?)\)?(?: \{)?$/;
const MARKER = /^\s*\^+\s*$/;

/** @param folder the project's; where something failed is told relative to it */
export function appOutput(printed: string, folder: string): string {
  const lines: string[] = [];
  let told = false;
  for (const line of withoutSourceOfLibraries(printed.trim().split("\n"))) {
    const location = FRAME.exec(line)?.groups?.["location"];
    if (location === undefined) {
      lines.push(line);
      told = false;
      continue;
    }
    const own = told ? undefined : withinProject(location, folder);
    if (own !== undefined) {
      lines.push(`in ${own}`);
      told = true;
    }
    // Node opens the members of an error behind its last frame.
    if (line.endsWith(" {")) lines.push("{");
  }
  return lines.slice(-MOST_LINES).join("\n").replace(/^\n+/, "");
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
