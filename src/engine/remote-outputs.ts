/** References between stacks of one app: the other stack's outputs, evaluated from that stack. */
import type { ObjectValue, Value } from "../values";
import type { PlanOptions, StackSource } from "./options";
import { planStack } from "./plan-stack";

/** What that stack has not applied yet is unknown. */
export async function remoteOutputs(
  name: string,
  source: StackSource,
  options: PlanOptions,
): Promise<ObjectValue> {
  const { only: _only, exclude: _exclude, destroy: _destroy, variables: _variables, ...rest } = options;
  const other = await planStack({ ...source, name }, rest);
  await other.run.close();
  return Object.fromEntries(
    other.walked.outputs.map((output): [string, Value] => [output.name, output.after as Value]),
  );
}
