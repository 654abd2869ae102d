/**
 * Defines the interface of a resource family. The embedded engine and the Terraform plugin use only this interface, and a family does not know its caller.
 */
import type { CommonRecord } from "../api";
import type { NaturalKey, RecordIdentity } from "../ownership";
import type { Finding, TenancyError } from "../problems";
import type { AttributeChange, Comparing, Description, Records } from "../schema";
import type { Connection, UnprovenAbsence, KeptSecret, Lister, Snapshot } from "../service";
import type { Environment, ObjectValue, Path } from "../lib/values";

/** A file or folder under `resources` exports one of these as `family`; the registry is generated from them. */
export interface Family {
  readonly resource?: Resource;
  readonly dataSources?: readonly DataSource[];
  readonly ephemeral?: EphemeralResource;
}

/** The caller's account, as the place of an object that declares none. */
export interface DefaultAccount {
  readonly id: string;
  /** A warning where the caller may manage other accounts, too. */
  readonly findings: readonly Finding[];
}

export type Resource = RecordResource | TokenResource;

/** The service lists the objects. */
export interface RecordResource extends ResourceBase {
  readonly kind: "record";
  readonly inventory: Inventory;
  /** Absent if records show no text that names them. */
  readonly listing?: Listing;
}

/** The service lists none of the objects, so the embedded engine knows them from its state. */
export interface TokenResource extends ResourceBase {
  readonly kind: "token";
  readonly inventory?: undefined;

  /** True if the user of a token has neither web nor API access at present. The user is read again. */
  waits(connection: Connection, token: ObjectValue): Promise<boolean>;
}

interface ResourceBase {
  readonly description: Description;

  /** Present if objects of other families live in objects of this one. */
  readonly container?: Container;

  /** Rules between attributes; known values only. */
  check(config: ObjectValue): readonly Finding[];

  /** True if the plan for a state depends on the instant in {@link ProposeContext.asOf}, and not on its day alone. @default never */
  readonly ages?: (state: ObjectValue) => boolean;

  /** Plans one object; pure. `prior` is null if it does not exist. */
  propose(config: ObjectValue, prior: ObjectValue | null, context: ProposeContext): Proposal;

  /**
   * The state of a known object, read again.
   * @returns undefined if it is proven to be gone (design: Complete lists)
   * @throws where its absence cannot be proven
   */
  read(connection: Connection, prior: ObjectValue): Promise<Outcome | undefined>;

  /** State of an object that was found by id, serial or natural key. Client-only attributes have their defaults. */
  readonly import?: (connection: Connection, id: string) => Promise<Outcome>;

  /**
   * Findings of a plan about a create before it is tried, for example that its uuid is live already; also about an update that makes
   * something again in place, such as the rotation of a token. The embedded engine has compared everything with the lists, so it asks only
   * before a token is created.
   */
  readonly checkBeforeCreate?: (
    connection: Connection,
    config: ObjectValue,
    /** The object that is deleted in a replacement: it is no obstacle. */
    replacedState?: ObjectValue,
    /** State of the user with this login as the same plan leaves it; undefined if the plan is not about the user. */
    plannedUser?: (login: string) => ObjectValue | undefined,
  ) => Promise<readonly Finding[]>;

  /** The account that an object without `account_id` is created in: the caller's own, where it is listed. */
  readonly defaultAccount?: (
    connection: Connection,
    config: ObjectValue,
  ) => Promise<DefaultAccount | undefined>;

  /** Judged at plan: the reasons that forbid deleting or replacing the object. Errors mean refusal. */
  readonly mayDelete?: (connection: Connection, request: DeleteRequest) => Promise<readonly Finding[]>;

  /** @throws where nothing was created; after a 201 nothing is an error but a token that could not be kept. */
  create(connection: Connection, request: CreateRequest): Promise<Outcome>;

  /** @throws where nothing was changed. */
  update(connection: Connection, request: UpdateRequest): Promise<Outcome>;

