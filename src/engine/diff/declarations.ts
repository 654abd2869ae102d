/** Finds declarations of the stack by the id of a live record or by the key of a token. */
import { isKnownText, normalForm } from "../../lib/values";
import { keyPattern } from "../families";
import { recordedExactly } from "../entries/records";
import type { PlannedObject } from "../planned-object";

export class Declarations {
  /** Declared objects that stay, by type and id; tokens by type and key. */
  readonly #staying = new Map<string, PlannedObject>();
  /** Declared objects that are to be created, by type and key. */
  readonly #coming = new Map<string, PlannedObject>();
  /** Declared objects that are destroyed. */
  readonly #declaredRemoved = new Map<string, PlannedObject>();
  /** Declared objects that are in an account, by its id. */
  readonly #inAccount = new Map<string, PlannedObject[]>();
  /** Objects whose key is known only after apply, with a pattern of that key. */
  readonly #open: { readonly object: PlannedObject; readonly pattern: RegExp }[] = [];

  /** @param destroy true if managed objects go. An object that the state has not recorded for certain stays */
  constructor(
    readonly objects: readonly PlannedObject[],
    destroy: boolean,
  ) {
    for (const object of objects) {
      const { change } = object;
      const { type } = change.description;
      if (!isKnownText(change.key)) this.#open.push({ object, pattern: keyPattern(change.key) });
      if (change.action === "create" && !destroy)
        this.#coming.set(`${type} ${normalForm(change.key)}`, object);
      const accountId = change.observedRecord?.accountId;
      if (accountId !== undefined) {
        const members = this.#inAccount.get(accountId);
        if (members === undefined) this.#inAccount.set(accountId, [object]);
        else members.push(object);
      }
      const identity = isTokenObject(object) ? change.key : change.observedRecord?.id;
      if (identity === undefined) continue;
      const isRemoved = destroy && (isTokenObject(object) || isProvenOrRecorded(object));
      (isRemoved ? this.#declaredRemoved : this.#staying).set(`${type} ${identity}`, object);
    }
  }

  /** @param identity id of a record, or key of a token */
  kept(type: string, identity: string): PlannedObject | undefined {
    return this.#staying.get(`${type} ${identity}`);
  }

  /** A declared object that is yet to be created under this key. */
  toCreate(type: string, key: string): PlannedObject | undefined {
    return this.#coming.get(`${type} ${normalForm(key)}`);
  }

  declaredRemoved(type: string, identity: string): PlannedObject | undefined {
    return this.#declaredRemoved.get(`${type} ${identity}`);
  }

  /** Declared objects that are in the account. */
  inAccount(accountId: string): readonly PlannedObject[] {
    return this.#inAccount.get(accountId) ?? [];
  }

  /** An object that may turn out to be the one with this key. */
  possibleMatch(type: string, key: string): PlannedObject | undefined {
    return this.#open.find(
      ({ object, pattern }) => object.change.description.type === type && pattern.test(key),
    )?.object;
  }
}

function isTokenObject({ resource }: PlannedObject): boolean {
  return resource.kind === "token";
}

/** True if its uuid, or the state's record of it, shows that the object is managed. */
function isProvenOrRecorded({ lookup, resource, target, change }: PlannedObject): boolean {
  if (lookup?.kind !== "live") return false;
  return recordedExactly(target.part, resource)(change.key, lookup.records.self);
}
