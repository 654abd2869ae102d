import type { Diagnostic } from "../../errors";
import type { Description } from "../../schema";
import type { ObjectValue } from "../../values";
import type { Connection } from "./connection";
import type { Container } from "./container";
import type { Inventory } from "./inventory";
import type { Proposal, ProposeContext } from "./proposal";
import type { CreateRequest, DeleteRequest, Outcome, UpdateRequest } from "./writes";

/** On a declared secret; `unknown` says, as a clause, why an attempt would tell nothing. */
export type Verdict = "accepted" | "refused" | { readonly unknown: string };

export type Resource = ResourceBase & (ListedByService | KeptInStore);

/** The service lists the objects. */
interface ListedByService {
  readonly inventory: Inventory;
}

/** The service lists none of the objects, so the embedded engine knows them from its credential store: tokens. */
interface KeptInStore {
  readonly keptIn: "credential store";
  readonly inventory?: undefined;
}

interface ResourceBase {
  readonly description: Description;

  /** Present where objects of other families live in one. */
  readonly container?: Container;

  /** Rules between attributes; known values only. */
  check(config: ObjectValue): readonly Diagnostic[];

  /** Whether what is planned for a state depends on {@link ProposeContext.asOf}. @default never */
  readonly ages?: (state: ObjectValue) => boolean;

  /** Plans one object; pure. `prior` is null where it does not exist. */
  propose(config: ObjectValue, prior: ObjectValue | null, context: ProposeContext): Proposal;

  /**
   * The state of a known object, read again.
   * @returns undefined where it is proven to be gone (design: Whole lists)
   * @throws where its absence cannot be proven
   */
  read(connection: Connection, prior: ObjectValue): Promise<Outcome | undefined>;

  /** State for an object found by id, serial or natural key, with defaults for what only the client knows. */
  readonly import?: (connection: Connection, id: string) => Promise<Outcome>;

  /**
   * What a plan must say of a create before it is tried, such as that its uuid is live already; also of an update that makes something anew
   * in place: a token that is rotated. The embedded engine, which has matched everything with the lists, asks only where a token is to be
   * minted.
   */
  readonly foresee?: (
    connection: Connection,
    config: ObjectValue,
    /** What is deleted to make place for it, where it replaces something: that is no obstacle. */
    replaced?: ObjectValue,
  ) => Promise<readonly Diagnostic[]>;

  /**
   * Tries whether the declared secret, which cannot be read back, is still the live one, where the configuration asks for that:
   * `verify_password`. The embedded engine plans to send again what is refused. Terraform has a write-only value sent by a new version
   * alone, so there the user is told to raise it.
   * @param live state, as the service shows it
   * @returns undefined, at once, where nothing is to be tried: of a large stack, of nearly every object
   */
  readonly verify?: (
    connection: Connection,
    config: ObjectValue,
    live: ObjectValue,
  ) => Promise<Verdict> | undefined;

  /** Judged at plan: what forbids deleting or replacing the object. Errors mean refusal. */
  readonly mayDelete?: (connection: Connection, request: DeleteRequest) => Promise<readonly Diagnostic[]>;

  /** @throws where nothing was created; after a 201 nothing is an error but a token that could not be kept. */
  create(connection: Connection, request: CreateRequest): Promise<Outcome>;

  /** @throws where nothing was changed. */
  update(connection: Connection, request: UpdateRequest): Promise<Outcome>;

  /**
   * Takes back what exists in the state of a write alone, where nobody received that state: a token that was minted. Never throws what the
   * service answers: nobody would hear of it. @default nothing is lost with a state
   */
  readonly takeBack?: (
    connection: Connection,
    prior: ObjectValue | null,
    state: ObjectValue,
  ) => Promise<void>;

  /** Resolves once the object is gone. */
  delete(connection: Connection, request: DeleteRequest): Promise<readonly Diagnostic[]>;
}