  /**
   * Undoes the part of a write that exists only in its lost state: a created token. Never throws the service's errors, since they would not be seen.
   * @default a lost state loses nothing
   */
  readonly undoCreate?: (
    connection: Connection,
    prior: ObjectValue | null,
    state: ObjectValue,
  ) => Promise<void>;

  /** Resolves once the object is gone. */
  delete(connection: Connection, request: DeleteRequest): Promise<readonly Finding[]>;
}

/** The plan for one object. Pure data; unknowns are values that are known only after apply. */
export interface Proposal {
  readonly action: "create" | "update" | "replace" | "none";
  /** A value for each attribute of the description. */
  readonly planned: ObjectValue;
  /** From prior to planned; for a create or replace, from nothing. */
  readonly changes: readonly AttributeChange[];
  /** The attributes that force a replacement. */
  readonly replacedBy: readonly Path[];
  readonly findings: readonly Finding[];
}

export interface ProposeContext {
  /**
   * Time by which rotated tokens and ends of access are judged: the start of the plan in the embedded engine; under Terraform the note that the last
   * refresh left in private state, so that two plans of one run are the same.
   */
  readonly asOf: Date | undefined;
  /** The rights that the service showed as granted, where that was noted. @default those of the prior state */
  readonly granted?: readonly string[] | undefined;
  /** A name as messages may show it: one that comes from something sensitive is hidden. @default as it is */
  readonly titleOf?: ((name: string) => string) | undefined;
  /** True if a token is to be replaced although its keepers are the same. @default false */
  readonly rotate?: boolean | undefined;
  /** True if no token may be created, because its user has no access: the user is suspended, or the access has ended. @default false */
  readonly isWaiting?: boolean | undefined;
  /** True if a plan may know more: a configuration is only validated. @default false */
  readonly isForeseen?: boolean | undefined;
}

// Live objects, found among the records that the service lists.

/** A live object that was looked for. */
export interface LiveObject {
  readonly kind: "live";
  readonly records: Records;
  readonly key: NaturalKey;
  /** `managed` if the state has recorded it. The engine decides about import. */
  readonly claim: "managed" | "unmanaged";
}

/** The result of looking for an object among the live ones (design: Ownership). */
export type LookupResult =
  | LiveObject
  | { readonly kind: "absent"; readonly key: NaturalKey | undefined }
  /** Its key is known only after apply: mostly since the account that it belongs to is yet to be made. */
  | { readonly kind: "unknown"; readonly isAccountKnown: boolean }
  /** The object must not be touched: it was renamed outside, or another record cannot be distinguished from it … */
  | {
      readonly kind: "refused";
      readonly error: TenancyError;
      /** The key that was looked for, and the record that is in its way, where one is. */
      readonly key?: NaturalKey;
      readonly found?: Records;
    };

/** A live object that the state has recorded. */
export interface OwnedObject {
  readonly records: Records;
  readonly key: NaturalKey;
}

// Writes: their requests and outcomes.

/** The outcome of a write: the new state, and the findings for the user. Errors among them mean that it was done in part. */
export interface Outcome {
  /** Natural key of a created object, as it is declared. */
  readonly key?: string;
  readonly state: ObjectValue;
  /**
   * The records that the service showed last, if it was asked. The embedded engine keeps digests of the values that they hide, Terraform's
   * plugin their sequence number. Absent for tokens.
   */
  readonly records?: Records;
  readonly findings: readonly Finding[];
}

export interface CreateRequest {
  /** The uuid of the new object, which the state has noted. @default any */
  readonly uuid?: string | undefined;
  /** The owner that the uuid derives from, in a run without a state. @default none */
  readonly owner?: string;
  /** The result of `propose` for this very `config`, and for an update for this `prior`. Values that only the service knows are unknown in it. */
  readonly planned: ObjectValue;
  /** Wholly known; holds the write-only values. */
  readonly config: ObjectValue;
  /** Keeps a created token before success is reported. */
  readonly keeper?: TokenKeeper;
}

