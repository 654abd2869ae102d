/** Defines the form of the store's memory in the file and in a snapshot. */
import {
  isInteger,
  type Layout,
  type ObjectValue,
  type Shape,
  type Shaped,
  shapes,
  type Value,
} from "../lib/values";
import { deriveKey, layoutIn, ObjectDigests } from "./memory-digests";

/** A live record, as the store knows it again. */
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
  /** True if the uuid proves that it is managed: then the entry only finds it under another name. Otherwise the entry is the proof. */
  readonly proven?: boolean | undefined;
  /** True if it is managed no longer: deleted, or released. It counts again where the object is declared again. */
  readonly past?: boolean | undefined;
}

export const RECORD_MEMBERS = ["id", "serial", "ctime", "account_id", "proven", "past"] as const;

const recordShape = objectOf({
  id: optional(text),
  serial: optional(text),
  ctime: optional(integer),
  account_id: optional(text),
  proven: optional(shapes.flag),
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

/** The memory of one object. Members are spelt as in the file, are never changed in place, and are absent if there is nothing to say. */
export interface ObjectEntry {
  /** Empty while an object is created whose uuid is not known yet. */
  readonly uuid: string;
  /** Versions of write-only values, by attribute path. */
  readonly write_only?: Readonly<Record<string, SentVersion>>;
  /** Keyed digests of sent values, by attribute path. */
  readonly digests?: Readonly<Record<string, string>>;
  /** Attribute paths among these two that were never sent. */
  readonly only_recorded?: readonly string[];
  /** Packed digests of the values that the last apply left, see {@link ObjectDigests.pack}. */
  readonly left?: string;
  readonly record?: ManagedRecord;
  /** Last days of access with an end, as the last apply left them: of rights, and of `access`. */
  readonly ends?: Readonly<Record<string, string>>;
  /** True if the declaration of the last apply did not decide about all rights: some that it left may not have been declared. */
  readonly rights_open?: boolean;
  /** Id of its privileges, as they were first seen, written or accepted, see {@link MemoryPart.privileges}. */
  readonly privileges?: string;
  /** True if the last apply found the object declared with `destroy = false`. */
  readonly retained?: boolean;
  /** True while a run writes the object, and after a run that did not learn what it left. */
  readonly pending?: boolean;
}

const entryShape: Shape<ObjectEntry> = objectOf({
  uuid: text,
  write_only: optional(mapOf(sentVersionShape)),
  digests: optional(mapOf(text)),
  only_recorded: optional(listOf(text)),
  left: optional(text),
  record: optional(recordShape),
  ends: optional(mapOf(text)),
  rights_open: optional(shapes.flag),
  privileges: optional(text),
  retained: optional(shapes.flag),
  pending: optional(shapes.flag),
});

/** The memory of one part of the store. */
export interface MemoryPart {
  /** True if every object that an apply left is remembered: then no apply left an object that is not remembered. */
  isComplete: boolean;
  /** The names behind the digests of an object, by a short id. */
  readonly layouts: Map<string, Layout>;
  /** Privileges of objects by a short id, since most users of a large stack have the same ones. */
  readonly privileges: Map<string, ObjectValue>;
  readonly objects: Map<string, ObjectEntry>;
}

/** Replaces a digest: a value is remembered, and the snapshot does not contain its digest. */
export const HIDDEN = "untold";

/** True if an entry says no more than that there was an object. */
export function isEmptyEntry({ uuid: _uuid, ...members }: ObjectEntry): boolean {
  return Object.values(members).every(
    (value) => typeof value === "object" && Object.keys(value).length === 0,
  );
}

/** The key of a part's memory. */
export function memoryKey(partKey: Buffer): Buffer {
  return deriveKey(partKey, "object memory");
}

// In the file: the member `memory` of a part, which is there only if there is something to say.

const layoutsShape = mapOf(objectOf({ values: listOf(text), flags: listOf(text) }));

const memoryShape = objectOf({
  complete: shapes.flag,
  layouts: layoutsShape,
  privileges: optional(mapOf(shapes.anyObject)),
  objects: mapOf(entryShape),
});

export function emptyMemory(): MemoryPart {
  return { isComplete: false, layouts: new Map(), privileges: new Map(), objects: new Map() };
}

/** @throws Misshapen */
export function readMemory(value: Value | undefined, place: string): MemoryPart {
  if (value === undefined) return emptyMemory();
  const { complete, layouts, privileges = {}, objects } = memoryShape(value, place);
  return {
    isComplete: complete,
    layouts: new Map(
      Object.entries(layouts).map(([id, { values, flags }]) => [id, { paths: values, flags }]),
    ),
    privileges: new Map(Object.entries(privileges)),
    objects: new Map(Object.entries(objects)),
  };
}

/** @returns undefined if there is nothing to keep */
export function writeMemory({ isComplete, layouts, privileges, objects }: MemoryPart): Value | undefined {
  if (objects.size === 0 && !isComplete) return undefined;
  const usedLayouts = new Set(
    [...objects.values()].flatMap(({ left: packedValues }) =>
      packedValues === undefined ? [] : layoutIn(packedValues),
    ),
  );
  return {
    complete: isComplete,
    layouts: Object.fromEntries(
      [...layouts]
        .filter(([id]) => usedLayouts.has(id))
        .map(([id, { paths, flags }]) => [id, { values: [...paths], flags: [...flags] }]),
    ),
    ...writePrivileges({ privileges, objects }),
    objects: Object.fromEntries(objects) as unknown as ObjectValue,
  };
}

/** The privileges that objects have, as a member of a memory or of its public part; no member where no object has any. */
export function writePrivileges({ privileges, objects }: Pick<MemoryPart, "privileges" | "objects">): {
  readonly privileges?: ObjectValue;
} {
  const usedIds = new Set([...objects.values()].map(({ privileges: id }) => id));
  const referenced = [...privileges].filter(([id]) => usedIds.has(id));
  return referenced.length === 0 ? {} : { privileges: Object.fromEntries(referenced) };
}

// In a snapshot: the part that a plan needs, without any digest of undeclared values.

/**
 * The declared value of an attribute that the service does not show: null if none is declared, undefined if it is sensitive or not known.
 * @param object kind and natural key, such as `user_profile:jane@acme`
 */
export type DeclaredValueOf = (object: string, path: string) => Value | undefined;

const publishedShape = mapOf(
  objectOf({
    uuid: text,
    left: optional(shapes.flag),
    versions: mapOf(shapes.anything),
    unseen: mapOf(objectOf({ value: optional(shapes.anything), sent: optional(shapes.flag) })),
    only_recorded: optional(listOf(text)),
    record: optional(recordShape),
    ends: optional(mapOf(text)),
    rights_open: optional(shapes.flag),
    privileges: optional(text),
    retained: optional(shapes.flag),
  }),
);

/** The digest of no value. */
const OTHER = "other";

/** The objects with information for a plan. The values after the last apply are for drift, which reads the store itself. */
export function publishMemory(
  { objects }: MemoryPart,
  partKey: Buffer,
  declaredValueOf: DeclaredValueOf,
): ObjectValue {
  const key = memoryKey(partKey);
  return Object.fromEntries(
    [...objects].flatMap(([object, { uuid, write_only = {}, digests = {}, ...entry }]) => {
      const wasLeft = entry.left !== undefined && entry.pending !== true;
      const isKnown = Object.keys(write_only).length + Object.keys(digests).length > 0;
      const others = [entry.record, entry.ends, entry.privileges, entry.retained];
      if (!wasLeft && !isKnown && others.every((one) => one === undefined)) return [];
      const digester = new ObjectDigests(key, object);
      const published = {
        uuid,
        ...(wasLeft && { left: true }),
        versions: Object.fromEntries(
          Object.entries(write_only).map(([path, { version }]) => [
            path,
            isInteger(version) ? version : null,
          ]),
        ),
        // The code has the declared value already; only the comparison with the sent value is added.
        unseen: Object.fromEntries(
          Object.entries(digests).map(([path, digest]) => {
            const value = declaredValueOf(object, path);
            return [path, value === undefined ? {} : { value, sent: digest === digester.sent(path, value) }];
          }),
        ),
        ...(entry.only_recorded !== undefined && { only_recorded: entry.only_recorded }),
        ...(entry.record !== undefined && { record: entry.record }),
        ...(entry.ends !== undefined && { ends: entry.ends }),
        ...(entry.rights_open === true && { rights_open: true }),
        ...(entry.privileges !== undefined && { privileges: entry.privileges }),
        ...(entry.retained === true && { retained: true }),
      };
      return [[object, published as unknown as ObjectValue]];
    }),
  );
}

/**
 * Gives published objects the form of kept ones. Digests are computed again.
 * @param privileges as {@link writePrivileges} has them
 * @param partKey a key of this process alone
 * @throws Misshapen
 */
export function restoreMemory(
  value: Value | undefined,
  privileges: Value | undefined,
  partKey: Buffer,
): Value {
  const key = memoryKey(partKey);
  const objects = Object.entries(publishedShape(value, "objects")).map(
    ([object, { uuid, left: isLeft, versions, unseen: hiddenValues, ...others }]) => {
      const digester = new ObjectDigests(key, object);
      const write_only = Object.entries(versions).map(([path, version]) => [path, { version, hash: null }]);
      const digests = Object.entries(hiddenValues).map(([path, { value: declaredValue, sent: isSent }]) => [
        path,
        declaredValue === undefined ? HIDDEN : isSent === true ? digester.sent(path, declaredValue) : OTHER,
      ]);
      return [
        object,
        {
          uuid,
          ...(isLeft === true && { left: "left" }),
          write_only: Object.fromEntries(write_only) as ObjectValue,
          digests: Object.fromEntries(digests) as ObjectValue,
          ...others,
        },
      ];
    },
  );
  return {
    ...{ complete: false, layouts: {}, objects: Object.fromEntries(objects) as ObjectValue },
    ...(privileges !== undefined && { privileges }),
  };
}
