/** The attributes of one change, as rows of its section. */
import { diff, type AttributeChange } from "../../schema";
import { equal, formatPath, isUnknown, plainText, samePath, type Path } from "../../values";
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
      return { rows: change.attributes.map((attribute) => transitionRow(attribute, secret)), more: 0 };
    case "replace":
      return rowsOfReplacement(change, secret);
    case "delete":
    case "none":
      return { rows: [], more: 0 };
  }
}

/** What the user said; not the key, what is so by default, nor rights and scopes, which the access changes tell. */
function rowsOfCreate({ attributes, key }: Change, secret: Secrecy): AttributeRows {
  const [rights, others] = partition(
    attributes.filter((one) => !isScope(one)),
    isRight,
  );
  const [later, known] = partition(others, isLeftToService);
  const told = known.filter(
    ({ attribute, after }) =>
      attribute.presence !== "computed" &&
      after !== key &&
      !isDefault(attribute.defaultValue ?? attribute.whenAbsent, after),
  );
  const rows = told.map(({ path, after }) => ({
    path: pathText(path),
    value: shownValue(after, path, secret),
  }));
  return {
    rows: rights.length === 0 ? rows : [...rows, { path: "permissions", value: rightsText(rights) }],
    more: later.length,
  };
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

function isRight({ path }: AttributeChange): boolean {
  return path[0] === "permissions" && path[2] === "rights" && path.length === 4;
}

function isScope({ path }: AttributeChange): boolean {
  return path[0] === "permissions" && path.length === 3 && /^all_\w+_scope$/.test(path[2] ?? "");
}

function rightsText(rights: readonly AttributeChange[]): string {
  const given = rights.filter(({ after }) => after === true).length;
  const unknown = rights.filter(({ after }) => isUnknown(after)).length;
  return `${given} of ${rights.length} rights${unknown > 0 ? `, ${unknown} known after apply` : ""}`;
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
