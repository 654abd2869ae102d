/** Decides what happens to objects that we own and that are no longer declared: deleted or retained (design: Ownership). */
import type { TokenEntry } from "../../credentials";
import type { Claim, NaturalKey } from "../../ownership";
import {
  type Change,
  changeWith,
  type DeleteReason,
  type ObservedRecord,
  type Permits,
  permitsAccount,
  type Retained,
} from "../../plan";
import {
  type Finding,
  whereaboutsOf,
  type Reader,
  removedAndDeclared,
  deletionOfUnmanaged,
  removedIsGone,
  type Words,
  wordsFor,
} from "../../problems";
import type { Inventory, LiveObject, LookupResult, OwnedObject, Resource } from "../../resources";
import type { StackRemoval } from "../../stack";
import { normalForm, type ObjectValue, type Path, textOf } from "../../lib/values";
import { listedFamilies, type ListedFamily, tokenFamily } from "../families";
import type { Selection } from "../load/selection";
import { type ChangedObject, idsToDelete, ObjectChange, type Prune, undeclaredAddress } from "../change";
import type { PlannedObject } from "../planned-object";
import type { ReadTarget } from "../target";
import { sensitiveInToken, stateOfToken, observedTokenRecord } from "../tokens/entry";
import { Declarations } from "./declarations";
import { idOfRecords, observedRecordOf } from "./record";
import { endsTokensOf } from "../tokens/user";
import { tokenKey } from "../tokens/identity";

interface PruneRequest {
  readonly target: ReadTarget;
  /** Objects that are declared for the target. */
  readonly declared: readonly PlannedObject[];
  /** `new Deletion(…)` for the target. */
  readonly removed: readonly StackRemoval[];
  readonly permits: Permits;
  /**
   * True for a destroy: everything that is managed is deleted, declared or not. Imported objects, and those with a uuid of the user's, stay and
   * are listed.
   */
  readonly destroy: boolean;
  /** True if undeclared managed objects stay (`--no-prune`). `new Deletion(…)` is a declaration, and still holds. */
  readonly noPrune: boolean;
  /** Who reads why something is retained. */
  readonly reader?: Reader | undefined;
}

export interface Pruning {
  readonly prunes: readonly Prune[];
  readonly retained: readonly Retained[];
  readonly findings: readonly Finding[];
}

export function prune(request: PruneRequest): Pruning {
  return new Pruner(request).run();
}

class Pruner {
  readonly #request: PruneRequest;
  readonly #declarations: Declarations;
  readonly #prunes = new Map<string, Prune>();
  readonly #retained: Retained[] = [];
  readonly #findings: Finding[] = [];
  /** Ids of the records that go, and of those that stay although they are not declared. */
  readonly #going = new Set<string>();
  readonly #staying = new Set<string>();
  /** Ids of what `new Deletion(…)` names. */
  readonly #deletion = new Set<string>();

  constructor(request: PruneRequest) {
    this.#request = request;
    this.#declarations = new Declarations(request.declared, request.destroy);
  }

  run(): Pruning {
    const { target, removed: removals, destroy } = this.#request;
    for (const one of removals) this.#remove(one);
    if (destroy) this.#listStaying();
    for (const family of listedFamilies())
      for (const owned of this.#undeclared(target, family)) this.#record(target, family, owned);
    for (const entry of target.ledger.tokens.list()) this.#token(target, entry);
    return { prunes: [...this.#prunes.values()], retained: this.#retained, findings: this.#findings };
  }

  /** Objects that we own and that are no longer declared. */
  #undeclared(target: ReadTarget, { resource }: ListedFamily): readonly OwnedObject[] {
    const { type } = resource.description;
    return target.managed(
      resource,
      (self) => this.#declarations.kept(type, idOfRecords({ self })) === undefined,
    );
  }

  /** Lists objects that a destroy leaves alone. */
  #listStaying(): void {
    for (const { change, lookup } of this.#declarations.objects) {
      if (lookup?.kind !== "live" || lookup.proof !== undefined) continue;
      const why = { imported: "imported", unmanaged: "unmanaged", managed: "its uuid is the user's own" };
      this.#retain(
        change.description.type,
        change.key,
        idOfRecords(lookup.records),
        `${why[change.claim ?? "unmanaged"]}, so it stays`,
      );
    }
  }

