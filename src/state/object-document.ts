/** Defines the form of the state's objects in the file and in a snapshot. */
import {
  equal,
  isInteger,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  type Shape,
  type Shaped,
  shapes,
  type Value,
} from "../lib/values";

/** A live record, as the state knows it again. */
export interface RememberedObject {
  /** Kind and natural key, such as `user_profile:jane@acme`. */
  readonly key: string;
  /** The object's uuid. Memories of an earlier record under the same key do not belong to this object. */
  readonly uuid: string;
}

const { text, integer, optional, nullable, listOf, mapOf, objectOf } = shapes;

/** A live record that an apply has left under management, so that it is known again. */
export interface ManagedRecord {
  readonly id?: string | undefined;
  readonly serial?: string | undefined;
  /** Milliseconds since epoch. */
  readonly ctime?: number | bigint | undefined;
  readonly account_id?: string | undefined;
  /** True if it is managed no longer: deleted, or released. It counts again where the object is declared again. */
  readonly past?: boolean | undefined;
}

export const RECORD_MEMBERS = ["id", "serial", "ctime", "account_id", "past"] as const;

const recordShape = objectOf({
  id: optional(text),
  serial: optional(text),
  ctime: optional(integer),
  account_id: optional(text),
  past: optional(shapes.flag),
});

const sentVersionShape = objectOf({
  version: nullable(shapes.either(shapes.number, text, "a number, string or null")),
  hash: nullable(text),
});

/**
 * A version of a write-only value that was sent. The version is null if none was declared, or where a write ended without a known result; the
 * hash is a {@link saltedHash}, or null if the value was not at hand.
 */
export type SentVersion = Shaped<typeof sentVersionShape>;

/** The entry of one object. Members are spelt as in the file, are never changed in place, and are absent if there is nothing to say. */
export interface ObjectEntry {
  /** Empty while an object is created whose uuid is not known yet. */
  readonly uuid: string;
  /** The declaration of the last apply, without secrets. Null if the object was not declared; absent if not every value was known. */
  readonly applied?: ObjectValue | null;
  /** The values that the service showed after the last apply, by attribute path. Null in a snapshot. Absent if no apply has left the object. */
  readonly shown?: ObjectValue | null;
  /** Privileges as they were first seen, written or accepted. */
  readonly accepted?: ObjectValue;
  /** Last days of access with an end, as the last apply left them: of rights, and of `access`. */
  readonly until?: Readonly<Record<string, string>>;
  /** Attribute paths of values that came from sensitive variables. */
  readonly sensitive?: readonly string[];
  /** Sent values that the service does not show, by attribute path. */
  readonly sent?: ObjectValue;
  /** Versions of write-only values, by attribute path. */
  readonly secrets?: Readonly<Record<string, SentVersion>>;
  /** Attribute paths of hidden values that a write may have changed: its result is not known. */
  readonly pending?: readonly string[];
  /** Attribute paths of versions and hidden values that were never sent. */
  readonly only_recorded?: readonly string[];
  readonly record?: ManagedRecord;
  /** True if the declaration of the last apply did not decide about all rights: some that it left may not have been declared. */
  readonly rights_open?: boolean;
  /** True if the last apply left the object suspended, as it was declared then. */
  readonly suspended?: boolean;
  /** True if the last apply found the object declared with `destroy = false`. */
  readonly retained?: boolean;
  /** True while a run writes the object, and after a run that did not learn what it left. */
  readonly writing?: boolean;
}

const entryMembers = {
  uuid: text,
  applied: optional(nullable(shapes.anyObject)),
  shown: optional(nullable(shapes.anyObject)),
  accepted: optional(shapes.anyObject),
  until: optional(mapOf(text)),
  sensitive: optional(listOf(text)),
  sent: optional(shapes.anyObject),
  secrets: optional(mapOf(sentVersionShape)),
  pending: optional(listOf(text)),
  only_recorded: optional(listOf(text)),
  record: optional(recordShape),
  rights_open: optional(shapes.flag),
  suspended: optional(shapes.flag),
  retained: optional(shapes.flag),
  writing: optional(shapes.flag),
};

