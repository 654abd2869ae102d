/** Counts functions by V8's coverage, from the moment on at which this module is loaded. */
import { Session } from "node:inspector/promises";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCES = resolve(__dirname, "../../../src");

const session = new Session();
session.connect();
const started = Promise.all([
  session.post("Debugger.enable"),
  session.post("Profiler.enable"),
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false }),
]);

/** @returns each function of `src` that ran since the last call, as `FILE:OFFSET`, without those of the simulator and of generated code */
export async function functionsThatRan(): Promise<readonly string[]> {
  await started;
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const ran = new Set<string>();
  for (const { url, scriptId, functions } of result) {
    const file = url.startsWith("file:") ? relative(SOURCES, fileURLToPath(url)) : "..";
    if (/^(\.\.|lib\/simulator\/)|\/generated\//.test(file)) continue;
    const { scriptSource } = await session.post("Debugger.getScriptSource", { scriptId });
    for (const { functionName, ranges } of functions) {
      const [range] = ranges;
      if (range === undefined || range.count === 0 || functionName.startsWith("__")) continue;
      // The file itself, which runs when it is loaded, and the getters of its exports are no step of the way.
      if (range.startOffset === 0 || isGetter(scriptSource.slice(range.startOffset, range.endOffset)))
        continue;
      ran.add(`${file}:${range.startOffset}`);
    }
  }
  return [...ran].sort();
}

function isGetter(text: string): boolean {
  return /^\(\)\s*=>\s*[\w.[\]]+$/.test(text);
}
