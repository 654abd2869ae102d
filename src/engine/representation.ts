/** Reads plans back from Terraform's JSON plan representation. A file may come from anywhere, so nothing in it is taken for granted. */
import { type Change, type EvaluatedObject, type OutputChange, type Plan, summaryOf } from "../plan";
import { brokenPlan } from "../problems";
import { resources } from "../resources";
import { changesBetween } from "../schema";
import {
  emptyObject,
  isList,
  isObject,
  Misshapen,
  type ObjectValue,
  parseUnambiguous,
  type Path,
  setMember,
  type Shape,
  shapes,
  UNKNOWN,
  type Value,
} from "../lib/values";

/** One of `resource_changes`. */
export interface RepresentedChange {
  readonly address: string;
  readonly type: string;
  readonly action: Change["action"];
  /** Both with unknowns in their places. */
  readonly before: ObjectValue | null;
  readonly after: ObjectValue | null;
  readonly sensitive: readonly Path[];
  readonly replacedBy: readonly Path[];
  readonly importId: string | undefined;
  readonly notes: readonly string[];
}

/** @throws brokenPlan */
export function readEntry(entry: Value): RepresentedChange {
  const change = objectIn(entry, "change");
  const address = textIn(entry, "address");
  const action = ACTIONS[actionsIn(change)];
  if (action === undefined) throw broken(`the actions of ${address}`);
  const side = (name: string) =>
    withUnknown(valueIn(change, name), valueIn(change, `${name}_unknown`) ?? false);
  const [before, after] = [side("before"), side("after")];
  const importId = valueIn(valueIn(change, "importing"), "id");
  return {
    address,
    type: textIn(entry, "type"),
    action,
    before: isObject(before) && action !== "create" ? before : null,
    after: isObject(after) && action !== "delete" ? after : null,
    sensitive: ["before_sensitive", "after_sensitive"].flatMap((name) =>
      markedPaths(valueIn(change, name) ?? false),
    ),
    replacedBy: pathsIn(change, "replace_paths"),
    importId: typeof importId === "string" ? importId : undefined,
    notes: listIn(entry, "notes", true).filter((one) => typeof one === "string"),
  };
}

const ACTIONS: Readonly<Record<string, Change["action"]>> = {
  "no-op": "none",
  create: "create",
  update: "update",
  delete: "delete",
  "delete create": "replace",
  "create delete": "replace",
  // Terraform lets go of it, and nothing is done to it.
  forget: "none",
};

/**
 * @param provider the provider configuration that the object is managed through
 * @throws brokenPlan for an object that this release does not know
 */
export function changeOf(entry: RepresentedChange, title: string, provider: string): Change {
  const { type, action, before, after } = entry;
  const description = resources.get(type)?.description;
  if (description === undefined)
    throw brokenPlan.error(`the plan holds a ${type}, which this release does not know`);
  return {
    action,
    address: entry.address,
    description,
    constructPath: undefined,
    provider,
    key: title,
    title,
    claim: undefined,
    before,
    after,
    attributes:
      action === "create" || action === "update" || action === "replace"
        ? changesBetween(description.attributes, action === "update" ? before : null, after)
        : [],
    replacedBy: entry.replacedBy,
    sensitive: entry.sensitive,
    importId: entry.importId,
    reason: undefined,
    notes: entry.notes,
    observedRecord: undefined,
  };
}

/** A plan of the changes, with outputs and the other members of Terraform's representation. */
export function planWith(
  document: ObjectValue,
  changes: readonly Change[],
  annotations: Pick<
    Plan,
    | "stack"
    | "targets"
    | "destroy"
    | "noPrune"
    | "access"
    | "retained"
    | "unmanagedUsers"
    | "renames"
    | "warnings"
    | "deletedWithAccount"
  >,
): Plan {
  const plannedAt = valueIn(document, "timestamp");
  return {
    ...annotations,
    partial: valueIn(document, "complete") === false,
    changes,
    outputs: outputsIn(document),
    evaluated: evaluatedIn(document),
    plannedAt: typeof plannedAt === "string" ? plannedAt : new Date(0).toISOString(),
    summary: summaryOf({ changes, ...annotations }),
  };
}

