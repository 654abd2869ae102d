import { placeOf } from "../../../errors";
import type { DataBlock } from "../../../stack";
import { isWhollyKnown, UNKNOWN } from "../../../values";
import { unmark, type Marked } from "../../../expressions";
import { instancesOf, valueOfBlock, type Instance } from "../../instances";
import { failedConditions } from "../../planning/conditions";
import { configurationOf } from "../../planning/configuration";
import { dataSourceOf } from "../../planning/families";
import { stateValue } from "../../planning/state-value";
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
  { address, surroundings }: Instance,
  target: Target | undefined,
  { options, findings, deferred, evaluated }: Walking,
): Promise<Marked> {
  const { workspace } = options;
  const source = dataSourceOf(block.type);
  const { description } = source;
  const { preconditions, postconditions } = block.lifecycle;
  const place = placeOf(block, address);
  const scope = workspace.scope(surroundings);
  try {
    findings.accept(failedConditions(preconditions, scope, place), place);
    const { config, sensitive, diagnostics } = configurationOf(description, block.body.evaluate(scope));
    if (!findings.accept([...diagnostics, ...source.check(config)], place)) return UNKNOWN;
    if (target === undefined || !isWhollyKnown(config)) {
      deferred.add(block.address);
      return UNKNOWN;
    }
    const state = await source.read(target.connection, config);
    const value = stateValue(state, { description, sensitive });
    evaluated.push({
      address,
      mode: "data",
      type: block.type,
      values: state,
      sensitive: unmark(value).sensitive,
      constructPath: block.constructPath,
    });
    const after = workspace.scope({ ...surroundings, self: value });
    findings.accept(failedConditions(postconditions, after, place), place);
    return value;
  } catch (error) {
    findings.report(error, place);
    return UNKNOWN;
  }
}
