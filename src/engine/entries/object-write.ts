/**
 * Remembers the writes of an apply. Each write is a transaction on the entry of one object. It begins on disk before the first request of the run. It ends
 * with the result of the write, or is rolled back.
 */
import { randomUUID } from "node:crypto";
import type { StatePart, ObjectDraft, PendingWrite } from "../../state";
import {
  absentPaths,
  appliedValues,
  appliedValuesAfter,
  hiddenPaths,
  leavesWithin,
  unseenPaths,
} from "../../plan";
import {
  ApiError,
  conflict,
  forbidden,
  isError,
  movedOn,
  notTaken,
  unmanagedObject,
  validationRefused,
} from "../../problems";
import { nullableNames, type Outcome, unsetBy } from "../../resources";
import {
  type Attributes,
  isVersionPath,
  type Records,
  secretPath,
  shownValue,
  versionPath,
  writeOnlyAttributes,
} from "../../schema";
import {
  equal,
  isInteger,
  isUnknown,
  type ObjectValue,
  type Path,
  samePath,
  startsWith,
  valueAt,
} from "../../lib/values";
import { tokenKey, tokenIdentityOf } from "../tokens/identity";
import { rememberedRecord } from "../families";
import { type PlannedObject } from "../planned-object";
import { type Prune } from "../change";
import { writeTargetFor, type WriteTargets } from "../target";
import { tokenOfState } from "../tokens/entry";
import { declarationIn, endsLeftBy, managedRecordIn, rememberedKey, rememberedToken } from "./names";
import { privilegesLeftBy } from "./privileges";

/** The errors after which the object is unchanged. After any other failure of a request, its state is unknown. */
const REFUSALS = [conflict, unmanagedObject, forbidden, movedOn, validationRefused];

/** The writes of a run. Save the state before the first request, so that a killed run leaves no false entry. */
export class ObjectWrites {
  readonly #writes = new Map<PlannedObject | Prune, ObjectWrite>();

  constructor(
    { objects, prunes }: { readonly objects: readonly PlannedObject[]; readonly prunes: readonly Prune[] },
    writeTargets: WriteTargets,
  ) {
    for (const object of [...objects, ...prunes]) {
      if (object.change.action === "none") continue;
      const { part } = writeTargetFor(writeTargets, object.change.provider);
      this.#writes.set(object, new ObjectWrite(part, object));
    }
  }

  /** @throws TypeError for an object that the plan does not change */
  writeOf(object: PlannedObject | Prune): ObjectWrite {
    const write = this.#writes.get(object);
    if (write === undefined) throw new TypeError(`the plan writes nothing of ${object.change.address}`);
    return write;
  }

  /** Ends the writes that the run did not reach: their objects are as before. */
  endUnstarted(): void {
    for (const write of this.#writes.values()) write.endUnstarted();
  }
}

export class ObjectWrite {
  readonly #part: StatePart;
  /** Undefined for a token: the state notes the creation of a token as an intent. */
  readonly #pending: PendingWrite | undefined;
  /** The uuid of a record that is created: the state has noted it. */
  readonly uuid: string | undefined;
  readonly #key: string;
  #state: "begun" | "started" | "ended" = "begun";

