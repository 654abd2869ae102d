/** The whole plan of what `init` makes, its app and all, against a Node that loads cdktf and does nothing with it. */
import type { Measure } from "../measure";
import { comparePairs } from "../support/pairs";
import { run, type Command } from "../support/run";

export const measure: Measure = {
  runs: 15,
  async take(workplace, runs) {
    const { environment: env } = await workplace.service({ accounts: 0, usersPerAccount: 0 });
    const cwd = await workplace.initialized(env["TENANCY_BASE_URL"] ?? "");
    // Most of the time is spent in the app's process, whose processor time is not known.
    const timed = async (command: Command) => ({ milliseconds: (await run(command)).milliseconds });
    return [
      await comparePairs(
        {
          what: "plan of what init makes / node -e 'require(\"cdktf\")'",
          goal: 3,
          bare: () => timed({ node: ["--eval", 'require("cdktf")'], cwd }),
          ours: () => timed({ node: workplace.tenancy("plan"), cwd, env }),
        },
        runs,
      ),
    ];
  },
};
