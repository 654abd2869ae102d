/**
 * Reads plans to show them: plans of `plan --out` and of `terraform show -json`. It reads only the file: no service, no credentials, no state, no app.
 */
import type { Claim } from "../ownership";
import {
  type AccessChange,
  approvalNeeds,
  type ApprovalNeeds,
  type Change,
  type DeleteReason,
  type Plan,
  savedNeeds,
} from "../plan";
import { brokenPlan } from "../problems";
import { jsonPlan } from "../render/json";
import { attributeAt } from "../schema";
import {
  isList,
  isObject,
  type ObjectValue,
  shapes,
  stringifyJson,
  type Value,
  valueAt,
} from "../lib/values";
import {
  actionShape,
  broken,
  changeOf,
  type RepresentedChange,
  listIn,
  objectIn,
  parsedPlan,
  pathShape,
  pathsIn,
  planWith,
  readEntry,
  rowsIn,
  shapedIn,
  textIn,
  valueIn,
} from "./representation";
import { planOfTerraform } from "./terraform-plan";

/** A plan that was read from a file. It cannot be applied. */
export interface ShownPlan {
  /** To be shown; `apply` refuses it. */
  readonly plan: Plan;
  /** Changes made outside of Terraform, as its plan has them. */
  readonly drift: readonly Change[];
  /** Facts that the file lacks, a sentence each. */
  readonly missingFacts: readonly string[];
  /** Pairs that need approval, by service. */
  readonly needs: readonly ApprovalNeeds[];
  /** The plan as `plan --json` prints it. */
  readonly json: object;
}

/** @throws TENANCY_BROKEN_PLAN */
export function readPlans(text: string): readonly ShownPlan[] {
  const document = parsedPlan(text);
  return documentsIn(document).map((one) => {
    requireVersion(one);
    const tenancy = one["tenancy"];
    if (!isObject(tenancy)) {
      const read = planOfTerraform(one);
      return { ...read, needs: approvalNeeds(read.plan), json: jsonPlan(read.plan, read.drift) };
    }
    const { saved, ...others } = tenancy;
    if (!isObject(saved))
      throw brokenPlan.error("the file is a plan that was printed, not one that was saved");
    const needs = savedNeeds(tenancy);
    if (needs === undefined) throw broken("tenancy.approval");
    return {
      needs,
      plan: planOfSaved(one, saved["shown"]),
      drift: [],
      missingFacts: [],
      json: { ...one, tenancy: others },
    };
  });
}

function requireVersion(document: ObjectValue): void {
  const version = valueIn(document, "format_version");
  if (typeof version !== "string" || !/^1\.\d+$/.test(version) || !isList(document["resource_changes"] ?? []))
    throw brokenPlan.error(
      "the file is neither a plan that tenancy plan --out wrote, nor one that terraform show -json printed",
    );
}

// Several plans in one file: each has the form of a single file.

const SEVERAL = "tenancy-plans";
const SEVERAL_VERSION = 1;

/** @param texts of single plans, in the order in which they are to be applied */
export function joinedPlans(texts: readonly string[]): string {
  const [only = ""] = texts;
  if (texts.length === 1) return only;
  const plans = texts.map((text) => text.trim()).join(",\n");
  return `{ "format": "${SEVERAL}", "version": ${SEVERAL_VERSION}, "plans": [\n${plans}\n] }\n`;
}

/** The texts of the single plans. @throws TENANCY_BROKEN_PLAN */
export function splitPlans(text: string): readonly string[] {
  const document = parsedPlan(text);
  return document["format"] === SEVERAL ? documentsIn(document).map((one) => stringifyJson(one)) : [text];
}

function documentsIn(document: ObjectValue): readonly ObjectValue[] {
  if (document["format"] !== SEVERAL) return [document];
  if (document["version"] !== SEVERAL_VERSION)
    throw brokenPlan.error(
      `the plans have the version ${stringifyJson(document["version"] ?? null)}, not ${SEVERAL_VERSION}`,
    );
  const plans = listIn(document, "plans");
  return plans.map((plan) => {
    if (!isObject(plan)) throw broken("plans");
    return plan;
  });
}

// Saved plans.

/** Why an object is deleted and the like, for which Terraform's representation has no word, in the order of the plan's changes. */
export function factsToShow({ changes, deletedWithAccount, usage }: Plan): object {
  return {
    changes: changes.map(changeFacts),
    deletedWithAccount: deletedWithAccount.map(changeFacts),
    ...(usage !== undefined && { usage }),
  };
}

function changeFacts(change: Change): object {
  const {
    address,
    description,
    provider,
    title,
    claim,
    reason,
    action,
    observedRecord,
    declared: declaredAttributes,
    attributes,
  } = change;
  const isChanging = action !== "none";
  return {
    address,
    type: description.type,
    provider,
    title,
    ...(claim !== undefined && { claim }),
    ...(reason !== undefined && { reason }),
    ...(observedRecord !== undefined && { id: observedRecord.id }),
    ...(isChanging && declaredAttributes !== undefined && { declared: [...declaredAttributes] }),
    ...(isChanging && attributes.length > 0 && { attributes: attributes.map(({ path }) => path) }),
  };
}

