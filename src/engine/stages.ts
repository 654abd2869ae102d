/** Defines what the stages of a run work on: services, declared objects, changes, deletes. Each stage has its context in a file of its own. */
import { readingClock } from "../api";
import type { Ledger, RememberedObject } from "../credentials";
import { isKeyed, type Owners } from "../ownership";
import type { Change, EvaluatedObject, OutputChange, Plan, ObservedRecord } from "../plan";
import type { Finding } from "../problems";
import type { OwnedObject, Proposal, Resource, LookupResult } from "../resources";
import type { Records } from "../schema";
import type { Connection, Snapshot } from "../service";
import type { ResourceBlock } from "../stack";
import { sensitiveIn } from "./hidden-secrets";
import { frozen, type KnownSecrets, type Marked, type ObjectValue, type Path } from "../lib/values";

// Targets: provider configurations with their services. A plan has them as plain data (`Target`); the engine reads from one, and writes to one.

/** Everything of one provider configuration that planning looks at. */
export interface ReadTarget {
  /** `tenancy` or `tenancy.alias`. */
  readonly provider: string;
  readonly origin: string;
  readonly owners: Owners;
  /** Refuses everything but GET and log-in. */
  readonly connection: Connection;
  readonly ledger: Ledger;
  readonly snapshot: Snapshot;
  /** Why the lists may be incomplete; undefined if they are complete. */
  readonly incomplete: string | undefined;
  /** Key of the kept token by whose user that was found, if it was. */
  readonly tokenOfUnlisted?: string;
  /** When it was read, by `readingClock`. */
  readonly readAt: number;
  /** When the snapshot was taken that it was read from, ISO 8601; undefined where the service itself was asked. */
  readonly takenAt?: string | undefined;
  /** What accounts use, by their ids, where the snapshot tells. */
  readonly usage?: Readonly<Record<string, ObjectValue>>;
  /**
   * Live objects of a family that are ours. To tell costs a hash for each, so those that are declared, and known for what they are, are not
   * asked about.
   */
  readonly ours: (family: Resource, isAsked?: (record: ObjectValue) => boolean) => readonly OwnedObject[];
  /** Token that the run itself works with; undefined with a password, or where a snapshot is read. */
  readonly token: string | undefined;
  /** Serial of the store's token that the run itself works with, be it a current or a previous one. */
  readonly ownToken: string | undefined;
  /**
   * Serials of tokens that the service was found to refuse, by `--verify-tokens` or by an earlier run, each with those of the tokens that it
   * replaced and that may still be good.
   */
  readonly refused: ReadonlyMap<string, readonly string[]>;
  /** Serials of tokens whose user is live, or may be, although no list shows it. */
  readonly unlisted: ReadonlySet<string>;
  /** What was found on the way. */
  readonly warnings: readonly Finding[];
  readonly secrets: KnownSecrets;
  /** Who the run acts as, for people. */
  readonly caller: string;
}

/** Finds our objects in the lists, for a target. */
export function oursIn(snapshot: Snapshot, owners: Owners): ReadTarget["ours"] {
  return ({ inventory }, isAsked) => inventory?.ours(snapshot, owners, isAsked) ?? [];
}

/** A provider configuration, opened: the read target for planning, and the connection that applying writes through. */
export interface Opened {
  readonly target: ReadTarget;
  readonly connection: Connection;
}

/** Where an apply writes: a service, and the locked store's ledger for it. */
export class WriteTarget {
  readonly target: ReadTarget;
  readonly connection: Connection;
  #reading: { readonly snapshot: Promise<Snapshot>; readonly at: number } | undefined;

  constructor(
    { target, connection }: Opened,
    readonly ledger: Ledger,
  ) {
    this.target = target;
    this.connection = connection;
  }

