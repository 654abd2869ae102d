/** Says what changes, object by object and attribute by attribute. */
import { bearsOnAccess, type Change, type DeleteReason, hasRights, isNewImport } from "../../plan";
import { type AttributeChange, changesBetween } from "../../schema";
import { equal, formatPath, isUnknown, type Path, plainText, samePath } from "../../lib/values";
import { type Secrecy, secrecyOf } from "../secrecy";
import {
  type Fact,
  type Group,
  groupAlike,
  joinTexts,
  namedMembers,
  name,
  type Row,
  row,
  type Text,
  sentence,
  value,
  word,
} from "./document";
import { shownTransition, shownValue } from "./values";

const REASON_WORDS: Readonly<Record<DeleteReason, string>> = {
  undeclared: "no longer declared",
  removed: "declared as removed",
  destroy: "destroyed",
  cascade: "goes with its account",
};

interface Item {
  readonly change: Change;
  readonly rows: readonly AttributeRow[];
}

/**
 * Objects that are shown together, for {@link changeRows} and {@link logInRows}.
 * @param all whether each object is shown by itself, however many are alike
 */
export function alikeChanges(changes: readonly Change[], all: boolean): readonly Group<Item>[] {
  const items = changes.map((change) => ({ change, rows: attributeRows(change) }));
  return groupAlike(items, changeLikeness, all);
}

/** A row for each object, or for many alike ones. */
export function changeRows(groups: readonly Group<Item>[]): readonly Row[] {
  return groups.map(changeRow);
}

/** Where each new user receives codes and links to log in, as far as a row for several users leaves it out. */
export function logInRows(groups: readonly Group<Item>[]): readonly Row[] {
  return groups.flatMap((group) =>
    group.length === 1
      ? []
      : group.flatMap(({ change, rows }) => {
          const places = rows.filter(
            ({ path }, index) =>
              bearsOnLogIn(path) && group.some((other) => other.rows[index]?.value !== rows[index]?.value),
          );
          const about = joinTexts(
            places.map(({ path, value: text }): Text => [name(path), word(" "), value(text)]),
            ", ",
          );
          return places.length === 0 ? [] : [row({ name: [name(change.title)], about })];
        }),
  );
}

/** A row for each object that was changed outside Tenancy, with all differences, including rights. */
export function driftRows(changes: readonly Change[]): readonly Row[] {
  return changes.map((change) => {
    const secret = secrecyOf(change.description.attributes, change.sensitive);
    const differences =
      change.action === "delete"
        ? []
        : changesBetween(change.description.attributes, change.before, change.after);
    return row({
      action: change.action,
      name: [name(change.address)],
      about: joinTexts(
        [[name(change.title)], ...(change.action === "delete" ? [[word("is gone")]] : [])],
        " · ",
      ),
      facts: differences.map((one): Fact => ({
        label: name(pathText(one.path)),
        items: [[value(shownTransition(one, secret))]],
      })),
    });
  });
}

function changeRow(group: Group<Item>): Row {
  const [{ change, rows }] = group;
  const isGroup = group.length > 1;
  return row({
    action: change.action,
    name: isGroup ? [word(`${group.length} × `), name(change.description.type)] : [name(change.address)],
    about: isGroup ? [] : headline(change),
    ...(isGroup && { members: namedMembers(group.map((item) => item.change.title)) }),
    facts: isGroup
      ? commonFacts(group)
      : rows.map((one): Fact => ({ label: name(one.path), items: [[value(one.value)]] })),
    notes: change.notes.map((note) => [sentence(note)]),
    count: group.length,
    weight: change.action === "delete" || change.action === "replace" ? "vital" : "usual",
  });
}

function headline(change: Change): Text {
  const { action, reason, claim, description } = change;
  const says = [
    ...(action === "replace" ? ["destroyed and created again"] : []),
    ...(reason === undefined ? [] : [REASON_WORDS[reason]]),
    ...(reason === "cascade" && claim === "unmanaged" ? ["unmanaged"] : []),
    ...(action === "delete" && Object.hasOwn(description.attributes, "admin_profile_id")
      ? ["with its primary user profile"]
      : []),
    ...(isNewImport(change) || (action === "delete" && claim === "imported") ? ["imported"] : []),
  ];
  return joinTexts([[name(change.title)], ...says.map((one) => [word(one)])], " · ");
}

/**
 * Objects of one type with the same action on the same attributes; never a delete, nor a change with a note. Changed addresses for login codes and links
 * are always shown: another address can take a user over.
 */
function changeLikeness({ change, rows }: Item): string | undefined {
  if (change.action === "delete" || change.action === "replace" || change.notes.length > 0) return undefined;
  if (change.action === "update" && change.attributes.some(({ path: [first] }) => bearsOnLogIn(first)))
    return undefined;
  const paths = rows.map(({ path }) => path);
  return JSON.stringify([change.action, change.description.type, isNewImport(change), paths]);
}

