/**
 * `npm run bench`: how fast the command is, as ratios to what a bare program needs for the same work on the same machine at the same
 * time. It measures and never fails for a missed goal. `--only NAME` (several times), `--runs N`, `--json`.
 */
import { readdirSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { Finding, Measure } from "./measure";
import { tableOf } from "./support/table";
import { Workplace } from "./support/workplace";

async function main(): Promise<void> {
  const { only, runs, json } = readArguments();
  const folder = join(__dirname, "measures");
  const names = readdirSync(folder).map((file) => basename(file, ".ts"));
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(", ")}; there are ${names.join(", ")}`);
  const workplace = await Workplace.open();
  try {
    const findings: Finding[] = [];
    for (const name of names.filter((one) => only.length === 0 || only.includes(one))) {
      process.stderr.write(`${name} …\n`);
      const { measure } = (await import(join(folder, name))) as { measure: Measure };
      findings.push(...(await measure.take(workplace, runs ?? measure.runs)));
    }
    const [cpu] = cpus();
    const machine = { cores: availableParallelism(), cpu: cpu?.model ?? "unknown", node: process.version };
    process.stdout.write(
      json
        ? `${JSON.stringify({ machine, findings }, null, 2)}\n`
        : `${machine.cores} cores · ${machine.cpu} · Node ${machine.node}\n\n${tableOf(findings)}\n`,
    );
  } finally {
    await workplace.close();
  }
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: [] },
      runs: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const runs = values.runs === undefined ? undefined : Number(values.runs);
  if (runs !== undefined && !(Number.isInteger(runs) && runs > 0))
    throw new Error("--runs takes a whole number, one or more");
  return { ...values, runs };
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
