/** Exit codes: public, and under semantic versioning. */
export const EXIT = {
  ok: 0,
  failed: 1,
  /** With `--detailed-exitcode`: the plan succeeded, and there is something to apply. */
  changes: 2,
  /** Stopped by the user, twice. */
  stopped: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
