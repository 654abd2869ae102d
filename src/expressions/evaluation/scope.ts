import type { FunctionDefinition } from "../functions/definition";
import type { Marked } from "../marks";
import type { Reference } from "../reference";

/** What an expression can see. */
export interface Scope {
  /**
   * The whole value of what a reference's root means: the object of a resource (a list of them with `count`, an object of
   * them with `for_each`), the value of a variable, local, `each.key`, `count.index`. Steps behind it are taken by the
   * evaluator; `reference.path` only tells which will be. `path.*` and `terraform.*` never come here.
   */
  resolve(reference: Reference): Marked;
  /** Folder of the stack: file functions and `path.*` are relative to it. */
  readonly folder: string;
  /** Folders whose files may be read. Absent: that of the stack. */
  readonly readable?: readonly string[];
  /** Functions of providers, by their full name. */
  readonly functions?: ReadonlyMap<string, FunctionDefinition>;
  /** The time that `plantimestamp` tells, RFC 3339. Absent: unknown. */
  readonly plannedAt?: string;
  /** The time that `timestamp` tells, RFC 3339. Absent, as while planning: unknown. */
  readonly now?: string;
}