/** Addresses and numbers to which the service sends codes and links for a log-in. */
function bearsOnLogIn(attribute: Path[number] | undefined): boolean {
  return typeof attribute === "string" && /(^|_)(email|sms)$/.test(attribute);
}

/** Different values of a group that are shown where there is little room. */
const MOST_VALUES = 3;

/** The facts of a group: a value where all have the same, otherwise the first of them and how many there are. */
function commonFacts(group: Group<Item>): readonly Fact[] {
  return group[0].rows.map(({ path }, index) => {
    const values = [...new Set(group.map(({ rows }) => rows[index]?.value ?? ""))];
    const label = name(path);
    if (values.length === 1) return { label, items: values.map((text) => [value(text)]) };
    const items = values.slice(0, MOST_VALUES).map((text): Text => [value(text)]);
    const rest = values.slice(MOST_VALUES).map((text): Text => [value(text)]);
    const first: Text = [word(`${values.length} different values: `), ...(items[0] ?? [])];
    const count: readonly Text[] = rest.length === 0 ? [] : [[word(`… ${rest.length} more`)]];
    return { label, items: [first, ...items.slice(1), ...count], ...(rest.length > 0 && { rest }) };
  });
}

/** The attributes of one change, as rows of its section. */
interface AttributeRow {
  readonly path: string;
  readonly value: string;
}

/** A row for each changed attribute. The section Access shows the rest. Undeclared values that only the service knows are omitted. */
function attributeRows(change: Change): readonly AttributeRow[] {
  const secret = secrecyOf(change.description.attributes, change.sensitive);
  switch (change.action) {
    case "create":
      return rowsOfCreate(change, secret);
    case "update":
      return change.attributes
        .filter((one) => !isShownAsAccess(one, change) && !isLeftToService(one, change))
        .map((attribute) => transitionRow(attribute, secret));
    case "replace":
      return rowsOfReplacement(change, secret);
    case "delete":
    case "none":
      return [];
  }
}

/** Rows of declared attributes, without the natural key and defaults. */
function rowsOfCreate(change: Change, secret: Secrecy): readonly AttributeRow[] {
  return change.attributes
    .filter(
      (one) =>
        !isShownAsAccess(one, change) &&
        !isLeftToService(one, change) &&
        one.attribute.presence !== "computed" &&
        !(isNameOfAccount(one) && one.after === change.key) &&
        (one.attribute.defaultValue === undefined || !equal(one.attribute.defaultValue, one.after)),
    )
    .map(({ path, after }) => ({ path: pathText(path), value: shownValue(after, path, secret) }));
}

/** The headline says it. Another attribute may have the same value by chance. */
function isNameOfAccount({ path, attribute }: AttributeChange): boolean {
  return attribute.presence === "required" && path.length === 1 && path[0] === "name";
}

/** As for an update, with the cause of the replacement. */
function rowsOfReplacement(change: Change, secret: Secrecy): readonly AttributeRow[] {
  return changesBetween(change.description.attributes, change.before, change.after)
    .filter((one) => !isLeftToService(one, change) && !isShownAsAccess(one, change))
    .map((attribute) => {
      const row = transitionRow(attribute, secret);
      const forces = change.replacedBy.some((path) => samePath(path, attribute.path));
      return forces ? { ...row, value: `${row.value} (forces replacement)` } : row;
    });
}

function transitionRow(attribute: AttributeChange, secret: Secrecy): AttributeRow {
  return { path: pathText(attribute.path), value: shownTransition(attribute, secret) };
}

/** Known only after apply, and not declared. */
function isLeftToService({ path, attribute, after }: AttributeChange, { declared }: Change): boolean {
  if (!isUnknown(after) || attribute.refersTo !== undefined) return false;
  return declared?.has(path.join(".")) !== true && !isWholeGroup(path, declared);
}

/** True if a group is declared, and which of its members are is unknown: Terraform's plan gives only the name of a group. */
function isWholeGroup(
  [name = "", ...members]: readonly string[],
  declaredNames: Change["declared"],
): boolean {
  if (members.length === 0 || declaredNames?.has(name) !== true) return false;
  return ![...declaredNames].some((one) => one.startsWith(`${name}.`));
}

/** True if the section Access shows all of the change. A changed security e-mail address is shown here, too. */
function isShownAsAccess({ path: [name = ""] }: AttributeChange, change: Change): boolean {
  return hasRights(change) && bearsOnAccess(name) && name !== "two_factor_security_email";
}

function pathText(path: Path): string {
  return plainText(formatPath(path));
}
