/** Notes in the store what an apply leaves of each object, as it is written; of what needed no write, as the plan saw it. */
import type { Ledger, ManagedRecord, RememberedObject, TokenIdentity } from "../../credentials";
import {
  absentPaths,
  declarationOf,
  hiddenPaths,
  leavesWithin,
  appliedValuesAfter,
  appliedValues,
  NOTHING_LEFT,
  type Plan,
  unseenPaths,
} from "../../plan";
import { identityOf, idOf } from "../../resources";
import {
  type Attributes,
  isVersionPath,
  type Records,
  secretPath,
  versionPath,
  writeOnlyAttributes,
} from "../../schema";
import {
  equal,
  isInteger,
  isUnknown,
  type AppliedValues,
  type ObjectValue,
  type Path,
  samePath,
  startsWith,
  textOf,
  valueAt,
} from "../../lib/values";
import { tokenKey } from "../diff/token";
import { listedFamilies, memoryKeyOf, partsOfMemoryKey, rememberedRecord, tokenFamily } from "../families";
import {
  type DeclaredObject,
  type WriteTarget,
  type WriteTargets,
  type PlannedObject,
  type Prune,
  type ReadTarget,
  type EvaluationResult,
} from "../stages";

/** Tokens need no uuid here: the store knows their serial numbers. */
const ANY_TOKEN = "-";

/** What the store remembers a token's declaration by. */
export function rememberedToken(key: string): RememberedObject {
  return { key: memoryKeyOf(tokenFamily(), key), uuid: ANY_TOKEN };
}

/** Takes a token out of the store, and what is remembered of it. */
export function removeToken({ tokens, lastApply }: Ledger, token: TokenIdentity): void {
  tokens.remove(token);
  lastApply.drop(rememberedToken(tokenKey(token)).key);
}

/** Key under which the store remembers an object, be it live or not. */
export function rememberedKey({ resource, change }: Pick<PlannedObject, "resource" | "change">): string {
  return memoryKeyOf(resource, change.key);
}

/** What is declared of an object, as the store remembers it. */
export function declarationIn({
  resource,
  config,
  block,
}: Pick<DeclaredObject, "resource" | "config" | "block">) {
  return declarationOf(resource.description.attributes, config, block.lifecycle.ignoreChanges);
}

/** Notes what was written, or taken in. */
export function recordApplied(
  ledger: Ledger,
  object: Pick<PlannedObject, "resource" | "config" | "block" | "change" | "lookup" | "rotation">,
  remembered: RememberedObject,
  records?: Records,
): void {
  // A rotation is about the token alone, not about its declaration.
  if (object.rotation !== undefined) return;
  const { attributes } = object.resource.description;
  const { change, lookup } = object;
  const written = () => change.attributes.map(({ path }) => path);
  const left =
    records === undefined
      ? NOTHING_LEFT
      : lookup?.kind === "live"
        ? appliedValuesAfter(attributes, records, lookup.records, written())
        : appliedValues(attributes, records);
  ledger.lastApply.keep(remembered, left, declarationIn(object));
}

/**
 * The record of an object whose uuid does not show that it is ours: one that was imported, or has a declared uuid.
 * @param self the object's own record or its state, whole: a record without an identity would make any other one managed
 */
export function managedRecordIn(
  { change, importId, config }: Pick<PlannedObject, "change" | "importId" | "config">,
  self: ObjectValue,
): ManagedRecord | undefined {
  // A destroy keeps what is not managed.
  if (change.claim === "unmanaged") return undefined;
  if (importId === undefined && textOf(config["uuid"]) === undefined) return undefined;
  return { ...identityOf(self), account_id: textOf(self["account_id"]) };
}

/** A planned run, as far as it is looked at here. */
interface Applied {
  readonly plan: Pick<Plan, "partial" | "destroy">;
  readonly objects: readonly PlannedObject[];
  readonly prunes: readonly Prune[];
  readonly walked: EvaluationResult;
}

