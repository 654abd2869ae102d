import { type Path } from "../../../values";
import { type Type } from "../cty/type";
import { type AttributePath } from "../messages/common";
import { type Draft } from "../protobuf/message";
import { type Schema } from "./schema";
import { typeOfBlock } from "./schema-type";

/**
 * A path as the protocol sends it. It ends where no step can follow: at a set, whose elements have no name, and at
 * anything that the schema doesn't know.
 */
export function attributePath(schema: Schema, path: Path): Draft<typeof AttributePath> | undefined {
  const steps: StepDraft[] = [];
  let type: Type | undefined = typeOfBlock(schema);
  for (const step of path) {
    const next = takeStep(type, step);
    if (next === undefined) break;
    steps.push(next.step);
    type = next.type;
  }
  return steps.length === 0 ? undefined : { steps };
}

interface StepDraft {
  readonly attributeName?: string;
  readonly elementKeyString?: string;
  readonly elementKeyInt?: number;
}

function takeStep(
  type: Type,
  step: string | number,
): { readonly step: StepDraft; readonly type: Type } | undefined {
  if (typeof type === "string") return undefined;
  switch (type[0]) {
    case "set":
      return undefined;
    case "list":
      return typeof step === "number" ? { step: { elementKeyInt: step }, type: type[1] } : undefined;
    case "tuple": {
      const member = typeof step === "number" ? type[1][step] : undefined;
      return member && { step: { elementKeyInt: Number(step) }, type: member };
    }
    case "map":
      return { step: { elementKeyString: String(step) }, type: type[1] };
    case "object": {
      const member = Object.hasOwn(type[1], step) ? type[1][step] : undefined;
      return member && { step: { attributeName: String(step) }, type: member };
    }
  }
}
