/**
 * Remembers objects: the record that is managed, the declaration and the values that the last apply left, and versions and values that the
 * service does not show again. Changes are in memory until the state is saved.
 */
import {
  equal,
  formatPath,
  normalForm,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  type Path,
  type Value,
} from "../lib/values";
import {
  type ManagedRecord,
  type ObjectsPart,
  type ObjectEntry,
  RECORD_MEMBERS,
  type RememberedObject,
  type SentVersion,
} from "./object-document";
import { type LeftValues, ObjectDraft, type RememberedEnds } from "./object-draft";
import { matchesHash } from "./secret-hash";

/** A live object that the state has recorded. */
export interface RecordedObject {
  /** Kind and natural key, such as `user_profile:jane@acme`. */
  readonly key: string;
  readonly record: ManagedRecord & { readonly uuid: string };
}

/** An object as an apply leaves it. */
export interface LeftObject extends LeftValues {
  readonly object: RememberedObject;
  /** Undefined for no change: the remembered ends stay. */
  readonly ends?: RememberedEnds | undefined;
  readonly record?: ManagedRecord | undefined;
  /** Undefined for no change: the remembered privileges stay. */
  readonly privileges?: ObjectValue | undefined;
  /** True if the object is declared as suspended. @default false */
  readonly isSuspended?: boolean;
  /** True if the object is declared with `destroy = false`. Undefined where the remembered declaration stays. */
  readonly isRetained?: boolean;
}

/** The version of a write-only value after a write whose result is not known. */
const UNKNOWN_VERSION: SentVersion = { version: null, hash: null };

export class ObjectEntries {
  readonly #objects: ObjectsPart;
  readonly #changed: () => void;
  /** Keys of recorded objects by their ids, and by their uuids. */
  #keys: Map<string, string> | undefined;

  /** @param beforeChange called before each change; throws if none is allowed */
  constructor(
    objects: ObjectsPart,
    beforeChange: () => void,
    /** True if there is an entry that this run cannot open. */
    private readonly isClosed = false,
  ) {
    this.#objects = objects;
    this.#changed = beforeChange;
  }

  /** The owner from whose name and theirs the uuids of objects derive, in a run without a state; undefined where there is one. */
  get owner(): string | undefined {
    return this.#objects.owner;
  }

  /** Takes live objects for recorded ones, in a run without a state. */
  derive(
    owner: string,
    objects: readonly { readonly key: string; readonly uuid: string; readonly record: ManagedRecord }[],
  ): void {
    this.#objects.owner = owner;
    for (const { key, uuid, record } of objects) this.#objects.objects.set(normalForm(key), { uuid, record });
  }

  get isComplete(): boolean {
    return this.#objects.isComplete;
  }

