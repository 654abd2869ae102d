/** A plan as a person reads it: access first, then every change, what stays although it is not declared, and a summary. */
import type { Change, EvaluatedObject, Plan, Retained, Target } from "../../plan";
import { plainText } from "../../values";
import { accessLines } from "./access";
import { changeLines } from "./changes";
import { diagnosticsText } from "./diagnostic";
import { columnFor, rowText, type Row, wrapped } from "./layout";
import { outputLines } from "./outputs";
import type { Paint } from "./paint";
import { inReadingOrder } from "./reading-order";
import { summaryText } from "./summary";

/** Objects of a list that nobody has to act on which are shown one by one. */
const MOST_LISTED = 10;
const WIDTH = 100;

export function planText(plan: Plan, paint: Paint): string {
  const changing = inReadingOrder(plan.changes.filter(({ action }) => action !== "none"));
  const unchanged = plan.changes.filter(({ action }) => action === "none");
  const sections = [
    headLines(plan, paint),
    section("Access", accessLines(inReadingOrder(plan.access), paint), paint),
    section("Changes", changeLines(changing, paint), paint),
    section("Adopted", listed(inReadingOrder(unchanged.filter(isAdopted)).map(adoptedRow)), paint),
    section("Notes", listed(inReadingOrder(unchanged.filter(hasNotes)).flatMap(noteRows)), paint),
    section("Retained", rowLines(plan.retained.map(retainedRow)), paint),
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

function retainedRow({ key, id, reason }: Retained): Row {
  return { symbol: "", left: `${plainText(key)} (${plainText(id)})`, right: plainText(reason) };
}

function evaluatedLines(evaluated: readonly EvaluatedObject[]): readonly string[] {
  const addresses = evaluated
    .filter(({ mode }) => mode === "managed")
    .map(({ address }) => plainText(address));
  return wrapped(addresses, WIDTH).map(indented);
}

function listed(rows: readonly Row[]): readonly string[] {
  const left = rows.length - MOST_LISTED;
  return left <= 1 ? rowLines(rows) : [...rowLines(rows.slice(0, MOST_LISTED)), indented(`… ${left} more`)];
}

function rowLines(rows: readonly Row[]): readonly string[] {
  const column = columnFor(rows);
  return rows.map((row) => rowText(row, column));
}

function indented(line: string): string {
  return `    ${line}`;
}
