/** Makes the plan that is applied: under the state's lock, and after a person has agreed to it. */
import { close, planDifferences } from "../../engine";
import type { Plan } from "../../plan";
import { plainText } from "../../lib/values";
import type { Terminal } from "../terminal";

/**
 * A person may think for an hour, and other runs must not wait for the state during that time. So the question is asked on a plan without
 * the lock. Under the lock the run plans again. If the new plan differs, the run asks again.
 * @returns undefined if the answer was no
 */
export async function lockedPlan(
  { screen }: Terminal,
  {
    asks,
    makePlan,
    show,
    agree,
  }: {
    /** True if a person is at the terminal, to be asked. */
    readonly asks: boolean;
    readonly makePlan: (lockState: boolean) => Promise<Plan>;
    readonly show: (plan: Plan) => void;
    /** Asks what has to be asked; says so if the answer is no. */
    readonly agree: (plan: Plan) => Promise<boolean>;
  },
): Promise<Plan | undefined> {
  if (!asks) {
    const plan = await makePlan(true);
    show(plan);
    return plan;
  }
  const early = await makePlan(false);
  try {
    show(early);
    if (!(await agree(early))) return undefined;
    const plan = await makePlan(true);
    let isAgreed = false;
    try {
      const differences = planDifferences(early, plan);
      if (differences.length > 0) {
        const more = differences.length - MOST_NAMED_FILES;
        const names =
          differences.slice(0, MOST_NAMED_FILES).join(", ") + (more > 0 ? `, and ${more} more` : "");
        screen.tell(plainText(`\n${plan.stack} has changed since this plan was made: ${names}.\n`));
        show(plan);
      }
      isAgreed = differences.length === 0 || (await agree(plan));
      return isAgreed ? plan : undefined;
    } finally {
      if (!isAgreed) await close(plan);
    }
  } finally {
    await close(early);
  }
}

/** So many names say what has changed; the plan that is shown says all. */
const MOST_NAMED_FILES = 5;
