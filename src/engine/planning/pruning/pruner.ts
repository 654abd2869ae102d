/** What is live and ours, but not declared: deleted, or retained (design: Ownership). */
import type { TokenEntry } from "../../../credentials";
import { placeOf, RemovedAndDeclared, type Diagnostic } from "../../../errors";
import { permitsAccount, type DeleteReason, type Permits, type Retained } from "../../../plan";
import type { Inventory, OwnedObject } from "../../../resources";
import type { Removed } from "../../../stack";
import { listedFamilies, tokenFamily, type ListedFamily } from "../families";
import type { PlannedObject } from "../planned-object";
import { tokenKey } from "../plan-token";
import type { Target } from "../target";
import { Declarations } from "./declarations";
import { idOf, pruneOfRecord, pruneOfToken, type Prune } from "./prune";
import { removalOf } from "./removal";

export interface PruneRequest {
  /** Every target of one service and owner; an object that any of them declares is declared. */
  readonly targets: readonly Target[];
  readonly declared: readonly PlannedObject[];
  readonly removed: readonly Removed[];
  readonly permits: Permits;
  /** Whether all that is ours goes, declared or not; what was adopted, or has a uuid of the user's, stays and is listed. */
  readonly destroy: boolean;
  /** Whether what is ours and not declared stays all the same (`--no-prune`). `new Removed(…)` is a declaration. */
  readonly noPrune: boolean;
}

export interface Pruning {
  readonly prunes: readonly Prune[];
  readonly retained: readonly Retained[];
  readonly diagnostics: readonly Diagnostic[];
}

export function prune(request: PruneRequest): Pruning {
  return new Pruner(request).run();
}

class Pruner {
  readonly #request: PruneRequest;
  readonly #declarations: Declarations;
  readonly #prunes = new Map<string, Prune>();
  readonly #retained: Retained[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  /** Ids of the accounts that go, and of those that stay although they are not declared. */
  readonly #going = new Set<string>();
  readonly #staying = new Set<string>();
  /** Ids of what `new Removed(…)` names. */
  readonly #removed = new Set<string>();

  constructor(request: PruneRequest) {
    this.#request = request;
    this.#declarations = new Declarations(request.declared, request.destroy);
  }