  markComplete(): void {
    if (this.#objects.isComplete) return;
    this.#changed();
    this.#objects.isComplete = true;
  }

  /** True if a run began to write the object, and did not note the result. */
  isPending(key: string): boolean {
    return this.#objects.objects.get(normalForm(key))?.writing === true;
  }

  /** True if an apply left an object of this key, be it another one than the live one. */
  hasLeft(key: string): boolean {
    return this.#objects.objects.get(normalForm(key))?.shown !== undefined;
  }

  /** Objects that an apply left. */
  leftObjects(): readonly RememberedObject[] {
    return [...this.#objects.objects].flatMap(([key, { uuid, shown }]) =>
      shown === undefined ? [] : [{ key, uuid }],
    );
  }

  /** The values that the last apply left; undefined if nothing is known, or an object of another uuid was left under the key. */
  leftOf(
    object: RememberedObject,
  ): (Omit<LeftValues, "left"> & { readonly values: ObjectValue }) | undefined {
    const { shown: values, applied: declaration } = this.#of(object) ?? {};
    return values === undefined || values === null ? undefined : { values, declaration };
  }

  /** The version of a write-only value that was sent last, or noted for a live record without sending. */
  sentVersion(object: RememberedObject, path: Path): SentVersion | undefined {
    return this.#of(object)?.secrets?.[formatPath(path)];
  }

  /** True if a version of any write-only value is remembered. */
  hasSentVersion(object: RememberedObject): boolean {
    return Object.values(this.#of(object)?.secrets ?? {}).some(({ version }) => version !== null);
  }

  /** True if a version or a value was only recorded as it is declared: no write has sent it. */
  isOnlyRecorded(object: RememberedObject, path: Path): boolean {
    return this.#of(object)?.only_recorded?.includes(formatPath(path)) === true;
  }

  /**
   * Compares a secret with the one recorded. Takes some milliseconds of a core on purpose; ask for many at once.
   * @returns undefined if there is nothing to compare with
   */
  async isSameSecret(object: RememberedObject, path: Path, secret: string): Promise<boolean | undefined> {
    return matchesHash(secret, this.sentVersion(object, path)?.hash ?? "");
  }

  /**
   * Compares a value that the service masks or leaves out with the remembered one.
   * @returns undefined if no value is remembered; "hidden" if a value is remembered that the snapshot does not contain
   */
  isSameValue(object: RememberedObject, path: Path, value: Value): boolean | undefined | "hidden" {
    const name = formatPath(path);
    const { sent, pending } = this.#of(object) ?? {};
    if (sent?.[name] === NOT_IN_SNAPSHOT || this.isClosed) return "hidden";
    if (pending?.includes(name) === true) return false;
    // Without a state, values that the service does not show are sent at the create alone.
    if (this.owner !== undefined) return true;
    return sent?.[name] === undefined ? undefined : equal(sent[name], value);
  }

  /** True if the last apply left the object suspended, as it was declared then. */
  isSuspended(object: RememberedObject): boolean {
    return this.#of(object)?.suspended === true;
  }

  /** True if the object was declared with `destroy = false` when an apply left it last; undefined where no apply has left it. */
  wasRetained(object: RememberedObject): boolean | undefined {
    const entry = this.#of(object);
    return entry?.retained ?? (entry?.shown === undefined ? undefined : false);
  }

  /** The objects whose access has an end, as applies have left them. */
  endingObjects(): readonly (RememberedObject & Pick<RememberedEnds, "days">)[] {
    return [...this.#objects.objects].flatMap(([key, { uuid, until: days }]) =>
      days === undefined ? [] : [{ key, uuid: uuid.toLowerCase(), days }],
    );
  }

  /** Undefined if no apply has left the object. */
  endsOf(object: RememberedObject): RememberedEnds | undefined {
    const entry = this.#of(object);
    if (entry === undefined || (entry.shown === undefined && entry.until === undefined)) return undefined;
    return { days: entry.until ?? {}, areRightsOpen: entry.rights_open === true };
  }

  /** The privileges of the object as they were first seen, written or accepted; undefined if none are remembered. */
  privilegesOf(object: RememberedObject): ObjectValue | undefined {
    return this.#of(object)?.accepted;
  }

  /** The record with this id, under any name. */
  recordWithId(id: string): RecordedObject | undefined {
    const { key = "", entry } = this.#findBy(id) ?? {};
    return entry?.record?.id === id ? recordInEntry(key, entry) : undefined;
  }

  /** True if a run began to create an object under this key and uuid, and did not note the result. */
  isCreation(key: string, uuid: string): boolean {
    const { uuid: drawn, writing, shown } = this.#objects.objects.get(normalForm(key)) ?? {};
    return writing === true && shown === undefined && uuid !== "" && drawn === uuid.toLowerCase();
  }

  /**
   * Begins to create an object. A repeated creation has the uuid of the one before, whose request may still arrive.
   * @param drawnUuid random uuid of the new object; empty if others can foresee its uuid, which then proves nothing
   */
  beginCreation(key: string, drawnUuid: string): PendingWrite & { readonly uuid: string } {
    const name = normalForm(key);
    const before = this.#objects.objects.get(name);
    const isRepeated = drawnUuid !== "" && before !== undefined && this.isCreation(name, before.uuid);
    const uuid = isRepeated ? before.uuid : drawnUuid;
    const record = before?.record && { ...before.record, past: true };
    const creation = { uuid, writing: true, ...(record !== undefined && { record }) };
    this.#set(name, creation);
    return {
      uuid,
      // A refused uuid is not tried again.
      undo: (isRefused) => this.#set(name, isRefused && isRepeated ? undefined : before),
      draft: (writtenObject) => this.#draft(writtenObject, undefined),
    };
  }

  /** The remembered record of a key, even if another record is live there now. */
  recordAt(key: string): RecordedObject["record"] | undefined {
    const entry = this.#objects.objects.get(normalForm(key));
    return entry && recordInEntry(key, entry)?.record;
  }

  /** True if the object that is recorded under a key is managed. */
  isRecorded(key: string): boolean {
    const record = this.recordAt(key);
    return record !== undefined && record.past !== true;
  }

  /** The recorded objects that are managed. */
  recordedObjects(): readonly RecordedObject[] {
    return [...this.#objects.objects].flatMap(([key, entry]) =>
      entry.record?.past === true ? [] : (recordInEntry(key, entry) ?? []),
    );
  }

  /** The object is released: its record says no more than that it was managed, and that counts where it is declared again. */
  release(key: string): void {
    const { uuid, record } = this.#objects.objects.get(normalForm(key)) ?? {};
    if (uuid !== undefined && record !== undefined)
      this.#set(normalForm(key), { uuid, record: { ...record, past: true } });
  }

  /**
   * Begins a write. Until its result is known, the object counts as pending, and the sent values are unknown. If the run is killed, the
   * declared values are sent again, and the run's changes do not count as changes made outside Tenancy.
   * @param sentValues the live object, with paths of write-only values and of values that the service may not show
   */
  begin(
    key: string,
    sentValues?: {
      readonly object: RememberedObject;
      readonly secrets: readonly Path[];
      readonly values: readonly Path[];
    },
  ): PendingWrite {
    const name = normalForm(key);
    const before = this.#objects.objects.get(name);
    const { object, secrets = [], values = [] } = sentValues ?? {};
    const [unknownSecrets, pending] = [secrets, values].map((paths) => paths.map(formatPath)) as [
      string[],
      string[],
    ];
    // The entry of another record under the key stays until a value of this one is sent.
    const entry =
      object === undefined || unknownSecrets.length + pending.length === 0
        ? (before ?? { uuid: "" })
        : entryOrNew(object, before);
    const pendingEntry = {
      ...entry,
      ...(unknownSecrets.length > 0 && {
        secrets: {
          ...entry.secrets,
          ...Object.fromEntries(unknownSecrets.map((name) => [name, UNKNOWN_VERSION])),
        },
      }),
      ...(pending.length > 0 && { pending: [...new Set([...(entry.pending ?? []), ...pending])] }),
      writing: true,
    };
    this.#set(name, pendingEntry);
    return {
      undo: () => this.#set(name, before),
      draft: (writtenObject, base) =>
        this.#draft(
          writtenObject,
          base === "nothing"
            ? undefined
            : this.#withFormer(writtenObject, base === "before" ? before : pendingEntry),
        ),
    };
  }

  /** The entry of an object, to be changed. */
  draft(object: RememberedObject): ObjectDraft {
    return this.#draft(object, this.#withFormer(object, this.#objects.objects.get(normalForm(object.key))));
  }

  /** True if {@link note} would change nothing. */
  isNoted({
    object,
    left,
    declaration,
    sensitive = [],
    ends,
    record,
    privileges,
    ...flags
  }: LeftObject): boolean {
    const { key, entry } = this.#find(object) ?? {};
    if (key !== normalForm(object.key) || entry?.shown === undefined || entry.writing === true) return false;
    const { isSuspended = false, isRetained = entry.retained === true } = flags;
    const { days, areRightsOpen } = ends ?? {
      days: entry.until ?? {},
      areRightsOpen: entry.rights_open === true,
    };
    return (
      isSuspended === (entry.suspended === true) &&
      isRetained === (entry.retained === true) &&
      areRightsOpen === (entry.rights_open === true) &&
      (record === undefined || RECORD_MEMBERS.every((name) => entry.record?.[name] === record[name])) &&
      (privileges === undefined || equal(entry.accepted, privileges)) &&
      equal(entry.until ?? {}, days) &&
      equal(entry.sensitive ?? [], sensitive.map(formatPath)) &&
      equal(entry.applied, declaration) &&
      equal(entry.shown, left)
    );
  }

  /** Notes the values of an object that the apply did not write. */
  note(leftObject: LeftObject): void {
    if (this.isNoted(leftObject)) return;
    const draft = this.draft(leftObject.object);
    if (leftObject.record !== undefined) draft.noteRecord(leftObject.record);
    if (leftObject.ends !== undefined) draft.noteEnds(leftObject.ends);
    if (leftObject.privileges !== undefined) draft.notePrivileges(leftObject.privileges);
    draft.noteSuspended(leftObject.isSuspended === true);
    if (leftObject.isRetained !== undefined) draft.noteRetained(leftObject.isRetained);
    draft.noteLeft(leftObject);
    draft.keep();
  }

  /** Forgets the object's values after the last apply, and keeps the rest, should the object be declared again. */
  forgetLeft(key: string): void {
    const entry = this.#objects.objects.get(normalForm(key));
    if (entry?.shown === undefined && entry?.writing === undefined) return;
    const { shown: _shown, applied: _applied, accepted: _accepted, sensitive: _sensitive, ...rest } = entry;
    const { retained: _retained, writing: _writing, record: _record, ...others } = rest;
    const record = recordOfGone(entry);
    this.#set(normalForm(key), { ...others, ...(record !== undefined && { record }) });
  }

  /** Forgets an object that is deleted. The record of an imported one stays, so that its declaration may come back. */
  forget(key: string): void {
    const entry = this.#objects.objects.get(normalForm(key));
    const record = entry && recordOfGone(entry);
    if (entry !== undefined)
      this.#set(normalForm(key), record === undefined ? undefined : { uuid: entry.uuid, record });
  }

  #draft(object: RememberedObject, base: ObjectEntry | undefined): ObjectDraft {
    return new ObjectDraft(entryOrNew(object, base), (entry) => this.#set(normalForm(object.key), entry));
  }

  #of(object: RememberedObject): ObjectEntry | undefined {
    return this.#find(object)?.entry;
  }

