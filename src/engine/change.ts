/** Makes the changes of a plan: of declared objects, and the deletes of objects that are no longer declared. */
import type { Change, ObservedRecord } from "../plan";
import type { Proposal, Resource } from "../resources";
import { attributePath } from "../schema";
import type { DeclaredObject } from "./planned-object";
import type { ReadTarget } from "./target";
import { frozen, type ObjectValue, type Path } from "../lib/values";

/** Of a declared object, what its change tells of it. An object that is not declared any more stands in for one. */
export interface ChangedObject extends Pick<DeclaredObject, "sensitive" | "importId" | "titleOf"> {
  readonly instance: Pick<DeclaredObject["instance"], "address">;
  readonly block: Pick<DeclaredObject["block"], "constructPath">;
  readonly resource: Pick<Resource, "description">;
  readonly target: Pick<ReadTarget, "provider" | "secrets">;
}

interface ChangeFacts extends Pick<Change, "action" | "key"> {
  /** The state, or what makes it. An unchanged object has the same state before and after. */
  readonly before: ObjectValue | null | (() => ObjectValue);
  /** Undefined for a delete, and for a record that stays as it is. */
  readonly proposal?: Proposal;
  readonly claim?: Change["claim"];
  readonly observedRecord?: Change["observedRecord"];
  readonly reason?: Change["reason"];
  readonly notes?: Change["notes"];
  readonly declared?: Change["declared"];
  readonly granted?: Change["granted"];
}

const NONE: readonly never[] = [];

/**
 * The change of one object. A large plan has one for each record of the service, and nearly all of them are unchanged: so the state of these, and what
 * has to be hidden of it, is made when somebody asks. It is a class because V8 makes a dictionary of each literal that has a getter.
 */
export class ObjectChange implements Change {
  readonly #object: ChangedObject;
  readonly #facts: ChangeFacts;
  #state: ObjectValue | undefined;
  #sensitive: readonly Path[] | undefined;

  constructor(object: ChangedObject, facts: ChangeFacts) {
    this.#object = object;
    this.#facts = facts;
    if (typeof facts.before !== "function") frozen(facts.before);
    frozen(facts.proposal?.planned);
    Object.freeze(this);
  }

  get action() {
    return this.#facts.action;
  }

  get address() {
    return this.#object.instance.address;
  }

  get description() {
    return this.#object.resource.description;
  }

  get constructPath() {
    return this.#object.block.constructPath;
  }

  get provider() {
    return this.#object.target.provider;
  }

  get key() {
    return this.#facts.key;
  }

  get title() {
    return this.#object.titleOf(this.#facts.key);
  }

  get claim() {
    return this.#facts.claim;
  }

  get before(): ObjectValue | null {
    const { before } = this.#facts;
    return typeof before === "function" ? (this.#state ??= frozen(before())) : before;
  }

  get after(): ObjectValue | null {
    const { action, proposal } = this.#facts;
    return proposal?.planned ?? (action === "delete" ? null : this.before);
  }

  get attributes() {
    return this.#facts.proposal?.changes ?? NONE;
  }

  get replacedBy() {
    return this.#facts.proposal?.replacedBy ?? NONE;
  }

  /** What the declaration hides, and whatever repeats a secret that the run knows, whoever wrote it into the record. */
  get sensitive(): readonly Path[] {
    if (this.#sensitive === undefined) {
      const { sensitive, resource, target } = this.#object;
      const { attributes } = resource.description;
      const states = this.after === this.before ? [this.before] : [this.before, this.after];
      const repeated = states.flatMap((state) =>
        target.secrets.pathsIn(state).map((path) => attributePath(attributes, path)),
      );
      this.#sensitive = repeated.length === 0 ? sensitive : [...sensitive, ...repeated];
    }
    return this.#sensitive;
  }

  get importId() {
    return this.#object.importId;
  }

  get reason() {
    return this.#facts.reason;
  }

  get notes() {
    return this.#facts.notes ?? NONE;
  }

  get observedRecord() {
    return this.#facts.observedRecord;
  }

  get declared() {
    return this.#facts.declared;
  }

  get granted() {
    return this.#facts.granted;
  }
}

// Deletes of objects that no stack declares any more.

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

/** Address of an undeclared object of ours: `tenancy_user_profile.undeclared["bob@acme"]`. */
export function undeclaredAddress(type: string, key: string): string {
  return `${type}.undeclared[${JSON.stringify(key)}]`;
}
