import { failedConditions } from "../../planning/conditions";
import { valueOfVariable } from "../../planning/variables";
import type { VariableBlock } from "../../../stack";
import { UNKNOWN } from "../../../values";
import type { Walking } from "../walking";

export function visitVariable(block: VariableBlock, { options, findings }: Walking): void {
  const { workspace, variables } = options;
  const given = variables.get(block.name);
  if (given === undefined && block.default === undefined && options.open === undefined) {
    workspace.define(block.address, () => UNKNOWN);
    return;
  }
  const value = valueOfVariable(block, given);
  workspace.define(block.address, () => value);
  const where = { address: block.address };
  findings.accept(failedConditions(block.validations, workspace.scope(), where), where);
}
