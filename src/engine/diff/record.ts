/** Compares one declared object with the live records, and plans its change. */
import type { RememberedObject } from "../../state";
import { belongsTo, type Claim, identityOf } from "../../ownership";
import { appliedValues, departuresOf, type ObservedRecord } from "../../plan";
import {
  importMismatch,
  noSuchObject,
  otherUuid,
  type Reader,
  renamedOutside,
  type TenancyError,
  wordsFor,
} from "../../problems";
import {
  areRightsOpen,
  unmanagedError,
  ENDED_ACCESS,
  endsIn,
  grantedIn,
  type Inventory,
  type IsRecorded,
  type LiveObject,
  type LookupResult,
  unsetBy,
} from "../../resources";
import { type Attributes, isUnchanged, isVersionPath, type Records, withIgnored } from "../../schema";
import {
  formatPath,
  isInteger,
  isObject,
  normalForm,
  type ObjectValue,
  type Path,
  startsWith,
  textOf,
} from "../../lib/values";
import { objectKeyOf, rememberedRecord } from "../families";
import { isKnownRecord } from "../entries/records";
import { ObjectChange } from "../change";
import type { DeclaredObject, PlannedObject } from "../planned-object";
import type { ReadTarget } from "../target";
import { compared } from "./compared";
import { lackingNote, mayExist } from "./unseen";

export interface PlanRecordOptions {
  /** Send secrets that no apply has sent. */
  readonly resetPasswords: boolean;
  /** Plan unmanaged records, too; such a plan is only looked at. @default false */
  readonly toleratesUnmanaged?: boolean;
  /** Imports live objects that the state has not recorded. @default false */
  readonly recovers?: boolean;
  /** Plan the create of an object that an import line names in vain, too; such a plan is only looked at. @default false */
  readonly toleratesAbsent?: boolean;
  /** Paths of secrets in whose place another one is live: they are sent again. */
  readonly replacedSecrets?: ReadonlySet<string>;
  readonly destroy: boolean;
  readonly plannedAt: Date;
  /** Natural key of an object whose account is yet to be created. */
  readonly foreseenKey: () => string;
  /** Who reads the notes. @default "command" */
  readonly reader?: Reader | undefined;
}

const NO_ELEMENTS: readonly never[] = [];
const UNCHANGED = { proposal: undefined, recorded: NO_ELEMENTS, findings: NO_ELEMENTS };

/** @throws TenancyError where something keeps it from being planned: it is unmanaged, it was renamed outside … */
export function planRecord(
  declaredObject: DeclaredObject,
  inventory: Inventory,
  options: PlanRecordOptions,
): PlannedObject {
  const { target, importId } = declaredObject;
  const lookup = locateDeclared(declaredObject, inventory);
  if (lookup.kind === "refused") throw lookup.error;
  const isTolerated =
    target.part.isClosed ||
    options.toleratesUnmanaged === true ||
    (options.toleratesAbsent === true && lookup.kind !== "live");
  if (importId !== undefined && !isTolerated) checkImport(declaredObject, inventory, lookup, options);
  if (lookup.kind !== "live") return planNew(declaredObject, inventory, lookup, options);
  // A destroy keeps unmanaged objects, and reports them.
  if (
    lookup.claim === "unmanaged" &&
    importId === undefined &&
    !options.destroy &&
    !options.toleratesUnmanaged &&
    // The state may have recorded it. A remark on the whole plan then names the missing facts.
    !target.part.isClosed
  ) {
    const isSuccessor = hasRecord(declaredObject, keyTextOf(inventory, lookup, options.foreseenKey));
    const importId = idOfRecords(lookup.records);
    if (options.recovers === true && !isSuccessor)
      return planLive({ ...declaredObject, importId }, inventory, lookup, options);
    const title = declaredObject.titleOf(inventory.textOf(lookup.key));
    throw unmanagedError(declaredObject.resource.description.noun, title, lookup, { isSuccessor });
  }
  return planLive(declaredObject, inventory, lookup, options);
}

/**
 * Finds a declared object, by the state's record where it has another name by now.
 * @param snapshot @default the lists that the plan was made from
 */
