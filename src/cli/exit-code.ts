/** Exit codes: public, and under semantic versioning. */
export const EXIT = {
  ok: 0,
  failed: 1,
  /** With `--detailed-exitcode`: the plan succeeded, and there is something to apply. */
  changes: 2,
  /** Stopped by the user, twice: as shells tell the end by SIGINT, which it is but on Windows. */
  stopped: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
