/** Renders plans in Terraform's JSON. */
import {
  type AccessChange,
  type Action,
  type ApprovalNeeds,
  approvalNeeds,
  type Change,
  hasChanges,
  isNewImport,
  type UnmanagedUser,
  type OutputChange,
  type Plan,
  countDeletedRecords,
  type Rename,
  type Retained,
  type Target,
} from "../../plan";
import type { Diagnostic } from "../../problems";
import { isUnknown, isWhollyKnown, type ObjectValue, type Path, type Value } from "../../lib/values";
import { markedSecrecy } from "../secrecy";
import { addressParts } from "./address";
import { type JsonResourceDrift, resourceDrift } from "./drift";
import { type JsonPlace, jsonPlace, jsonSide, PROVIDER_NAME } from "./objects";
import { isMarked, jsonValue, type SensitiveMarks, sensitiveMarks, unknownMarks } from "./values";

// The plan, in Terraform's JSON plan representation, so that every reader of `terraform show -json` understands it. Sensitive and
// write-only values are null everywhere. Facts that Terraform's format lacks are in the member `tenancy`.

/** Version of the representation. */
const PLAN_FORMAT_VERSION = "1.2";
/** Version of Terraform whose representation it is. */
export const TERRAFORM_VERSION = "1.11.0";
const STATE_FORMAT_VERSION = "1.0";

interface JsonResource extends JsonPlace {
  readonly schema_version: number;
  readonly values: ObjectValue | null;
  readonly sensitive_values: SensitiveMarks;
}

interface JsonValues {
  readonly outputs: Readonly<Record<string, JsonOutput>>;
  readonly root_module: { readonly resources: readonly JsonResource[] };
}

interface JsonPlan {
  readonly format_version: string;
  readonly terraform_version: string;
  readonly planned_values: JsonValues;
  readonly resource_drift: readonly (JsonResourceChange | JsonResourceDrift)[];
  readonly resource_changes: readonly JsonResourceChange[];
  readonly output_changes: Readonly<Record<string, JsonChange>>;
  readonly prior_state: {
    readonly format_version: string;
    readonly terraform_version: string;
    readonly values: JsonValues;
  };
  readonly configuration: object;
  readonly relevant_attributes: readonly never[];
  readonly timestamp: string;
  readonly applyable: boolean;
  readonly complete: boolean;
  readonly errored: boolean;
  readonly tenancy: JsonExtras;
}

/** Members that Terraform's representation has no place for. */
interface JsonExtras {
  readonly stack: string;
  readonly destroy: boolean;
  /** True if undeclared objects are not deleted. */
  readonly no_prune: boolean;
  readonly targets: readonly Target[];
  readonly taken_at?: string;
  readonly access: readonly AccessChange[];
  /** Pairs for which `--require-approval` may demand approval. */
  readonly approval: readonly Omit<ApprovalNeeds, "stack">[];
  readonly retained: readonly Retained[];
  readonly unmanaged_users: readonly UnmanagedUser[];
  readonly renames: readonly Rename[];
  /** Objects that are deleted with an account, in addition to `resource_changes`. */
  readonly deleted_with_account: readonly {
    readonly type: string;
    readonly key: string;
    readonly id: string;
  }[];
  /** Number of deleted records, as `--max-deletes` counts them: an account counts with its primary user profile. */
  readonly deleted_records: number;
  readonly warnings: readonly Diagnostic[];
}

