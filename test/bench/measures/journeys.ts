/** Counts the functions that run on the three ways which a newcomer follows first. A count does not vary, so one run is enough. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Finding, Measure } from "../measure";

const GOALS = {
  plan: ["functions of a plan that changes one e-mail address", 1000],
  patch: ["further functions of the apply that sends the change", 250],
  planResourceChange: ["functions of a PlanResourceChange under Terraform", 400],
} as const;

export const measure: Measure = {
  runs: 1,
  async take() {
    const script = join(__dirname, "..", "support", "journeys.ts");
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script]);
    const journeys = JSON.parse(stdout) as Readonly<Record<keyof typeof GOALS, readonly string[]>>;
    return Object.entries(GOALS).map(([name, [what, goal]]): Finding => {
      const functions = journeys[name as keyof typeof GOALS];
      const count = functions.length;
      const folders = new Map<string, number>();
      for (const path of functions) {
        const folder = path.slice(0, path.indexOf("/"));
        folders.set(folder, (folders.get(folder) ?? 0) + 1);
      }
      const files = new Set(functions.map((path) => path.slice(0, path.indexOf(":")))).size;
      const detail = `${files} files: ${[...folders].map(([folder, number]) => `${folder} ${number}`).join(", ")}`;
      return { what, measured: { median: count, min: count, max: count }, unit: "functions", goal, detail };
    });
  },
};
