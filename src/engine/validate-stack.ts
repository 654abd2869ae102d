/** Checks a stack's configuration as far as that goes without asking anybody. */
import type { Diagnostic } from "../errors";
import { evaluateStack } from "./evaluate-stack";
import type { PlanOptions, StackSource } from "./options";
import { refuseSharedOwner } from "./shared-owner";

/**
 * What only the service tells is unknown, and so are variables without a value.
 * @returns warnings
 * @throws InvalidConfiguration with every finding; SharedOwner
 */
export async function validateStack(
  source: StackSource,
  options: PlanOptions,
): Promise<readonly Diagnostic[]> {
  const { loaded, walked } = await evaluateStack(source, options, { run: undefined, plannedAt: new Date() });
  await refuseSharedOwner(loaded, options);
  return walked.diagnostics;
}
