import { placeOf } from "../../../errors";
import { EPHEMERAL, mark } from "../../../expressions";
import type { EphemeralBlock } from "../../../stack";
import { isWhollyKnown, UNKNOWN } from "../../../values";
import { instancesOf, valueOfBlock, type Instance } from "../../instances";
import { failedConditions } from "../../planning/conditions";
import { configurationOf } from "../../planning/configuration";
import { ephemeralOf } from "../../planning/families";
import type { Target } from "../../planning/target";
import type { Walking } from "../walking";

/** Opens an ephemeral resource for this run. */
export async function visitEphemeral(block: EphemeralBlock, walking: Walking): Promise<void> {
  const { workspace } = walking.options;
  const target = walking.isSelected(block) ? await walking.targets.of(block.provider) : undefined;
  const instances = instancesOf(block.address, block, workspace.scope());
  const values = await Promise.all(
    instances.map(async (instance) => ({
      key: instance.key,
      value: mark(await open(block, instance, target, walking), EPHEMERAL),
    })),
  );
  walking.define(block, () => valueOfBlock(block, values));
}

async function open(
  block: EphemeralBlock,
  { address, surroundings }: Instance,
  target: Target | undefined,
  walking: Walking,
) {
  const { workspace } = walking.options;
  const findings = walking.findingsFor(block);
  const resource = ephemeralOf(block.type);
  const scope = workspace.scope(surroundings);
  const place = placeOf(block, address);
  try {
    findings.accept(failedConditions(block.lifecycle.preconditions, scope, place), place);
    const { config, diagnostics } = configurationOf(resource.description, block.body.evaluate(scope), {
      isKept: false,
    });
    const isFit = findings.accept(diagnostics, place);
    if (!isFit || target === undefined || !isWhollyKnown(config)) return UNKNOWN;
    return await resource.open(target.connection, config);
  } catch (error) {
    findings.report(error, place);
    return UNKNOWN;
  }
}
