import { EphemeralValue, placeOf } from "../../../errors";
import { unmark } from "../../../expressions";
import type { ValueBlock } from "../../../stack";
import { formatPath } from "../../../values";
import { instancesOf, valueOfBlock } from "../../instances";
import { failedConditions } from "../../planning/conditions";
import { evaluateValueBlock } from "../../planning/value-block";
import type { Walking } from "../walking";

/** `null_resource` and `terraform_data`. */
export function visitValue(block: ValueBlock, walking: Walking): void {
  const { workspace } = walking.options;
  const findings = walking.findingsFor(block);
  const { preconditions, postconditions } = block.lifecycle;
  const values = instancesOf(block.address, block, workspace.scope()).map(
    ({ key, address, surroundings }) => {
      const place = placeOf(block, address);
      const scope = workspace.scope(surroundings);
      findings.accept(failedConditions(preconditions, scope, place), place);
      const value = evaluateValueBlock(block, address, scope);
      const after = workspace.scope({ ...surroundings, self: value });
      findings.accept(failedConditions(postconditions, after, place), place);
      const { value: values, sensitive, ephemeral } = unmark(value);
      // The output repeats the input.
      for (const path of ephemeral.filter(([first]) => first !== "output"))
        findings.report(new EphemeralValue(formatPath(path), { attribute: path }), place);
      walking.evaluated.push({
        address,
        mode: "managed",
        type: block.type,
        values,
        sensitive,
        constructPath: block.constructPath,
      });
      return { key, value };
    },
  );
  walking.define(block, () => valueOfBlock(block, values));
}
