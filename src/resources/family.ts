/**
 * What a resource family offers to both engines. The embedded engine and the Terraform plugin call exactly this, and
 * nothing in it knows which of them is calling.
 */
import type { Client } from "../api";
import type { Diagnostic } from "../errors";
import type { Owners } from "../ownership";
import type { AttributeChange, Description } from "../schema";
import type { ObjectValue, Path } from "../values";
import type { Directory } from "./directory";

/** One folder under `resources` exports one of these as `family`; the registry is generated from the folders. */
export interface Family {
  readonly resource?: Resource;
  readonly dataSources?: readonly DataSource[];
  readonly ephemeral?: EphemeralResource;
}

/** One service, seen with one credential. */
export interface Connection {
  readonly client: Client;
  readonly directory: Directory;
  /** Under which names records are ours; undefined where the user chose none (Terraform only). */
  readonly owners: Owners | undefined;
  /** Login of the run's own basic credentials; undefined with a token. */
  readonly username: string | undefined;
  /** Whether `switch_user_header` is configured. */
  readonly canSwitchUser: boolean;
  /** Wall clock. */
  readonly now: () => Date;
}

/** What is planned for one object. Pure data; unknowns stand for what only the apply will tell. */
export interface Proposal {
  readonly action: "create" | "update" | "replace" | "none";
  /** Of the description's attributes, each. */
  readonly planned: ObjectValue;
  /** From prior to planned; for a create or replace, from nothing. */
  readonly changes: readonly AttributeChange[];
  /** The attributes that force a replacement. */
  readonly replacedBy: readonly Path[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ProposeContext {
  /**
   * Time by which rotated tokens are judged: the start of the plan in the embedded engine; under Terraform the note that the last
   * refresh left in private state, so that two plans of one run are the same.
   */
  readonly asOf: Date | undefined;
}

/** The end of a write: the state as it is now, and what to tell the user. Errors in it mean: done in part. */
export interface Outcome {
  readonly state: ObjectValue;
  readonly diagnostics: readonly Diagnostic[];
}

export interface CreateRequest {
  /** May hold unknowns where only the service can tell. */
  readonly planned: ObjectValue;
  /** Wholly known; holds the write-only values. */
  readonly config: ObjectValue;
  /** How the engine keeps a minted token, before success is reported. */
  readonly keeper?: TokenKeeper;
}

export interface UpdateRequest extends CreateRequest {
  readonly prior: ObjectValue;
  /** See {@link ProposeContext.asOf}. */
  readonly asOf: Date | undefined;
  /**
   * Whether versions of write-only values that prior lacks are recorded without sending the value: the object was
   * imported, so the password that it has may be the declared one.
   */
  readonly recordVersions: boolean;
}

export interface DeleteRequest {
  readonly prior: ObjectValue;
}

/** How the embedded engine keeps secrets that exist only in an answer (design §6). Terraform keeps them in its state. */
export interface TokenKeeper {
  /** Durable before it resolves: a token is about to be minted. */
  intend(login: string, name: string, mintWith: string): Promise<MintIntent>;
}

export interface MintIntent {
  /** Durable before it resolves: the token with its secret. Closes the intent. */
  keep(state: ObjectValue): Promise<void>;
  /** Nothing was minted, or what was minted is revoked. Closes the intent. */
  drop(): Promise<void>;
}

export interface Resource {
  readonly description: Description;

  /** Rules between attributes; known values only. */
  check(config: ObjectValue): readonly Diagnostic[];

  /** Plans one object; pure. `prior` is null where it does not exist. */
  propose(config: ObjectValue, prior: ObjectValue | null, context: ProposeContext): Proposal;

  /**
   * The state of a known object, read again.
   * @returns undefined where it is proven to be gone (design §7, "Whole lists only")
   * @throws where its absence cannot be proven
   */
  read(connection: Connection, prior: ObjectValue): Promise<Outcome | undefined>;

  /** State for an object found by id, serial or natural key, with defaults for what only the client knows. */
  import?(connection: Connection, id: string): Promise<Outcome>;

  /** @throws where nothing was created; after a 201 nothing is an error but a token that could not be kept. */
  create(connection: Connection, request: CreateRequest): Promise<Outcome>;

  /** @throws where nothing was changed. */
  update(connection: Connection, request: UpdateRequest): Promise<Outcome>;

  /** Resolves once the object is gone. */
  delete(connection: Connection, request: DeleteRequest): Promise<readonly Diagnostic[]>;
}

export interface DataSource {
  readonly description: Description;
  check(config: ObjectValue): readonly Diagnostic[];
  read(connection: Connection, config: ObjectValue): Promise<ObjectValue>;
}

/** A value that is made for one run and stored nowhere. */
export interface EphemeralResource {
  readonly description: Description;
  open(connection: Connection, config: ObjectValue): Promise<ObjectValue>;
}
