/** Values for every attribute that a user may declare, from the descriptions: an attribute that is added is tried, too. */
import { resources } from "../../src/resources";
import {
  allAttributes,
  type Attribute,
  attributeAt,
  type Attributes,
  type Records,
  same,
  validate,
} from "../../src/schema";
import {
  equal,
  type ObjectValue,
  stringifyJson,
  type Value,
  valueAt,
  withValueAt,
} from "../../src/lib/values";

type Declared = Readonly<Record<string, unknown>>;

/** The empty value of a kind; undefined where there is none. */
export function emptyValue({ shape }: Attribute): unknown {
  switch (shape.kind) {
    case "string":
      return "";
    case "list":
    case "set":
      return [];
    case "map":
    case "group":
      return {};
    default:
      return undefined;
  }
}

/** The first one is the password of the simulator's user, so a token can be created with it. */
const TEXTS = ["system", "other"];

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  day: ["2099-12-31", "2099-11-30"],
  duration: ["90d", "91d"],
  email: ["a@acme.example", "b@acme.example"],
  hex: ["ab12", "cd34"],
  phone: ["+14155551234", "+14155559876"],
  sharedSecret: ["00aa11bb22cc33dd", "11aa11bb22cc33dd"],
};

/** A first or a second value of an attribute. */
export function sampleValue({ shape, constraints }: Attribute, which: 0 | 1 = 0): unknown {
  const { oneOf, format = "", keys } = constraints;
  const text = oneOf?.[which] ?? FORMATS[format]?.[which] ?? TEXTS[which];
  switch (shape.kind) {
    case "string":
      return text;
    case "integer":
      return 1 + which;
    case "bool":
      return which === 0;
    case "list":
    case "set":
      return [text];
    case "map":
      return { [keys?.known[which] ?? "key"]: shape.of === "bool" ? true : text };
    case "group":
      return Object.fromEntries(
        Object.entries(shape.attributes).map(([name, member]) => [name, sampleValue(member, which)]),
      );
    case "groups":
      return undefined;
  }
}

/** The paths of all values that a user may declare and change. Groups are declared as a whole, and with each single member. */
function changeablePaths(attributes: Attributes): readonly (readonly string[])[] {
  return Object.entries(attributes).flatMap(([name, { presence, forcesReplacement, shape }]) => {
    if (presence === "computed" || presence === "required" || forcesReplacement) return [];
    const inner = shape.kind === "group" ? changeablePaths(shape.attributes) : [];
    return [[name], ...inner.map((path) => [name, ...path])];
  });
}

const ACCESS = { access_web: true, access_api: true };

/** The other attributes that an attribute needs, by its name. */
const NEEDS: Readonly<Record<string, Declared>> = { access_until: ACCESS };

/** The attributes that the object of each type declares in any case. */
const BASES: Readonly<Record<string, (name: string) => Declared>> = {
  tenancy_account: (name) => ({ name, permissions: {} }),
  tenancy_user_profile: (username) => ({
    username,
    account_id: "${tenancy_account.host.id}",
    permissions: {},
  }),
  // Two changes of keepers leave two tokens behind.
  tenancy_authorization: (name) => ({ name, retain_previous: 2 }),
};

/**
 * The resources of a stack, by type and name: an object for each value that a configuration may have.
 * @param choose the value; null is declared where validation refuses it
 */
export function stackOfSingles(
  choose: (attribute: Attribute) => unknown,
): Readonly<Record<string, Readonly<Record<string, Declared>>>> {
  return Object.fromEntries(
    Object.entries(BASES).map(([type, base]) => {
      const resource = resources.get(type)!;
      const { attributes } = resource.description;
      const objects = changeablePaths(attributes).map((path) => {
        const configWith = (value: unknown): Declared => {
          const [name = "", ...within] = path;
          const nested = within.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
          return { ...base(path.join(".")), ...NEEDS[name], [name]: nested };
        };
        const config = configWith(choose(attributeAt(attributes, path)!) ?? null) as ObjectValue;
        const isValid = [...validate(attributes, config), ...resource.check(config)].length === 0;
        return [path.join("-"), isValid ? config : configWith(null)] as const;
      });
      return [type, Object.fromEntries(objects)];
    }),
  );
}

// Lives: objects that declare everything, each of which changes one value and then takes it away.

export interface Life {
  readonly type: string;
  readonly name: string;
  /** One declaration for each phase of the life. */
  readonly phases: readonly Declared[];
}

/** A life for each value that an account or a user may have, besides secrets and the rules for them. */
export function lives(): readonly Life[] {
  return ["tenancy_account", "tenancy_user_profile"].flatMap((type) => {
    const { attributes } = resources.get(type)!.description;
    const leaves = changeablePaths(attributes).filter((path) => {
      const { shape, writeOnly } = attributeAt(attributes, path)!;
      return shape.kind !== "group" && !writeOnly && !path[0]!.endsWith("_version") && path[0] !== "unset";
    });
    const sample = (path: readonly string[], which: 0 | 1) =>
      sampleValue(attributeAt(attributes, path)!, which) as Value;
    // The same right is not in both maps.
    const everything = leaves.reduce<Value>((all, path) => withValueAt(all, path, sample(path, 0)), {
      ...(BASES[type]!("") as ObjectValue),
    }) as ObjectValue;
    const whole = { ...everything, permissions_until: { "vss.format_disks": "2099-12-31" } };
    return leaves.map((path): Life => {
      const name = path.join("-");
      const original = {
        ...whole,
        ...(BASES[type]!(name) as ObjectValue),
        permissions: everything["permissions"] ?? {},
      };
      const { nullable, shape } = attributeAt(attributes, path)!;
      const isUntil = path[0] === "permissions_until";
      const otherValue = isUntil ? { "vss.format_disks": "2099-11-30" } : sample(path, 1);
      const isList = shape.kind === "list" || shape.kind === "set";
      const bare = withValueAt(
        original,
        path,
        shape.kind === "map" ? {} : isList && !nullable ? [] : null,
      ) as ObjectValue;
      const phases = [
        original,
        withValueAt(original, path, otherValue),
        { ...bare, ...(nullable && { unset: path }), ...(name in ACCESS && { access_until: null }) },
      ];
      return { type, name, phases: phases as readonly Declared[] };
    });
  });
}

/** The declared values that stored records do not have, each with its path. */
export function lost(
  type: string,
  config: Declared,
  records: { readonly self: object; readonly primary?: object },
) {
  const { description, inventory } = resources.get(type)!;
  const { attributes } = description;
  const state = inventory!.stateOf(records as Records, null);
  return allAttributes(attributes).flatMap(({ path, attribute }) => {
    const value = valueAt(config as ObjectValue, path);
    const isUnset = (config["unset"] as readonly string[] | undefined)?.includes(path.join(".")) === true;
    if (!attribute.shown || attribute.shape.kind === "group" || (value === null && !isUnset)) return [];
    if (
      attribute.presence === "required" ||
      attribute.forcesReplacement ||
      same(attribute, value, valueAt(state, path))
    )
      return [];
    const rights = { ...(value as object), "vss.format_disks": true };
    if (path[0] === "permissions" && equal(valueAt(state, path), rights)) return [];
    return [`${path.join(".")}: ${stringifyJson(valueAt(state, path))} in place of ${stringifyJson(value)}`];
  });
}
