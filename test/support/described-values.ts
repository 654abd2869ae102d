/** Values for every attribute that a user may declare, from the descriptions: an attribute that is added is tried, too. */
import { resources } from "../../src/resources";
import { type Attribute, attributeAt, type Attributes, validate } from "../../src/schema";
import type { ObjectValue } from "../../src/lib/values";

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

/** The other attributes that an attribute needs, by its name. */
const NEEDS: Readonly<Record<string, Declared>> = { access_until: { access_web: true, access_api: true } };

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
        const declared = (value: unknown): Declared => {
          const [name = "", ...within] = path;
          const nested = within.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
          return { ...base(path.join(".")), ...NEEDS[name], [name]: nested };
        };
        const config = declared(choose(attributeAt(attributes, path)!) ?? null) as ObjectValue;
        const isValid = [...validate(attributes, config), ...resource.check(config)].length === 0;
        return [path.join("-"), isValid ? config : declared(null)] as const;
      });
      return [type, Object.fromEntries(objects)];
    }),
  );
}