/** @param drift known changes outside Tenancy */
export function jsonPlan(plan: Plan, drift: readonly Change[] = []): JsonPlan {
  const { changes, outputs, plannedAt } = plan;
  return {
    format_version: PLAN_FORMAT_VERSION,
    terraform_version: TERRAFORM_VERSION,
    planned_values: {
      outputs: outputsByName(outputs, (output) => jsonOutput(output)),
      root_module: { resources: [...jsonResources(changes, "after"), ...resourcesIn(plan, "managed")] },
    },
    resource_drift: [...drift.map(jsonResourceChange), ...resourceDrift(plan.drift?.() ?? [])],
    resource_changes: changes.map(jsonResourceChange),
    output_changes: outputsByName(outputs, jsonOutputChange),
    prior_state: {
      format_version: STATE_FORMAT_VERSION,
      terraform_version: TERRAFORM_VERSION,
      values: {
        outputs: {},
        root_module: { resources: [...jsonResources(changes, "before"), ...resourcesIn(plan, "data")] },
      },
    },
    configuration: configuration(plan),
    relevant_attributes: [],
    timestamp: plannedAt,
    applyable: hasChanges(plan) && plan.takenAt === undefined,
    complete: !plan.partial,
    errored: plan.refused !== undefined,
    tenancy: extras(plan),
  };
}

function jsonResources(changes: readonly Change[], side: "before" | "after"): readonly JsonResource[] {
  return changes.flatMap((change) => {
    const state = change[side];
    if (state === null) return [];
    const { values, sensitive } = jsonSide(change, state);
    return [{ ...jsonPlace(change.address), schema_version: 0, values, sensitive_values: sensitive }];
  });
}

function resourcesIn(plan: Plan, mode: "managed" | "data"): readonly JsonResource[] {
  return plan.evaluated
    .filter((object) => object.mode === mode)
    .map(({ address, type, values, sensitive }) => {
      const secret = markedSecrecy(sensitive);
      return {
        ...jsonPlace(address, PROVIDERS[type] ?? PROVIDER_NAME),
        schema_version: 0,
        values: jsonValue(values as ObjectValue, secret) as ObjectValue,
        sensitive_values: sensitiveMarks(values as ObjectValue, secret),
      };
    });
}

const PROVIDERS: Readonly<Record<string, string>> = {
  null_resource: "registry.terraform.io/hashicorp/null",
  terraform_data: "terraform.io/builtin/terraform",
  terraform_remote_state: "terraform.io/builtin/terraform",
};

/** Which providers there are, and which resources use them; without expressions, which are the stack's own matter. */
function configuration({ targets, changes, outputs }: Plan): object {
  const declaredResources = new Map<string, object>();
  for (const change of changes) {
    if (isUndeclared(change)) continue;
    const { address, provider } = change;
    const { module, resource, mode, type, name } = addressParts(address);
    if (module !== undefined) continue;
    declaredResources.set(resource, {
      address: resource,
      mode,
      type,
      name,
      provider_config_key: provider,
      schema_version: 0,
    });
  }
  return {
    provider_config: Object.fromEntries(
      targets.map(({ provider }) => {
        const alias = provider.split(".")[1];
        return [
          provider,
          { name: "tenancy", full_name: PROVIDER_NAME, ...(alias !== undefined && { alias }) },
        ];
      }),
    ),
    root_module: {
      outputs: outputsByName(outputs, ({ sensitive, description }) => ({
        ...(sensitive && { sensitive }),
        ...(description !== undefined && { description }),
      })),
      resources: [...declaredResources.values()],
    },
  };
}

function extras(plan: Plan): JsonExtras {
  const { targets, takenAt, access, retained, unmanagedUsers, renames, deletedWithAccount, warnings } = plan;
  return {
    stack: plan.stack,
    destroy: plan.destroy,
    no_prune: plan.noPrune,
    targets,
    ...(takenAt !== undefined && { taken_at: takenAt }),
    access,
    approval: approvalNeeds(plan).map(({ stack: _stack, ...needs }) => needs),
    retained,
    unmanaged_users: unmanagedUsers,
    renames,
    deleted_with_account: deletedWithAccount.map(({ description: { type }, title, observedRecord }) => {
      return { type, key: title, id: observedRecord?.id ?? "" };
    }),
    deleted_records: countDeletedRecords([...plan.changes, ...deletedWithAccount]),
    warnings: [...(plan.refused ?? []), ...warnings],
  };
}

function outputsByName<T>(
  outputs: readonly OutputChange[],
  make: (output: OutputChange) => T,
): Readonly<Record<string, T>> {
  const members = Object.create(null) as Record<string, T>;
  for (const output of outputs) members[output.name] = make(output);
  return members;
}

