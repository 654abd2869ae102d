/** Outputs in Terraform's JSON. */
import { isUnknown, isWhollyKnown, type Value } from "../../values";
import type { OutputChange } from "../../plan";
import { jsonActions, type JsonChange } from "./json-change";
import { jsonValue, unknownMarks } from "./json-value";

/** An output among planned values; one that is not known yet has neither type nor value. */
export interface JsonOutput {
  readonly sensitive: boolean;
  readonly type?: OutputChange["type"];
  readonly value?: Value;
}

export function jsonOutputChange({ action, after, sensitive }: OutputChange): JsonChange {
  const value = after as Value;
  const shown = jsonValue(value, () => sensitive);
  return {
    actions: jsonActions(action),
    before: action === "none" || action === "delete" ? shown : null,
    ...(!isUnknown(value) && { after: action === "delete" ? null : shown }),
    after_unknown: unknownMarks(value),
    before_sensitive: sensitive,
    after_sensitive: sensitive,
  };
}

/** @param reveal whether a sensitive value is told: only where the user asked for outputs */
export function jsonOutput({ after, type, sensitive }: OutputChange, reveal = false): JsonOutput {
  const value = after as Value;
  if (!isWhollyKnown(value)) return { sensitive };
  return { sensitive, type, value: sensitive && !reveal ? null : value };
}