  run(): Pruning {
    const { targets, removed, destroy } = this.#request;
    for (const one of removed) this.#remove(one);
    if (destroy) this.#listStaying();
    for (const target of targets) {
      for (const family of listedFamilies())
        for (const owned of this.#undeclared(target, family)) this.#record(target, family, owned);
      for (const entry of target.ledger.tokens.list()) this.#token(target, entry);
    }
    return { prunes: [...this.#prunes.values()], retained: this.#retained, diagnostics: this.#diagnostics };
  }

  /** What is ours and does not stay for being declared. */
  #undeclared(target: Target, { resource }: ListedFamily): readonly OwnedObject[] {
    const { type } = resource.description;
    return target.ours(resource, (self) => this.#declarations.stays(type, idOf({ self })) === undefined);
  }

  /** What a destroy leaves alone. */
  #listStaying(): void {
    for (const { change, sought } of this.#declarations.objects) {
      if (sought?.kind !== "live" || sought.proof !== undefined || change.sighting === undefined) continue;
      const why = { adopted: "adopted", foreign: "not ours", ours: "its uuid is the user's own" };
      this.#retain(
        change.description.type,
        change.key,
        change.sighting.id,
        `${why[change.claim ?? "foreign"]}, so it stays`,
      );
    }
  }

  #record(target: Target, family: ListedFamily, owned: OwnedObject): void {
    const { resource, inventory } = family;
    const { type } = resource.description;
    const id = idOf(owned.records);
    const accountId = inventory.expectation(owned.records).accountId ?? "";
    if (this.#going.has(id) || this.#removed.has(id)) return;
    if (this.#staying.has(id) || this.#staying.has(accountId)) return;
    const key = inventory.textOf(owned.key);
    const doomed = this.#declarations.doomed(type, id);
    const heir = this.#declarations.mayBe(type, key);
    const isCascade = this.#going.has(accountId);
    const isContainer = resource.container !== undefined;
    if (doomed === undefined && this.#request.noPrune && !this.#removed.has(accountId)) {
      if (isContainer) this.#staying.add(id);
      return this.#retain(type, key, id, NOT_PRUNED);
    }
    if (doomed === undefined && !isCascade) {
      const isRetained = isContainer && !permitsAccount(this.#request.permits, key);
      if (heir !== undefined || isRetained) {
        if (isContainer) this.#staying.add(id);
        return this.#retain(type, key, id, heir === undefined ? undeclared(inventory, key) : reasonOf(heir));
      }
    }
    if (isContainer) this.#goes(id);
    this.#add(pruneOfRecord(target, family, owned, this.#reason(isCascade), doomed));
  }

  /** A token that isn't in the store is nobody's; one that is, and is not declared, is ours to revoke. */
  #token(target: Target, entry: TokenEntry): void {
    const { type } = tokenFamily().description;
    const key = tokenKey(entry);
    const { id: userId, account_id: accountId } = target.snapshot.profileWithLogin(entry.login) ?? {};
    const isIn = (accounts: ReadonlySet<string>) => typeof accountId === "string" && accounts.has(accountId);
    if (this.#declarations.stays(type, key) || isIn(this.#staying)) return;
    const doomed = this.#declarations.doomed(type, key);
    if (doomed === undefined && this.#request.noPrune && !isIn(this.#going) && !this.#isPruned(userId))
      return this.#retain(type, key, entry.record.id, NOT_PRUNED);
    const heir = this.#declarations.mayBe(type, key);
    if (doomed === undefined && heir !== undefined && !isIn(this.#going))
      return this.#retain(type, key, entry.record.id, reasonOf(heir));
    this.#add(pruneOfToken(target, entry, this.#reason(isIn(this.#going)), doomed));
  }

  /** `new Removed(…)`: a tenant or user that is to go, whoever made it, as long as the user says which one. */
  #remove(removed: Removed): void {
    const { targets } = this.#request;
    const target = targets.find(({ provider }) => provider === (removed.provider ?? "tenancy"));
    if (target === undefined) return;
    const { family, found, diagnostics } = removalOf(removed, target, this.#declarations);
    this.#diagnostics.push(...diagnostics);
    if (found === undefined) return;
    const id = idOf(found.records);
    this.#removed.add(id);
    if (family.resource.container !== undefined) this.#goes(id);
    const doomed = this.#declarations.doomed(family.resource.description.type, id);
    this.#add(pruneOfRecord(target, family, found, "removed", doomed));
  }

  /** An account takes all with it that is in it, so nothing in it may be declared. */
  #goes(accountId: string): void {
    this.#going.add(accountId);
    if (this.#request.destroy) return;
    for (const { change } of this.#declarations.inAccount(accountId))
      this.#diagnostics.push(...new RemovedAndDeclared(change.title, placeOf(change)).toDiagnostics());
  }

  #reason(isCascade: boolean): DeleteReason {
    if (isCascade) return "cascade";
    return this.#request.destroy ? "destroy" : "undeclared";
  }

  #retain(type: string, key: string, id: string, reason: string): void {
    // Two aliases of a service see the same object.
    if (this.#retained.some((one) => one.type === type && one.id === id)) return;
    this.#retained.push({ type, key, id, reason });
  }

  #isPruned(id: string | null | undefined): boolean {
    return [...this.#prunes.values()].some(({ change }) => change.sighting?.id === id);
  }

  #add(found: Prune): void {
    this.#prunes.set(found.change.address, found);
  }
}

const NOT_PRUNED = "not declared; it stays because of --no-prune";

function undeclared({ removedBy }: Inventory, key: string): string {
  const removal = `new Removed(…, { ${removedBy}: ${JSON.stringify(key)} }) deletes it`;
  return ["no longer declared", ...(removedBy === undefined ? [] : [removal])].join("; ");
}

function reasonOf({ change }: PlannedObject): string {
  return `${change.address} may be this one: its key is known only after apply`;
}
