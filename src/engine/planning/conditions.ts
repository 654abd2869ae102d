/** Pre- and postconditions, and validations of variables: checked as soon as what they say is known. */
import { ConditionFailed, type Diagnostic, type Whereabouts } from "../../errors";
import { bare, type Scope } from "../../expressions";
import type { Condition } from "../../stack";
import { isUnknown } from "../../values";

/** @returns an error for each condition that is known to fail; what is unknown yet is judged again during apply */
export function failedConditions(
  conditions: readonly Condition[],
  scope: Scope,
  where: Whereabouts,
): readonly Diagnostic[] {
  return conditions.flatMap(({ condition, errorMessage }) => {
    const holds = bare(condition.evaluate(scope));
    if (isUnknown(holds) || holds === true || holds === "true") return [];
    const message = bare(errorMessage.evaluate(scope));
    return new ConditionFailed(
      typeof message === "string" ? message : "a condition does not hold",
      where,
    ).toDiagnostics();
  });
}