  #record(target: ReadTarget, family: ListedFamily, owned: OwnedObject): void {
    const { resource, inventory } = family;
    const { type } = resource.description;
    const id = idOfRecords(owned.records);
    const accountId = inventory.expectation(owned.records).accountId ?? "";
    if (this.#going.has(id) || this.#staying.has(id) || this.#staying.has(accountId)) return;
    const declaredObject = this.#declarations.declaredRemoved(type, id);
    const stays = declaredObject === undefined ? this.#whyStays(family, owned.key, accountId) : undefined;
    if (stays !== undefined) {
      this.#staying.add(id);
      return this.#retain(type, inventory.textOf(owned.key), id, stays);
    }
    const reason = this.#reason(this.#going.has(accountId));
    this.#goes(id);
    this.#add(pruneOfRecord(target, family, owned, reason, declaredObject));
  }

  /** Why an object stays although it is not declared; undefined where it goes. */
  #whyStays(
    { resource, inventory }: ListedFamily,
    naturalKey: NaturalKey,
    accountId: string,
  ): string | undefined {
    const say = wordsFor(this.#request.reader);
    if (this.#request.noPrune && !this.#deletion.has(accountId)) return notPruned(say);
    if (this.#going.has(accountId)) return undefined;
    const key = inventory.textOf(naturalKey);
    const successor = this.#declarations.possibleMatch(resource.description.type, key);
    if (successor !== undefined) return reasonOf(successor);
    const mayGo = resource.container === undefined || permitsAccount(this.#request.permits, key);
    return mayGo ? undefined : reasonForRetaining(inventory, key, say);
  }

  /** Only tokens of the store can be managed. One that is not declared is revoked. */
  #token(target: ReadTarget, entry: TokenEntry): void {
    const { type } = tokenFamily().description;
    const key = tokenKey(entry);
    const { id: userId, account_id: accountId } = target.snapshot.profileWithLogin(entry.login) ?? {};
    const isIn = (accounts: ReadonlySet<string>) => accounts.has(accountId ?? "");
    if (this.#declarations.kept(type, key) || isIn(this.#staying)) return;
    const declaredObject = this.#declarations.declaredRemoved(type, key);
    if (
      declaredObject === undefined &&
      this.#request.noPrune &&
      !isIn(this.#going) &&
      !this.#isPruned(userId)
    )
      return this.#retain(type, key, entry.record.id, notPruned(wordsFor(this.#request.reader)));
    const successor = this.#declarations.possibleMatch(type, key);
    if (declaredObject === undefined && successor !== undefined && !isIn(this.#going))
      return this.#retain(type, key, entry.record.id, reasonOf(successor));
    this.#add(pruneOfToken(target, entry, this.#reason(isIn(this.#going)), declaredObject));
  }

  /** `new Deletion(…)`: a tenant or user that is to be deleted, whoever made it, if the user tells which one. */
  #remove(removal: StackRemoval): void {
    const removalTarget = resolveRemoval(removal, [this.#request.target]);
    if (removalTarget === undefined) return;
    const { target, family } = removalTarget;
    const { found: liveObject, findings } = removalOf(removal, removalTarget, this.#declarations);
    this.#findings.push(...findings);
    if (liveObject === undefined) return;
    const id = idOfRecords(liveObject.records);
    this.#deletion.add(id);
    this.#goes(id);
    const declaredObject = this.#declarations.declaredRemoved(family.resource.description.type, id);
    this.#add(pruneOfRecord(target, family, liveObject, "removed", declaredObject));
  }

  /** Deleting an account deletes everything in it, so nothing in it may be declared. */
  #goes(id: string): void {
    this.#going.add(id);
    if (this.#request.destroy) return;
    for (const { change } of this.#declarations.inAccount(id))
      this.#findings.push(removedAndDeclared.at(change.title, whereaboutsOf(change)));
  }

  #reason(isCascade: boolean): DeleteReason {
    if (isCascade) return "cascade";
    return this.#request.destroy ? "destroy" : "undeclared";
  }

  #retain(type: string, key: string, id: string, reason: string): void {
    this.#retained.push({ type, key, id, reason });
  }

  #isPruned(id: string | null | undefined): boolean {
    return [...this.#prunes.values()].some(({ change }) => change.observedRecord.id === id);
  }

  #add(newPrune: Prune): void {
    this.#prunes.set(newPrune.change.address, newPrune);
  }
}

function notPruned(say: Words): string {
  return `not declared; it stays because of ${say.flag("no_prune")}`;
}

function reasonForRetaining({ removedBy }: Inventory, key: string, say: Words): string {
  if (removedBy === undefined) return "no longer declared";
  return `no longer declared; ${say.removalOf(removedBy, key)} deletes it`;
}

function reasonOf({ change }: PlannedObject): string {
  return `${change.address} may be this one: its key is known only after apply`;
}

// Deletes of undeclared objects.

/** @param declaredObject the declared object that the delete is for, in a destroy */
export function pruneOfRecord(
  target: ReadTarget,
  { resource, inventory }: ListedFamily,
  { records, key, proof }: Pick<LiveObject, "records" | "key" | "proof">,
  reason: DeleteReason,
  declaredObject: PlannedObject | undefined,
): Prune {
  const text = inventory.textOf(key);
  const change = deleteOf(resource, declaredObject, {
    target,
    key: text,
    before: inventory.stateOf(records, null),
    claim: proof === undefined ? "unmanaged" : "managed",
    observedRecord: observedRecordOf({ records }, text, target),
    reason,
  });
  return { target, resource, change };
}

function pruneOfToken(
  target: ReadTarget,
  entry: TokenEntry,
  reason: DeleteReason,
  declaredObject: PlannedObject | undefined,
): Prune {
  const resource = tokenFamily();
  const change = deleteOf(resource, declaredObject, {
    target,
    key: tokenKey(entry),
    before: stateOfToken(entry, {}),
    claim: "managed",
    observedRecord: observedTokenRecord(entry, target),
    reason,
    sensitive: sensitiveInToken(entry),
  });
  return { target, resource, change };
}

/** @param declaredObject the declared object that the delete is for, in a destroy */
export function deleteOf(
  resource: Resource,
  declaredObject: PlannedObject | undefined,
  {
    target,
    before,
    sensitive = [],
    ...facts
  }: {
    readonly target: ReadTarget;
    readonly key: string;
    readonly before: ObjectValue;
    readonly claim: Claim;
    readonly observedRecord: ObservedRecord;
    readonly reason: DeleteReason;
    readonly sensitive?: readonly Path[];
  },
): Prune["change"] {
  const { change } = declaredObject ?? {};
  const object: ChangedObject = {
    instance: declaredObject?.instance ?? {
      address: undeclaredAddress(resource.description.type, facts.key),
    },
    block: declaredObject?.block ?? { constructPath: undefined },
    resource,
    target,
    sensitive: [...(change?.sensitive ?? []), ...sensitive],
    titleOf: (key) => change?.title ?? key,
    importId: undefined,
  };
  // Client-only attributes, such as deletion_protection, are as they were declared.
  const state = change?.before ?? before;
  return new ObjectChange(object, { action: "delete", before: state, ...facts }) as Change as Prune["change"];
}

/** The object that a `new Deletion(…)` names. */
interface RemovalTarget {
  readonly target: ReadTarget;
  readonly family: ListedFamily;
  /** Name or login. */
  readonly name: string;
  /** The record that has the id or serial number; where neither is given, the name. */
  readonly found: LookupResult;
  /** True if the record has the name, too. A record of another name is not deleted. */
  readonly isNamed: boolean;
}

/** @returns undefined where no target is that of its provider */
export function resolveRemoval(
  removal: StackRemoval,
  targets: readonly ReadTarget[],
): RemovalTarget | undefined {
  const target = targets.find(({ provider }) => provider === (removal.provider ?? "tenancy"));
  if (target === undefined) return undefined;
  const family = familyRemovedBy(removal);
  const { inventory } = family;
  const name = removal.account ?? removal.login ?? "";
  const lookup = inventory.locateById(removal.id ?? removal.serial ?? name, target.snapshot, target.owners);
  const isNamed = lookup.kind === "live" && inventory.textOf(lookup.key) === normalForm(name);
  return { target, family, name, found: lookup, isNamed };
}

/** The decision about a `new Deletion(…)`. */
interface Removal {
  /** Undefined if there is nothing to delete, or it may not be deleted. */
  readonly found: LiveObject | undefined;
  readonly findings: readonly Finding[];
}

/** Decides whether the live record that `new Deletion(…)` means may be deleted. */
function removalOf(
  removal: StackRemoval,
  { target, family, name, found: lookup, isNamed }: RemovalTarget,
  declarations: Declarations,
): Removal {
  const { inventory } = family;
  const { type } = family.resource.description;
  const where = removal.path === undefined ? {} : { constructPath: removal.path };
  const nothing = (findings: readonly Finding[] = []) => ({ found: undefined, findings });
  if (declarations.toCreate(type, name) !== undefined) return nothing([removedAndDeclared.at(name, where)]);
  if (lookup.kind === "refused") return nothing(lookup.error.toFindings(where));
  if (lookup.kind !== "live") {
    const lookupByName = inventory.locateById(name, target.snapshot, target.owners);
    // The id belongs to another record: the present bearer of the name was not meant, or the id is wrong.
    if (lookupByName.kind === "refused") return nothing(lookupByName.error.toFindings(where));
    if (lookupByName.kind === "live" && lookupByName.proof === undefined)
      return nothing([
        deletionOfUnmanaged.at({ name, id: idOfRecords(lookupByName.records), isNamed: true }, where),
      ]);
    const isGone =
      inventory.unprovenAbsenceOf(lookup, target.snapshot) === undefined && target.incomplete === undefined;
    return nothing(isGone ? [removedIsGone.at(name, where)] : []);
  }
  const id = idOfRecords(lookup.records);
  if (!isNamed || !mayGo(lookup, removal))
    return nothing([deletionOfUnmanaged.at({ name, id, isNamed }, where)]);
  if (declarations.kept(type, id) !== undefined) return nothing([removedAndDeclared.at(name, where)]);
  return { found: lookup, findings: lookup.warnings.map((warning) => ({ ...warning, ...where })) };
}

/** The stack reader has checked that exactly one member names the object. */
function familyRemovedBy(removal: StackRemoval): ListedFamily {
  return listedFamilies().find(
    ({ inventory: { removedBy } }) => removedBy !== undefined && removal[removedBy] !== undefined,
  )!;
}

/** True if its uuid proves that it is managed. If not, the user tells its id; what another owner is known to have made was refused when it was looked for. */
function mayGo({ proof }: LiveObject, { id, serial }: StackRemoval): boolean {
  return proof !== undefined || id !== undefined || serial !== undefined;
}

/**
 * The deletes of a partial run: only objects that it names, and the tokens that cease with those. An object is not deleted because of an
 * account outside the selection.
 */
export function prunesInSelection(
  prunes: readonly Prune[],
  selection: Selection,
  destroy: boolean,
): readonly Prune[] {
  const isNamed = ({ change }: Prune) => selection.hasObject(change.address);
  const namedPrunes = prunes.filter(isNamed);
  const chosenPrunes = prunes.filter(
    (prune) => isNamed(prune) || namedPrunes.some((one) => isEndedBy(prune, one)),
  );
  const going = idsToDelete(chosenPrunes);
  return chosenPrunes.map((prune) => {
    const { change } = prune;
    if (change.reason !== "cascade" || going.has(accountOf(prune) ?? "")) return prune;
    return { ...prune, change: changeWith(change, { reason: destroy ? "destroy" : "undeclared" }) };
  });
}

/** True if another delete ends the token. */
function isEndedBy({ resource, target, change }: Prune, end: Prune): boolean {
  if (resource.kind === "record" || target.origin !== end.target.origin) return false;
  return endsTokensOf(textOf(change.before["login"]) ?? "", end);
}

/** Id of the account that the object is in. The observedRecord of a token does not say it, the token's user does. */
function accountOf({ target, change: { observedRecord, before } }: Prune): string | undefined {
  if (observedRecord.accountId !== undefined) return observedRecord.accountId;
  return target.snapshot.profileWithLogin(textOf(before?.["login"]) ?? "")?.account_id ?? undefined;
}
