/**
 * A plan in Terraform's JSON plan representation, so that whatever reads `terraform show -json` reads it too. Sensitive and
 * write-only values are null everywhere in it. What Terraform has no word for stands in the member `tenancy`.
 */
import {
  hasChanges,
  type AccessChange,
  type Change,
  type OutputChange,
  type Plan,
  type Retained,
  type Target,
} from "../../plan";
import type { Diagnostic } from "../../errors";
import type { ObjectValue } from "../../values";
import { markedSecrecy } from "../secrecy";
import { addressParts } from "./address";
import {
  isUndeclared,
  jsonPlace,
  jsonResourceChange,
  jsonSide,
  PROVIDER_NAME,
  type JsonChange,
  type JsonPlace,
  type JsonResourceChange,
} from "./json-change";
import { jsonOutput, jsonOutputChange, type JsonOutput } from "./json-output";
import { jsonValue, sensitiveMarks, type Marks } from "./json-value";

/** Version of the representation. */
export const FORMAT_VERSION = "1.2";
/** Version of Terraform whose representation it is. */
export const TERRAFORM_VERSION = "1.11.0";
const STATE_FORMAT_VERSION = "1.0";

export interface JsonResource extends JsonPlace {
  readonly schema_version: number;
  readonly values: ObjectValue | null;
  readonly sensitive_values: Marks;
}

export interface JsonValues {
  readonly outputs: Readonly<Record<string, JsonOutput>>;
  readonly root_module: { readonly resources: readonly JsonResource[] };
}

export interface JsonPlan {
  readonly format_version: string;
  readonly terraform_version: string;
  readonly planned_values: JsonValues;
  readonly resource_drift: readonly never[];
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

/** What Terraform's representation has no place for. */
export interface JsonExtras {
  readonly stack: string;
  readonly destroy: boolean;
  /** Whether nothing is deleted for not being declared. */
  readonly no_prune: boolean;
  readonly targets: readonly Target[];
  readonly access: readonly AccessChange[];
  readonly retained: readonly Retained[];
  readonly warnings: readonly Diagnostic[];
}

export function jsonPlan(plan: Plan): JsonPlan {
  const { changes, outputs, plannedAt } = plan;
  return {
    format_version: FORMAT_VERSION,
    terraform_version: TERRAFORM_VERSION,
    planned_values: {
      outputs: byName(outputs, (output) => jsonOutput(output)),
      root_module: { resources: [...resources(changes, "after"), ...evaluated(plan, "managed")] },
    },
    resource_drift: [],
    resource_changes: changes.map(jsonResourceChange),
    output_changes: byName(outputs, jsonOutputChange),
    prior_state: {
      format_version: STATE_FORMAT_VERSION,
      terraform_version: TERRAFORM_VERSION,
      values: {
        outputs: {},
        root_module: { resources: [...resources(changes, "before"), ...evaluated(plan, "data")] },
      },
    },
    configuration: configuration(plan),
    relevant_attributes: [],
    timestamp: plannedAt,
    applyable: hasChanges(plan),
    complete: !plan.partial,
    errored: false,
    tenancy: extras(plan),
  };
}

function resources(changes: readonly Change[], side: "before" | "after"): readonly JsonResource[] {
  return changes.flatMap((change) => {
    const state = change[side];
    if (state === null) return [];
    const { values, sensitive } = jsonSide(change, state);
    return [{ ...jsonPlace(change.address), schema_version: 0, values, sensitive_values: sensitive }];
  });
}

function evaluated(plan: Plan, mode: "managed" | "data"): readonly JsonResource[] {
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
  const declared = new Map<string, object>();
  for (const change of changes) {
    if (isUndeclared(change)) continue;
    const { address, provider } = change;
    const { resource, mode, type, name } = addressParts(address);
    declared.set(resource, {
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
      outputs: byName(outputs, ({ sensitive, description }) => ({
        ...(sensitive && { sensitive }),
        ...(description !== undefined && { description }),
      })),
      resources: [...declared.values()],
    },
  };
}

function extras({ stack, destroy, noPrune, targets, access, retained, warnings }: Plan): JsonExtras {
  return { stack, destroy, no_prune: noPrune, targets, access, retained, warnings };
}

function byName<T>(
  outputs: readonly OutputChange[],
  make: (output: OutputChange) => T,
): Readonly<Record<string, T>> {
  const members = Object.create(null) as Record<string, T>;
  for (const output of outputs) members[output.name] = make(output);
  return members;
}