/** @param document a saved plan, whose promises have been looked at. @throws brokenPlan */
function planOfSaved(document: ObjectValue, facts: Value | undefined): Plan {
  const tenancy = objectIn(document, "tenancy");
  const changeEntries = listIn(facts, "changes");
  const entries = listIn(document, "resource_changes");
  if (changeEntries.length !== entries.length) throw broken("its changes");
  const changes = entries.map((entry, index) => savedChange(readEntry(entry), changeEntries[index]));
  const takenAt = valueIn(tenancy, "taken_at");
  const usage = shownUsage(facts);
  return planWith(document, changes, {
    stack: textIn(tenancy, "stack"),
    ...(typeof takenAt === "string" && { takenAt }),
    ...(usage !== undefined && { usage }),
    targets: rowsIn(tenancy, "targets", TARGET),
    destroy: valueIn(tenancy, "destroy") === true,
    noPrune: valueIn(tenancy, "no_prune") === true,
    access: rowsIn<AccessChange>(tenancy, "access", ACCESS).map((row) => ({
      ...row,
      entries: rowsIn(row as unknown as ObjectValue, "entries", ACCESS_ENTRY),
    })),
    retained: rowsIn(tenancy, "retained", RETAINED),
    unmanagedUsers: rowsIn(tenancy, "unmanaged_users", UNDECLARED_SHAPE),
    renames: rowsIn(tenancy, "renames", objectOf({ from: text, to: text })),
    warnings: rowsIn(tenancy, "warnings", WARNING),
    deletedWithAccount: listIn(facts, "deletedWithAccount").map((one) => {
      const type = textIn(one, "type");
      return savedChange({ ...NO_STATE, address: textIn(one, "address"), type, action: "delete" }, one);
    }),
  });
}

/** Usage of accounts, by address and quota; undefined where no service was asked. */
function shownUsage(facts: Value | undefined): Plan["usage"] {
  const usage = valueIn(facts, "usage");
  return isObject(usage) ? shapedIn(facts, "usage", mapOf(mapOf(number))) : undefined;
}

const { anyList, either, flag, listOf, mapOf, number, objectOf, optional, text, textOrNull } = shapes;

const TARGET = objectOf({ provider: text, origin: text, caller: text });
const ACCESS = objectOf({
  who: text,
  address: text,
  action: actionShape,
  effect: text,
  entries: anyList,
  rights: textOrNull,
});
const ACCESS_ENTRY = objectOf({
  thing: mapOf(either(text, listOf(text), "a text or a list of texts")),
  effect: text,
  marks: listOf(text),
  byDefault: flag,
});
const RETAINED = objectOf({
  type: text,
  key: text,
  id: text,
  reason: text,
  users: optional(number),
  tokens: optional(number),
});
const UNDECLARED_SHAPE = objectOf({
  key: text,
  rights: optional(listOf(text)),
  preset: textOrNull,
  marks: listOf(text),
  active: flag,
});
const WARNING = objectOf({
  severity: text,
  code: text,
  summary: text,
  detail: optional(text),
  advice: optional(text),
  address: optional(text),
  constructPath: optional(text),
  file: optional(text),
  attribute: optional(pathShape),
});

const CLAIMS: readonly unknown[] = ["managed", "imported", "unmanaged"] satisfies readonly Claim[];
const DELETE_REASONS: readonly unknown[] = [
  "undeclared",
  "removed",
  "destroy",
  "cascade",
] satisfies readonly DeleteReason[];

/** An entry of which nothing is known. */
const NO_STATE = { before: null, after: null, sensitive: [], replacedBy: [], importId: undefined, notes: [] };

function savedChange(entry: RepresentedChange, facts: Value | undefined): Change {
  const change = changeOf(entry, textIn(facts, "title"), textIn(facts, "provider"));
  const { before, after, description, action } = change;
  const [claim, reason, id] = ["claim", "reason", "id"].map((name) => valueIn(facts, name) ?? undefined);
  const declaredPaths = valueIn(facts, "declared");
  const paths = pathsIn(facts, "attributes");
  return {
    ...change,
    claim: CLAIMS.includes(claim) ? (claim as Claim) : undefined,
    reason: DELETE_REASONS.includes(reason) ? (reason as DeleteReason) : undefined,
    observedRecord:
      typeof id === "string"
        ? { id, uuid: undefined, accountId: undefined, seq: undefined, key: change.key, readAt: 0 }
        : undefined,
    ...(isList(declaredPaths) && {
      declared: new Set(declaredPaths.filter((one) => typeof one === "string")),
    }),
    // Sensitive values are null on both sides, and still change.
    attributes: paths.flatMap((path) => {
      const attribute = attributeAt(description.attributes, path);
      const start = action === "create" || action === "replace" ? null : before;
      return attribute === undefined
        ? []
        : [{ path: path.map(String), attribute, before: valueAt(start, path), after: valueAt(after, path) }];
    }),
  };
}
