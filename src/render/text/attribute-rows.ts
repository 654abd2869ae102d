/** The attributes of one change, as rows of its section. */
import { diff, type AttributeChange } from "../../schema";
import { equal, formatPath, isList, isUnknown, plainText, samePath, type Path } from "../../values";
import type { Change } from "../../plan";
import { secrecyOf, type Secrecy } from "../secrecy";
import { shownTransition, shownValue } from "./shown-value";

export interface AttributeRow {
  readonly path: string;
  readonly value: string;
}

/** What a change says of its attributes; `more` counts those that only the service will give. */
export interface AttributeRows {
  readonly rows: readonly AttributeRow[];
  readonly more: number;
}

export function attributeRows(change: Change): AttributeRows {
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

/** What the user declared, without the natural key, defaults, and the rights and scopes that stand under Access. */
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

/** Whether Access tells the change: which rights come and go, and that a scope takes in everything. */
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