/** Notes which objects the apply is about to write, and which of their values cannot be read back, so that a killed run leaves no false memory. */
export function noteIntended({ objects, prunes }: Applied, writeTargets: WriteTargets): void {
  for (const writeTarget of writeTargets.values()) {
    const keys = [...objects, ...prunes]
      .filter(({ change, resource }) => change.action !== "none" && resource.kind === "record")
      .filter(({ change }) => change.provider === writeTarget.target.provider)
      .map(rememberedKey);
    writeTarget.ledger.lastApply.markPending(keys);
    for (const object of objects)
      if (object.change.provider === writeTarget.target.provider) suspendMemory(object, writeTarget.ledger);
  }
}

function suspendMemory({ change, resource, remembered, lookup }: PlannedObject, ledger: Ledger): void {
  if (change.action !== "update" || remembered === undefined || lookup?.kind !== "live") return;
  const { attributes } = resource.description;
  const changed = change.attributes.map(({ path }) => path);
  const secrets = writeOnlyAttributes(attributes)
    .map(({ path }) => path)
    .filter((path) => changed.some((one) => samePath(one, versionPath(path))));
  ledger.objects.suspend(remembered, secrets, unseenPaths(attributes, lookup.records, changed));
}

/** Nothing was written of the object, so it is as before {@link noteIntended}. */
export function noteUnwritten(
  object: Pick<PlannedObject, "resource" | "change">,
  { lastApply, objects }: Ledger,
): void {
  const key = rememberedKey(object);
  lastApply.unmarkPending([key]);
  objects.restore(key);
}

/** Something that this apply leaves as the plan saw it. */
interface Untouched {
  readonly object: RememberedObject;
  readonly left: AppliedValues;
  readonly record?: ManagedRecord | undefined;
  /** Null where it is not declared; undefined where the declaration is not wholly known. */
  readonly declaration: ObjectValue | null | undefined;
}

/** What one part of the store is to note at the end of an apply. */
interface StoreNotes {
  readonly untouched: readonly Untouched[];
  /** Keys of objects that an earlier apply left, and that are gone. */
  readonly gone: readonly string[];
}

/**
 * Notes what the apply did not write.
 * @param changedUsers users as they are since the apply took away a password that creating tokens had left
 */
export function noteUntouched(
  planned: Applied,
  writeTargets: WriteTargets,
  changedUsers: readonly ObjectValue[] = [],
): void {
  for (const writeTarget of writeTargets.values()) {
    const { target } = writeTarget;
    const { lastApply, objects } = writeTarget.ledger;
    const { untouched, gone } = storeNotesIn(planned, target, changedUsers);
    for (const { object, left, declaration, record } of untouched) {
      lastApply.keep(object, left, declaration);
      if (record !== undefined) objects.keepRecord(object, record);
    }
    gone.forEach((key) => lastApply.drop(key));
    if (isWholeRun(planned) && areAllRemembered(planned, writeTarget)) lastApply.markWhole();
  }
}

/** Whether an apply that has nothing to write has something to note. */
export function hasSomethingToNote(
  planned: Applied,
  opened: ReadonlyMap<string, Pick<WriteTarget, "target">>,
): boolean {
  return [...opened.values()].some(({ target }) => {
    const { lastApply, objects, exists } = target.ledger;
    // A run about a part of the stack makes no store for that.
    if (planned.plan.partial && !exists) return false;
    const { untouched, gone } = storeNotesIn(planned, target);
    return (
      gone.length > 0 ||
      untouched.some(
        ({ object, left, declaration, record }) =>
          !lastApply.isKept(object, left, declaration) ||
          (record !== undefined && !objects.isRecordKept(object, record)),
      )
    );
  });
}

/** Whether the run is about the whole stack: then what it does not know of was never left by an apply. */
function isWholeRun({ plan, walked }: Applied): boolean {
  return !plan.partial && !plan.destroy && walked.unread.length === 0;
}

