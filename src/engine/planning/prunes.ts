/** What is live and ours, but not declared: deleted, or retained (design §5, §7). */
import type { TokenEntry } from "../../credentials";
import { RemovedAndDeclared, RemovedForeign, type Diagnostic, asWarning, RemovedIsGone } from "../../errors";
import { madeByOther, proofOf } from "../../ownership";
import { permitsAccount, type Change, type DeleteReason, type Permits, type Retained } from "../../plan";
import type { NaturalKey } from "../../ownership";
import type { Inventory, OwnedObject, Records, Resource } from "../../resources";
import type { Removed } from "../../stack";
import type { ObjectValue } from "../../values";
import { stateOfToken } from "../store/token-state";
import { resourceOf } from "./families";
import { keyText } from "./key-text";
import type { PlannedObject } from "./planned-object";
import { sightingOf } from "./plan-record";
import type { Target } from "./target";

/** A delete that no declaration stands for. */
export interface Prune {
  readonly target: Target;
  readonly resource: Resource;
  readonly change: Change;
}

export interface PruneRequest {
  /** Every target of one service and owner; an object that any of them declares is declared. */
  readonly targets: readonly Target[];
  readonly declared: readonly PlannedObject[];
  readonly removed: readonly Removed[];
  readonly permits: Permits;
  /** Whether all that is ours goes, declared or not; what was adopted, or has a uuid of the user's, stays and is listed. */
  readonly destroy: boolean;
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
  readonly #prunes = new Map<string, Prune>();
  readonly #retained: Retained[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  /** Declared objects that are to stay, by id; and tokens by key. */
  readonly #declaredIds: ReadonlySet<string>;
  readonly #declaredTokens: ReadonlySet<string>;
  /** Declared objects that are destroyed, by id or, for tokens, by key. */
  readonly #doomed: ReadonlyMap<string, PlannedObject>;
  /** Ids of the accounts that go, and of those that stay although they are not declared. */
  readonly #going = new Set<string>();
  readonly #staying = new Set<string>();

  constructor(readonly request: PruneRequest) {
    const doomed = new Map<string, PlannedObject>();
    const ids = new Set<string>();
    const tokens = new Set<string>();
    for (const object of request.declared) {
      const isToken = object.resource.description.name === "authorization";
      const identity = isToken ? object.change.key : object.change.sighting?.id;
      if (identity === undefined) continue;
      if (request.destroy && (isToken || isOwnMake(object))) doomed.set(identity, object);
      else (isToken ? tokens : ids).add(identity);
    }
    this.#declaredIds = ids;
    this.#declaredTokens = tokens;
    this.#doomed = doomed;
  }

