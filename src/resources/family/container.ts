import type { Snapshot } from "../directory";
import type { Connection } from "./connection";

/** What objects of other families live in, and cease with. Without being asked for, it is retained (design: Accounts). */
export interface Container {
  /** Records that cease with one, itself and what comes into being with it. */
  readonly records: number;

  /** What one still holds; undefined where it is not listed. */
  contentsOf(connection: Connection, id: string, snapshot: Snapshot): Promise<Contents | undefined>;
}

/** What a container holds. */
export interface Contents {
  /** What is stored in it, each finding in a few words. */
  readonly storage: readonly string[];
  /** All users in it but the one that comes into being with it. */
  readonly users: readonly Occupant[];
}

/** A user in a container. */
export interface Occupant {
  readonly id: string;
  readonly login: string;
  /** By its uuid; without an owner nobody is known to be. */
  readonly isOurs: boolean;
}
