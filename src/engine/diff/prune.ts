/** Decides what happens to objects that we own and that are no longer declared: deleted or retained (design: Ownership). */
import type { RememberedObject, TokenEntry } from "../../state";
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
  deletionElsewhere,
  type Finding,
  whereaboutsOf,
  type Reader,
  removedAndDeclared,
  type Words,
  wordsFor,
} from "../../problems";
import type { LiveObject, OwnedObject, Resource } from "../../resources";
import type { StackRelease, StackRemoval } from "../../stack";
import { type ObjectValue, type Path, textOf } from "../../lib/values";
import { listedFamilies, type ListedFamily, rememberedRecord, tokenFamily } from "../families";
import { rememberedToken } from "../entries/names";
import { type PossiblyRecordedObject, possiblyRecordedObjects, recordedExactly } from "../entries/records";
import type { Selection } from "../load/selection";
import { type ChangedObject, idsToDelete, ObjectChange, type Prune, undeclaredAddress } from "../change";
import type { PlannedObject } from "../planned-object";
import type { ReadTarget } from "../target";
import { sensitiveInToken, stateOfToken, observedTokenRecord } from "../tokens/entry";
import type { DeclaredElsewhere } from "../change";
import { Declarations } from "./declarations";
import { releaseOf, removalOf, resolveRemoval } from "./removals";
import { idOfRecords, observedRecordOf } from "./record";
import { isEndedBy } from "../tokens/user";
import { tokenKey } from "../tokens/identity";

interface PruneRequest {
  readonly target: ReadTarget;
  /** Objects that are declared for the target. */
  readonly declared: readonly PlannedObject[];
  /** `new Deletion(…)` for the target. */
  readonly removed: readonly StackRemoval[];
  readonly permits: Permits;
  /** `new Release(…)` for the target. */
  readonly released: readonly StackRelease[];
  readonly declaredElsewhere: DeclaredElsewhere;
  /** Ids of live records that are in the place of refused declarations: they stay as they are, and so does everything in them. */
  readonly refused: readonly string[];
  /** True if the stack declares an object with `destroy = false`. An object that the state does not remember may have been declared so, too. */
  readonly mayRetain: boolean;
  /** True for a destroy: everything that is managed is deleted, declared or not. Objects that the state has not recorded stay, and are listed. */
  readonly destroy: boolean;
  /** True if undeclared managed objects stay (`--no-prune`). `new Deletion(…)` is a declaration, and still holds. */
  readonly noPrune: boolean;
  /** Who reads why something is retained. */
  readonly reader?: Reader | undefined;
}

export interface Pruning {
  readonly prunes: readonly Prune[];
  readonly retained: readonly Retained[];
  /** Keys under which the state holds the records of released objects. */
  readonly released: readonly string[];
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
  /** Ids of the records to delete, and of undeclared records that are retained. */
  readonly #going = new Set<string>();
  readonly #staying = new Set<string>();
  /** Ids of the objects of `new Deletion(…)`. */
  readonly #deletion = new Set<string>();
  /** Ids of the objects of `new Release(…)`, and the keys of the state's records of these objects. */
  readonly #releasedIds = new Set<string>();
  readonly #releasedKeys: string[] = [];

  /** Why objects outlive their declarations, by their ids, and the ids of the accounts that these objects are in. */
  readonly #retention = new Map<string, string>();
  readonly #retainedWithin = new Set<string>();

