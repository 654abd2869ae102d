/** One declared object with all that the plan knows of it, and the apply will need. */
import type { LiveObject as LedgerObject } from "../../credentials";
import type { Diagnostic } from "../../errors";
import type { Change } from "../../plan";
import type { Resource, Sought } from "../../resources";
import type { Path, ObjectValue } from "../../values";
import type { ResourceBlock } from "../../stack";
import type { Instance } from "../instances";
import type { Rotation } from "./rotation";
import type { Target } from "./target";

export interface Declared {
  readonly block: ResourceBlock;
  readonly instance: Instance;
  readonly resource: Resource;
  readonly target: Target;
  /** Evaluated, converted and checked; may hold unknowns, and holds the write-only values. */
  readonly config: ObjectValue;
  /** Paths of what must not be shown. */
  readonly sensitive: readonly Path[];
  /** Its natural key as it may be shown. */
  readonly titleOf: (key: string) => string;
  /** Id named by an import block. */
  readonly importId: string | undefined;
}

export interface PlannedObject extends Declared {
  readonly change: Change;
  readonly sought: Sought | undefined;
  /** Under which the store remembers the object; undefined where it is not live yet. */
  readonly remembered: LedgerObject | undefined;
  /** Values and versions that the next apply notes in the store without sending them. */
  readonly recorded: readonly Path[];
  readonly diagnostics: readonly Diagnostic[];
  /** Why a token is rotated, where its declaration is not the reason. */
  readonly rotation?: Rotation | undefined;
}
