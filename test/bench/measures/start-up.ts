/** How long it takes until something is on the screen, against a Node that does nothing. */
import type { Measure } from "../measure";
import { comparePairs } from "../support/pairs";
import { run } from "../support/run";

export const measure: Measure = {
  runs: 15,
  async take(workplace, runs) {
    const bare = () => run({ node: ["--eval", "0"] });
    const { environment: env } = await workplace.service({ accounts: 0, usersPerAccount: 0 });
    const cwd = await workplace.project(await workplace.declareExample());
    const help = () => run({ node: workplace.tenancy("--help") });
    const plan = () => run({ node: workplace.tenancy("plan", "--skip-synth"), cwd, env });
    return [
      await comparePairs({ what: "tenancy --help / node -e 0", goal: 2.5, bare, ours: help }, runs),
      await comparePairs({ what: "plan of the example / node -e 0", goal: 6, bare, ours: plan }, runs),
    ];
  },
};
