/**
 * Decides which members of the service's records a snapshot holds. It takes only members that the descriptions read, in the expected form:
 * a member that the service adds later is left out, as are verification tokens, digests and everything else that could be secret.
 */
import type { Attribute, Attributes, Privacy } from "../schema";
import {
  isInteger,
  isList,
  isObject,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  onceForEach,
  type Path,
  type Value,
  withValueAt,
} from "../lib/values";

/** The part of a record that is taken. `managed`: a stack manages it. `full`: the user asked for everything that is no secret. */
export type Extent = "public" | "managed" | "full";

/** A record as a snapshot holds it. */
export interface PublishedRecord {
  readonly record: ObjectValue;
  /** Paths of the values that the service showed and that are left out: `email`, `two_factor.security_email`. */
  readonly left_out: readonly string[];
}

/** Takes the value of one member if it has the expected type; undefined if it is left out. */
type Rule = (value: Value, extent: Extent) => Value | undefined | Cut;

type Rules = Readonly<Record<string, Rule>>;

/** An object of which a part is left out. */
class Cut {
  constructor(
    readonly value: ObjectValue,
    readonly leftOut: readonly string[],
  ) {}
}

// Rules for single values.

const textRule: Rule = (value) => (typeof value === "string" ? value : undefined);
const integerRule: Rule = (value) => (isInteger(value) ? value : undefined);
const flagRule: Rule = (value) => (typeof value === "boolean" ? value : undefined);

function listRule(rule: Rule): Rule {
  return (value, extent) => {
    if (!isList(value)) return undefined;
    const elements = value.map((element) => rule(element, extent));
    return elements.includes(undefined)
      ? undefined
      : elements.map((element) => (element instanceof Cut ? element.value : (element ?? null)));
  };
}

function objectRule(rules: Rules): Rule {
  return (value, extent) => (isObject(value) ? cutOf(value, rules, extent) : undefined);
}

function firstFit(rules: readonly Rule[]): Rule {
  return (value, extent) => {
    for (const rule of rules) {
      const part = rule(value, extent);
      if (part !== undefined) return part;
    }
    return undefined;
  };
}

const TAKEN: Readonly<Record<Privacy, readonly Extent[]>> = {
  public: ["public", "managed", "full"],
  personal: ["managed", "full"],
  internal: ["full"],
};

function withPrivacy(privacy: Privacy, rule: Rule): Rule {
  return (value, extent) => (TAKEN[privacy].includes(extent) ? rule(value, extent) : undefined);
}

function cutOf(value: ObjectValue, rules: Rules, extent: Extent): Cut {
  const members: Record<string, Value> = {};
  const leftOut: string[] = [];
  for (const [name, rule] of Object.entries(rules)) {
    if (!Object.hasOwn(value, name)) continue;
    const member = value[name] ?? null;
    // Null says nothing, so it is always taken.
    const part = member === null ? null : rule(member, extent);
    if (part === undefined) leftOut.push(name);
    else if (part instanceof Cut) {
      members[name] = part.value;
      leftOut.push(...part.leftOut.map((inner) => `${name}.${inner}`));
    } else members[name] = part;
  }
  return new Cut(members, leftOut);
}

// Rights by group. The service decides which groups and rights there are; a right is true or false.

const SAFE_NAME = /^[A-Za-z][\w-]{0,63}$/;

const groupOfRights: Rules = {
  rights: (value) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).filter(
            ([name, isGranted]) => SAFE_NAME.test(name) && typeof isGranted === "boolean",
          ),
        )
      : undefined,
  all_realm_scope: flagRule,
  all_account_scope: flagRule,
  nodes: listRule(textRule),
  vsses: listRule(textRule),
};

const permissionsRule: Rule = (value) => {
  if (!isObject(value)) return undefined;
  const groups = Object.entries(value).filter(([name, group]) => SAFE_NAME.test(name) && isObject(group));
  return Object.fromEntries(
    groups.map(([name, group]) => [name, cutOf(group as ObjectValue, groupOfRights, "public").value]),
  );
};