  run(): Pruning {
    for (const removed of this.request.removed) this.#remove(removed);
    if (this.request.destroy) this.#listStaying();
    for (const target of this.request.targets) {
      for (const owned of target.ours.get("tenancy_account") ?? []) this.#account(target, owned);
      for (const owned of target.ours.get("tenancy_user_profile") ?? []) this.#profile(target, owned);
      for (const entry of target.ledger.tokens.list()) this.#token(target, entry);
    }
    return { prunes: [...this.#prunes.values()], retained: this.#retained, diagnostics: this.#diagnostics };
  }

  #listStaying(): void {
    for (const { change, resource, sought } of this.request.declared) {
      if (sought?.kind !== "live" || sought.proof !== undefined || change.sighting === undefined) continue;
      this.#retained.push({
        type: resource.description.type,
        key: change.key,
        id: change.sighting.id,
        reason:
          change.claim === "adopted" ? "adopted, so it stays" : "its uuid is the user's own, so it stays",
      });
    }
  }

  #account(target: Target, { records, key, proof: _proof }: OwnedObject): void {
    const id = idOf(records);
    if (this.#declaredIds.has(id) || this.#going.has(id) || this.#staying.has(id)) return;
    const name = keyText(key);
    if (this.#doomed.has(id) || permitsAccount(this.request.permits, name)) {
      this.#delete(target, "account", records, key, this.request.destroy ? "destroy" : "undeclared");
      this.#going.add(id);
      return;
    }
    this.#staying.add(id);
    this.#retained.push({
      type: "tenancy_account",
      key: name,
      id,
      reason: `no longer declared; new Removed(…, { account: ${JSON.stringify(name)} }) deletes it`,
    });
  }

  #profile(target: Target, { records, key }: OwnedObject): void {
    const id = idOf(records);
    if (this.#declaredIds.has(id)) return;
    const accountId = String(records.self["account_id"] ?? "");
    if (this.#staying.has(accountId)) return;
    const reason = this.#going.has(accountId) ? "cascade" : this.request.destroy ? "destroy" : "undeclared";
    this.#delete(target, "user_profile", records, key, reason);
  }

  /** A token that isn't in the store is nobody's; one that is, and is not declared, is ours to revoke. */
  #token(target: Target, entry: TokenEntry): void {
    const key = `${entry.login}/${entry.name}`;
    if (this.#declaredTokens.has(key)) return;
    const profile = target.snapshot.profileWithLogin(entry.login);
    const accountId = profile?.account_id;
    if (typeof accountId === "string" && this.#staying.has(accountId)) return;
    const isCascade = typeof accountId === "string" && this.#going.has(accountId);
    this.#deleteToken(target, entry, isCascade ? "cascade" : this.request.destroy ? "destroy" : "undeclared");
  }

  /** `new Removed(…)`: a tenant or user that is to go, whoever made it, as long as the user says which one. */
  #remove(removed: Removed): void {
    const kind = removed.account === undefined ? "user_profile" : "account";
    const wanted = removed.account ?? removed.login ?? "";
    const where = removed.path === undefined ? {} : { constructPath: removed.path };
    const target = this.request.targets.find(({ provider }) => provider === (removed.provider ?? "tenancy"));
    if (target === undefined) return;
    const inventory = inventoryOf(kind);
    const found = inventory.locateById(
      removed.id ?? removed.serial ?? wanted,
      target.snapshot,
      target.owners,
    );
    if (found.kind === "absent") {
      const doubt = inventory.doubt(undefined, target.snapshot);
      if (doubt === undefined && target.incomplete === undefined)
        this.#diagnostics.push(...asWarning(new RemovedIsGone(wanted, where)));
      return;
    }
    if (found.kind === "refused") {
      this.#diagnostics.push(...found.error.toDiagnostics(where));
      return;
    }
    if (found.kind !== "live") return;
    const { records, key } = found;
    const isOurs = found.proof !== undefined;
    const isNamed = keyText(key) === wanted;
    const uuid = String(records.self["uuid"] ?? "");
    if (!isNamed || (!isOurs && (madeByOther(uuid, key, target.owners) || !isIdentified(removed)))) {
      this.#diagnostics.push(...new RemovedForeign(wanted, idOf(records), isNamed, where).toDiagnostics());
      return;
    }
    if (this.#declaredIds.has(idOf(records))) {
      this.#diagnostics.push(...new RemovedAndDeclared(wanted, where).toDiagnostics());
      return;
    }
    if (kind === "account") {
      this.#going.add(idOf(records));
      this.#cascade(target, idOf(records));
    }
    this.#delete(target, kind, records, key, "removed");
  }

  /** Users that are ours go before their account; the others are counted by the guard for what is in it. */
  #cascade(target: Target, accountId: string): void {
    for (const profile of target.snapshot.profilesOf(accountId)) {
      if (typeof profile.id === "string" && this.#declaredIds.has(profile.id)) {
        const declared = this.request.declared.find(({ change }) => change.sighting?.id === profile.id);
        this.#diagnostics.push(
          ...new RemovedAndDeclared(String(profile.login), {
            ...(declared !== undefined && { address: declared.change.address }),
          }).toDiagnostics(),
        );
      }
    }
  }

  #delete(
    target: Target,
    kind: "account" | "user_profile",
    records: Records,
    key: NaturalKey,
    reason: DeleteReason,
  ): void {
    const resource = resourceOf(`tenancy_${kind}`);
    const inventory = inventoryOf(kind);
    const text = keyText(key);
    const before = inventory.stateOf(records, null);
    const isOurs = proofOf(String(records.self["uuid"] ?? ""), key, target.owners) !== undefined;
    this.#add({
      target,
      resource,
      change: {
        ...removalOf(target, resource, text, before, reason, this.#doomed.get(idOf(records))),
        claim: isOurs ? "ours" : "foreign",
        sighting: sightingOf({ records }, text, target),
      },
    });
  }

  #deleteToken(target: Target, entry: TokenEntry, reason: DeleteReason): void {
    const resource = resourceOf("tenancy_authorization");
    const key = `${entry.login}/${entry.name}`;
    this.#add({
      target,
      resource,
      change: {
        ...removalOf(target, resource, key, stateOfToken(entry, {}), reason, this.#doomed.get(key)),
        claim: "ours",
        sighting: {
          id: entry.record.id,
          uuid: undefined,
          accountId: undefined,
          seq: undefined,
          key,
          readAt: target.readAt,
        },
      },
    });
  }

  #add(found: Prune): void {
    this.#prunes.set(`${found.change.address}`, found);
  }
}

function removalOf(
  target: Target,
  resource: Resource,
  key: string,
  before: ObjectValue,
  reason: DeleteReason,
  declared: PlannedObject | undefined,
) {
  const { description } = resource;
  return {
    action: "delete" as const,
    address: declared?.instance.address ?? `${description.type}.undeclared[${JSON.stringify(key)}]`,
    description,
    constructPath: declared?.block.constructPath,
    provider: target.provider,
    key,
    // What only the client knows, such as deletion_protection, is as it was declared.
    before: declared?.change.before ?? before,
    after: null,
    attributes: [],
    replacedBy: [],
    sensitive: [],
    importId: undefined,
    reason,
    notes: [],
  };
}

/** Whether we made it: adopted objects, and those with a uuid of the user's, are never deleted by the way. */
function isOwnMake({ sought }: PlannedObject): boolean {
  return sought?.kind === "live" && sought.proof !== undefined;
}

function isIdentified({ id, serial }: Removed): boolean {
  return id !== undefined || serial !== undefined;
}

function inventoryOf(kind: "account" | "user_profile"): Inventory {
  const { inventory } = resourceOf(`tenancy_${kind}`);
  if (inventory === undefined) throw new TypeError(`${kind} has no inventory`);
  return inventory;
}

function idOf(records: Records): string {
  return String(records.self["id"] ?? records.self["serial"] ?? "");
}
