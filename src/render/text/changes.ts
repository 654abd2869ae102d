/** Renders changes, object by object and attribute by attribute. */
import type { Action, Change, DeleteReason } from "../../plan";
import { type AttributeChange, diff } from "../../schema";
import { equal, formatPath, isList, isUnknown, type Path, plainText, samePath } from "../../values";
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

interface Item extends AttributeRows {
  readonly change: Change;
}

/** The lines of one object, or of a group of alike ones. */
interface Entry {
  readonly change: Change;
  readonly head: Row;
  readonly body: readonly Row[];
  readonly remarks: readonly string[];
}

export function changeLines(changes: readonly Change[], paint: Paint): readonly string[] {
  const items = changes.map((change) => ({ change, ...attributeRows(change) }));
  const entries = grouped(items, likeness).flatMap(entryOf);
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
  const { change, rows, more } = first;
  const symbol = SYMBOLS[change.action];
  const later = more > 0 ? [`(${more} more known after apply)`] : [];
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
      remarks: [...later, ...change.notes.map((note) => plainText(note))],
    },
  ];
}

function headline(change: Change): string {
  return [
    plainText(change.title),
    ...(change.action === "replace" ? ["destroyed and created again"] : []),
    ...(change.reason === undefined ? [] : [REASONS[change.reason]]),
    ...(change.importId === undefined ? [] : ["adopted"]),
  ].join(" · ");
}

/** Objects of one type to which the same is done, to the same attributes; never a delete, nor what carries a note. */
function likeness({ change, rows, more }: Item): string | undefined {
  if (change.action === "delete" || change.action === "replace" || change.notes.length > 0) return undefined;
  const paths = rows.map(({ path }) => path);
  return JSON.stringify([change.action, change.description.type, change.importId !== undefined, paths, more]);
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

/** The attributes of a change; `more` counts those that only the service will give. */
interface AttributeRows {
  readonly rows: readonly AttributeRow[];
  readonly more: number;
}

function attributeRows(change: Change): AttributeRows {
  const secret = secrecyOf(change.description.attributes, change.sensitive);
  switch (change.action) {
    case "create":
      return rowsOfCreate(change, secret);
    case "update":
      return {
        rows: change.attributes
          .filter(({ path }) => path[0] !== "permissions")
          .map((attribute) => transitionRow(attribute, secret)),
        more: 0,
      };
    case "replace":
      return rowsOfReplacement(change, secret);
    case "delete":
    case "none":
      return { rows: [], more: 0 };
  }
}

/** The declared attributes, without the natural key, defaults, and the rights and scopes that stand under Access. */
function rowsOfCreate({ attributes, key }: Change, secret: Secrecy): AttributeRows {
  const [later, known] = partition(
    attributes.filter((one) => !isToldAsAccess(one)),
    isLeftToService,
  );
  const told = known.filter(
    ({ attribute, after }) =>
      attribute.presence !== "computed" &&
      !(attribute.presence === "required" && after === key) &&
      !isDefault(attribute.defaultValue, after),
  );
  const rows = told.map(({ path, after }) => ({
    path: pathText(path),
    value: shownValue(after, path, secret),
  }));
  return { rows, more: later.length };
}

/** As for an update, with what forces the replacement; what the service gives anew is only counted. */
function rowsOfReplacement(change: Change, secret: Secrecy): AttributeRows {
  const changes = diff(change.description.attributes, change.before, change.after);
  const [later, known] = partition(changes, isLeftToService);
  const rows = known.map((attribute) => {
    const row = transitionRow(attribute, secret);
    const forces = change.replacedBy.some((path) => samePath(path, attribute.path));
    return forces ? { ...row, value: `${row.value} (forces replacement)` } : row;
  });
  return { rows, more: later.length };
}

function transitionRow(attribute: AttributeChange, secret: Secrecy): AttributeRow {
  return { path: pathText(attribute.path), value: shownTransition(attribute, secret) };
}

/** Known after apply, and not because it refers to another object of the plan. */
function isLeftToService({ attribute, after }: AttributeChange): boolean {
  return isUnknown(after) && attribute.refersTo === undefined;
}

function isDefault(usual: AttributeChange["after"] | undefined, after: AttributeChange["after"]): boolean {
  return usual !== undefined && equal(usual, after);
}

/** True if Access shows the change: rights that come and go, and scopes that take in everything. */
function isToldAsAccess({ path, after }: AttributeChange): boolean {
  const [name = ""] = path;
  return name === "permissions" || (name.endsWith("_scope") && isList(after) && after.includes("*"));
}

function pathText(path: Path): string {
  return plainText(formatPath(path));
}

function partition<T>(
  items: readonly T[],
  belongs: (item: T) => boolean,
): readonly [readonly T[], readonly T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

// Groups: similar changes of a large plan are shown as one, except deletes.

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
  if (items.length <= FEW) return items.map((item) => [item]);
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
    if (key === undefined || group === undefined || group.length < GROUP) return [[item]];
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
