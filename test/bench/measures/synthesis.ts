/** An app of tenants, as its users run it, against one of as many null resources; and whether ten times the tenants cost ten times as much. */
import type { Measure } from "../measure";
import { comparePairs } from "../support/pairs";
import { large, objectsOf, small } from "../support/tenants";

export const measure: Measure = {
  runs: 5,
  take: async (workplace, runs) => {
    const few = () => workplace.synthesize("level-two", small);
    const many = () => workplace.synthesize("level-two", large);
    const bare = () => workplace.synthesize("nulls", small);
    const size = `${small.accounts} × ${small.usersPerAccount}`;
    return [
      await comparePairs(
        { what: `synthesis of ${size} / of ${objectsOf(small)} null resources`, goal: 2, bare, ours: few },
        runs,
      ),
      await comparePairs(
        {
          what: `synthesis of ${large.accounts} × ${large.usersPerAccount} / of ${size}`,
          goal: 11,
          bare: few,
          ours: many,
        },
        runs,
      ),
    ];
  },
};
