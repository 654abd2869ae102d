/** Defines the parts of the process that the command uses, so that tests can replace them. */
import type { Readable } from "node:stream";

/** Somewhere that text goes to. */
export interface Sink {
  write(text: string): unknown;
  /** True if a person looks at it. */
  readonly isTTY?: boolean;
  /** Width in characters, where it is a terminal. */
  readonly columns?: number;
}

/** The reason to end a run: the user asked for it, or the reader of its output has gone (a closed pipe, a full disk). */
export type StopReason = "asked" | "unread";

export interface Io {
  /** For data alone. */
  readonly stdout: Sink;
  /** For everything else. */
  readonly stderr: Sink;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder that the command is run in. */
  readonly folder: string;
  /**
   * Calls back whenever the user or the system asks for an end (Ctrl-C, SIGTERM), and when the output is lost.
   * @returns a function that ends the listening
   */
  onStop(callback: (because: StopReason) => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
}

/** Exit codes: public, and under semantic versioning. */
export const EXIT = {
  ok: 0,
  failed: 1,
  /** With `--detailed-exitcode`: the plan succeeded, and there is something to apply. With `export --check`: there is a difference. */
  changes: 2,
  /** `drift` found changes made outside Tenancy, or changes of unknown origin. */
  drift: 2,
  /** `drift` found only changes of the declarations, which are not applied yet. */
  unapplied: 3,
  /** A pair of the plan is not approved yet; nothing was written. */
  unapproved: 3,
  /** Stopped by the user twice. Shells report an end by SIGINT with the same code (not on Windows). */
  stopped: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
