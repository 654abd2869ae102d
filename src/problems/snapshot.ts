/** Errors of snapshots, and of what is planned from them. */
import { plainText } from "../values";
import { type ErrorDetails, TenancyError } from "./problem";

/** A file is no snapshot, or not as it was written. */
export class BrokenSnapshot extends TenancyError {
  static readonly code = "TENANCY_SNAPSHOT_BROKEN";
  static readonly explanation = `
\`--live FILE\` takes a file that \`tenancy snapshot --out FILE\` wrote, unchanged and whole, in a release that knows the same version. A snapshot
carries a checksum of all that it says, and an encrypted one is authenticated with its key. Nothing was planned from it. Take a new one, or
fetch it again.`;

  /** @param problem as in "it is not JSON" */
  constructor(file: string, problem: string) {
    super(`the snapshot ${file} cannot be used: ${problem}`, {
      file,
      advice: "Take a new one: tenancy snapshot --out FILE.",
    });
  }
}

/** The key of a snapshot and the snapshot do not go together. */
export class SnapshotKeyUnfit extends TenancyError {
  static readonly code = "TENANCY_SNAPSHOT_KEY";
  static readonly explanation = `
With TENANCY_SNAPSHOT_KEY in the environment a snapshot is encrypted when it is taken, and only an encrypted one is read: a plain one could come
from anybody. A key has 16 characters or more. Give both verbs the same key, or give it to neither. A snapshot that was altered cannot be told
from one of another key.`;

  /** @param fault what does not fit */
  constructor(file: string | undefined, fault: "missing" | "wrong" | "plain" | "short") {
    const name = file === undefined ? "" : ` ${file}`;
    const texts = {
      missing: [`the snapshot${name} is encrypted, and there is no key`, "Set TENANCY_SNAPSHOT_KEY."],
      wrong: [
        `the snapshot${name} was encrypted with another key, or was altered`,
        "Set TENANCY_SNAPSHOT_KEY to the key that it was taken with, or take a new one.",
      ],
      plain: [
        `there is a key for snapshots, and the snapshot${name} is not encrypted`,
        "Take it with the same TENANCY_SNAPSHOT_KEY, or unset the key.",
      ],
      short: [
        "the key of snapshots (TENANCY_SNAPSHOT_KEY) is shorter than 16 characters",
        "Choose a longer one, at random: openssl rand -base64 24.",
      ],
    } as const;
    const [summary, advice] = texts[fault];
    super(summary, { ...(file !== undefined && { file }), advice });
  }
}

/** A snapshot is older than it may be. */
export class SnapshotOutdated extends TenancyError {
  static readonly code = "TENANCY_SNAPSHOT_OLD";
  static readonly explanation = `
A plan from an old snapshot shows what would have changed then. So a snapshot may be 48 hours old by default, and \`--max-age\` says otherwise. One
that was taken later than now tells that a clock is wrong, or that somebody has altered it.`;

  /** @param age how old it is, and @param most how old it may be, both as people read it; no age: it was taken later than now */
  constructor(file: string, takenAt: string, age: string | undefined, most: string) {
    super(
      age === undefined
        ? `the snapshot ${file} was taken at ${takenAt}, which is later than now`
        : `the snapshot ${file} is ${age} old (taken at ${takenAt}), and may be ${most} old`,
      {
        file,
        advice:
          age === undefined
            ? "Check the clocks of both machines, or take a new one."
            : "Take a new one, or say how old it may be: --max-age 7d.",
      },
    );
  }
}

/** A snapshot does not hold the service, or the owner, that is asked for. */
export class SnapshotLacks extends TenancyError {
  static readonly code = "TENANCY_SNAPSHOT_LACKS";
  static readonly explanation = `
A snapshot holds the services that the project declared when it was taken, and tells for each owner that the project named which records that
owner made. A stack that names another service or owner cannot be planned from it: everything there would look as if it did not exist. Once
the change is merged, the next snapshot holds it.`;

  static service(file: string, origin: string, held: readonly string[]): SnapshotLacks {
    const list = held.map((one) => plainText(one)).join(", ") || "no service";
    return new SnapshotLacks(
      `the snapshot ${file} does not hold the service ${plainText(origin)}; it holds ${list}`,
      {
        file,
        advice: "Take a new snapshot with a project, or environment, that names this service.",
      },
    );
  }

  static owner(file: string, origin: string, owner: string, held: readonly string[]): SnapshotLacks {
    const list = held.map((one) => `"${plainText(one)}"`).join(", ") || "none";
    return new SnapshotLacks(
      `the snapshot ${file} does not tell what the owner "${plainText(owner)}" made at ${plainText(origin)}; of the owners there it knows ${list}`,
      {
        file,
        advice:
          "Take a new snapshot with a project that names this owner (TENANCY_OWNER, `owner`, `previous_owners`).",
      },
    );
  }
}

/** Something was asked for that a snapshot does not hold, and nobody may be asked. */
export class NotInSnapshot extends TenancyError {
  static readonly code = "TENANCY_NOT_IN_SNAPSHOT";
  static readonly explanation = `
A plan from a snapshot sends nothing. A value that the snapshot does not hold is unknown, and is marked so: usage counters without \`--usage\`,
contacts, addresses and sessions of records that no stack manages without \`--full\`, whether a password or token is still accepted, everything that is secret.
The apply asks the service itself.`;

  /** @param what as in "the usage of account:1:2" */
  constructor(what: string, details: ErrorDetails = {}) {
    super(`${plainText(what)} is not in the snapshot`, {
      advice: "The apply will ask the service.",
      ...details,
    });
  }
}

/** A plan from a snapshot is for reading. */
export class PlannedFromSnapshot extends TenancyError {
  static readonly code = "TENANCY_PLANNED_FROM_SNAPSHOT";
  static readonly explanation = `
A plan that was made from a snapshot (\`--live\`) is for review: since the snapshot was taken anything may have changed, and it was made without
the credentials and the store that an apply needs. Apply plans again, from the service itself.`;

  constructor(takenAt: string) {
    super(`this plan was made from a snapshot (of ${plainText(takenAt)}), and cannot be applied`, {
      advice: "Run `tenancy apply` for the stack: it plans from the service itself.",
    });
  }
}
