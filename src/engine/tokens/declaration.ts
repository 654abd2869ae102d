/** Which tokens a stack declares, as far as that can be told without asking anybody. */
import { TenancyError } from "../../errors";
import { evaluateStack } from "../evaluate-stack";
import type { PlanOptions, StackSource } from "../options";
import { tokenFamily } from "../planning/families";
import { keyPattern } from "../planning/open-key";
import type { ForeseenObject } from "../planning/walked";

/** @returns none where the configuration cannot be evaluated */
export async function declaredTokens(
  source: StackSource | undefined,
  options: PlanOptions,
): Promise<readonly ForeseenObject[]> {
  if (source === undefined) return [];
  try {
    const { walked } = await evaluateStack(source, options, { run: undefined, plannedAt: new Date() });
    return walked.foreseen.filter(({ type }) => type === tokenFamily().description.type);
  } catch (error) {
    if (error instanceof TenancyError) return [];
    throw error;
  }
}

/** @param key `login/name` */
export function declarationOf(key: string, tokens: readonly ForeseenObject[]): ForeseenObject | undefined {
  return tokens.find((token) => keyPattern(token.key).test(key));
}
