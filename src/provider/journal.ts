/** Remembers the plan calls of Terraform in this process, and finds conflicts between two calls for one object. */
import { accountOfLogin } from "../resources";
import { type ObjectValue, UNKNOWN } from "../lib/values";
import { keyOf } from "./words";
import { WrittenPermissions } from "./written-permissions";

/** Two things that one plan would do with one record, at two addresses: Terraform does not know that the record is the same. */
export type Conflict = "created and deleted" | "created and kept" | "deleted and kept";

/** One record in one plan. */
interface RecordPlan {
  /** At how many addresses the state has the record while the configuration declares it. */
  declaredAt: number;
  isCreated: boolean;
}

export interface TokenName {
  readonly login: string;
  readonly name: string;
}

/** The state of a user whose own plan call is yet to come: it may change any of these. */
const NOT_PLANNED_YET: ObjectValue = {
  access_api: UNKNOWN,
  two_factor_auth: UNKNOWN,
  password_set: UNKNOWN,
};

/**
 * The plan calls that Terraform has made of this process so far, in one walk over the configuration. Terraform asks for one object at a time, and in any
 * order. A rule about two calls (one address deletes a record and another creates it; a plan keeps a token and deletes its user) therefore runs
 * at each of the two calls, and the later one reports.
 */
export class PlanJournal {
  /** The configurations that declare permissions, as the user wrote them. */
  readonly writtenPermissions = new WrittenPermissions();
  readonly #records = new Map<string, RecordPlan>();
  readonly #deletedIds = new Set<string>();
  readonly #importedIds = new Set<string>();
  readonly #refreshedStates = new Map<string, ObjectValue>();
  readonly #plannedUsers = new Map<string, ObjectValue>();
  readonly #deletedLogins = new Set<string>();
  readonly #keptTokens = new Map<string, Set<string>>();
  readonly #ownTokens = new Set<string>();

  // Records, by id.

  recordImported(id: string): void {
    this.#importedIds.add(id);
  }

  isImported(id: string): boolean {
    return this.#importedIds.has(id);
  }

  recordRefreshed(id: string, state: ObjectValue): void {
    this.#refreshedStates.set(id, state);
  }

  /** The state as this walk refreshed it; undefined if the walk did not, or has planned the object with its state since. */
  refreshedState(id: string): ObjectValue | undefined {
    return this.#refreshedStates.get(id);
  }

  /** An address has the record in the state, and its configuration declares it: the record is kept, updated or replaced there. */
  recordDeclared(id: string, { isReplaced }: { readonly isReplaced: boolean }): Conflict | undefined {
    this.#refreshedStates.delete(id);
    const record = this.#record(id);
    record.declaredAt += 1;
    // The second call of a replacement reports it as deleted.
    if (record.isCreated) return isReplaced ? undefined : "created and kept";
    return this.#deletedIds.has(id) ? "deleted and kept" : undefined;
  }

  /** An address deletes the record; in a replacement after it was declared there. */
  recordDeleted(id: string, { isReplaced }: { readonly isReplaced: boolean }): readonly Conflict[] {
    const { isCreated, declaredAt } = this.#record(id);
    this.#deletedIds.add(id);
    const isKeptElsewhere = declaredAt > (isReplaced ? 1 : 0);
    return [
      ...(isCreated ? ["created and deleted" as const] : []),
      ...(isKeptElsewhere ? ["deleted and kept" as const] : []),
    ];
  }

  /**
   * An address without prior state creates an object, and this record is live in its place. If the walk has refreshed the record and not
   * planned it, the address is likely its own: Terraform plans a tainted object without its state, and deletes the record.
   */
  recordCreated(id: string): Conflict | undefined {
    const record = this.#record(id);
    const isTainted = this.#refreshedStates.has(id);
    const isCreatedTwice = record.isCreated && isTainted;
    record.isCreated = true;
    if (this.#deletedIds.has(id) || isCreatedTwice) return "created and deleted";
    if (record.declaredAt > 0) return "created and kept";
    if (isTainted) this.#deletedIds.add(id);
    return undefined;
  }

  /** Ids of the records that the plan deletes so far. To destroy all, Terraform plans users before their account. */
  get deletedIds(): ReadonlySet<string> {
    return this.#deletedIds;
  }

  #record(id: string): RecordPlan {
    let record = this.#records.get(id);
    if (record === undefined) this.#records.set(id, (record = { declaredAt: 0, isCreated: false }));
    return record;
  }

  // Users and their tokens, by login. An account also means its primary user, whose login is the account's name.

  userPlanned(login: string, planned: ObjectValue): void {
    this.#plannedUsers.set(login, planned);
  }

  /** State of a user as the plan leaves it, with unknowns if the user's own plan call is yet to come; undefined if there will be none. */
  plannedUser(login: string): ObjectValue | undefined {
    const isToCome = () => [...this.#refreshedStates.values()].some((state) => keyOf(state) === login);
    return this.#plannedUsers.get(login) ?? (isToCome() ? NOT_PLANNED_YET : undefined);
  }

  /** @returns the kept tokens that end with the user, or with the users of the account; without those that an earlier call reported */
  userDeleted(login: string): readonly TokenName[] {
    const endingTokens = [...this.#keptTokens].flatMap(([owner, names]) =>
      loginsEnding(owner).includes(login) && !this.#isUserDeleted(owner)
        ? [...names].map((name) => ({ login: owner, name }))
        : [],
    );
    this.#deletedLogins.add(login);
    return endingTokens;
  }

  /** @returns true if the token ends because the plan deletes its user */
  tokenKept({ login, name }: TokenName): boolean {
    const names = this.#keptTokens.get(login) ?? new Set();
    this.#keptTokens.set(login, names.add(name));
    return this.#isUserDeleted(login);
  }

  tokenDeleted({ login, name }: TokenName): void {
    this.#keptTokens.get(login)?.delete(name);
  }

  #isUserDeleted(login: string): boolean {
    return loginsEnding(login).some((one) => this.#deletedLogins.has(one));
  }

  /** The state of this token holds the credential of the run. The second call of a replacement brings the token without its secrets. */
  ownTokenSeen(id: string): void {
    this.#ownTokens.add(id);
  }

  isOwnToken(id: string): boolean {
    return this.#ownTokens.has(id);
  }
}

/** Logins whose deletion ends the tokens of a user: its own, and that of its account's primary user, which goes with the account. */
function loginsEnding(login: string): readonly string[] {
  return [login, accountOfLogin(login)];
}
