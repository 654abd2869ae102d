/** Before the first test: lists the tests that this machine cannot run. In CI a missing program is an error. */
import { findProgram, type ProgramName, PROGRAMS, UNTESTED } from "./programs";

export default function reportMissingPrograms(): void {
  reportMissing(PROGRAMS);
}

export function reportMissing(needed: readonly ProgramName[]): void {
  const missing = needed.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return;
  const lines = missing.map((name) => `  no ${name}: not tested is ${UNTESTED[name]}\n`);
  const message = `Skipped, since this machine lacks programs (\`node .ci/engines.mjs\` builds or installs them):\n${lines.join("")}`;
  if (process.env["CI"]) throw new Error(message);
  process.stderr.write(message);
}
