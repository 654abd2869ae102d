/** Outputs in Terraform's JSON. */
import { isList, isObject, isUnknown, isWhollyKnown, type Value } from "../../values";
import type { OutputChange } from "../../plan";
import { jsonActions, type JsonChange } from "./json-change";
import { jsonValue, unknownMarks } from "./json-value";

/** A type as Terraform writes it in JSON. */
export type JsonType =
  string | readonly ["tuple", readonly JsonType[]] | readonly ["object", Readonly<Record<string, JsonType>>];

/** An output among planned values; one that is not known yet has neither type nor value. */
export interface JsonOutput {
  readonly sensitive: boolean;
  readonly type?: JsonType;
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
export function jsonOutput({ after, sensitive }: OutputChange, reveal = false): JsonOutput {
  const value = after as Value;
  if (!isWhollyKnown(value)) return { sensitive };
  return { sensitive, type: jsonType(value), value: sensitive && !reveal ? null : value };
}

/** The type that Terraform would tell a value to have. */
export function jsonType(value: Value): JsonType {
  if (value === null || isUnknown(value)) return "dynamic";
  if (isList(value)) return ["tuple", value.map(jsonType)];
  if (isObject(value)) {
    const members = Object.create(null) as Record<string, JsonType>;
    for (const [name, member] of Object.entries(value)) members[name] = jsonType(member);
    return ["object", members];
  }
  return typeof value === "string" ? "string" : typeof value === "boolean" ? "bool" : "number";
}
