/** Before the first test: says which tests this machine cannot run. In CI all of them have to be run. */
import { findProgram, PROGRAMS, UNTESTED } from "./programs";

export default function sayWhatIsMissing(): void {
  const missing = PROGRAMS.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return;
  const lines = missing.map((name) => `  no ${name}: not tested is ${UNTESTED[name]}\n`);
  const message = `Skipped, since this machine lacks programs (\`node .ci/engines.mjs\` builds or installs them):\n${lines.join("")}`;
  if (process.env["CI"]) throw new Error(message);
  process.stderr.write(message);
}
