/** Renders a plan for people: access first, then all changes, retained objects, and a summary. */
import {
  byDanger,
  type Change,
  type EvaluatedObject,
  hasChanges,
  type NotDeclared,
  type OutputChange,
  type Plan,
  type Rename,
  type Retained,
  type Target,
} from "../../plan";
import { durationText, plainText, type Value } from "../../values";
import { accessLines, accessSummary } from "./access";
import { changeLines } from "./changes";
import { diagnosticsText } from "./diagnostics";
import { columnFor, type Row, rowText, wrapped } from "./layout";
import type { Paint } from "./paint";
import { SENSITIVE_TEXT, shownValue } from "./values";

/** How many objects of an informative list are shown one by one. */
const MOST_LISTED = 10;
const WIDTH = 100;

/** How much of a plan is shown. */
export interface PlanTextOptions {
  /** Whether nothing is grouped or cut (`--all`). @default false */
  readonly all?: boolean;
}

export function planText(plan: Plan, paint: Paint, { all = false }: PlanTextOptions = {}): string {
  const changing = inReadingOrder(plan.changes.filter(({ action }) => action !== "none"));
  const unchanged = plan.changes.filter(({ action }) => action === "none");
  const sections = [
    [...headLines(plan, paint), ...snapshotLines(plan, paint)],
    section("Access", accessLines(byDanger(inReadingOrder(plan.access)), paint, all), paint),
    section(
      "Changes",
      [...changeLines(changing, paint, all), ...changeLines(inReadingOrder(plan.ceasing), paint, all)],
      paint,
    ),
    section("Adopted", listed(inReadingOrder(unchanged.filter(isAdopted)).map(adoptedRow), all), paint),
    section("Notes", listed(inReadingOrder(unchanged.filter(hasNotes)).flatMap(noteRows), all), paint),
    section("Retained", rowLines(plan.retained.map(retainedRow)), paint),
    section("Not declared", listed(dangerousFirst(plan.notDeclared).map(notDeclaredRow), all), paint),
    section("Looks like a rename", rowLines(plan.renames.map(renameRow)), paint),
    section("Evaluated", evaluatedLines(plan.evaluated), paint),
    section(
      "Outputs",
      outputLines(plan.outputs.filter(({ action }) => action !== "none")).map(indented),
      paint,
    ),
    diagnosticsText(plan.warnings, paint).split("\n"),
    [paint.bold(summaryText(plan))],
  ];
  return sections
    .map((lines) => lines.join("\n"))
    .filter((text) => text !== "")
    .join("\n\n");
}

/** Where it goes, as whom, and under which name. */
function headLines({ stack, targets, destroy }: Plan, { bold, faint }: Paint): readonly string[] {
  const name = bold(plainText(stack)) + (destroy ? " · destroy" : "");
  if (targets.length === 0) return [name];
  const several = targets.length > 1;
  return targets.map((target) => `${name}${faint(targetText(target, several))}`);
}

/** How old the snapshot is that the plan was made from. */
function snapshotLines({ takenAt, plannedAt }: Plan, { bold }: Paint): readonly string[] {
  if (takenAt === undefined) return [];
  const age = durationText(Date.parse(plannedAt) - Date.parse(takenAt));
  return [
    bold(
      `From a snapshot that is ${age} old (${plainText(takenAt)}); nobody was asked. It cannot be applied.`,
    ),
  ];
}

function targetText({ origin, caller, owner, provider }: Target, several: boolean): string {
  const words = [`${plainText(origin)} as ${plainText(caller)}`, `owner ${plainText(owner)}`];
  return ["", ...words, ...(several ? [provider] : [])].join(" · ");
}

function section(title: string, lines: readonly string[], { bold }: Paint): readonly string[] {
  return lines.length === 0 ? [] : [bold(title), ...lines];
}

function isAdopted({ importId }: Change): boolean {
  return importId !== undefined;
}

function hasNotes({ notes }: Change): boolean {
  return notes.length > 0;
}

function adoptedRow({ address, title, sighting, importId }: Change): Row {
  return {
    symbol: "",
    left: plainText(address),
    right: `${plainText(title)} (${plainText(sighting?.id ?? importId ?? "")})`,
  };
}

function noteRows({ address, notes }: Change): readonly Row[] {
  return notes.map((note) => ({ symbol: "", left: plainText(address), right: plainText(note) }));
}

function retainedRow(retained: Retained): Row {
  const { key, id, reason } = retained;
  const works = workingText(retained);
  const right = [plainText(reason), ...(works === undefined ? [] : [works])].join("; ");
  return { symbol: "", left: `${plainText(key)} (${plainText(id)})`, right };
}

