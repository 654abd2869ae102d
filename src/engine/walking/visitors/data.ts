import { placeOf } from "../../../errors";
import type { DataBlock } from "../../../stack";
import { UNKNOWN } from "../../../values";
import { unmark, type Marked } from "../../../expressions";
import { instancesOf, valueOfBlock, type Instance } from "../../instances";
import { readData } from "../../planning/read-data";
import type { Target } from "../../planning/target";
import type { Walking } from "../walking";

/** Reads a data source, unless that has to wait for what this plan changes. */
export async function visitData(block: DataBlock, walking: Walking): Promise<void> {
  const { workspace } = walking.options;
  if (!walking.isSelected(block)) return walking.define(block, () => UNKNOWN);
  const target = await walking.targets.of(block.provider);
  const mustWait = block.dependencies.some((address) => walking.changing.has(address));
  const instances = instancesOf(block.address, block, workspace.scope());
  const values = await Promise.all(
    instances.map(async (instance) => ({
      key: instance.key,
      value: await readInstance(block, instance, mustWait ? undefined : target, walking),
    })),
  );
  walking.define(block, () => valueOfBlock(block, values));
}

async function readInstance(
  block: DataBlock,
  instance: Instance,
  target: Target | undefined,
  { options, findings, deferred, evaluated }: Walking,
): Promise<Marked> {
  const { address } = instance;
  const place = placeOf(block, address);
  try {
    const { read, findings: found } = await readData(block, instance, options.workspace, target?.connection);
    const isFit = findings.accept(found, place);
    if (read === undefined) {
      if (isFit) deferred.add(block.address);
      return UNKNOWN;
    }
    evaluated.push({
      address,
      mode: "data",
      type: block.type,
      values: read.state,
      sensitive: unmark(read.value).sensitive,
      constructPath: block.constructPath,
    });
    return read.value;
  } catch (error) {
    findings.report(error, place);
    return UNKNOWN;
  }
}
