/** Before the first test: says which tests this machine cannot run. In CI all of them have to be run. */
import { findProgram, PROGRAMS, type ProgramName } from "./programs";

/** What goes untested without a program. */
const UNTESTED: Readonly<Record<ProgramName, string>> = {
  chromium: "pages in a browser",
  terraform: "the provider with Terraform",
  "terraform-next": "resource identity",
  tofu: "the provider with OpenTofu",
  go: "plans read by Terraform's Go library",
  initdb: "remote state in PostgreSQL",
  postgres: "remote state in PostgreSQL",
  actionlint: "whether the workflows that init writes are valid",
  jq: "the workflows that init writes",
  zizmor: "whether the workflows that init writes can be attacked",
  python3: "what Python's libraries read",
  "prometheus-python": "metrics, read by the client library of Prometheus",
};

export default function sayWhatIsMissing(): void {
  const missing = PROGRAMS.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return;
  const lines = missing.map((name) => `  no ${name}: not tested is ${UNTESTED[name]}\n`);
  const message = `Skipped, since this machine lacks programs (\`node .ci/engines.mjs\` builds or installs them):\n${lines.join("")}`;
  if (process.env["CI"]) throw new Error(message);
  process.stderr.write(message);
}