export interface UpdateRequest extends CreateRequest, ProposeContext {
  readonly prior: ObjectValue;
  /**
   * The facts that must still be true of the record, which is read again and compared before the PATCH. `"compared"`: the engine has compared it already.
   * @default uuid, key and account of `prior`
   */
  readonly expected?: Expectation | "compared" | undefined;
  /**
   * True if versions of write-only values that prior lacks are recorded without sending the value: the object was imported, so its password
   * may be the declared one.
   */
  readonly recordVersions: boolean;
}

export interface DeleteRequest {
  readonly prior: ObjectValue;
  /** As for an update; the record is always read again before a DELETE. */
  readonly expected?: Expectation | undefined;
  /** True if the engine has allowed the deletion of this account. @default `deletion_protection` in `prior` */
  readonly allowed?: boolean | undefined;
  /** @default `allow_nonempty_delete` of `prior` */
  readonly allowNonempty?: boolean | undefined;
  /** Ids of the users that the plan saw in the account: the account is kept if it holds another one by now. @default not checked */
  readonly seen?: ReadonlySet<string> | undefined;
}

/** A data source: an object that is only read. */
export interface DataSource {
  readonly description: Description;
  check(config: ObjectValue): readonly Finding[];
  read(connection: Connection, config: ObjectValue): Promise<ObjectValue>;
}

/** Finds the objects that an import can take, for `terraform query`. */
export interface Listing {
  /** Describes the filters: all objects that the caller sees are listed without them. */
  readonly description: Description;
  /** The objects in the order of their names. One that an import would refuse has no state, and a warning says why. */
  list(
    connection: Connection,
    config: ObjectValue,
  ): AsyncIterable<{
    /** Names the object for people: its login, an account's name. */
    readonly title: string;
    readonly state: ObjectValue | null;
    readonly findings: readonly Finding[];
  }>;
}

/** A value that is made for one run and stored nowhere. */
export interface EphemeralResource {
  readonly description: Description;
  /** Rules that hold before anything is opened, and where the configuration is not known yet. @default none */
  check?(config: ObjectValue, surroundings: EphemeralSurroundings): readonly Finding[];
  open(
    connection: Connection,
    config: ObjectValue,
    surroundings: EphemeralSurroundings,
  ): Promise<ObjectValue>;
}

/** Offered to an ephemeral resource, in addition to the service. */
export interface EphemeralSurroundings {
  readonly environment: Environment;
  /** The secret of a token of the state, sealed or plain. @default there is no state, as under Terraform */
  readonly storedToken?: (
    login: string,
    name: string,
  ) => { readonly access_token: string | null; readonly access_token_sealed?: string | null } | undefined;
}

/** A container: objects of other families live in its objects, and end with them. An undeclared container is retained (design: Accounts). */
export interface Container {
  /** Records that end with one, itself included. */
  readonly records: number;

  /** The contents of one; undefined if it is not listed. */
  contentsOf(connection: Connection, id: string, snapshot: Snapshot): Promise<Contents | undefined>;
}

/** The contents of a container. */
export interface Contents {
  /** The storage in it, each finding in a few words. */
  readonly storage: readonly string[];
  /** True if a snapshot does not know the storage in it. @default false */
  readonly isUsageUnknown?: boolean;
  /** All users in it but the one that comes into being with it. */
  readonly users: readonly {
    readonly id: string;
    readonly login: string;
  }[];
}

/** The facts that must still be true of a record before a PATCH or DELETE (design: Unchanged). Undefined facts are not compared. */
export interface Expectation extends RecordIdentity {
  readonly seq?: number | bigint | undefined;
  /** The sequence number of its second record, an account's primary user profile. */
  readonly partSeq?: number | bigint | undefined;
}

/**
 * True if the state has recorded the live record.
 * @param key natural key as text
 */
export type IsRecorded = (key: string, self: ObjectValue) => boolean;

/** The objects of a family in the service's lists. All members but the reading ones are pure: they draw conclusions from one snapshot. */
export interface Inventory extends Lister {
  /** One record by id or serial, as listed. */
  listed(idOrSerial: string, snapshot: Snapshot): CommonRecord | undefined;

  /** The record with the record of its part, as listed. */
  recordsOf(self: CommonRecord, snapshot: Snapshot): Records;