export function locateDeclared(
  declaredObject: Pick<DeclaredObject, "resource" | "config" | "target">,
  inventory: Inventory,
  snapshot = declaredObject.target.snapshot,
): LookupResult {
  const { config, target, resource } = declaredObject;
  const isRecorded = recordedIn(declaredObject);
  const lookup = inventory.locate(config, snapshot, isRecorded);
  if (lookup.kind !== "absent" || lookup.key === undefined) return lookup;
  const { key } = lookup;
  const declaredName = inventory.textOf(key);
  const record = target.part.objects.recordAt(objectKeyOf(resource, declaredName));
  const self = inventory.listed(record?.id ?? "", snapshot);
  if (record === undefined || self === undefined || !belongsTo(identityOf(self), record)) return lookup;
  const liveName = inventory.expectation({ self }).key ?? "";
  const error = renamedOutside.error({
    ...{ noun: resource.description.noun, declaredName, liveName, id: idOfRecords({ self }) },
    isRecorded: isRecorded(normalForm(liveName), self),
  });
  return { kind: "refused", error, key, found: { self } };
}

function recordedIn({ resource, target }: Pick<DeclaredObject, "resource" | "target">): IsRecorded {
  return (key, self) => isKnownRecord(target.part, resource, key, self);
}

function planNew(
  declaredObject: DeclaredObject,
  inventory: Inventory,
  lookup: LookupResult,
  options: PlanRecordOptions,
): PlannedObject {
  const { resource, config } = declaredObject;
  const proposal = resource.propose(config, null, {
    asOf: options.plannedAt,
    titleOf: declaredObject.titleOf,
  });
  const key = keyTextOf(inventory, lookup, options.foreseenKey);
  const notes = [
    ...(wasDeletedOutside(declaredObject, inventory, lookup, key)
      ? ["deleted outside since the last apply"]
      : []),
    ...absenceNotes(declaredObject, inventory, lookup),
  ];
  const change = new ObjectChange(declaredObject, {
    action: "create",
    key,
    before: null,
    proposal,
    notes,
    declared: declaredPaths(config, resource.description.attributes),
  });
  const { findings } = proposal;
  return { change, proposal, lookup, remembered: undefined, recorded: [], findings, ...declaredObject };
}

/** True if the last apply left the object, and the lists prove that it does not exist any more. */
function wasDeletedOutside(
  { resource, target }: DeclaredObject,
  inventory: Inventory,
  lookup: LookupResult,
  key: string,
): boolean {
  const { objects } = target.part;
  const name = objectKeyOf(resource, key);
  if (!objects.hasLeft(name) || objects.isPending(name)) return false;
  return inventory.unprovenAbsenceOf(lookup, target.snapshot) === undefined;
}

/** A record that only looks absent is shown as such, and its apply is refused (design: Complete lists). */
function absenceNotes(
  { target }: DeclaredObject,
  inventory: Inventory,
  lookup: LookupResult,
): readonly string[] {
  const unproven = inventory.unprovenAbsenceOf(lookup, target.snapshot);
  return unproven?.blocksCreate === true ? [mayExist(unproven)] : NO_ELEMENTS;
}

