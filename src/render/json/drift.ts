/** Renders drift as JSON: Terraform's `resource_drift`, and a row for each difference with the facts that Terraform's format lacks. */
import {
  type Drift,
  driftByObject,
  type DriftReport,
  type UnmanagedUser,
  type Target,
  type TokenCounts,
} from "../../plan";
import type { Diagnostic } from "../../problems";
import {
  formatPath,
  isUnknown,
  type ObjectValue,
  type Path,
  type Value,
  withValueAt,
} from "../../lib/values";
import { secrecyOf } from "../secrecy";
import { type JsonPlace, jsonPlace, jsonSide } from "./objects";
import { jsonValue, type SensitiveMarks } from "./values";

/** Version of the shape below. */
const DRIFT_FORMAT_VERSION = "1.0";

interface JsonDriftReport {
  readonly format_version: string;
  readonly stack: string;
  readonly checked_at: string;
  readonly status: DriftReport["status"];
  readonly targets: readonly Target[];
  readonly resource_drift: readonly JsonResourceDrift[];
  readonly drift: readonly JsonDrift[];
  readonly ignored: readonly JsonDrift[];
  readonly unmanaged_users: readonly UnmanagedUser[];
  readonly unremembered: number;
  readonly tokens: TokenCounts;
  readonly ends: { readonly overdue: number; readonly next_in_days: number | null };
  readonly rotations: { readonly due: number; readonly next_in_days: number | null };
  readonly warnings: readonly Diagnostic[];
}

interface JsonDrift extends JsonPlace {
  readonly kind: Drift["kind"];
  readonly key: string;
  readonly id: string | null;
  readonly construct_path: string | null;
  /** Null for the object as a whole. */
  readonly attribute: string | null;
  readonly path: Path;
  /** Null if it is secret or unknown; `from_known` distinguishes the two. */
  readonly from: Value;
  readonly to: Value;
  readonly from_known: boolean;
  readonly to_known: boolean;
  readonly sensitive: boolean;
  /** True if apply would undo it. */
  readonly undone: boolean;
  readonly remark: string | null;
}

export function jsonDrift(report: DriftReport): JsonDriftReport {
  return {
    format_version: DRIFT_FORMAT_VERSION,
    stack: report.stack,
    checked_at: report.checkedAt,
    status: report.status,
    targets: report.targets,
    resource_drift: resourceDrift(report.drift),
    drift: report.drift.map(driftRow),
    ignored: report.ignored.map(driftRow),
    unmanaged_users: report.unmanagedUsers,
    unremembered: report.unremembered,
    tokens: report.tokens,
    ends: { overdue: report.ends.overdue, next_in_days: report.ends.nextInDays },
    rotations: { due: report.rotations.due, next_in_days: report.rotations.nextInDays },
    warnings: report.warnings,
  };
}

function driftRow(drift: Drift): JsonDrift {
  const { kind, address, title, id, constructPath, path, from, to, undone, remark, description } = drift;
  const secret = secrecyOf(description.attributes, drift.sensitive);
  const jsonOf = (value: Value | undefined) => (value === undefined ? null : jsonValue(value, secret, path));
  return {
    ...jsonPlace(address),
    kind,
    key: title,
    id: id ?? null,
    construct_path: constructPath ?? null,
    attribute: path.length === 0 ? null : formatPath(path),
    path,
    from: jsonOf(from),
    to: jsonOf(to),
    from_known: from !== undefined && !isUnknown(from),
    to_known: to !== undefined && !isUnknown(to),
    sensitive: path.length > 0 && secret(path),
    undone,
    remark: remark ?? null,
  };
}

// `resource_drift`, as in Terraform's plan: the objects that were changed or deleted outside Tenancy.

export interface JsonResourceDrift extends JsonPlace {
  readonly change: {
    readonly actions: readonly ("update" | "delete")[];
    /** With null for unknown earlier values. */
    readonly before: unknown;
    readonly after: unknown;
    readonly after_unknown: SensitiveMarks;
    readonly before_sensitive: SensitiveMarks;
    readonly after_sensitive: SensitiveMarks;
  };
}

/** True if it was changed or deleted outside Tenancy. */
function isResourceDrift({ kind, from }: Drift): boolean {
  return kind === "changed" || kind === "deleted" || (kind === "privilege" && from !== undefined);
}

export function resourceDrift(drift: readonly Drift[]): readonly JsonResourceDrift[] {
  return driftByObject(drift.filter(isResourceDrift)).map((rows) => {
    const [first] = rows;
    const { live } = first;
    const isDeleted = first.kind === "deleted" || live === null;
    const before = jsonSide(first, isDeleted ? (live ?? {}) : stateBefore(live, rows));
    const after = jsonSide(first, isDeleted ? null : live);
    return {
      ...jsonPlace(first.address),
      change: {
        actions: [isDeleted ? "delete" : "update"],
        before: before.values,
        after: after.values,
        after_unknown: after.unknown,
        before_sensitive: before.sensitive,
        after_sensitive: after.sensitive,
      },
    };
  });
}

/** The live record, with its values before the change outside Tenancy. */
function stateBefore(live: ObjectValue, rows: readonly Drift[]): ObjectValue {
  return rows.reduce<Value>(
    (state, { path, from }) => withValueAt(state, path, from ?? null),
    live,
  ) as ObjectValue;
}
