/** Makes the changes of a plan: of declared objects, and the deletes of objects that are no longer declared. */
import type { Change, ObservedRecord } from "../plan";
import type { Proposal, Resource } from "../resources";
import { attributePath } from "../schema";
import type { DeclaredObject } from "./planned-object";
import type { ReadTarget } from "./target";
import { frozen, type ObjectValue, type Path } from "../lib/values";

/** The members of a declared object that its change shows. An object that is no longer declared has the same members. */
export interface ChangedObject extends Pick<DeclaredObject, "sensitive" | "importId" | "titleOf"> {
  readonly instance: Pick<DeclaredObject["instance"], "address">;
  readonly block: Pick<DeclaredObject["block"], "constructPath">;
  readonly resource: Pick<Resource, "description">;
  readonly target: Pick<ReadTarget, "provider" | "secrets">;
}

interface ChangeFacts extends Pick<Change, "action" | "key"> {
  /** The state, or the function that makes it. An unchanged object has the same state before and after. */
  readonly before: ObjectValue | null | (() => ObjectValue);
  /** Undefined for a delete, and for a record that stays as it is. */
  readonly proposal?: Proposal;
  readonly claim?: Change["claim"];
  readonly observedRecord?: Change["observedRecord"];
  readonly reason?: Change["reason"];
  readonly notes?: Change["notes"];
  readonly declared?: Change["declared"];
  readonly granted?: Change["granted"];
  readonly endless?: Change["endless"];
}

const NONE: readonly never[] = [];

/**
 * The change of one object. A large plan has one for each record of the service, and nearly all of them are unchanged. So their state, and its hidden
 * paths, are made on demand. It is a class because V8 makes a dictionary of each literal with a getter.
 */
export class ObjectChange implements Change {
  readonly action: Change["action"];
  readonly address: string;
  readonly description: Change["description"];
  readonly constructPath: string | undefined;
  readonly provider: string;
  readonly key: string;
  readonly claim: Change["claim"];
  readonly replacedBy: Change["replacedBy"];
  readonly importId: string | undefined;
  readonly reason: Change["reason"];
  readonly notes: Change["notes"];
  readonly observedRecord: Change["observedRecord"];
  readonly declared: Change["declared"];
  readonly granted: Change["granted"];
  readonly endless: Change["endless"];
  readonly #object: ChangedObject;
  readonly #before: ChangeFacts["before"];
  readonly #proposal: Proposal | undefined;
  #state: ObjectValue | undefined;
  #sensitive: readonly Path[] | undefined;

  constructor(object: ChangedObject, facts: ChangeFacts) {
    this.action = facts.action;
    this.address = object.instance.address;
    this.description = object.resource.description;
    this.constructPath = object.block.constructPath;
    this.provider = object.target.provider;
    this.key = facts.key;
    this.claim = facts.claim;
    this.replacedBy = facts.proposal?.replacedBy ?? NONE;
    this.importId = object.importId;
    this.reason = facts.reason;
    this.notes = facts.notes ?? NONE;
    this.observedRecord = facts.observedRecord;
    this.declared = facts.declared;
    this.granted = facts.granted;
    this.endless = facts.endless;
    this.#object = object;
    this.#before = typeof facts.before === "function" ? facts.before : frozen(facts.before);
    this.#proposal = facts.proposal;
    frozen(facts.proposal?.planned);
    Object.freeze(this);
  }

  get title(): string {
    return this.#object.titleOf(this.key);
  }

  get before(): ObjectValue | null {
    const before = this.#before;
    return typeof before === "function" ? (this.#state ??= frozen(before())) : before;
  }

  get after(): ObjectValue | null {
    return this.#proposal?.planned ?? (this.action === "delete" ? null : this.before);
  }

  get attributes(): Change["attributes"] {
    return this.#proposal?.changes ?? NONE;
  }

  /** Values that the declaration hides, and all values that repeat a secret of the run. */
  get sensitive(): readonly Path[] {
    if (this.#sensitive === undefined) {
      const { sensitive, target } = this.#object;
      const states = this.after === this.before ? [this.before] : [this.before, this.after];
      const repeated = states.flatMap((state) =>
        target.secrets.pathsIn(state).map((path) => attributePath(this.description.attributes, path)),
      );
      this.#sensitive = repeated.length === 0 ? sensitive : [...sensitive, ...repeated];
    }
    return this.#sensitive;
  }
}

// Deletes of objects that no stack declares any more.

/**
 * The other stack or provider configuration that declares, or may declare, a live object or anything that ends with it, as a clause; undefined if none
 * does. It is certain unless a key of that stack is known only after apply, or the stack could not be evaluated to its end.
 */
export type DeclaredElsewhere = (
  target: Pick<ReadTarget, "origin"> & Partial<Pick<ReadTarget, "provider">>,
  object: {
    readonly key: string;
    /** Undefined for a token: its key identifies it. */
    readonly id?: string;
  },
) => { readonly clause: string; readonly isCertain: boolean } | undefined;

export interface Prune {
  readonly target: ReadTarget;
  readonly resource: Resource;
  /** The delete of something that was read, so that it has been seen, and has a state. */
  readonly change: Change & { readonly before: ObjectValue; readonly observedRecord: ObservedRecord };
}

/** Ids of the records and tokens that are deleted. */
export function idsToDelete(prunes: readonly Prune[]): ReadonlySet<string> {
  return new Set(prunes.map(({ change }) => change.observedRecord.id));
}

/** Address of an undeclared managed object: `tenancy_user_profile.undeclared["bob@acme"]`. */
export function undeclaredAddress(type: string, key: string): string {
  return `${type}.undeclared[${JSON.stringify(key)}]`;
}