function outputsIn(document: ObjectValue): readonly OutputChange[] {
  const changes = valueIn(document, "output_changes");
  const planned = valueIn(valueIn(document, "planned_values"), "outputs");
  const configured = valueIn(valueIn(valueIn(document, "configuration"), "root_module"), "outputs");
  return Object.entries(isObject(changes) ? changes : {}).map(([name, change]): OutputChange => {
    const description = valueIn(valueIn(configured, name), "description");
    const sensitive = [valueIn(change, "before_sensitive"), valueIn(change, "after_sensitive")];
    return {
      name,
      action: ACTIONS[actionsIn(change)] ?? "update",
      after: withUnknown(valueIn(change, "after"), valueIn(change, "after_unknown") ?? false),
      type: (valueIn(valueIn(planned, name), "type") ?? "dynamic") as OutputChange["type"],
      sensitive: sensitive.some(
        (marks) => marks !== false && marks !== null && markedPaths(marks).length > 0,
      ),
      description: typeof description === "string" ? description : undefined,
    };
  });
}

/** Objects of other providers that the embedded engine has evaluated; of these, addresses alone are shown. */
function evaluatedIn(document: ObjectValue): readonly EvaluatedObject[] {
  if (valueIn(document, "tenancy") === null) return [];
  const root = valueIn(valueIn(document, "planned_values"), "root_module");
  return listIn(root, "resources", true)
    .map((one) => ({ address: textIn(one, "address"), type: textIn(one, "type") }))
    .filter(({ type }) => !resources.has(type))
    .map((one) => ({ ...one, mode: "managed", values: null, sensitive: [[]], constructPath: undefined }));
}

/** A value with unknowns where the marks say so. */
function withUnknown(value: Value, marks: Value): Value {
  if (marks === true) return UNKNOWN;
  if (markedPaths(marks).length === 0) return value;
  if (isList(marks)) {
    const list = isList(value) ? value : [];
    return marks.map((mark, index) => withUnknown(list[index] ?? null, mark));
  }
  const whole = emptyObject();
  if (isObject(value)) for (const [name, member] of Object.entries(value)) setMember(whole, name, member);
  if (isObject(marks))
    for (const [name, mark] of Object.entries(marks))
      setMember(whole, name, withUnknown(whole[name] ?? null, mark));
  return whole;
}

/** The paths at which marks are `true`. */
function markedPaths(marks: Value, path: Path = []): readonly Path[] {
  if (marks === true) return [path];
  if (isList(marks)) return marks.flatMap((mark, index) => markedPaths(mark, [...path, index]));
  if (!isObject(marks)) return [];
  return Object.entries(marks).flatMap(([name, mark]) => markedPaths(mark, [...path, name]));
}

// Reading untrusted input.

/** @throws brokenPlan */
export function parsedPlan(text: string): ObjectValue {
  if (text.startsWith("PK"))
    throw brokenPlan.error("the file is a plan of Terraform's own form", {
      advice: "Show its JSON: terraform show -json PLAN > plan.json, or tofu show -json.",
    });
  let value: Value;
  try {
    value = parseUnambiguous(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw brokenPlan.error("the file is not JSON, or contains a member twice", { cause });
  }
  if (!isObject(value)) throw brokenPlan.error("the file is no plan");
  return value;
}

/** `delete create`, of a change of an object or an output. */
export function actionsIn(change: Value): string {
  return listIn(change, "actions")
    .filter((one) => typeof one === "string")
    .join(" ");
}

export function broken(what: string): Error {
  return brokenPlan.error(`the plan cannot be read: ${what}`);
}

export function valueIn(value: Value | undefined, name: string): Value {
  return isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

/** @throws brokenPlan where a member is of another shape; an absent one counts as null */
export function shapedIn<T>(value: Value | undefined, name: string, shape: Shape<T>): T {
  try {
    return shape(valueIn(value, name), name);
  } catch (error) {
    throw error instanceof Misshapen ? broken(error.message) : error;
  }
}

export function objectIn(value: Value | undefined, name: string): ObjectValue {
  return shapedIn(value, name, shapes.anyObject);
}

export function textIn(value: Value | undefined, name: string): string {
  return shapedIn(value, name, shapes.text);
}

export function listIn(value: Value | undefined, name: string, isOptional = false): readonly Value[] {
  return shapedIn(value, name, isOptional ? shapes.nullable(shapes.anyList) : shapes.anyList) ?? [];
}

/** Rows of which each has the members that are shown of it. */
export function rowsIn<T>(value: Value, name: string, row: Shape<unknown>): readonly T[] {
  return shapedIn(value, name, shapes.listOf(row)) as readonly T[];
}

export const actionShape = shapes.oneOf(...new Set(Object.values(ACTIONS)));

export const pathShape = shapes.listOf(shapes.either(shapes.text, shapes.number, "a name or a number"));

/** The paths of a member, which may be absent. */
export function pathsIn(value: Value | undefined, name: string): readonly Path[] {
  return (shapedIn(value, name, shapes.nullable(shapes.listOf(pathShape))) ?? []) as readonly Path[];
}
