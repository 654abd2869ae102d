/** What changes, object by object and attribute by attribute. */
import { type Action, bearsOnAccess, type Change, type DeleteReason } from "../../plan";
import { type AttributeChange, diff } from "../../schema";
import { equal, formatPath, isUnknown, type Path, plainText, samePath } from "../../values";
import { type Secrecy, secrecyOf } from "../secrecy";
import { columnFor, namesOf, type Row, rowText } from "./layout";
import type { Paint, Painter } from "./paint";
import { shownTransition, shownValue } from "./values";

const REASONS: Readonly<Record<DeleteReason, string>> = {
  undeclared: "no longer declared",
  removed: "declared as removed",
  destroy: "destroyed",
  cascade: "goes with its account",
};

interface Item {
  readonly change: Change;
  readonly rows: readonly AttributeRow[];
}

/** The lines of one object, or of a group of alike ones. */
interface Entry {
  readonly change: Change;
  readonly head: Row;
  readonly body: readonly Row[];
  readonly remarks: readonly string[];
}

/** @param all whether each object is shown by itself, however many are alike */
export function changeLines(changes: readonly Change[], paint: Paint, all = false): readonly string[] {
  const items = changes.map((change) => ({ change, rows: attributeRows(change) }));
  const groups = all ? items.map((item) => [item]) : grouped(items, likeness);
  const entries = groups.flatMap(entryOf);
  const column = columnFor(entries.flatMap(({ head, body }) => [head, ...body]));
  return entries.flatMap(({ change, head, body, remarks }) => [
    painted(rowText(head, column), change, paint),
    ...body.map((row) => rowText(row, column)),
    ...remarks.map((remark) => paint.faint(`      ${remark}`)),
  ]);
}

/** Colours the symbol, and the whole row of a delete. */
function painted(text: string, { action }: Change, paint: Paint): string {
  const painter = painterOf(action, paint);
  return action === "delete" ? painter(text) : painter(text.slice(0, 3)) + text.slice(3);
}

function entryOf(group: readonly Item[]): readonly Entry[] {
  const [first] = group;
  if (first === undefined) return [];
  const { change, rows } = first;
  const symbol = SYMBOLS[change.action];
  const [left, right] =
    group.length === 1
      ? [plainText(change.address), headline(change)]
      : [`${group.length} × ${change.description.type}`, namesOf(group.map((item) => item.change.title))];
  return [
    {
      change,
      head: { symbol, left, right },
      body: (group.length === 1 ? rows : commonRows(group)).map(({ path, value }) => ({
        left: path,
        right: value,
      })),
      remarks: change.notes.map((note) => plainText(note)),
    },
  ];
}

function headline(change: Change): string {
  return [
    plainText(change.title),
    ...(change.action === "replace" ? ["destroyed and created again"] : []),
    ...(change.reason === undefined ? [] : [REASONS[change.reason]]),
    ...(change.reason === "cascade" && change.claim === "foreign" ? ["made by somebody else"] : []),
    ...(change.action === "delete" && Object.hasOwn(change.description.attributes, "admin_profile_id")
      ? ["with its primary user profile"]
      : []),
    ...(change.importId === undefined ? [] : ["adopted"]),
  ].join(" · ");
}

/** Objects of one type to which the same is done, to the same attributes; never a delete, nor what carries a note. */
function likeness({ change, rows }: Item): string | undefined {
  if (change.action === "delete" || change.action === "replace" || change.notes.length > 0) return undefined;
  const paths = rows.map(({ path }) => path);
  return JSON.stringify([change.action, change.description.type, change.importId !== undefined, paths]);
}

/** The rows of a group: a value where all have the same. */
function commonRows(group: readonly Item[]): readonly AttributeRow[] {
  return (group[0]?.rows ?? []).map(({ path }, index) => {
    const values = new Set(group.map(({ rows }) => rows[index]?.value ?? ""));
    const [value = ""] = values;
    return { path, value: values.size === 1 ? value : `(${values.size} different values)` };
  });
}

/** The attributes of one change, as rows of its section. */
interface AttributeRow {
  readonly path: string;
  readonly value: string;
}