  /**
   * The lists of the service, read again where the last reading is older. All who ask share one reading, so that a long apply
   * reads them once in a while, and not for each object.
   * @param maxAgeMs milliseconds
   */
  async lists(maxAgeMs: number): Promise<Snapshot> {
    const now = readingClock();
    if (this.#reading === undefined || now - this.#reading.at > maxAgeMs) {
      const { directory } = this.connection;
      directory.invalidate();
      const reading = { snapshot: directory.snapshot(), at: now };
      this.#reading = reading;
      // A failed reading is not kept: the next caller reads again.
      reading.snapshot.catch(() => {
        if (this.#reading === reading) this.#reading = undefined;
      });
    }
    return this.#reading.snapshot;
  }
}

export type WriteTargets = ReadonlyMap<string, WriteTarget>;

export function writeTargetFor(writeTargets: WriteTargets, provider: string): WriteTarget {
  const writeTarget = writeTargets.get(provider);
  if (writeTarget === undefined) throw new TypeError(`${provider} was not opened`);
  return writeTarget;
}

/** What an instance can refer to besides. */
export interface Surroundings {
  readonly each?: { readonly key: string; readonly value: Marked };
  readonly count?: number;
  readonly self?: Marked;
}

export type InstanceKey = string | number | undefined;

export interface Instance {
  readonly key: InstanceKey;
  /** `tenancy_account.acme`, `tenancy_account.acme[0]`, `tenancy_account.acme["eu"]`. */
  readonly address: string;
  readonly surroundings: Surroundings;
}

/** One declared object with everything that the plan knows of it and the apply needs. */
export interface DeclaredObject {
  readonly block: ResourceBlock;
  readonly instance: Instance;
  readonly resource: Resource;
  readonly target: ReadTarget;
  /** The configuration: evaluated, converted and checked. It may hold unknowns, and holds the write-only values. */
  readonly config: ObjectValue;
  /** Paths of what must not be shown. */
  readonly sensitive: readonly Path[];
  /** Its natural key as it may be shown. */
  readonly titleOf: (key: string) => string;
  /** Id named by an import block. */
  readonly importId: string | undefined;
}

/** The service, as plans and reports on drift name it. */
export function namedTarget({ provider, origin, owners, caller }: ReadTarget): Plan["targets"][number] {
  return { provider, origin, owner: owners.current, keyed: isKeyed(owners), caller };
}

/** What the change of a declared object has of its declaration. */
export function declaredFacts(declared: DeclaredObject, key: string) {
  const { block, instance, resource, target, sensitive, importId } = declared;
  return {
    address: instance.address,
    description: resource.description,
    constructPath: block.constructPath,
    provider: target.provider,
    key,
    title: declared.titleOf(key),
    sensitive,
    importId,
  };
}

/** A declared object in whose place another record is live: ours under another name, or somebody else's under its name. */
export interface ConflictingObject extends DeclaredObject {
  /** Natural key of the declared object. */
  readonly key: string;
  readonly found: Records;
  readonly isRenamed: boolean;
}

export interface PlannedObject extends DeclaredObject {
  readonly change: Change;
  /**
   * What the change was made from, and what its apply writes, unless the configuration held unknowns or the record has moved since.
   * Undefined where nothing changes.
   */
  readonly proposal: Proposal | undefined;
  readonly lookup: LookupResult | undefined;
  /** The key under which the store remembers the object; undefined if it is not live yet. */
  readonly remembered: RememberedObject | undefined;
  /** Values and versions that the next apply notes in the store without sending them. */
  readonly recorded: readonly Path[];
  readonly findings: readonly Finding[];
  /** Why a token is rotated, where its declaration is not the reason. */
  readonly rotation?: Rotation | undefined;
}

// The findings of a walk through the stack, from which a plan is made.

/** A declared object of a service that nobody asked. */
export interface OfflineObject {
  readonly type: string;
  /** What is unknown in it reads `(known after apply)`. */
  readonly key: string;
  readonly address: string;
  /** Evaluated and checked; may hold unknowns. */
  readonly config: ObjectValue;
}

/** A stack, evaluated against its services. */
export interface EvaluationResult {
  /** Every declared object, including those outside the selection. */
  readonly objects: readonly PlannedObject[];
  /** If the service is not asked: what stands in for the services. */
  readonly offlineObjects: readonly OfflineObject[];
  /** Blocks outside the selection, whose objects are therefore unknown. */
  readonly unread: readonly string[];
  readonly evaluated: readonly EvaluatedObject[];
  readonly outputs: readonly OutputChange[];
  readonly targets: readonly ReadTarget[];
  readonly findings: readonly Finding[];
  /** Addresses of data sources that are read during apply. */
  readonly deferred: ReadonlySet<string>;
  /** Addresses of changed objects, and of everything that depends on them. */
  readonly changing: ReadonlySet<string>;
  /** Words a finding without what comes from sensitive values. */
  readonly hide: (finding: Finding) => Finding;
  /** Notes what must not be shown of the configuration of an address. */
  readonly noteSecrets: (config: ObjectValue, sensitive: readonly Path[], address: string) => void;
}

export interface Rotation {
  /** Name, `login/name` or serial number of the token. */
  readonly token: string;
  /** Somebody else may have the token, so no earlier token stays valid. */
  readonly compromised: boolean;
}

export interface Prune {
  readonly target: ReadTarget;
  readonly resource: Resource;
  /** The delete of something that was read, so that it has been seen, and has a state. */
  readonly change: Change & { readonly before: ObjectValue; readonly observedRecord: ObservedRecord };
}

/** Ids of the records and tokens that go. */
export function idsToDelete(prunes: readonly Prune[]): ReadonlySet<string> {
  return new Set(prunes.map(({ change }) => change.observedRecord.id));
}

/** Address of an undeclared object of ours: `tenancy_user_profile.undeclared["bob@acme"]`. */
export function undeclaredAddress(type: string, key: string): string {
  return `${type}.undeclared[${JSON.stringify(key)}]`;
}

// The changes of declared objects: a plan has one for each, so what few ask for is made on demand.

const NONE: readonly never[] = [];

interface NewFacts extends Pick<Change, "key" | "notes" | "declared"> {
  readonly proposal: Proposal;
}

/** The change of an object that is not live yet. A class, and no literal with a getter: V8 makes a dictionary of each of those. */
export class NewChange implements Change {
  readonly action = "create";
  readonly address: string;
  readonly description: Change["description"];
  readonly constructPath: Change["constructPath"];
  readonly provider: string;
  readonly key: string;
  readonly title: string;
  readonly claim = undefined;
  readonly before = null;
  readonly after: ObjectValue;
  readonly replacedBy = NONE;
  readonly sensitive: Change["sensitive"];
  readonly importId: Change["importId"];
  readonly reason = undefined;
  readonly notes: Change["notes"];
  readonly observedRecord = undefined;
  readonly declared: Change["declared"];
  readonly #proposal: Proposal;