/** The entries of objects in one part of the state. */
export interface ObjectsPart {
  /** True if every object that an apply left is remembered: then no apply left an object that is not remembered. */
  isComplete: boolean;
  readonly objects: Map<string, ObjectEntry>;
  /** The owner from whose name the uuids derive, where it was made from the service's lists for a run without a state. @default there is a state */
  owner?: string;
}

// In the file: the member `objects` of a part, which is there only if there is something to say.

const objectsShape: Shape<{
  readonly complete: boolean;
  readonly objects: Readonly<Record<string, ObjectEntry>>;
}> = objectOf({ complete: shapes.flag, objects: mapOf(objectOf(entryMembers)) });

export function noObjects(): ObjectsPart {
  return { isComplete: false, objects: new Map() };
}

/** @throws Misshapen */
export function readObjects(value: Value | undefined, place: string): ObjectsPart {
  if (value === undefined) return noObjects();
  const { complete, objects } = objectsShape(value, place);
  return { isComplete: complete, objects: new Map(Object.entries(objects)) };
}

/** @returns undefined if there is nothing to keep */
export function writeObjects({ isComplete, objects }: ObjectsPart): Value | undefined {
  if (objects.size === 0 && !isComplete) return undefined;
  return { complete: isComplete, objects: Object.fromEntries(objects) as unknown as ObjectValue };
}

// In a snapshot: the members that a plan needs, without a value that may be sensitive.

/**
 * The declared value of an attribute that the service does not show: null if none is declared, undefined if it is sensitive or not known.
 * @param object kind and natural key, such as `user_profile:jane@acme`
 */
export type DeclaredValueOf = (object: string, path: string) => Value | undefined;

const publishedShape: Shape<
  Readonly<Record<string, ObjectEntry & { readonly left_out?: readonly string[] }>>
> = mapOf(objectOf({ ...entryMembers, left_out: optional(listOf(text)) }));

/**
 * The objects with information for a plan. The values after the last apply are for drift, which reads the state itself. Of a hidden value, the
 * snapshot holds only the declared one: another one counts as unknown.
 */
export function publishObjects({ objects }: ObjectsPart, declaredValueOf: DeclaredValueOf): ObjectValue {
  const published = [...objects].flatMap(([object, entry]): readonly (readonly [string, ObjectValue])[] => {
    const { uuid, shown, sent = {}, secrets = {}, pending = [], only_recorded, suspended, writing } = entry;
    const { accepted, until, record, rights_open, retained } = entry;
    const names = new Set([...Object.keys(sent), ...pending]);
    const declaredValues = new Map([...names].map((name) => [name, declaredValueOf(object, name)]));
    const isSame = (name: string) => !pending.includes(name) && equal(sent[name], declaredValues.get(name));
    const members = Object.entries({
      ...(shown !== undefined && writing !== true && { shown: null }),
      sent: Object.fromEntries(Object.entries(sent).filter(([name]) => isSame(name))),
      left_out: [...names].filter((name) => declaredValues.get(name) === undefined),
      pending: [...names].filter((name) => declaredValues.get(name) !== undefined && !isSame(name)),
      secrets: Object.fromEntries(
        Object.entries(secrets).map(([path, { version }]) => [
          path,
          { version: isInteger(version) ? version : null, hash: null },
        ]),
      ),
      ...{ only_recorded, suspended, accepted, until, record, rights_open, retained },
    }).filter(([name, value]) => value !== undefined && (name === "accepted" || !isEmpty(value)));
    return members.length === 0 ? [] : [[object, { uuid, ...Object.fromEntries(members) }]];
  });
  return Object.fromEntries(published);
}

/** True for an object or a list without members. */
export function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/**
 * Gives published objects the form of kept ones.
 * @throws Misshapen
 */
export function restoreObjects(value: Value | undefined): Value {
  const objects = Object.entries(publishedShape(value, "objects")).map(
    ([object, { left_out = [], ...entry }]) => [
      object,
      {
        ...entry,
        sent: { ...entry.sent, ...Object.fromEntries(left_out.map((name) => [name, NOT_IN_SNAPSHOT])) },
      },
    ],
  );
  return { complete: false, objects: Object.fromEntries(objects) as ObjectValue };
}
