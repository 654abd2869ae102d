/** How many sources take part in the three journeys that a newcomer follows first. This is a count, so one run is enough. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Finding, Measure } from "../measure";

const GOALS = {
  plan: ["sources of a plan that changes one e-mail address", 110],
  patch: ["sources of the apply that sends the change", 60],
  planResourceChange: ["sources of a PlanResourceChange under Terraform", 40],
} as const;

export const measure: Measure = {
  runs: 1,
  async take() {
    const script = join(__dirname, "..", "support", "journeys.ts");
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script]);
    const journeys = JSON.parse(stdout) as Readonly<Record<keyof typeof GOALS, readonly string[]>>;
    return Object.entries(GOALS).map(([name, [what, goal]]): Finding => {
      const files = journeys[name as keyof typeof GOALS];
      const count = files.length;
      const folders = new Map<string, number>();
      for (const file of files) {
        const folder = file.slice(0, file.indexOf("/"));
        folders.set(folder, (folders.get(folder) ?? 0) + 1);
      }
      const detail = [...folders].map(([folder, number]) => `${folder} ${number}`).join(", ");
      return { what, measured: { median: count, min: count, max: count }, unit: "files", goal, detail };
    });
  },
};