function planLive(
  declaredObject: DeclaredObject,
  inventory: Inventory,
  live: LiveObject,
  options: PlanRecordOptions,
): PlannedObject {
  const { resource, target } = declaredObject;
  const { attributes } = resource.description;
  const key = inventory.textOf(live.key);
  const rememberedObject = rememberedRecord(resource, key, live.records);
  const ignores = declaredObject.block.lifecycle.ignoreChanges;
  const { objects: stateObjects } = target.part;
  const endsLeft = stateObjects.endsOf(rememberedObject);
  const hasLast =
    stateObjects.hasSentVersion(rememberedObject) || Object.keys(endsLeft?.days ?? {}).length > 0;
  // A plan warns of rights that the configuration leaves open.
  if (
    ignores.length === 0 &&
    !hasLast &&
    !areRightsOpen(declaredObject.config) &&
    isUnchanged(attributes, declaredObject.config, live.records)
  ) {
    const change = new ObjectChange(declaredObject, {
      action: "none",
      key,
      before: () => compared(declaredObject, inventory, live, rememberedObject, options).prior,
      claim: claimOf(live, declaredObject),
      observedRecord: observedRecordOf(live, key, target),
    });
    return { change, lookup: live, remembered: rememberedObject, ...UNCHANGED, ...declaredObject };
  }
  const isIgnored = (name: string) => ignores.some((path) => startsWith([name], path));
  const unset = [...unsetBy(attributes, declaredObject.config)].filter((name) => !isIgnored(name));
  const unsetNames = new Set(unset);
  const { prior, pathsOf } = compared(declaredObject, inventory, live, rememberedObject, options, unsetNames);
  // An ignored value is not sent later either, so there is nothing to remember.
  const isDeclaredHere = (path: Path) => !ignores.some((ignoredPath) => startsWith(path, ignoredPath));
  const recorded = pathsOf("recorded").filter(isDeclaredHere);
  const config = withIgnored(declaredObject.config, prior, ignores);
  const grantedRights = grantedIn(attributes, live.records);
  const proposal = resource.propose(config, prior, {
    asOf: options.plannedAt,
    granted: grantedRights,
    titleOf: declaredObject.titleOf,
  });
  if (proposal.action === "replace")
    throw replacementOf(declaredObject, key, live.records, proposal.replacedBy);
  const change = new ObjectChange(declaredObject, {
    action: proposal.action,
    key,
    before: prior,
    proposal,
    claim: claimOf(live, declaredObject),
    observedRecord: observedRecordOf(live, key, target),
    notes: [
      ...sentOnceNotes(pathsOf("sent once").filter(isDeclaredHere)),
      ...recorded.map((path) =>
        isVersionPath(path)
          ? `${formatPath(path)} recorded, the value is not sent (${wordsFor(options.reader).flag("reset_passwords")} sends it)`
          : `${formatPath(path)} recorded: the service does not show it`,
      ),
      ...pathsOf("not known").map(lackingNote),
    ],
    declared: declaredPaths(config, resource.description.attributes),
    granted: grantedRights,
    endless: endlessAccess(declaredObject, live, rememberedObject, grantedRights ?? []),
  });
  const facts = { change, lookup: live, remembered: rememberedObject, recorded, findings: proposal.findings };
  const sentProposal = proposal.action === "none" ? undefined : proposal;
  return { proposal: sentProposal, ...facts, ...declaredObject, config };
}

/** Attributes that have a value, by name; of groups their members, too, as `primary_contact.company`. */
function declaredPaths(config: ObjectValue, attributes: Attributes): ReadonlySet<string> {
  const names = new Set<string>();
  addDeclared(config, attributes, "", names);
  return names;
}

function addDeclared(config: ObjectValue, attributes: Attributes, within: string, names: Set<string>): void {
  for (const name in config) {
    const value = config[name] ?? null;
    if (value === null) continue;
    names.add(within + name);
    const shape = attributes[name]?.shape;
    if (shape?.kind === "group" && isObject(value))
      addDeclared(value, shape.attributes, `${within}${name}.`, names);
  }
}

/** The object was found by its key, so a replacement of it would be a contradiction. */
function replacementOf(
  { resource: { description }, config }: DeclaredObject,
  key: string,
  records: Records,
  replacedBy: readonly Path[],
): TenancyError {
  const [path = []] = replacedBy;
  const attribute = String(path[0]);
  const holder = records[description.attributes[attribute]?.of ?? "self"] ?? {};
  const facts = { noun: description.noun, key, attribute, declaredUuid: textOf(config[attribute]) };
  return otherUuid.error(
    { ...facts, live: textOf(holder["uuid"]) ?? "", id: textOf(holder["id"]) ?? "" },
    { attribute: path },
  );
}

const ACCESS_PATHS = { access_web: "access.web", access_api: "access.api" } as const;

/**
 * Live access with a declared end that the last apply left as declared without one: the end only removes access. Any other access with a new end may have
 * been granted outside Tenancy.
 */
function endlessAccess(
  { resource, config, target }: DeclaredObject,
  live: LiveObject,
  object: RememberedObject,
  grantedRights: readonly string[],
): ReadonlySet<string> | undefined {
  const { objects } = target.part;
  const endsLeft = objects.endsOf(object);
  const days = endsIn(config);
  if (endsLeft === undefined || !objects.hasLeft(object.key) || objects.isPending(object.key))
    return undefined;
  if (Object.keys(days).length === 0) return undefined;
  // A snapshot does not contain the result of the last apply. The live rights are used instead, and the apply uses the state.
  const { values } = objects.leftOf(object) ?? {};
  const { attributes } = resource.description;
  const departures = values && departuresOf(attributes, values, appliedValues(attributes, live.records));
  const hasChanged = (name: string) => departures?.some(({ path }) => path.at(-1) === name) === true;
  const rights = endsLeft.areRightsOpen ? [] : grantedRights.filter((right) => days[right] !== undefined);
  const flags = days[ENDED_ACCESS] === undefined ? [] : Object.keys(ACCESS_PATHS);
  return new Set(
    [...rights, ...flags]
      .filter(
        (name) =>
          endsLeft.days[name in ACCESS_PATHS ? ENDED_ACCESS : name] === undefined && !hasChanged(name),
      )
      .map((name) => (ACCESS_PATHS as Readonly<Record<string, string>>)[name] ?? name),
  );
}