/** `3 users and 1 token in it still work`. */
function workingText({ users = 0, tokens = 0 }: Retained): string | undefined {
  const counts = [
    ...(users > 0 ? [counted(users, "user")] : []),
    ...(tokens > 0 ? [counted(tokens, "token")] : []),
  ];
  if (counts.length === 0) return undefined;
  return `${counts.join(" and ")} of it still ${users + tokens === 1 ? "works" : "work"}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Who can do dangerous things is not left out of a list that is cut. */
function dangerousFirst(users: readonly NotDeclared[]): readonly NotDeclared[] {
  return [...users].sort(
    (a, b) =>
      Number(b.marks.length > 0) - Number(a.marks.length > 0) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
  );
}

function notDeclaredRow({ key, rights, preset, marks, active }: NotDeclared): Row {
  const words = [
    counted(rights.length, "right") + (marks.length === 0 ? "" : ` (${marks.join(", ")})`),
    ...(preset === null || rights.length === 0 ? [] : [preset]),
    ...(active ? [] : ["suspended"]),
    "made by somebody else",
  ];
  return { symbol: "", left: plainText(key), right: words.map((word) => plainText(word)).join("; ") };
}

function renameRow({ from, to }: Rename): Row {
  const [old, next] = [plainText(from), plainText(to)];
  return {
    symbol: "",
    left: `${old} -> ${next}`,
    right: `names cannot change: ${next} is a new, empty account, and the storage stays behind in ${old}`,
  };
}

function evaluatedLines(evaluated: readonly EvaluatedObject[]): readonly string[] {
  const addresses = evaluated
    .filter(({ mode }) => mode === "managed")
    .map(({ address }) => plainText(address));
  return wrapped(addresses, WIDTH).map(indented);
}

function listed(rows: readonly Row[], all: boolean): readonly string[] {
  const left = rows.length - MOST_LISTED;
  return all || left <= 1
    ? rowLines(rows)
    : [...rowLines(rows.slice(0, MOST_LISTED)), indented(`… ${left} more`)];
}

function rowLines(rows: readonly Row[]): readonly string[] {
  const column = columnFor(rows);
  return rows.map((row) => rowText(row, column));
}

function indented(line: string): string {
  return `    ${line}`;
}

// The summary line.

/** `1 to create, 2 to delete, 1 retained.`, or that nothing changes. */
function summaryText(plan: Plan): string {
  const { summary } = plan;
  const annotations = phrases([
    [summary.retained, "retained"],
    [summary.adopted, "adopted"],
  ]);
  if (!hasChanges(plan)) return [`No changes. ${nothingToDo(plan)}`, ...sentence(annotations)].join(" ");
  return sentence([
    ...phrases([
      [summary.create, "to create"],
      [summary.update, "to update"],
      [summary.replace, "to replace"],
      [summary.delete, "to delete"],
    ]),
    ...annotations,
  ]).join("");
}

/** `2 to create, 1 to delete; widens what 3 can do (destructive)`: for the question before an apply. */
export function briefText({ summary, ceasing, access }: Plan): string {
  const counts = phrases([
    [summary.create, "to create"],
    [summary.update, "to update"],
    [summary.replace, "to replace"],
    [summary.delete + ceasing.length, "to delete"],
  ]);
  const widened = accessSummary(access);
  return [counts.join(", "), ...(widened === undefined ? [] : [widened])].join("; ");
}

function nothingToDo({ destroy, partial, summary }: Plan): string {
  if (destroy) return "There is nothing of ours to destroy.";
  if (partial) return summary.none === 0 ? "Nothing is selected." : "What is selected matches what is live.";
  if (summary.retained > 0)
    return "What is declared is up to date, but what is retained lives on, and its users and tokens work until it is deleted.";
  return summary.none === 0 ? "Nothing is declared." : "What is declared matches what is live.";
}

function sentence(parts: readonly string[]): readonly string[] {
  return parts.length === 0 ? [] : [`${parts.join(", ")}.`];
}

export function phrases(counts: readonly (readonly [count: number, phrase: string])[]): readonly string[] {
  return counts.filter(([count]) => count > 0).map(([count, phrase]) => `${count} ${phrase}`);
}

/** Outputs of a stack, as `name = value`. */
export function outputLines(outputs: readonly OutputChange[]): readonly string[] {
  const width = Math.max(0, ...outputs.map(({ name }) => name.length));
  return [...outputs].sort(byName).map(({ name, after, sensitive }) => {
    const value = sensitive ? SENSITIVE_TEXT : shownValue(after as Value);
    return `${plainText(name).padEnd(width)} = ${value}`;
  });
}

function byName(a: OutputChange, b: OutputChange): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

// The order of display. It differs from the order of the work, which follows the dependencies.

/** Deletes last; kinds as they are applied, so accounts before their users; within a kind by address. */
function inReadingOrder<Item extends Pick<Change, "address" | "action">>(
  items: readonly Item[],
): readonly Item[] {
  const kinds = [...new Set(items.map(kindOf))];
  const { compare } = new Intl.Collator("en", { numeric: true });
  return [...items].sort(
    (a, b) =>
      Number(a.action === "delete") - Number(b.action === "delete") ||
      kinds.indexOf(kindOf(a)) - kinds.indexOf(kindOf(b)) ||
      compare(a.address, b.address),
  );
}

/** `tenancy_account` */
function kindOf({ address }: Pick<Change, "address">): string {
  return address.slice(0, address.indexOf("."));
}