/** An event query names the object of its events. A longer query may hold any content. */
const eventQueryRule: Rule = (value) =>
  typeof value === "string" && /^serial=[\w:.-]+$/.test(value) ? value : undefined;

// The rules of a description.

const rulesOf = onceForEach((attributes: Attributes): Rules => {
  const readings = Object.entries(attributes).flatMap(([name, attribute]) => {
    const { codec, shown: isShown, sensitive, memberOf, shape, readPath: path = [name] } = attribute;
    const isWrapped = shape.kind === "string" && path.length > (memberOf === undefined ? 1 : 2);
    return isShown && !sensitive && codec === undefined ? [{ path, attribute, isWrapped }] : [];
  });
  return {
    ...rulesOfReadings(readings),
    ...(Object.hasOwn(attributes, "evt_qry") && { evt_qry: eventQueryRule }),
    // Rights and scopes are the only attributes that have a form of their own.
    ...(Object.values(attributes).some(({ codec }) => codec !== undefined) && {
      permissions: permissionsRule,
    }),
  };
});

function rulesOfReadings(
  readings: readonly {
    readonly path: Path;
    readonly attribute: Attribute;
    /** True if its text may replace the object that holds it: `"1"` for `{ number: "1" }`. */
    readonly isWrapped: boolean;
  }[],
): Rules {
  const names = new Set(readings.map(({ path }) => String(path[0])));
  return Object.fromEntries(
    [...names].map((name) => {
      const ofName = readings.filter(({ path }) => path[0] === name);
      const deeper = ofName.filter(({ path }) => path.length > 1);
      const inside = deeper.map((reading) => ({ ...reading, path: reading.path.slice(1) }));
      const rules = [
        ...ofName.filter(({ path }) => path.length === 1).map(({ attribute }) => ruleOf(attribute)),
        ...deeper
          .filter(({ path, isWrapped }) => isWrapped && path.length === 2)
          .map(({ attribute }) => withPrivacy(attribute.privacy, textRule)),
        ...(inside.length === 0 ? [] : [objectRule(rulesOfReadings(inside))]),
      ];
      // An object of which nothing would be taken is left out as a whole.
      const least = (["public", "personal", "internal"] as const).find((privacy) =>
        ofName.some(({ attribute }) => attribute.privacy === privacy),
      );
      return [name, withPrivacy(least ?? "internal", firstFit(rules))];
    }),
  );
}

function ruleOf({ shape, privacy }: Attribute): Rule {
  const scalars = { string: textRule, integer: integerRule, bool: flagRule };
  switch (shape.kind) {
    case "group":
      return withPrivacy(privacy, objectRule(rulesOf(shape.attributes)));
    case "groups":
      return withPrivacy(privacy, listRule(objectRule(rulesOf(shape.attributes))));
    case "list":
    case "set":
      return withPrivacy(privacy, listRule(scalars[shape.of]));
    case "map":
      return () => undefined;
    default:
      return withPrivacy(privacy, scalars[shape.kind]);
  }
}

/** Members that every record may have, even if its description does not read them. */
const EVERY_RECORD: Rules = {
  id: textRule,
  uuid: textRule,
  serial: textRule,
  account_id: textRule,
  name: textRule,
  seq: integerRule,
};

/**
 * The part of a record that a snapshot may hold.
 * @param attributes of the record
 */
export function publish(attributes: Attributes, record: ObjectValue, extent: Extent): PublishedRecord {
  const { value, leftOut } = cutOf(record, { ...EVERY_RECORD, ...rulesOf(attributes) }, extent);
  return { record: value, left_out: leftOut };
}

/** The record again, with marks for the parts that were left out. */
export function recordOfPublished({ record, left_out: leftOut }: PublishedRecord): ObjectValue {
  return leftOut.reduce<ObjectValue>(
    (markedRecord, place) => withValueAt(markedRecord, place.split("."), NOT_IN_SNAPSHOT) as ObjectValue,
    record,
  );
}
