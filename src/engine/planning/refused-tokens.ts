/** `--verify-tokens`: each token of the store is tried, and what is gone is minted anew (design: Tokens). */
import type { Diagnostic } from "../../errors";
import { tokenFamily } from "./families";
import { stateOfToken } from "../store/token-state";
import { tokenKey } from "./plan-token";
import type { Target } from "./target";
import { isUserGone } from "./token-user";

/** The target, knowing which of its tokens are gone; what is refused for another reason is a warning, and kept. */
export async function withRefusedTokens(target: Target): Promise<Target> {
  const { connection, ledger } = target;
  const resource = tokenFamily();
  // A token of a user who is gone is no longer good either way: the plan says so.
  const asked = ledger.tokens.list().filter((entry) => !isUserGone(entry, target));
  const verdicts = await Promise.all(
    asked.map(async (entry) => ({
      entry,
      outcome: await resource.read(connection, stateOfToken(entry, {})),
    })),
  );
  const refused = new Set<string>();
  const warnings: Diagnostic[] = [...target.warnings];
  for (const { entry, outcome } of verdicts) {
    if (outcome === undefined) refused.add(entry.record.serial);
    else
      warnings.push(...outcome.diagnostics.map((one) => ({ ...one, detail: `Token ${tokenKey(entry)}.` })));
  }
  return { ...target, refused, warnings };
}