/** What a change says of its attributes. Access tells the rest; of what only the service will know, nobody asked. */
function attributeRows(change: Change): readonly AttributeRow[] {
  const secret = secrecyOf(change.description.attributes, change.sensitive);
  switch (change.action) {
    case "create":
      return rowsOfCreate(change, secret);
    case "update":
      return change.attributes
        .filter((one) => !isToldAsAccess(one, change) && !isLeftToService(one, change))
        .map((attribute) => transitionRow(attribute, secret));
    case "replace":
      return rowsOfReplacement(change, secret);
    case "delete":
    case "none":
      return [];
  }
}

/** What the user declared, without the natural key and defaults. */
function rowsOfCreate(change: Change, secret: Secrecy): readonly AttributeRow[] {
  return change.attributes
    .filter(
      (one) =>
        !isToldAsAccess(one, change) &&
        !isLeftToService(one, change) &&
        one.attribute.presence !== "computed" &&
        !(isNameOfAccount(one) && one.after === change.key) &&
        !isDefault(one.attribute.defaultValue, one.after),
    )
    .map(({ path, after }) => ({ path: pathText(path), value: shownValue(after, path, secret) }));
}

/** The headline says it. Another attribute may have the same value by chance. */
function isNameOfAccount({ path, attribute }: AttributeChange): boolean {
  return attribute.presence === "required" && path.length === 1 && path[0] === "name";
}

/** As for an update, with what forces the replacement. */
function rowsOfReplacement(change: Change, secret: Secrecy): readonly AttributeRow[] {
  return diff(change.description.attributes, change.before, change.after)
    .filter((one) => !isLeftToService(one, change) && !isToldAsAccess(one, change))
    .map((attribute) => {
      const row = transitionRow(attribute, secret);
      const forces = change.replacedBy.some((path) => samePath(path, attribute.path));
      return forces ? { ...row, value: `${row.value} (forces replacement)` } : row;
    });
}

function transitionRow(attribute: AttributeChange, secret: Secrecy): AttributeRow {
  return { path: pathText(attribute.path), value: shownTransition(attribute, secret) };
}

/** Known after apply, and nobody asked for it. */
function isLeftToService(
  { path: [name = ""], attribute, after }: AttributeChange,
  { declared }: Change,
): boolean {
  return isUnknown(after) && attribute.refersTo === undefined && declared?.has(name) !== true;
}

function isDefault(usual: AttributeChange["after"] | undefined, after: AttributeChange["after"]): boolean {
  return usual !== undefined && equal(usual, after);
}

/** Whether Access tells all of the change; which address is meant by another security e-mail address stands here. */
function isToldAsAccess({ path: [name = ""] }: AttributeChange, { description }: Change): boolean {
  if (!Object.hasOwn(description.attributes, "permissions")) return false;
  return bearsOnAccess(name) && name !== "two_factor_security_email";
}

function pathText(path: Path): string {
  return plainText(formatPath(path));
}

// What is alike in a large plan is shown as one. Deletes never are.

/** Up to so many items are all shown one by one. */
const FEW = 25;
/** So many alike items make a group. */
const GROUP = 5;

/**
 * Groups items of the same likeness, each group where its first item stands.
 * @param likeness undefined for what has to be shown by itself
 */
export function grouped<T>(
  items: readonly T[],
  likeness: (item: T) => string | undefined,
): readonly (readonly T[])[] {
  return items.length <= FEW ? items.map((item) => [item]) : groupedAlways(items, likeness, GROUP);
}

/**
 * As {@link grouped}, however few there are.
 * @param least so many alike items make a group
 */
export function groupedAlways<T>(
  items: readonly T[],
  likeness: (item: T) => string | undefined,
  least = 2,
): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  const keys = items.map(likeness);
  for (const [index, item] of items.entries()) {
    const key = keys[index];
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  const shown = new Set<string>();
  return items.flatMap((item, index) => {
    const key = keys[index];
    const group = key === undefined ? undefined : groups.get(key);
    if (key === undefined || group === undefined || group.length < least) return [[item]];
    if (shown.has(key)) return [];
    shown.add(key);
    return [group];
  });
}

/** The symbols of actions, as Terraform's users know them. */
export const SYMBOLS: Readonly<Record<Action, string>> = {
  create: "+",
  update: "~",
  replace: "-/+",
  delete: "-",
  none: "=",
};

export function painterOf(action: Action, paint: Paint): Painter {
  switch (action) {
    case "create":
      return paint.added;
    case "update":
      return paint.changed;
    case "replace":
    case "delete":
      return paint.removed;
    case "none":
      return paint.faint;
  }
}