  /** A natural key as people read it: `acme`, `jane@acme`. */
  textOf(key: NaturalKey): string;

  /**
   * The same for an object that does not exist yet.
   * @param known text of an attribute of its configuration; for a reference to an account, the id, or the name of an account that does not
   *   exist yet
   * @param snapshot has the names of the live accounts; left out if no request is allowed
   */
  foreseen(known: (attribute: string) => string, snapshot?: Snapshot): string;

  /** The member of `new Deletion(…)` that names objects of the family; absent if there is none. */
  readonly removedBy?: "account" | "login";

  /**
   * Finds a declared object by its key. A constant number of look-ups.
   * @param isRecorded makes a record managed. @default none is recorded
   */
  locate(config: ObjectValue, snapshot: Snapshot, isRecorded?: IsRecorded): LookupResult;

  /**
   * Finds the object that an import block names: by id, serial or natural key.
   * @param isRecorded makes a record managed. @default none is recorded
   */
  locateById(idOrKey: string, snapshot: Snapshot, isRecorded?: IsRecorded): LookupResult;

  /** Why the absence of an object proves nothing; undefined if it is certain (design: Complete lists). */
  unprovenAbsence(key: NaturalKey | undefined, snapshot: Snapshot): UnprovenAbsence | undefined;

  /** The same for an object that a look-up has not found. The contents of an unlisted account are as uncertain as the account. */
  unprovenAbsenceOf(lookup: LookupResult, snapshot: Snapshot): UnprovenAbsence | undefined;

  /** The same of a key as text. */
  unprovenAbsenceOfText(text: string, snapshot: Snapshot): UnprovenAbsence | undefined;

  /**
   * Live objects that are recorded.
   * @param isAsked true for the records in question. @default all
   */
  managed(
    snapshot: Snapshot,
    isRecorded: IsRecorded,
    isAsked?: (record: ObjectValue) => boolean,
  ): readonly OwnedObject[];

  /**
   * State of live records.
   * @param rememberedState state with the values that answers lack or mask, and values that only the client knows
   * @param asOf time by which ends of access are judged. @default all denied access with an end counts as ended
   * @param comparing with it, the state is that of the configuration instead, see {@link readState}
   */
  stateOf(
    records: Records,
    rememberedState: ObjectValue | null,
    asOf?: Date,
    comparing?: Comparing,
  ): ObjectValue;

  /** The facts that a later write has to find unchanged. */
  expectation(records: Records): Expectation;
}

/** Keeps secrets that exist only in an answer, for the embedded engine (design: Tokens). Terraform keeps them in its state. */
export interface TokenKeeper {
  /** Durable before it resolves: a token is about to be created. */
  intend(login: string, name: string, loginWith: string): Promise<TokenIntent>;
  /** Id of the user that the plan saw under a login. @default any user may have it */
  readonly userIdOf?: (login: string) => string | undefined;
  /** Other kept tokens of a user, which are to stay valid. @default none are known */
  readonly keptFor?: (login: string) => readonly KeptSecret[];
  /** Durable before it resolves: the service was proven to have ended kept tokens, which have these serials. */
  readonly noteRefused?: (serials: readonly string[]) => Promise<void>;
  /** A token that stays valid leaves the attributes, and stays listed. @default it stays among the attributes */
  readonly noteUnrevoked?: (serial: string) => void;
  /** @default none are noted */
  readonly temporaryPasswords?: TemporaryPasswords;
}

/** Notes of the passwords that users get to create tokens, so that one that stays is known to later runs. */
export interface TemporaryPasswords {
  /** True if the user may still have one. */
  has(userId: string): boolean;
  /** Durable before it resolves: the user is about to get one. */
  note(login: string, userId: string): Promise<void>;
  /** The user's is gone. Durable once the state is saved. */
  forget(userId: string): void;
}

export interface TokenIntent {
  /** Durable before it resolves: the token with its secret. Closes the intent. */
  keep(state: ObjectValue): Promise<void>;
  /** Nothing was created, or the created token is revoked. Closes the intent. */
  drop(): Promise<void>;
}
