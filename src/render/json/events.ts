/** Renders events in the shape of Terraform's machine-readable interface, version 1.2: one object a line. */
import {
  type Action,
  type ApplyEvent,
  type ApplyResult,
  type Change,
  isNewImport,
  type Operation,
  type OutputChange,
  type Plan,
} from "../../plan";
import type { Diagnostic } from "../../problems";
import { formatPath, isWhollyKnown, type Value } from "../../lib/values";
import { addressParts } from "./address";
import { type JsonResourceDrift, resourceDrift } from "./drift";
import { isUndeclared, TERRAFORM_VERSION, typeBesideNoValue } from "./plan";

/** Version of the event format. */
const UI_VERSION = "1.2";

export interface JsonEvent {
  readonly "@level": "info" | "warn" | "error";
  readonly "@message": string;
  readonly "@module": "terraform.ui";
  /** ISO 8601, UTC. */
  readonly "@timestamp": string;
  readonly type: string;
  readonly [member: string]: unknown;
}

/** @param tenancy version of this package */
export function versionEvent(tenancy: string, now: Date): JsonEvent {
  return event(now, {
    "@message": `Tenancy ${tenancy}`,
    type: "version",
    terraform: TERRAFORM_VERSION,
    tenancy,
    ui: UI_VERSION,
  });
}

/** The events of a plan: each change, and their number. */
export function planEvents(plan: Plan, now: Date): readonly JsonEvent[] {
  const { summary, changes, deletedWithAccount, outputs, warnings } = plan;
  return [
    ...warnings.map((warning) => diagnosticEvent(warning, now)),
    ...resourceDrift(plan.drift?.() ?? []).map((drifted) => driftEvent(drifted, now)),
    ...[...changes.filter(({ action }) => action !== "none"), ...deletedWithAccount].map((change) =>
      plannedChange(change, now),
    ),
    event(now, {
      "@message":
        `Plan: ${summary.create + summary.replace} to add, ${summary.update} to change, ` +
        `${summary.delete + summary.replace} to destroy.`,
      type: "change_summary",
      changes: {
        add: summary.create + summary.replace,
        change: summary.update,
        import: summary.imported,
        remove: summary.delete + summary.replace,
        operation: "plan",
      },
    }),
    ...(outputs.length === 0 ? [] : [plannedOutputs(outputs, now)]),
  ];
}

/**
 * An event during an apply.
 * @returns undefined for events that Terraform prints at the end: see {@link appliedEvents}
 */
export function applyEvent(progress: ApplyEvent, now: Date): JsonEvent | undefined {
  switch (progress.kind) {
    case "started":
      return event(now, {
        "@message": `${progress.change.address}: ${GERUND[progress.operation]}...`,
        type: "apply_start",
        hook: {
          resource: eventResource(progress.change),
          action: progress.operation,
          ...(progress.change.action !== "create" &&
            progress.change.observedRecord && { id_key: "id", id_value: progress.change.observedRecord.id }),
        },
      });
    case "finished":
      return event(now, {
        "@message": `${progress.change.address}: ${NOUN[progress.operation]} complete after ${wholeSeconds(progress.milliseconds)}s`,
        type: "apply_complete",
        hook: {
          resource: eventResource(progress.change),
          action: progress.operation,
          ...(progress.id !== undefined && { id_key: "id", id_value: progress.id }),
          elapsed_seconds: wholeSeconds(progress.milliseconds),
        },
      });
    case "failed":
      return event(now, {
        "@message": `${progress.change.address}: ${NOUN[progress.operation]} errored after ${wholeSeconds(progress.milliseconds)}s`,
        type: "apply_errored",
        hook: {
          resource: eventResource(progress.change),
          action: progress.operation,
          elapsed_seconds: wholeSeconds(progress.milliseconds),
        },
      });
    case "skipped":
    case "diagnostic":
    case "outputs":
      return undefined;
  }
}

/** That something is still under way. */
export function applyProgress(
  change: Change,
  operation: Operation,
  milliseconds: number,
  now: Date,
): JsonEvent {
  return event(now, {
    "@message": `${change.address}: Still ${GERUND[operation].toLowerCase()}... [${wholeSeconds(milliseconds)}s elapsed]`,
    type: "apply_progress",
    hook: { resource: eventResource(change), action: operation, elapsed_seconds: wholeSeconds(milliseconds) },
  });
}

/** The events at the end of an apply: its findings, the number of changed objects, and the outputs. */
export function appliedEvents(result: ApplyResult, destroy: boolean, now: Date): readonly JsonEvent[] {
  const all = [...result.diagnostics, ...result.failed.flatMap(({ diagnostics }) => diagnostics)];
  return [
    ...all.map((diagnostic) => diagnosticEvent(diagnostic, now)),
    appliedSummary(result, destroy, now),
    ...(result.outputs.length === 0 ? [] : [outputsEvent(result.outputs, now)]),
  ];
}