function areAllRemembered({ walked }: Applied, { target, ledger }: WriteTarget): boolean {
  return walked.objects
    .filter((object) => object.target.provider === target.provider && object.lookup?.kind === "live")
    .every(
      (object) =>
        ledger.lastApply.hasLeft(rememberedKey(object)) || ledger.lastApply.isPending(rememberedKey(object)),
    );
}

function storeNotesIn(
  planned: Applied,
  target: ReadTarget,
  changedUsers: readonly ObjectValue[] = [],
): StoreNotes {
  const { objects, prunes, walked, plan } = planned;
  const isHere = (one: { readonly target: ReadTarget }) => one.target.provider === target.provider;
  // A user who was written to before counts as well: the answer to that write still showed the password.
  const isUpToDate = ({ change, lookup }: PlannedObject) =>
    change.action === "none" || (lookup?.kind === "live" && isAmong(changedUsers, lookup.records.self));
  const kept = objects.filter((object) => isUpToDate(object) && isHere(object));
  const declared = kept.flatMap((object) => untouchedOf(object, changedUsers));
  if (plan.partial) return { untouched: declared, gone: [] };
  const here = walked.objects.filter(isHere);
  const going = prunes.filter(isHere);
  const retained = undeclaredIn(target, here, going, changedUsers);
  const present = new Set([
    ...[...here, ...going].map(rememberedKey),
    ...retained.map(({ object }) => object.key),
  ]);
  const gone = target.ledger.lastApply
    .objects()
    .map(({ key }) => key)
    .filter((key) => !present.has(key) && isProvenAbsent(key, target));
  return { untouched: [...declared, ...retained], gone };
}

function isAmong(records: readonly ObjectValue[], { id }: ObjectValue): boolean {
  return records.some((record) => record["id"] === id);
}

/** Records as the plan saw them, with those that have changed since in place of theirs. */
function withChanged({ self, primary }: Records, changed: readonly ObjectValue[]): Records {
  const now = (record: ObjectValue) => changed.find(({ id }) => id === record["id"]) ?? record;
  return { self: now(self), primary: primary && now(primary) };
}

function untouchedOf(object: PlannedObject, changedUsers: readonly ObjectValue[]): readonly Untouched[] {
  const { lookup, remembered, resource, change } = object;
  const declaration = declarationIn(object);
  if (resource.kind === "token")
    return [{ object: rememberedToken(change.key), left: NOTHING_LEFT, declaration }];
  if (lookup?.kind !== "live" || remembered === undefined) return [];
  const left = appliedValues(resource.description.attributes, withChanged(lookup.records, changedUsers));
  return [{ object: remembered, left, declaration, record: managedRecordIn(object, lookup.records.self) }];
}

/** What is ours, is not declared, and stays. */
function undeclaredIn(
  target: ReadTarget,
  declared: readonly PlannedObject[],
  going: readonly Prune[],
  changedUsers: readonly ObjectValue[],
): readonly Untouched[] {
  const known = new Set([...declared, ...going].flatMap(({ change }) => change.observedRecord?.id ?? []));
  const records = listedFamilies().flatMap(({ resource, inventory }) =>
    target
      .ours(resource, (self) => !known.has(idOf(self)))
      .map(({ records: live, key }): Untouched => {
        const object = rememberedRecord(resource, inventory.textOf(key), live);
        const left = appliedValues(resource.description.attributes, withChanged(live, changedUsers));
        return { object, left, declaration: null };
      }),
  );
  const keys = new Set([...declared, ...going].map(({ change }) => change.key));
  const tokens = target.ledger.tokens
    .list()
    .map(tokenKey)
    .filter((key) => !keys.has(key))
    .map((key) => ({ object: rememberedToken(key), left: NOTHING_LEFT, declaration: null }));
  return [...records, ...tokens];
}

