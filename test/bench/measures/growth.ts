/** Whether ten times the tenants cost ten times as much. */
import type { Measure } from "../measure";
import { comparePairs } from "../support/pairs";
import { run } from "../support/run";
import { large, small, type Size } from "../support/tenants";
import type { Workplace } from "../support/workplace";

export const measure: Measure = {
  runs: 5,
  async take(workplace, runs) {
    const [few, many] = [await planOf(workplace, small), await planOf(workplace, large)];
    const what = `plan of ${large.accounts} × ${large.usersPerAccount} / of ${small.accounts} × ${small.usersPerAccount}`;
    return [await comparePairs({ what, goal: 11, bare: few, ours: many }, runs)];
  },
};

async function planOf(workplace: Workplace, size: Size) {
  const { environment: env } = await workplace.service(size);
  const cwd = await workplace.project(await workplace.declare(size));
  return () => run({ node: workplace.tenancy("plan", "--skip-synth"), cwd, env });
}
