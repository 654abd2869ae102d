/** Defines the declared objects of a stack: as they were evaluated, and as they were planned. */
import type { RememberedObject } from "../state";
import type { Change, EvaluatedObject, OutputChange } from "../plan";
import type { Finding } from "../problems";
import type { Ends, LookupResult, Proposal, Resource } from "../resources";
import type { Records } from "../schema";
import type { ResourceBlock } from "../stack";
import type { ReadTarget } from "./target";
import type { Marked, ObjectValue, Path } from "../lib/values";

/** Names that exist only within one instance. */
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
  /** Paths of hidden values. */
  readonly sensitive: readonly Path[];
  /** Its natural key as it may be shown. */
  readonly titleOf: (key: string) => string;
  /** Id named by an import block. */
  readonly importId: string | undefined;
}

/** A declared object whose place another live record has: a managed record under another name, or an unmanaged one under its name. */
export interface ConflictingObject extends DeclaredObject {
  /** Natural key of the declared object. */
  readonly key: string;
  readonly found: Records;
  readonly isRenamed: boolean;
}

export interface PlannedObject extends DeclaredObject {
  readonly change: Change;
  /**
   * The change was made from it, and the apply writes it, unless the configuration held unknowns or the record has moved since.
   * Undefined where nothing changes.
   */
  readonly proposal: Proposal | undefined;
  readonly lookup: LookupResult | undefined;
  /** The key under which the state remembers the object; undefined if it is not live yet. */
  readonly remembered: RememberedObject | undefined;
  /** Values and versions that the next apply notes in the state without sending them. */
  readonly recorded: readonly Path[];
  readonly findings: readonly Finding[];
  /** Why a token is rotated, where its declaration is not the reason. */
  readonly rotation?: Rotation | undefined;
  /** True if a token is not created, since its user has no access. @default false */
  readonly isWaiting?: boolean;
  /** The ends of the access that the change removes, if it does nothing else. @default the change follows the whole declaration */
  readonly ends?: Ends;
}

/** A declared object of a service that was not read. */
export interface OfflineObject extends Pick<DeclaredObject, "titleOf"> {
  readonly type: string;
  /** Name of its provider configuration. */
  readonly provider: string;
  /** Unknown parts read `(known after apply)`. */
  readonly key: string;
  readonly address: string;
  /** Evaluated and checked; may hold unknowns. */
  readonly config: ObjectValue;
}

/** A stack, evaluated against its services. */
export interface EvaluationResult {
  /** Every declared object, including those outside the selection. */
  readonly objects: readonly PlannedObject[];
  /** The objects, if no service was read. */
  readonly offlineObjects: readonly OfflineObject[];
  /** Addresses of blocks outside the selection that could not be evaluated, so their objects are unknown. */
  readonly unread: readonly string[];
  readonly evaluated: readonly EvaluatedObject[];
  readonly outputs: readonly OutputChange[];
  readonly targets: readonly ReadTarget[];
  readonly findings: readonly Finding[];
  /** Addresses of data sources that are read during apply. */
  readonly deferred: ReadonlySet<string>;
  /** Addresses of changed objects, and of everything that depends on them. */
  readonly changing: ReadonlySet<string>;
  /** Rights that a provider configuration adds to the known ones, by its name. */
  readonly extraRights: ReadonlyMap<string, readonly string[]>;
  /** Formulates a finding without sensitive values. */
  readonly hide: (finding: Finding) => Finding;
  /** Notes the hidden values of an address's configuration. */
  readonly noteSecrets: (config: ObjectValue, sensitive: readonly Path[], address: string) => void;
}

export interface Rotation {
  /** Name, `login/name` or serial number of the token. */
  readonly token: string;
  /** Another person may have the token, so no earlier token stays valid. */
  readonly compromised: boolean;
}