  constructor(part: StatePart, object: PlannedObject | Prune) {
    this.#part = part;
    this.#key = rememberedKey(object);
    if (object.resource.kind === "token") return;
    if ("config" in object && object.change.action === "create") {
      const isForeseeable = (object.config["uuid"] ?? null) !== null || part.objects.owner !== undefined;
      const creation = part.objects.beginCreation(this.#key, isForeseeable ? "" : randomUUID());
      this.#pending = creation;
      if (!isForeseeable) this.uuid = creation.uuid;
    } else this.#pending = part.objects.begin(this.#key, valuesSentBy(object));
  }

  /** A request is about to be sent: from here on, a failure means that the live state is unknown. */
  started(): void {
    this.#state = "started";
  }

  /**
   * Notes the result of the write.
   * @param object the written object; its configuration is completely known
   */
  async finished(object: PlannedObject, outcome: Outcome): Promise<void> {
    this.#state = "ended";
    const { resource, lookup, rotation } = object;
    const { state } = outcome;
    const isRetained = !object.block.lifecycle.destroy;
    if (resource.kind === "token") {
      this.#part.tokens.put(tokenOfState(state, object.sensitive, rotation));
      const draft = this.#part.objects.draft(rememberedToken(tokenKey(tokenIdentityOf(state))));
      draft.noteRetained(isRetained);
      // A rotation is about the token alone, not about the rest of its declaration.
      if (rotation === undefined)
        draft.noteLeft({ left: {}, declaration: declarationIn(object), sensitive: object.sensitive });
      draft.keep();
      return;
    }
    // The values of the last apply stay remembered: others may have changed them since, and this write left that alone.
    if (object.ends !== undefined && object.remembered !== undefined) {
      const { objects } = this.#part;
      const draft = this.#pending?.draft(object.remembered, "before") ?? objects.draft(object.remembered);
      const { days = {}, areRightsOpen = true } = object.target.part.objects.endsOf(object.remembered) ?? {};
      draft.noteEnds({ days: { ...days, ...object.ends }, areRightsOpen });
      const privileges = privilegesLeftBy(object, outcome.records);
      if (privileges !== undefined) draft.notePrivileges(privileges);
      draft.keep();
      return;
    }
    // If there was nothing to send, the record is as the plan saw it.
    const records = outcome.records ?? (lookup?.kind === "live" ? lookup.records : undefined);
    if (records === undefined) return;
    // A service may show a created object under another name than the one that it was given.
    const key = outcome.key ?? resource.inventory.expectation({ self: state }).key ?? "";
    const rememberedObject = object.remembered ?? rememberedRecord(resource, key, { self: state });
    // A name that the plan could not know has an entry of its own.
    if (rememberedObject.key !== this.#key) this.#pending?.undo();
    const { attributes } = resource.description;
    // Memories of an earlier object under the same key do not belong to a new one, although it may have the same uuid.
    const base = object.change.action === "create" ? "nothing" : isCertain(outcome) ? "before" : "begun";
    const draft = this.#pending?.draft(rememberedObject, base) ?? this.#part.objects.draft(rememberedObject);
    // Nothing was sent before a create.
    const changePaths = base === "nothing" ? [] : changedPaths(object);
    await noteSent(draft, { attributes, config: object.config, state, records, changed: changePaths });
    await noteRecorded(draft, object);
    // An update of the primary user profile alone has no answer that shows the account. Its state is whole.
    const record = managedRecordIn(object, state);
    if (record !== undefined) draft.noteRecord(record);
    if ("permissions_until" in attributes) draft.noteEnds(endsLeftBy(object.config, state));
    draft.noteSuspended(object.block.suspended === true);
    draft.noteRetained(isRetained);
    draft.notePrivileges(privilegesLeftBy(object, records) ?? {});
    const leftValues =
      lookup?.kind === "live"
        ? appliedValuesAfter(attributes, records, lookup.records, changedPaths(object))
        : appliedValues(attributes, records);
    draft.noteLeft({ left: leftValues, declaration: declarationIn(object), sensitive: object.sensitive });
    draft.keep();
  }

  /**
   * The object is deleted.
   * @param id the state may know it under a former name
   */
  deleted(id: string): void {
    this.#state = "ended";
    const { objects } = this.#part;
    // An object that was renamed may have left its name to the deleted one.
    if ((objects.recordAt(this.#key)?.id ?? id) === id) objects.forget(this.#key);
    else this.#pending?.undo();
    const former = objects.recordWithId(id);
    if (former !== undefined && former.key !== this.#key) objects.forget(former.key);
  }

  /** If the write was not started, or was refused, the earlier entry holds again. Otherwise the object stays pending. */
  failed(error: unknown): void {
    if (this.#state === "begun") this.#pending?.undo();
    else if (this.#state === "started" && isRefusal(error)) this.#pending?.undo(true);
    this.#state = "ended";
  }

  endUnstarted(): void {
    if (this.#state === "begun") this.failed(undefined);
  }
}

/** The values that an update sends and that cannot be read back: they are unknown until its result is known. */
function valuesSentBy({ change, resource, ...object }: PlannedObject | Prune) {
  if (change.action !== "update" || !("lookup" in object)) return undefined;
  const { remembered: rememberedObject, lookup } = object;
  if (rememberedObject === undefined || lookup?.kind !== "live") return undefined;
  const { attributes } = resource.description;
  const changePaths = change.attributes.map(({ path }) => path);
  const secrets = writeOnlyAttributes(attributes)
    .map(({ path }) => path)
    .filter((path) => changePaths.some((one) => samePath(one, versionPath(path))));
  return { object: rememberedObject, secrets, values: unseenPaths(attributes, lookup.records, changePaths) };
}

/** If a request was repeated, an earlier attempt may have succeeded without an answer. The refusal of the last attempt then proves nothing. */
function isRefusal(error: unknown): boolean {
  const isRepeated = error instanceof ApiError && (error.request.attempt ?? 1) > 1;
  return !isRepeated && REFUSALS.some((refusal) => refusal.is(error));
}

/** True if it is known of every value whether it was written. Of an update with two requests, the result of the second may be unknown. */
function isCertain({ findings }: Outcome): boolean {
  const knownCodes = [...REFUSALS, notTaken].map(({ code }) => code);
  return findings.filter(isError).every(({ code }) => knownCodes.some((one) => one === code));
}

function changedPaths({ change }: PlannedObject): readonly Path[] {
  return change.attributes.map(({ path }) => path);
}

/**
 * Notes hidden values and versions as declared, as far as they were written.
 * @param written the present state (after a partial write, the rest is unchanged), and the paths of the planned changes
 */
export async function noteSent(
  draft: ObjectDraft,
  {
    attributes,
    config,
    state,
    records,
    changed: changePaths,
  }: {
    readonly attributes: Attributes;
    readonly config: ObjectValue;
    readonly state: ObjectValue;
    readonly records: Records;
    readonly changed: readonly Path[];
  },
): Promise<void> {
  const isWritten = (path: Path) => equal(valueAt(state, path), valueAt(config, path));
  // A value that an earlier apply only recorded stays marked so, unless this one has sent it.
  const isStillUnsent = (path: Path, changedAt: Path) =>
    draft.isOnlyRecorded(path) && !changePaths.some((one) => startsWith(changedAt, one));
  for (const path of hiddenPaths(attributes, config, records)) {
    if (!isWritten(path)) continue;
    const isMarked = isStillUnsent(path, path);
    noteValue(draft, path, config);
    if (isMarked) draft.markOnlyRecorded(path);
  }
  // A value that was taken away may be declared again: it has to be sent then, even if it is the one that was sent before.
  const clearedPaths = changePaths.filter((path) => valueAt(state, path) === null);
  for (const path of leavesWithin(attributes, clearedPaths))
    if (draft.isSameValue(path, null) === false) draft.noteValue(path, null);
  for (const path of absentPaths(attributes, state, records))
    if (draft.isSameValue(path, null) === undefined) draft.noteValue(path, null);
  // A value that is merely not declared may be live, and `unset` may come to name it.
  const unset = unsetBy(attributes, config);
  for (const name of nullableNames(attributes)) {
    if (!unset.has(name) && draft.isSameValue([name], null) === true) draft.markOnlyRecorded([name]);
    if (unset.has(name) && isTakenAway(name, { attributes, state, records })) draft.noteValue([name], null);
  }
  for (const { path } of writeOnlyAttributes(attributes)) {
    const isDeclared = path.length === 1 || valueAt(config, path.slice(0, -1)) !== null;
    if (!isDeclared || !isWritten(versionPath(path))) continue;
    const isMarked = isStillUnsent(path, versionPath(path));
    await noteVersion(draft, path, config);
    if (isMarked) draft.markOnlyRecorded(path);
  }
}

/** True if an attribute that `unset` names has no value, and the answers do not show it. */
function isTakenAway(
  name: string,
  {
    attributes,
    state,
    records,
  }: { readonly attributes: Attributes; readonly state: ObjectValue; readonly records: Records },
): boolean {
  const attribute = attributes[name];
  const record = attribute && records[attribute.of];
  if (attribute?.shown !== true || record === undefined || (state[name] ?? null) !== null) return false;
  return shownValue(attribute, name, record) === undefined;
}

/** Notes values that the plan takes as declared because nothing was remembered of them. */
export async function noteRecorded(
  draft: ObjectDraft,
  { recorded, config }: Pick<PlannedObject, "recorded" | "config">,
): Promise<void> {
  for (const path of recorded) {
    const valuePath = isVersionPath(path) ? secretPath(path) : path;
    if (isVersionPath(path)) await noteVersion(draft, valuePath, config);
    else noteValue(draft, valuePath, config);
    draft.markOnlyRecorded(valuePath);
  }
}

function noteValue(draft: ObjectDraft, path: Path, config: ObjectValue): void {
  const value = valueAt(config, path);
  if (value !== null && !isUnknown(value)) draft.noteValue(path, value);
}

/** A secret that is not declared has the version null, so that declaring one later sends it. */
async function noteVersion(draft: ObjectDraft, path: Path, config: ObjectValue): Promise<void> {
  const version = valueAt(config, versionPath(path));
  const secret = valueAt(config, path);
  await draft.noteVersion(
    path,
    isInteger(version) ? version : null,
    typeof secret === "string" ? secret : undefined,
  );
}