function appliedSummary({ applied, ok }: ApplyResult, destroy: boolean, now: Date): JsonEvent {
  const count = (...actions: readonly Action[]): number =>
    applied.filter(({ action }) => actions.includes(action)).length;
  const changes = {
    add: count("create", "replace"),
    change: count("update"),
    import: applied.filter(isNewImport).length,
    remove: count("delete", "replace"),
    operation: destroy ? "destroy" : "apply",
  };
  return event(now, {
    "@message":
      `${destroy ? "Destroy" : "Apply"} ${ok ? "complete" : "incomplete"}! Resources: ${changes.add} added, ` +
      `${changes.change} changed, ${changes.remove} destroyed.`,
    type: "change_summary",
    changes,
  });
}

export function diagnosticEvent(diagnostic: Diagnostic, now: Date): JsonEvent {
  const error = diagnostic.severity === "error";
  return {
    "@level": error ? "error" : "warn",
    "@message": `${error ? "Error" : "Warning"}: ${diagnostic.summary}`,
    "@module": "terraform.ui",
    "@timestamp": now.toISOString(),
    type: "diagnostic",
    diagnostic: jsonDiagnostic(diagnostic),
  };
}

function outputsEvent(outputs: readonly OutputChange[], now: Date): JsonEvent {
  return outputsOf(outputs, now, ({ after, type, sensitive }) => ({
    sensitive,
    ...(isWhollyKnown(after as Value) &&
      (sensitive ? { type: typeBesideNoValue(type) } : { type, value: after })),
  }));
}

function plannedOutputs(outputs: readonly OutputChange[], now: Date): JsonEvent {
  return outputsOf(outputs, now, ({ action, sensitive }) => ({
    sensitive,
    action: action === "none" ? "noop" : action,
  }));
}

function outputsOf(
  outputs: readonly OutputChange[],
  now: Date,
  make: (output: OutputChange) => object,
): JsonEvent {
  const members = Object.create(null) as Record<string, object>;
  for (const output of outputs) members[output.name] = make(output);
  return event(now, { "@message": `Outputs: ${outputs.length}`, type: "outputs", outputs: members });
}

function plannedChange(change: Change, now: Date): JsonEvent {
  return event(now, {
    "@message": `${change.address}: Plan to ${change.action}`,
    type: "planned_change",
    change: {
      resource: eventResource(change),
      action: change.action,
      ...(change.action === "replace" && { reason: "cannot_update" }),
      ...(isUndeclared(change) && { reason: "delete_because_no_resource_config" }),
      ...(isNewImport(change) && { importing: { id: change.importId } }),
      ...(change.notes.length > 0 && { notes: change.notes }),
    },
  });
}

/** A change from outside, which Terraform prints before its own changes. */
function driftEvent({ address, change }: JsonResourceDrift, now: Date): JsonEvent {
  const [action] = change.actions;
  return event(now, {
    "@message": `${address}: Drift detected (${action ?? "update"})`,
    type: "resource_drift",
    change: { resource: eventResource({ address }), action },
  });
}

function eventResource({ address }: Pick<Change, "address">): object {
  const { type, name, index } = addressParts(address);
  return {
    addr: address,
    module: "",
    resource: address,
    implied_provider: "tenancy",
    resource_type: type,
    resource_name: name,
    resource_key: index ?? null,
  };
}

function event(
  now: Date,
  body: Omit<JsonEvent, "@level" | "@module" | "@timestamp"> & { readonly "@message": string },
): JsonEvent {
  const { "@message": message, ...rest } = body;
  return {
    "@level": "info",
    "@message": message,
    "@module": "terraform.ui",
    "@timestamp": now.toISOString(),
    ...rest,
  } as JsonEvent;
}

function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

const GERUND: Readonly<Record<Operation, string>> = {
  create: "Creating",
  update: "Modifying",
  delete: "Destroying",
};
const NOUN: Readonly<Record<Operation, string>> = {
  create: "Creation",
  update: "Modifications",
  delete: "Destruction",
};

export function jsonDiagnostic(diagnostic: Diagnostic): {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  readonly address?: string;
  /** Members that Terraform's output lacks: the stable code, and the place in the construct tree and in the object. */
  readonly code: string;
  readonly construct_path?: string;
  readonly attribute?: string;
  readonly file?: string;
} {
  const { severity, summary, detail, advice, address, code, constructPath, attribute, file } = diagnostic;
  return {
    severity,
    summary,
    detail: [detail, advice].filter((part) => part !== undefined).join("\n"),
    ...(address !== undefined && { address }),
    code,
    ...(constructPath !== undefined && { construct_path: constructPath }),
    ...(attribute !== undefined && { attribute: formatPath(attribute) }),
    ...(file !== undefined && { file }),
  };
}
