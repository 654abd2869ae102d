/** Whether a stack declares a token, as far as that can be told without asking anybody. */
import { TenancyError } from "../../errors";
import { evaluateStack } from "../evaluate-stack";
import type { PlanOptions, StackSource } from "../options";
import { tokenFamily } from "../planning/families";
import { keyPattern } from "../planning/open-key";

/**
 * @param key `login/name`
 * @returns the address of the declaration; undefined where there is none, or the configuration cannot be evaluated
 */
export async function declarationOf(
  key: string,
  source: StackSource | undefined,
  options: PlanOptions,
): Promise<string | undefined> {
  if (source === undefined) return undefined;
  try {
    const { walked } = await evaluateStack(source, options, { run: undefined, plannedAt: new Date() });
    return walked.foreseen.find(
      (object) => object.type === tokenFamily().description.type && keyPattern(object.key).test(key),
    )?.address;
  } catch (error) {
    if (error instanceof TenancyError) return undefined;
    throw error;
  }
}
