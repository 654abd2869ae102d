import { EphemeralValue, placeOf } from "../../../errors";
import { unmark } from "../../../expressions";
import type { ValueBlock } from "../../../stack";
import { formatPath } from "../../../values";
import { valueOfBlock } from "../../instances";
import { valueInstances, type ValueInstance } from "../../planning/value-block";
import type { Walking } from "../walking";

/** `null_resource` and `terraform_data`. */
export async function visitValue(block: ValueBlock, walking: Walking): Promise<void> {
  const findings = walking.findingsFor(block);
  const instances: ValueInstance[] = [];
  for (const instance of valueInstances(block, walking.options.workspace)) {
    await walking.pause();
    instances.push(instance);
    const { address, value, findings: found } = instance;
    const place = placeOf(block, address);
    findings.accept(found, place);
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
  }
  walking.define(block, () => valueOfBlock(block, instances));
}
