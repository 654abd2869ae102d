/** `null_resource` and `terraform_data`: values that the embedded engine derives, never changes. */
import { placeOf, type Diagnostic } from "../../errors";
import { v5FromText } from "../../ownership";
import { bare, convert, isMarkedObject, type Marked, type Scope, type Type } from "../../expressions";
import type { ValueBlock } from "../../stack";
import { isWhollyKnown, stringifyJson, UNKNOWN, type Value } from "../../values";
import { instancesOf, type Instance } from "../instances";
import type { Workspace } from "../workspace";
import { failedConditions } from "./conditions";

/** An instance of a value block. */
export interface ValueInstance extends Instance {
  readonly value: Marked;
  /** What its conditions say. */
  readonly findings: readonly Diagnostic[];
}

/** One after the other, as they are asked for. @throws InvalidExpansion */
export function* valueInstances(block: ValueBlock, workspace: Workspace): Generator<ValueInstance> {
  const { preconditions, postconditions } = block.lifecycle;
  for (const instance of instancesOf(block.address, block, workspace.scope())) {
    const { address, surroundings } = instance;
    const place = placeOf(block, address);
    const scope = workspace.scope(surroundings);
    const value = evaluateValueBlock(block, address, scope);
    const after = workspace.scope({ ...surroundings, self: value });
    const findings = [
      ...failedConditions(preconditions, scope, place),
      ...failedConditions(postconditions, after, place),
    ];
    yield { ...instance, value, findings };
  }
}

/** The id follows from the address and the triggers, so that it is the same in every run until one of them changes. */
function evaluateValueBlock(block: ValueBlock, address: string, scope: Scope): Marked {
  const evaluated = block.body.evaluate(scope);
  const body = isMarkedObject(evaluated) ? evaluated : {};
  if (block.type === "null_resource") {
    const triggers = body["triggers"] ?? null;
    return { id: idOf(address, bare(triggers)), triggers: convert(triggers, TRIGGERS, ["triggers"]) };
  }
  const input = body["input"] ?? null;
  const triggers = body["triggers_replace"] ?? null;
  return { id: idOf(address, bare(triggers)), input, output: input, triggers_replace: triggers };
}

const TRIGGERS: Type = { kind: "map", element: "string" };

function idOf(address: string, triggers: Value): Value {
  return isWhollyKnown(triggers) ? v5FromText(`${address} ${stringifyJson(triggers)}`) : UNKNOWN;
}
