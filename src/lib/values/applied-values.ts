/** Describes what an apply leaves of an object, in the form in which the planner compares it and the credential store remembers digests of it. */
import type { Value } from "./value";

/** The values that the objects of one family show. */
export interface Layout {
  /** Names of the values. */
  readonly paths: readonly string[];
  /**
   * Parts of a value that are yes or no, with its name before each, as `permissions.vss.format_disks`: the rights that this release knows.
   * One bit is kept of each.
   */
  readonly flags: readonly string[];
}

/** The values of one object, as the service shows them. */
export interface AppliedValues {
  /** The very same one for all objects of a family. */
  readonly layout: Layout;
  /** In the order of the paths; undefined if the service does not show one. */
  readonly values: readonly (Value | undefined)[];
  readonly isSet: (flag: string) => boolean;
}

/** The values and flags of an object that have changed since the last apply. */
export interface ChangedSinceApply {
  readonly paths: readonly string[];
  readonly flags: readonly string[];
}

/** The memory of one object's values after the last apply. */
export interface AppliedMemory {
  /** False if the last apply left the object in place although it was no longer declared. */
  readonly wasDeclared: boolean;
  /** True if the declaration is that of the last apply; undefined if that is not known. */
  isDeclaredAlike(declaration: Value): boolean | undefined;
  departure(now: AppliedValues): ChangedSinceApply;
  /** True if the last apply left this very value; undefined if it left none that the service showed. */
  hasLeft(path: string, value: Value): boolean | undefined;
}
