/** Defines the storage of a state. */
import type { LockHolder } from "../problems";
import type { PartName } from "./document";

/** Milliseconds. */
export const DEFAULT_WAIT = 20_000;

/** The wait for a lock. */
export interface LockWait {
  /** Milliseconds after which a lock held by another run is an error. @default {@link DEFAULT_WAIT} */
  readonly timeout?: number;
  /** Called once, when another run holds the lock. */
  readonly onWait?: (holder: LockHolder) => void;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/** A stored text, as it was found. */
export interface KeptText {
  readonly text: string;
  /** @throws stateExposed if others can read it, which only matters when it is not encrypted. */
  readonly demandPrivate: () => void;
}

/** A place for documents: text in, text out. The state alone knows what the text means. */
export interface Backend {
  /** The state's name in messages: its path, or "kept by" a helper. */
  readonly description: string;
  /** True if the place itself seals and opens its content. @default false */
  readonly seals?: boolean;
  /** Parts of the same slot are kept together, in one document. */
  slotOf(part: PartName): string;
  /** @returns undefined if nothing is kept */
  read(part: PartName): Promise<KeptText | undefined>;
  /**
   * Durable when it resolves; the place then holds the new text. After a failure it still holds the earlier text.
   * @param moment `first`: before the run's first write to the service. `last`: the run writes nothing after it
   * @throws stateLockLost if another run holds the lock by now
   */
  write(part: PartName, text: string, moment?: "first" | "last"): Promise<void>;
  /** Removes a slot that has no parts left. If it cannot be removed, an empty document is written. */
  erase?(part: PartName): Promise<void>;
  /** @throws stateLocked after waiting for it in vain; cancelled */
  lock(wait: LockWait): Promise<void>;
  /** Called before a part is read in a run that locked: for backends that lock part by part. */
  lockPart?(part: PartName): Promise<void>;
  /** Ends the lock of a single part. */
  unlockPart?(part: PartName): Promise<void>;
  unlock(): Promise<void>;
}
