/** Defines named sets of rights (spec 2.4). No set holds rights over the whole service or its nodes. */
import { didYouMean, invalidValue, type TenancyError, unknownRight } from "../problems";
import {
  ALL_RIGHTS,
  DEFAULT_RIGHTS,
  explainRight,
  impliedRights,
  isKnownRight,
  type Right,
  RIGHT_FORM,
} from "../service";
import {
  asPrimitive,
  isObject,
  isUnknown,
  type ObjectValue,
  type TerraformType,
  type Value,
  nearest,
} from "../lib/values";

/** Grants nothing: a start for naming rights one by one. */
const none: readonly Right[] = [];

/** Looks, and touches nothing. */
const observer: readonly Right[] = [
  "account.view_events",
  "account.view_statistics",
  "account.query_catalog",
];

/** Runs existing storage from day to day. It neither provisions storage nor removes storage with data. */
const operator: readonly Right[] = [
  ...observer,
  "vss.dismiss_tasks",
  "vss.update_vss",
  "vss.validate_data_integrity",
  "vss.manage_targets",
  "vss.manage_profiles",
  "vss.manage_rules",
  "vss.replicate_disks",
  "vss.synchronize_disks",
  "vss.resize_disks",
  "vss.manage_snapshots",
  "vss.backup_disks",
  "vss.compress_disks",
  "vss.manage_disk_compression",
  "account.read_object_storage",
  "account.write_object_storage",
];

/** Operates, and makes new storage; removes none. */
const provisioner: readonly Right[] = [
  ...operator,
  "vss.set_vss_quota",
  "vss.manage_internal_disks",
  "vss.manage_external_disks",
  "vss.manage_removable_disks",
  "vss.format_disks",
  "account.provision_vss",
  "account.manage_obj_stores",
  "account.manage_global_profiles",
];

/** Observes, and manages keys and the means of unlocking disks. It does nothing else with the storage, so that the duties are separated. */
const keyManager: readonly Right[] = [
  ...observer,
  "vss.manage_disk_cryptography",
  "vss.manage_secure_access_tokens",
  "account.manage_global_secure_access_tokens",
];

/** Everything inside the account: the rights that the service itself grants to a profile created without permissions (spec 4.4). */
const accountAdmin = DEFAULT_RIGHTS;

/** The presets by name. Adding a right to one grants it to every user of the preset: a breaking change. */
export const PRESETS = {
  none,
  observer,
  operator,
  provisioner,
  key_manager: keyManager,
  account_admin: accountAdmin,
} as const satisfies Readonly<Record<string, readonly Right[]>>;

export type PresetName = keyof typeof PRESETS;

export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[];

// The preset that a set of rights comes nearest to.

const SETS: ReadonlyMap<PresetName, ReadonlySet<string>> = new Map(
  PRESET_NAMES.map((name) => [name, new Set<string>(PRESETS[name])]),
);

/**
 * The preset that differs from the rights in the fewest; of several, the first. A right that others of the set imply makes no difference.
 * @param presets those to choose from
 */
export function nearestPreset<Name extends string>(
  rights: Iterable<Name>,
  presets = PRESET_NAMES,
): {
  readonly preset: PresetName;
  /** Rights of the set that the preset does not grant, in the order of the set. */
  readonly more: readonly Name[];
  /** Rights that only the preset grants, in its order. */
  readonly fewer: readonly Right[];
} {
  const rightSet: ReadonlySet<string> = new Set(rights);
  const implied = impliedRights((right) => rightSet.has(right));
  const isCompared = (right: string): boolean => !implied.has(right);
  let preset: PresetName = "none";
  let least = Infinity;
  for (const name of presets) {
    const distance = distanceOf([...rightSet].filter(isCompared), PRESETS[name].filter(isCompared));
    if (distance < least) [preset, least] = [name, distance];
  }
  const presetRights = SETS.get(preset);
  return {
    preset,
    more: [...(rightSet as ReadonlySet<Name>)].filter(
      (right) => presetRights?.has(right) !== true && isCompared(right),
    ),
    fewer: PRESETS[preset].filter((right) => !rightSet.has(right) && isCompared(right)),
  };
}

/** The preset that grants exactly these rights. */
export function exactPreset(rights: Iterable<string>): PresetName | undefined {
  const { preset, more, fewer } = nearestPreset(rights);
  return more.length === 0 && fewer.length === 0 ? preset : undefined;
}

/** The number of rights that only one of the two has. */
function distanceOf(rightSet: readonly string[], preset: readonly Right[]): number {
  const presetRights = new Set<string>(preset);
  return rightSet.length + preset.length - 2 * rightSet.filter((right) => presetRights.has(right)).length;
}

// The provider function `permissions_preset(name, overrides...)`.

/**
 * The rights that a preset grants, as the value of `permissions`, and the overrides as they were written. Later overrides win; a null changes nothing.
 *
 * @param overrides maps of rights; values in them that are unknown are passed on
 * @throws invalidValue, unknownRight; the first step of `where.attribute` is the index of the argument
 */
export function permissionsPreset(name: string, ...overrides: readonly Value[]): ObjectValue {
  if (!Object.hasOwn(PRESETS, name)) throw unknownPreset(name);
  const rights: Record<string, Value> = {};
  for (const right of PRESETS[name as PresetName]) rights[right] = true;
  overrides.forEach((override, index) => {
    if (override === null) return;
    if (!isObject(override))
      throw invalidValue.error(`override ${index + 1} must be a map of rights`, { attribute: [index + 1] });
    for (const [right, value] of Object.entries(override)) {
      const where = { attribute: [index + 1, right] };
      // Only the declaration of the result knows `extra_rights`, so a name that is not misspelt is passed on.
      if (!isKnownRight(right) && (!RIGHT_FORM.test(right) || nearest(right, ALL_RIGHTS) !== undefined))
        throw unknownRight.error({ right, known: ALL_RIGHTS, explain: explainRight }, where);
      if (value !== null) rights[right] = flagOf(value, right, where);
    }
  });
  return rights;
}

/** A boolean, or a text that Terraform converts to one. */
function flagOf(
  value: Value,
  right: string,
  where: { readonly attribute: readonly (string | number)[] },
): Value {
  const flag = isUnknown(value) ? value : asPrimitive(value, "bool");
  if (flag !== undefined) return flag;
  throw invalidValue.error(`"${right}" must be true or false`, where);
}

function unknownPreset(name: string): TenancyError {
  return invalidValue.error(`there is no preset ${JSON.stringify(name)}`, {
    attribute: [0],
    advice: didYouMean(name, PRESET_NAMES, `The presets are: ${PRESET_NAMES.join(", ")}.`),
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
