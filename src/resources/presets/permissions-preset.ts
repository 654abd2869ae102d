/** The provider function `permissions_preset(name, overrides...)`. */
import { InvalidValue, UnknownRight } from "../../errors";
import type { TerraformType } from "../../schema";
import { isObject, isUnknown, nearest, type ObjectValue, type Value } from "../../values";
import { ALL_RIGHTS, explainRight } from "../rights";
import { PRESET_NAMES, PRESETS, type PresetName } from "./preset";

/**
 * The rights that a preset grants, as the value of `permissions`, and the overrides as they were written. Later overrides win; a null
 * changes nothing.
 *
 * @param overrides maps of rights; values in them that are unknown are passed on
 * @throws InvalidValue, UnknownRight; the first step of `where.attribute` is the index of the argument
 */
export function permissionsPreset(name: string, ...overrides: readonly Value[]): ObjectValue {
  if (!isPresetName(name)) throw unknownPreset(name);
  const rights: Record<string, Value> = {};
  for (const right of PRESETS[name]) rights[right] = true;
  overrides.forEach((override, index) => {
    if (override === null) return;
    if (!isObject(override))
      throw new InvalidValue(`override ${index + 1} must be a map of rights`, { attribute: [index + 1] });
    for (const [right, value] of Object.entries(override)) {
      const where = { attribute: [index + 1, right] };
      if (!(ALL_RIGHTS as readonly string[]).includes(right))
        throw new UnknownRight(right, ALL_RIGHTS, explainRight, where);
      if (value !== null) rights[right] = flagOf(value, right, where);
    }
  });
  return rights;
}

/** With Terraform's conversion of texts to booleans. */
function flagOf(
  value: Value,
  right: string,
  where: { readonly attribute: readonly (string | number)[] },
): Value {
  if (isUnknown(value) || typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw new InvalidValue(`"${right}" must be true or false`, where);
}

function isPresetName(name: string): name is PresetName {
  return Object.hasOwn(PRESETS, name);
}

function unknownPreset(name: string): InvalidValue {
  const near = nearest(name, PRESET_NAMES);
  return new InvalidValue(`there is no preset ${JSON.stringify(name)}`, {
    attribute: [0],
    advice: near === undefined ? `The presets are: ${PRESET_NAMES.join(", ")}.` : `Did you mean "${near}"?`,
  });
}

/** The function as Terraform describes it. */
export const permissionsPresetSignature = {
  name: "permissions_preset",
  summary: "The value of `permissions` from a named preset.",
  description:
    `The rights that the preset grants. The presets are ${PRESET_NAMES.map((name) => `\`${name}\``).join(", ")}. Overrides are maps of ` +
    "rights that are added to it as they are written; later ones win.",
  parameters: [{ name: "name", type: "string", description: "Name of the preset." }],
  variadicParameter: {
    name: "overrides",
    type: ["map", "bool"],
    description: 'Changes to the preset: a map of rights, such as `{ "vss.resize_disks" = false }`.',
  },
  returnType: ["map", "bool"],
} as const satisfies FunctionSignature;

interface FunctionParameter {
  readonly name: string;
  readonly type: TerraformType;
  readonly description: string;
}

export interface FunctionSignature {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly FunctionParameter[];
  readonly variadicParameter?: FunctionParameter;
  readonly returnType: TerraformType;
}