function claimOf({ claim }: LiveObject, { importId, target }: DeclaredObject): Claim {
  // Without the state it is not known which imports are new. A remark on the whole plan says so.
  if (claim === "managed" || (importId !== undefined && target.part.isClosed)) return "managed";
  return importId === undefined ? "unmanaged" : "imported";
}

export function observedRecordOf(
  live: Pick<LiveObject, "records">,
  key: string,
  target: ReadTarget,
): ObservedRecord {
  const { self } = live.records;
  const { serial, uuid, ctime } = identityOf(self);
  const { account_id: accountId, seq = null } = self;
  // A literal without a spread: every plan makes thousands of them.
  return {
    id: idOfRecords(live.records),
    serial,
    uuid,
    ctime,
    accountId: textOf(accountId),
    seq: isInteger(seq) ? seq : undefined,
    key,
    readAt: target.readAt,
  };
}

/** Id or serial number of an object, by its first record. */
export function idOfRecords({ self }: Records): string {
  return textOf(self["id"]) ?? textOf(self["serial"]) ?? "";
}

function sentOnceNotes(paths: readonly Path[]): readonly string[] {
  if (paths.length === 0) return NO_ELEMENTS;
  return [`sent once, because the service does not show the live value: ${paths.map(formatPath).join(", ")}`];
}

/**
 * @param lookup the result of the search for the declared object
 * @throws noSuchObject, importMismatch, and the error of an object that must not be changed
 */
function checkImport(
  { target, resource, importId = "" }: DeclaredObject,
  inventory: Inventory,
  lookup: LookupResult,
  options: PlanRecordOptions,
): void {
  const { noun } = resource.description;
  const isLive = lookup.kind === "live";
  const isRecorded = hasRecord({ target, resource }, keyTextOf(inventory, lookup, options.foreseenKey));
  // The line says nothing any more once the object is managed.
  if (isLive ? lookup.claim === "managed" : isRecorded) return;
  const lookupById = inventory.locateById(importId, target.snapshot, recordedIn({ resource, target }));
  if (lookupById.kind === "refused") throw lookupById.error;
  const isFound = lookupById.kind === "live";
  const isSame = isLive && isFound && lookupById.records.self["id"] === lookup.records.self["id"];
  const isName = isFound && normalForm(importId) === inventory.textOf(lookupById.key);
  // An object that was managed under the name was replaced outside: the name alone does not import the other one.
  const isSuccessor = isLive && isRecorded;
  if (isSuccessor && (!isFound || (isSame && isName)))
    throw unmanagedError(noun, inventory.textOf(lookup.key), lookup, { isSuccessor });
  if (!isFound) {
    const how = `the id, serial or name ${JSON.stringify(importId)}`;
    throw noSuchObject.error({ noun, how, isImport: !isLive });
  }
  if (isSame) return;
  const declaredAs = isLive ? inventory.textOf(lookup.key) : undefined;
  throw importMismatch.error({
    noun,
    id: importId,
    liveName: inventory.textOf(lookupById.key),
    declaredName: declaredAs,
  });
}

/** True if the state has a record of the declared name, be the object live or gone. */
function hasRecord({ target, resource }: Pick<DeclaredObject, "target" | "resource">, key: string): boolean {
  return target.part.objects.recordAt(objectKeyOf(resource, key)) !== undefined;
}

/** The natural key of a declared object, also where its account is yet to be created. */
function keyTextOf(inventory: Inventory, lookup: LookupResult, foreseenKey: () => string): string {
  const { key } = lookup.kind === "unknown" ? {} : lookup;
  return key === undefined ? foreseenKey() : inventory.textOf(key);
}