  constructor(request: PruneRequest) {
    this.#request = request;
    request.refused.forEach((id) => this.#staying.add(id));
    this.#declarations = new Declarations(request.declared, request.destroy);
  }

  run(): Pruning {
    const { target, removed: removals, released: releases, destroy } = this.#request;
    for (const one of removals) this.#remove(one);
    for (const one of releases) this.#release(one);
    if (destroy) this.#listStaying();
    for (const family of listedFamilies())
      for (const owned of this.#undeclared(target, family)) this.#noteRetention(family, owned);
    for (const family of listedFamilies())
      for (const owned of this.#undeclared(target, family)) this.#record(target, family, owned);
    for (const one of possiblyRecordedObjects(target.part, target.snapshot)) this.#possiblyRecorded(one);
    for (const entry of target.part.tokens.list()) this.#token(target, entry);
    return {
      prunes: [...this.#prunes.values()],
      retained: this.#retained,
      released: this.#releasedKeys,
      findings: this.#findings,
    };
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
      const { type } = change.description;
      if (lookup?.kind !== "live" || this.#declarations.kept(type, idOfRecords(lookup.records)) === undefined)
        continue;
      const why = {
        imported: "to be imported, and the state has not recorded it",
        unmanaged: "unmanaged",
        managed: "not the recorded object for certain",
      };
      this.#retain(
        type,
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
    if (this.#releasedIds.has(id)) return;
    const declaredObject = this.#declarations.declaredRemoved(type, id);
    const key = inventory.textOf(owned.key);
    const elsewhere = this.#declaredElsewhere({ key, id });
    if (elsewhere !== undefined) {
      // A destroy judges each object in the account by itself.
      if (!this.#request.destroy) this.#staying.add(id);
      return this.#retain(type, key, id, elsewhere);
    }
    const stays = declaredObject === undefined ? this.#whyStays(family, owned, accountId) : undefined;
    if (stays !== undefined) {
      this.#staying.add(id);
      return this.#retain(type, key, id, stays);
    }
    const isCascade = this.#going.has(accountId);
    const retention = isCascade ? undefined : this.#whyRetained(id);
    if (retention !== undefined) {
      // A destroy judges each object in the account by itself.
      if (!this.#request.destroy) this.#staying.add(id);
      return this.#retain(
        type,
        key,
        id,
        declaredObject === undefined
          ? this.#notDeleted(family, key, id, retention)
          : `${retention}, so it stays`,
      );
    }
    const reason = this.#reason(isCascade);
    this.#goes(id);
    this.#add(pruneOfRecord(target, family, owned, reason, declaredObject));
  }

  /** Another stack of the project declares the object, or something in it: then it stays, and nothing shows how to delete it. */
  #declaredElsewhere(object: Parameters<DeclaredElsewhere>[1]): string | undefined {
    const declaration = this.#request.declaredElsewhere(this.#request.target, object);
    if (declaration === undefined) return undefined;
    return this.#request.destroy
      ? `${declaration.clause}, so it stays`
      : `no longer declared, not deleted: ${declaration.clause}`;
  }

  #noteRetention({ resource, inventory }: ListedFamily, { key, records }: OwnedObject): void {
    const id = idOfRecords(records);
    const reason = this.#retentionOf(
      rememberedRecord(resource, inventory.textOf(key), records),
      this.#declarations.declaredRemoved(resource.description.type, id),
    );
    if (reason === undefined) return;
    this.#retention.set(id, reason);
    this.#retainedWithin.add(inventory.expectation(records).accountId ?? "");
  }

  /** Why an object outlives its declaration, as OpenTofu has it; undefined where it does not. */
  #retentionOf(
    rememberedObject: RememberedObject,
    declaredObject: PlannedObject | undefined,
  ): string | undefined {
    if (declaredObject !== undefined)
      return declaredObject.block.lifecycle.destroy ? undefined : "declared with destroy = false";
    const wasRetained = this.#request.target.part.objects.wasRetained(rememberedObject);
    if (wasRetained === true) return "it was declared with destroy = false";
    return wasRetained === undefined && this.#request.mayRetain
      ? "the state does not know whether it was declared with destroy = false"
      : undefined;
  }

  /** The service deletes everything in an account, so that an account stays with the objects in it that do. */
  #whyRetained(id: string): string | undefined {
    return this.#retention.get(id) ?? (this.#retainedWithin.has(id) ? "a user in it is retained" : undefined);
  }

  /** Why a recorded object is not deleted, with the line that deletes it. */
  #notDeleted({ inventory }: ListedFamily, key: NaturalKey | string, id: string, why: string): string {
    const say = wordsFor(this.#request.reader);
    const name = typeof key === "string" ? key : inventory.textOf(key);
    const line = inventory.removedBy && `; ${say.removalOf(inventory.removedBy, name, id)} deletes it`;
    return `no longer declared, not deleted: ${why}${line ?? ""}`;
  }

  /** An undeclared live object that may be one that the state has recorded. Only the user can decide on its deletion. */
  #possiblyRecorded({ family, key, self, difference }: PossiblyRecordedObject): void {
    const { type } = family.resource.description;
    const id = idOfRecords({ self });
    const { accountId = "" } = family.inventory.expectation({ self });
    const isSettled = [this.#going, this.#staying, this.#releasedIds].some((ids) => ids.has(id));
    if (isSettled || this.#staying.has(accountId) || this.#going.has(accountId)) return;
    if (this.#declarations.kept(type, id) !== undefined || this.#request.destroy) return;
    this.#staying.add(id);
    const elsewhere = this.#declaredElsewhere({ key, id });
    this.#retain(type, key, id, elsewhere ?? this.#notDeleted(family, key, id, difference));
  }

  /** `new Release(…)`: an object that stays, and is managed no longer. */
  #release(release: StackRelease): void {
    const { findings, released: object } = releaseOf(release, this.#request.target, this.#declarations);
    this.#findings.push(...findings);
    if (object === undefined) return;
    this.#releasedIds.add(object.id);
    this.#releasedKeys.push(object.recordedKey);
    this.#retain(
      object.type,
      object.key,
      object.id,
      "released: it still exists, but Tenancy no longer manages it",
    );
  }

  /** Why an object stays although it is not declared; undefined where it goes. */
  #whyStays(
    { resource, inventory }: ListedFamily,
    { key: naturalKey, records }: OwnedObject,
    accountId: string,
  ): string | undefined {
    const say = wordsFor(this.#request.reader);
    if (this.#request.noPrune && !this.#deletion.has(accountId)) return notPruned(say);
    if (this.#going.has(accountId)) return undefined;
    const key = inventory.textOf(naturalKey);
    const successor = this.#declarations.possibleMatch(resource.description.type, key);
    if (successor !== undefined) return reasonOf(successor);
    const mayGo = resource.container === undefined || permitsAccount(this.#request.permits, key);
    if (mayGo) return undefined;
    const { removedBy } = inventory;
    if (removedBy === undefined) return "no longer declared";
    return `no longer declared; ${say.removalOf(removedBy, key, idOfRecords(records))} deletes it`;
  }

  /** Only tokens of the state can be managed. One that is not declared is revoked. */
  #token(target: ReadTarget, entry: TokenEntry): void {
    const { type } = tokenFamily().description;
    const key = tokenKey(entry);
    const { id: userId, account_id: accountId } = target.snapshot.profileWithLogin(entry.login) ?? {};
    const isIn = (accounts: ReadonlySet<string>) => accounts.has(accountId ?? "");
    if (this.#declarations.kept(type, key) || isIn(this.#staying)) return;
    const elsewhere = this.#declaredElsewhere({ key });
    if (elsewhere !== undefined) return this.#retain(type, key, entry.record.id, elsewhere);
    const declaredObject = this.#declarations.declaredRemoved(type, key);
    if (
      declaredObject === undefined &&
      this.#request.noPrune &&
      !isIn(this.#going) &&
      !this.#isPruned(userId)
    )
      return this.#retain(type, key, entry.record.id, notPruned(wordsFor(this.#request.reader)));
    const retention =
      isIn(this.#going) || this.#isPruned(userId)
        ? undefined
        : this.#retentionOf(rememberedToken(key), declaredObject);
    if (retention !== undefined) {
      const prefix = declaredObject === undefined ? "no longer declared, not revoked: " : "";
      return this.#retain(type, key, entry.record.id, `${prefix}${retention}`);
    }
    const successor = this.#declarations.possibleMatch(type, key);
    if (declaredObject === undefined && successor !== undefined && !isIn(this.#going))
      return this.#retain(type, key, entry.record.id, reasonOf(successor));
    this.#add(pruneOfToken(target, entry, this.#reason(isIn(this.#going)), declaredObject));
  }

  /** `new Deletion(…)`: a tenant or user to delete. The user identifies an unmanaged one. */
  #remove(removal: StackRemoval): void {
    const removalTarget = resolveRemoval(removal, [this.#request.target]);
    if (removalTarget === undefined) return;
    const { target, family } = removalTarget;
    const { found: liveObject, findings } = removalOf(removal, removalTarget, this.#declarations);
    this.#findings.push(...findings);
    if (liveObject === undefined) return;
    const id = idOfRecords(liveObject.records);
    const key = family.inventory.textOf(liveObject.key);
    const elsewhere = this.#request.declaredElsewhere(target, { key, id });
    if (elsewhere !== undefined) {
      const where = removal.path === undefined ? {} : { constructPath: removal.path };
      this.#findings.push(deletionElsewhere.at({ name: key, clause: elsewhere.clause }, where));
      return;
    }
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

function reasonOf({ change }: PlannedObject): string {
  return `${change.address} may be this one: its key is known only after apply`;
}

// Deletes of undeclared objects.

/** @param declaredObject the declared object that the delete is for, in a destroy */
export function pruneOfRecord(
  target: ReadTarget,
  { resource, inventory }: ListedFamily,
  { records, key }: Pick<LiveObject, "records" | "key">,
  reason: DeleteReason,
  declaredObject: PlannedObject | undefined,
): Prune {
  const text = inventory.textOf(key);
  const change = deleteOf(resource, declaredObject, {
    target,
    key: text,
    before: inventory.stateOf(records, null),
    claim: recordedExactly(target.part, resource)(text, records.self) ? "managed" : "unmanaged",
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

/**
 * The deletes of a partial run: only the selected objects and their tokens. An object is not deleted because of an account outside the
 * selection.
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
    if (change.reason !== "cascade" || going.has(accountIdOf(prune) ?? "")) return prune;
    return { ...prune, change: changeWith(change, { reason: destroy ? "destroy" : "undeclared" }) };
  });
}

/** Id of the account that the object is in. The observedRecord of a token does not say it, the token's user does. */
function accountIdOf({ target, change: { observedRecord, before } }: Prune): string | undefined {
  if (observedRecord.accountId !== undefined) return observedRecord.accountId;
  return target.snapshot.profileWithLogin(textOf(before?.["login"]) ?? "")?.account_id ?? undefined;
}
