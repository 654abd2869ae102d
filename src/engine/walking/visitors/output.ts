import { EphemeralValue, SensitiveOutput, placeOf } from "../../../errors";
import { allMarksOf, bare, EPHEMERAL, jsonType, SENSITIVE, typeOf } from "../../../expressions";
import type { OutputBlock } from "../../../stack";
import { isWhollyKnown } from "../../../values";
import { failedConditions } from "../../planning/conditions";
import type { Walking } from "../walking";

export function visitOutput(block: OutputBlock, walking: Walking): void {
  const scope = walking.options.workspace.scope();
  const place = placeOf(block);
  const isFit = walking.findingsFor(block).accept(failedConditions(block.preconditions, scope, place), place);
  if (!isFit) return;
  const value = block.value.evaluate(scope);
  const marks = allMarksOf(value);
  if ((marks & EPHEMERAL) !== 0) throw new EphemeralValue(block.address, place);
  if (!block.sensitive && (marks & SENSITIVE) !== 0) throw new SensitiveOutput(block.name);
  const after = bare(value);
  walking.define(block, () => value);
  walking.outputs.push({
    name: block.name,
    action: isWhollyKnown(after) ? "none" : "update",
    after,
    type: jsonType(typeOf(after)),
    sensitive: block.sensitive,
    description: block.description,
  });
}