  /** The entry of an object, be it under a former name. */
  #find({ key, uuid }: RememberedObject): FoundEntry | undefined {
    const entry = this.#objects.objects.get(normalForm(key));
    if (entry?.uuid === uuid.toLowerCase()) return { key: normalForm(key), entry };
    const former = uuid === "" ? undefined : this.#findBy(uuid.toLowerCase());
    return former?.entry.uuid === uuid.toLowerCase() && kindInKey(former.key) === kindInKey(key)
      ? former
      : undefined;
  }

  #findBy(idOrUuid: string): FoundEntry | undefined {
    if (this.#keys === undefined) {
      this.#keys = new Map();
      for (const [key, entry] of this.#objects.objects) this.#index(key, entry);
    }
    const key = this.#keys.get(idOrUuid);
    const entry = key === undefined ? undefined : this.#objects.objects.get(key);
    return key === undefined || entry === undefined ? undefined : { key, entry };
  }

  #index(key: string, { uuid, record }: ObjectEntry): void {
    if (record?.id === undefined) return;
    this.#keys?.set(record.id, key);
    this.#keys?.set(uuid, key);
  }

  /** An entry, with the entry of the object's former name. */
  #withFormer(object: RememberedObject, entry: ObjectEntry | undefined): ObjectEntry | undefined {
    const former = this.#find(object);
    if (former === undefined || former.key === normalForm(object.key)) return entry;
    return { ...former.entry, ...entry, uuid: former.entry.uuid };
  }

  #set(name: string, entry: ObjectEntry | undefined): void {
    this.#changed();
    if (entry?.record?.id !== undefined) {
      // The object may have had another name before.
      const former = this.#find({ key: name, uuid: entry.uuid });
      if (former?.entry.record?.id === entry.record.id) this.#objects.objects.delete(former.key);
      this.#index(name, entry);
    }
    // An entry with a uuid alone says nothing.
    if (entry === undefined || Object.keys(entry).length === 1) this.#objects.objects.delete(name);
    else this.#objects.objects.set(name, entry);
  }
}

