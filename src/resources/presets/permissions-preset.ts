/** The provider function `permissions_preset(name, overrides...)`. */
import { InvalidValue, UnknownAttribute } from "../../errors";
import { attributeAt, terraformType, type Attributes, type TerraformType } from "../../schema";
import {
  formatPath,
  isList,
  isObject,
  isUnknown,
  nearest,
  type ObjectValue,
  type Path,
  type Value,
} from "../../values";
import { permissions } from "../permissions";
import { RIGHT_GROUPS, RIGHTS } from "../rights";
import { PRESET_NAMES, PRESETS, type PresetName } from "./preset";

/**
 * A complete `permissions` object: all 49 rights and both scopes, as the preset has them and the overrides change them. Overrides
 * are merged deeply, later ones win, null changes nothing; lists are replaced.
 *
 * @param overrides each of the shape of `permissions`, in part; unknown leaves are passed on
 * @throws InvalidValue, UnknownAttribute; the first step of `where.attribute` is the index of the argument
 */
export function permissionsPreset(name: string, ...overrides: readonly Value[]): ObjectValue {
  if (!isPresetName(name)) throw unknownPreset(name);
  return overrides.reduce<ObjectValue>(
    (merged, override, index) => merge(merged, override, [index + 1]),
    completePermissions(name),
  );
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

function completePermissions(name: PresetName): ObjectValue {
  const granted: ReadonlySet<string> = new Set(PRESETS[name]);
  const scopes: Readonly<Record<string, ObjectValue>> = {
    node: { all_realm_scope: true, nodes: null },
    vss: { all_account_scope: true, vsses: null },
  };
  return Object.fromEntries(
    RIGHT_GROUPS.map((group) => [
      group,
      {
        ...scopes[group],
        rights: Object.fromEntries(RIGHTS[group].map((right) => [right, granted.has(`${group}.${right}`)])),
      },
    ]),
  );
}

const described = { permissions: permissions() } satisfies Attributes;

/** @param path index of the argument, then where in it the override stands */
function merge(base: ObjectValue, override: Value, path: Path): ObjectValue {
  if (override === null) return base;
  if (!isObject(override)) throw new InvalidValue(`${placeOf(path)} must be an object`, { attribute: path });
  const merged: Record<string, Value> = { ...base };
  for (const [key, value] of Object.entries(override)) {
    const here = [...path, key];
    if (!Object.hasOwn(base, key)) throw new UnknownAttribute(key, Object.keys(base), { attribute: here });
    if (value === null) continue;
    const before = base[key] ?? null;
    merged[key] = isObject(before) && !isUnknown(value) ? merge(before, value, here) : leaf(value, here);
  }
  return merged;
}

function leaf(value: Value, path: Path): Value {
  if (isUnknown(value)) return value;
  const shape = attributeAt(described, ["permissions", ...path.slice(1)])?.shape;
  if (shape?.kind === "set") {
    if (isList(value) && value.every((element) => typeof element === "string" || isUnknown(element))) {
      return value;
    }
    throw new InvalidValue(`${placeOf(path)} must be a list of strings`, { attribute: path });
  }
  // Terraform's conversion of texts to booleans.
  if (value === "true" || value === "false") return value === "true";
  if (typeof value === "boolean") return value;
  throw new InvalidValue(`${placeOf(path)} must be true or false`, { attribute: path });
}

function placeOf(path: Path): string {
  return path.length === 1 ? `override ${String(path[0])}` : `"${formatPath(path.slice(1))}"`;
}

/** The function as Terraform describes it. */
export const permissionsPresetSignature = {
  name: "permissions_preset",
  summary: "A complete `permissions` object, from a named preset.",
  description:
    `All 49 rights and both scopes. The presets are ${PRESET_NAMES.map((name) => `\`${name}\``).join(", ")}. Overrides have the shape ` +
    "of `permissions`, in part; they are merged deeply, and later ones win.",
  parameters: [{ name: "name", type: "string", description: "Name of the preset." }],
  variadicParameter: {
    name: "overrides",
    type: "dynamic",
    description: "Changes to the preset, of the shape of `permissions`, in part.",
  },
  returnType: terraformType(described.permissions.shape),
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
