/** `null_resource` and `terraform_data`: values that the embedded engine derives, never changes. */
import { v5FromText } from "../../ownership";
import { bare, convert, isMarkedObject, type Marked, type Scope, type Type } from "../../expressions";
import type { ValueBlock } from "../../stack";
import { isWhollyKnown, stringifyJson, UNKNOWN, type Value } from "../../values";

/** The id follows from the address and the triggers, so that it is the same in every run until one of them changes. */
export function evaluateValueBlock(block: ValueBlock, address: string, scope: Scope): Marked {
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
