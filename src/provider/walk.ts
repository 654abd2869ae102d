/**
 * Remembers earlier calls of one walk of Terraform's over the configuration, as far as the plan of an object needs them: its own refresh and import,
 * and of a token the plan of its user.
 */
import { type ObjectValue, UNKNOWN } from "../lib/values";
import { keyOf } from "./words";

/** The state of a user whose own plan call is yet to come: it may change any of these. */
const NOT_PLANNED_YET: ObjectValue = {
  access_api: UNKNOWN,
  two_factor_auth: UNKNOWN,
  password_set: UNKNOWN,
};

/** Terraform reads, imports and plans an object in calls of their own, and configures the provider again for each walk. */
export class Walk {
  /** Ids of the records that it has imported. */
  readonly importedIds = new Set<string>();
  /** The states as it has refreshed them, by id. An object that is planned with its state leaves. */
  readonly refreshedStates = new Map<string, ObjectValue>();
  /** The users as their plan leaves them, by login. */
  readonly plannedUsers = new Map<string, ObjectValue>();

  /** State of a user as the plan leaves it, with unknowns if the user's own plan call is yet to come; undefined if there will be none. */
  plannedUser(login: string): ObjectValue | undefined {
    const isToCome = () => [...this.refreshedStates.values()].some((state) => keyOf(state) === login);
    return this.plannedUsers.get(login) ?? (isToCome() ? NOT_PLANNED_YET : undefined);
  }
}