/** One step of a change, in Terraform's words: a replacement has two of them. */
type JsonAction = "no-op" | "create" | "read" | "update" | "delete";

/** The member `change` of an entry of `resource_changes` in Terraform's plan. */
interface JsonChange {
  readonly actions: readonly JsonAction[];
  readonly before: unknown;
  readonly before_unknown?: SensitiveMarks;
  /** Without the members that are unknown; absent where all of it is. */
  readonly after?: unknown;
  readonly after_unknown: SensitiveMarks;
  readonly before_sensitive: SensitiveMarks;
  readonly after_sensitive: SensitiveMarks;
  readonly replace_paths?: readonly Path[];
  readonly importing?: { readonly id: string };
}

interface JsonResourceChange extends JsonPlace {
  readonly change: JsonChange;
  readonly action_reason?: "replace_because_cannot_update" | "delete_because_no_resource_config";
  /** Remarks on the change, such as the users who are deleted with an account. */
  readonly notes?: readonly string[];
}

const JSON_ACTIONS: Readonly<Record<Action, readonly JsonAction[]>> = {
  create: ["create"],
  update: ["update"],
  replace: ["delete", "create"],
  delete: ["delete"],
  none: ["no-op"],
};

function jsonActions(action: Action): readonly JsonAction[] {
  return JSON_ACTIONS[action];
}

function jsonResourceChange(change: Change): JsonResourceChange {
  const before = jsonSide(change, change.before);
  const after = jsonSide(change, change.after);
  const reason = actionReason(change);
  return {
    ...jsonPlace(change.address),
    change: {
      actions: jsonActions(change.action),
      before: before.values,
      ...(isMarked(before.unknown) && { before_unknown: before.unknown }),
      after: after.values,
      after_unknown: after.unknown,
      before_sensitive: before.sensitive,
      after_sensitive: after.sensitive,
      ...(change.replacedBy.length > 0 && { replace_paths: change.replacedBy }),
      ...(isNewImport(change) && { importing: { id: change.importId } }),
    },
    ...(reason !== undefined && { action_reason: reason }),
    ...(change.notes.length > 0 && { notes: change.notes }),
  };
}

function actionReason(change: Change): JsonResourceChange["action_reason"] {
  if (change.action === "replace") return "replace_because_cannot_update";
  return isUndeclared(change) ? "delete_because_no_resource_config" : undefined;
}

/** True if it is deleted because the configuration does not declare it, or declares it to be removed. */
export function isUndeclared({ action, reason }: Change): boolean {
  return action === "delete" && (reason === "undeclared" || reason === "removed");
}

// Outputs.

/** An output among planned values; one that is not known yet has neither type nor value. */
interface JsonOutput {
  readonly sensitive: boolean;
  readonly type?: OutputChange["type"];
  readonly value?: Value;
}

function jsonOutputChange({ action, after, sensitive }: OutputChange): JsonChange {
  const value = after as Value;
  const json = jsonValue(value, () => sensitive);
  return {
    actions: jsonActions(action),
    before: action === "none" || action === "delete" ? json : null,
    ...(!isUnknown(value) && { after: action === "delete" ? null : json }),
    after_unknown: unknownMarks(value),
    before_sensitive: sensitive,
    after_sensitive: sensitive,
  };
}

/** @param reveal whether a sensitive value is shown: only where the user asked for outputs */
export function jsonOutput({ after, type, sensitive }: OutputChange, reveal = false): JsonOutput {
  const value = after as Value;
  if (!isWhollyKnown(value)) return { sensitive };
  if (sensitive && !reveal) return { sensitive, type: typeBesideNoValue(type), value: null };
  return { sensitive, type, value };
}

/** The type of a sensitive value that is not shown. That of an object would show the names of its members, and they may be secrets, too. */
export function typeBesideNoValue(type: OutputChange["type"]): OutputChange["type"] {
  return typeof type === "string" ? type : "dynamic";
}
