/** Errors of snapshots, and of plans from snapshots. */
import { plainText } from "../lib/values";
import { problem } from "./problem";

/** A file is no snapshot, or not as it was written. */
export const brokenSnapshot = problem<{
  file: string;
  /** As in "it is not JSON". */
  problem: string;
}>({
  code: "TENANCY_SNAPSHOT_UNFIT",
  where: ({ file }) => ({ file }),
  summary: ({ file, problem }) => `the snapshot ${file} cannot be used: ${problem}`,
  advice: (_, say) =>
    `Take a new one${say.command(": tenancy snapshot --out FILE") ?? ", with `takeSnapshot`"}.`,
});

/** The key of a snapshot and the snapshot do not go together. */
export const snapshotKeyUnfit = problem<{
  file: string | undefined;
  /** The fault of the key. */
  fault: "missing" | "wrong" | "plain" | "foreign";
}>({
  code: "TENANCY_SNAPSHOT_KEY",
  where: ({ file }) => (file === undefined ? {} : { file }),
  summary({ file, fault }) {
    const name = file === undefined ? "" : ` ${file}`;
    switch (fault) {
      case "missing":
        return `the snapshot${name} is encrypted, and there is no key`;
      case "wrong":
        return `the snapshot${name} was encrypted with another key, or was altered`;
      case "plain":
        return `there is a key for snapshots, and the snapshot${name} is not encrypted`;
      default:
        return "the key of snapshots (TENANCY_SNAPSHOT_KEY) is mistyped, or not one that Tenancy made";
    }
  },
  advice({ fault }, say) {
    switch (fault) {
      case "missing":
        return "Set TENANCY_SNAPSHOT_KEY.";
      case "wrong":
        return "Set TENANCY_SNAPSHOT_KEY to the key that it was taken with, or take a new one.";
      case "plain":
        return "Take it with the same TENANCY_SNAPSHOT_KEY, or unset the key.";
      default:
        return `Make a key with ${say.command("`tenancy key new`") ?? "`newStateKey`"}, and set TENANCY_SNAPSHOT_KEY to it.`;
    }
  },
});

/** A snapshot is older than it may be. */
export const snapshotOutdated = problem<{
  file: string;
  takenAt: string;
  /** Age as people read it; undefined if the snapshot was taken later than now. */
  age: string | undefined;
  /** Greatest age that is allowed, as people read it. */
  most: string;
}>({
  code: "TENANCY_SNAPSHOT_UNFIT",
  where: ({ file }) => ({ file }),
  summary: ({ file, takenAt, age, most }) =>
    age === undefined
      ? `the snapshot ${file} was taken at ${takenAt}, which is later than now`
      : `the snapshot ${file} is ${age} old (taken at ${takenAt}), and may be ${most} old`,
  advice: ({ age }, say) =>
    age === undefined
      ? "Check the clocks of both machines, or take a new one."
      : `Take a new one, or say how old it may be: ${say.flagWith("max_age", "7d")}.`,
});

/** A snapshot does not hold the service, or the stack, that is asked for. */
export const snapshotLacks = problem<{
  file: string;
  origin: string;
  /** The stack that it does not hold; the service itself where there is none. */
  stack?: string;
  /** Names of this kind that it holds. */
  available: readonly string[];
}>({
  code: "TENANCY_SNAPSHOT_UNFIT",
  where: ({ file }) => ({ file }),
  summary({ file, origin, stack, available }) {
    if (stack === undefined) {
      const list = available.map((one) => plainText(one)).join(", ") || "no service";
      return `the snapshot ${file} does not hold the service ${plainText(origin)}; it holds ${list}`;
    }
    const list = available.map((one) => `"${plainText(one)}"`).join(", ") || "none";
    return `the snapshot ${file} does not know the objects of the stack "${plainText(stack)}" at ${plainText(origin)}; it knows these stacks there: ${list}`;
  },
  advice: ({ stack }) =>
    stack === undefined
      ? "Take a new snapshot with a project, or environment, for this service."
      : "Take a new snapshot with a project that has this stack.",
});

/** The run needs a record that the snapshot lacks, and must send no request. The fact: as in "the usage of account:1:2". */
export const notInSnapshot = problem<string>({
  code: "TENANCY_NOT_IN_SNAPSHOT",
  summary: (what) => `${plainText(what)} is not in the snapshot`,
  advice: "The apply will ask the service.",
});

/** A plan from a snapshot is for reading. */
export const plannedFromSnapshot = problem<string>({
  code: "TENANCY_PLANNED_FROM_SNAPSHOT",
  summary: (takenAt) =>
    `this plan was made from a snapshot (of ${plainText(takenAt)}), and cannot be applied`,
  advice: (_, say) =>
    say.command("Run `tenancy apply` for the stack: it plans from the service itself.") ??
    `Plan without ${say.flag("live")}, from the service itself, and apply that.`,
});