/** Whether lists prove that nothing is live under a key which nobody declares, and which no record of ours has. */
export function isProvenAbsent(key: string, target: ReadTarget): boolean {
  const { resource, key: text } = partsOfMemoryKey(key);
  if (resource.kind === "token") return true;
  return (
    target.incomplete === undefined && resource.inventory.doubtOfText(text, target.snapshot) === undefined
  );
}

// Notes for the store after a write: which values the service hides, and which versions of secrets were sent.

/** An object as it was written. */
interface WrittenObject {
  readonly attributes: Attributes;
  readonly config: ObjectValue;
  /** The state that holds now. If only a part could be written, the rest is as before. */
  readonly state: ObjectValue;
  readonly records: Records;
  /** Paths of what the plan set out to change. */
  readonly changed: readonly Path[];
}

/** After a create or update: hidden values and versions are as declared, as far as they were written. */
export async function noteWritten(
  ledger: Ledger,
  object: RememberedObject,
  { attributes, config, state, records, changed }: WrittenObject,
): Promise<void> {
  const isWritten = (path: Path) => equal(valueAt(state, path), valueAt(config, path));
  // What an earlier apply only recorded stays marked so, unless this one has sent it.
  const keepingMark = async (path: Path, changedAt: Path, note: () => Promise<void> | void) => {
    const isSent = changed.some((one) => startsWith(changedAt, one));
    const isMarked = !isSent && ledger.objects.isOnlyRecorded(object, path);
    await note();
    if (isMarked) ledger.objects.markOnlyRecorded(object, path);
  };
  for (const path of hiddenPaths(attributes, config, records)) {
    if (isWritten(path)) await keepingMark(path, path, () => noteValue(ledger, object, path, config));
  }
  // A value that was taken away may be declared again: it has to be sent then, even if it is the one that was sent before.
  const cleared = changed.filter((path) => valueAt(state, path) === null);
  for (const path of leavesWithin(attributes, cleared)) {
    if (ledger.objects.isSameValue(object, path, null) === false)
      ledger.objects.rememberValue(object, path, null);
  }
  for (const path of absentPaths(attributes, state, records)) {
    const isRemembered = ledger.objects.isSameValue(object, path, null) !== undefined;
    if (!isRemembered) ledger.objects.rememberValue(object, path, null);
  }
  for (const { path } of writeOnlyAttributes(attributes)) {
    const isDeclared = path.length === 1 || valueAt(config, path.slice(0, -1)) !== null;
    if (isDeclared && isWritten(versionPath(path)))
      await keepingMark(path, versionPath(path), () => noteVersion(ledger, object, path, config));
  }
}

/** Values that a plan takes as declared because nothing was remembered of them. */
export async function noteRecorded(
  ledger: Ledger,
  object: RememberedObject,
  paths: readonly Path[],
  config: ObjectValue,
): Promise<void> {
  for (const path of paths) {
    const noted = isVersionPath(path) ? secretPath(path) : path;
    if (isVersionPath(path)) await noteVersion(ledger, object, noted, config);
    else noteValue(ledger, object, noted, config);
    ledger.objects.markOnlyRecorded(object, noted);
  }
}

function noteValue(ledger: Ledger, object: RememberedObject, path: Path, config: ObjectValue): void {
  const value = valueAt(config, path);
  if (value !== null && !isUnknown(value)) ledger.objects.rememberValue(object, path, value);
}

/** A secret that is not declared has the version null, so that declaring one later sends it. */
async function noteVersion(
  ledger: Ledger,
  object: RememberedObject,
  path: Path,
  config: ObjectValue,
): Promise<void> {
  const version = valueAt(config, versionPath(path));
  const secret = valueAt(config, path);
  await ledger.objects.recordVersion(
    object,
    path,
    isInteger(version) ? version : null,
    typeof secret === "string" ? secret : undefined,
  );
}
