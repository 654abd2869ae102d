/** The change of one object, as in `resource_changes` of Terraform's plan. */
import type { Action, Change } from "../../plan";
import { secrecyOf } from "../secrecy";
import type { ObjectValue, Path } from "../../values";
import { addressParts } from "./address";
import { wholeState } from "./json-state";
import { jsonValue, sensitiveMarks, unknownMarks, type Marks } from "./json-value";

export const PROVIDER_NAME = "registry.terraform.io/tenancy/tenancy";

export type JsonAction = "no-op" | "create" | "read" | "update" | "delete";

export interface JsonChange {
  readonly actions: readonly JsonAction[];
  readonly before: unknown;
  /** Without the members that are unknown; absent where all of it is. */
  readonly after?: unknown;
  readonly after_unknown: Marks;
  readonly before_sensitive: Marks;
  readonly after_sensitive: Marks;
  readonly replace_paths?: readonly Path[];
  readonly importing?: { readonly id: string };
}

/** Where a resource stands, as each list of resources says it. */
export interface JsonPlace {
  readonly address: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly index?: string | number;
  readonly provider_name: string;
}

export interface JsonResourceChange extends JsonPlace {
  readonly change: JsonChange;
  readonly action_reason?: "replace_because_cannot_update" | "delete_because_no_resource_config";
  /** What there is to say of the change besides: who ceases with an account, for one. */
  readonly notes?: readonly string[];
}

const ACTIONS: Readonly<Record<Action, readonly JsonAction[]>> = {
  create: ["create"],
  update: ["update"],
  replace: ["delete", "create"],
  delete: ["delete"],
  none: ["no-op"],
};

export function jsonActions(action: Action): readonly JsonAction[] {
  return ACTIONS[action];
}

export function jsonPlace(address: string, providerName = PROVIDER_NAME): JsonPlace {
  const { mode, type, name, index } = addressParts(address);
  return { address, mode, type, name, ...(index !== undefined && { index }), provider_name: providerName };
}

export function jsonResourceChange(change: Change): JsonResourceChange {
  const before = jsonSide(change, change.before);
  const after = jsonSide(change, change.after);
  const reason = actionReason(change);
  return {
    ...jsonPlace(change.address),
    change: {
      actions: jsonActions(change.action),
      before: before.values,
      after: after.values,
      after_unknown: after.unknown,
      before_sensitive: before.sensitive,
      after_sensitive: after.sensitive,
      ...(change.replacedBy.length > 0 && { replace_paths: change.replacedBy }),
      ...(change.importId !== undefined && { importing: { id: change.importId } }),
    },
    ...(reason !== undefined && { action_reason: reason }),
    ...(change.notes.length > 0 && { notes: change.notes }),
  };
}

export interface JsonSide {
  readonly values: ObjectValue | null;
  readonly unknown: Marks;
  readonly sensitive: Marks;
}

/** One side of a change; null where the object does not exist. */
export function jsonSide({ description, sensitive }: Change, state: ObjectValue | null): JsonSide {
  if (state === null) return { values: null, unknown: {}, sensitive: false };
  const secret = secrecyOf(description.attributes, sensitive);
  const whole = wholeState(description.attributes, state);
  return {
    values: jsonValue(whole, secret) as ObjectValue,
    unknown: unknownMarks(whole),
    sensitive: sensitiveMarks(whole, secret),
  };
}

function actionReason(change: Change): JsonResourceChange["action_reason"] {
  if (change.action === "replace") return "replace_because_cannot_update";
  return isUndeclared(change) ? "delete_because_no_resource_config" : undefined;
}

/** Whether it is deleted because the configuration does not declare it, or declares it to be removed. */
export function isUndeclared({ action, reason }: Change): boolean {
  return action === "delete" && (reason === "undeclared" || reason === "removed");
}