  constructor(object: DeclaredObject, { key, proposal, notes, declared }: NewFacts) {
    this.address = object.instance.address;
    this.description = object.resource.description;
    this.constructPath = object.block.constructPath;
    this.provider = object.target.provider;
    this.key = key;
    this.title = object.titleOf(key);
    this.after = proposal.planned;
    this.sensitive = object.sensitive;
    this.importId = object.importId;
    this.notes = notes;
    this.declared = declared;
    this.#proposal = proposal;
  }

  /** No member of the object itself, so that a copy of the change has to name it. */
  get attributes() {
    return this.#proposal.changes;
  }
}

/**
 * The change of an unchanged object: none. The state is made when somebody asks for it. The configuration is not stored a second time.
 */
export class SettledChange implements Change {
  readonly #declared: DeclaredObject;
  readonly #facts: Pick<Change, "key" | "claim" | "observedRecord">;
  readonly #make: () => ObjectValue;
  #state: ObjectValue | undefined;
  #sensitive: Change["sensitive"] | undefined;

  constructor(
    declared: DeclaredObject,
    facts: Pick<Change, "key" | "claim" | "observedRecord">,
    makeState: () => ObjectValue,
  ) {
    this.#declared = declared;
    this.#facts = facts;
    this.#make = makeState;
    Object.freeze(this);
  }

  get action() {
    return "none" as const;
  }

  get before(): ObjectValue {
    return (this.#state ??= frozen(this.#make()));
  }

  get after(): ObjectValue {
    return this.before;
  }

  get address() {
    return this.#declared.instance.address;
  }

  get description() {
    return this.#declared.resource.description;
  }

  get constructPath() {
    return this.#declared.block.constructPath;
  }

  get provider() {
    return this.#declared.target.provider;
  }

  get sensitive() {
    return (this.#sensitive ??= sensitiveIn(this, this.#declared));
  }

  get importId() {
    return this.#declared.importId;
  }

  get key() {
    return this.#facts.key;
  }

  get title() {
    return this.#declared.titleOf(this.#facts.key);
  }

  get claim() {
    return this.#facts.claim;
  }

  get observedRecord() {
    return this.#facts.observedRecord;
  }

  get attributes() {
    return NONE;
  }

  get replacedBy() {
    return NONE;
  }

  get notes() {
    return NONE;
  }

  get reason() {
    return undefined;
  }
}
