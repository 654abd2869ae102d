/** `lifecycle` of a resource or data source. */
import { Unsupported } from "../errors";
import { isList, isObject, type ObjectValue, type Path, type Value } from "../values";
import type { Condition, Lifecycle } from "./model";
import { blocksOf, compiled, flagOf, type Source } from "./source";

export const NO_LIFECYCLE: Lifecycle = {
  preventDestroy: false,
  ignoreChanges: [],
  preconditions: [],
  postconditions: [],
};

export function lifecycleOf(source: Source): Lifecycle {
  const json = source.json["lifecycle"] ?? null;
  if (!isObject(json)) return NO_LIFECYCLE;
  const { findings, where } = source;
  if ((json["replace_triggered_by"] ?? null) !== null) {
    findings.add(new Unsupported("replace_triggered_by"), {
      ...where,
      attribute: ["lifecycle", "replace_triggered_by"],
    });
  }
  if (flagOf(json, "create_before_destroy") === true && where.address?.startsWith("tenancy_") === true) {
    findings.add(new Unsupported("create_before_destroy"), {
      ...where,
      attribute: ["lifecycle", "create_before_destroy"],
    });
  }
  return {
    preventDestroy: flagOf(json, "prevent_destroy") ?? false,
    ignoreChanges: ignoredPaths(json["ignore_changes"] ?? null),
    preconditions: conditionsOf(source, json, "precondition"),
    postconditions: conditionsOf(source, json, "postcondition"),
  };
}

export function conditionsOf(source: Source, json: ObjectValue, name: string): readonly Condition[] {
  return blocksOf(json[name]).map((block) => ({
    condition: compiled(source, block["condition"] ?? null, [name, "condition"]),
    errorMessage: compiled(source, block["error_message"] ?? "", [name, "error_message"]),
  }));
}

function ignoredPaths(value: Value): readonly Path[] {
  if (value === "all") return [[]];
  const paths = isList(value) ? value.filter((path) => typeof path === "string") : [];
  return paths.includes("all") ? [[]] : paths.map(parseAttribute);
}

/** `limits.vss_num`, `keepers["a"]`, `address.addr[0]`. */
function parseAttribute(text: string): Path {
  return [...text.matchAll(/\[(\d+)\]|\["([^"]*)"\]|([^.[\]]+)/g)].map(([, index, key, name]) =>
    index !== undefined ? Number(index) : (key ?? name ?? ""),
  );
}