/** A write that has begun. */
export interface PendingWrite {
  /**
   * Nothing was written: the earlier entry holds again.
   * @param isRefused true if the service refused the write. @default false
   */
  undo(isRefused?: boolean): void;
  /**
   * The entry of the written object, to be changed.
   * @param base its remaining entry: `nothing` of a new object, everything from `before` if the result of the write is known, and
   *   otherwise the entry when the write had `begun`
   */
  draft(object: RememberedObject, base: "nothing" | "before" | "begun"): ObjectDraft;
}

/** An entry, and the key that it has. */
interface FoundEntry {
  readonly key: string;
  readonly entry: ObjectEntry;
}

/** The kind in a key, such as `user_profile`. */
function kindInKey(key: string): string {
  return key.slice(0, key.indexOf(":"));
}

/** The record of an object that is gone: it counts again where the object is declared again. */
function recordOfGone({ record }: ObjectEntry): ManagedRecord | undefined {
  return record && { ...record, past: true };
}

function recordInEntry(key: string, { uuid, record }: ObjectEntry): RecordedObject | undefined {
  return record && { key: normalForm(key), record: { uuid, ...record } };
}

/** An entry of another uuid under the same key is as good as none. */
function entryOrNew({ uuid }: RememberedObject, entry: ObjectEntry | undefined): ObjectEntry {
  return entry?.uuid === uuid.toLowerCase() ? entry : { uuid: uuid.toLowerCase() };
}
