/** Says what is shown of a plan: access first, then all changes, retained objects, and a summary. */
import {
  byDanger,
  type Change,
  hasChanges,
  heldRights,
  isMadeWithoutState,
  isNewImport,
  type UnmanagedUser,
  type OutputChange,
  type Plan,
  countDeletedRecords,
  type Rename,
  type Retained,
  type Target,
} from "../../plan";
import type { Diagnostic } from "../../problems";
import { compareText, counted, durationText, SENSITIVE_TEXT, type Value } from "../../lib/values";
import { accessHeadline, accessRows, markText } from "./access";
import { approvalSection, approvalSummary, type JudgedApproval } from "./approval";
import { alikeChanges, changeRows, driftRows, logInRows } from "./changes";
import {
  type Form,
  joinTexts,
  name,
  type Row,
  row,
  type Section,
  section,
  sentence,
  type Text,
  value,
  type View,
  view,
  word,
} from "./document";
import { accessMatrix, unchangedAccess } from "./matrix";
import { quotas } from "./quotas";
import { shownValue } from "./values";

/** At most so many objects of an informative list are shown one by one. */
const MOST_LISTED = 10;

export interface PlanViewOptions {
  /** True if nothing is grouped or cut (`--all`). @default false */
  readonly all?: boolean;
  /** Findings that stop the plan. @default nothing does */
  readonly refusals?: readonly Diagnostic[];
  /** Changes outside of Terraform, as its plan has them. @default nothing is known of it */
  readonly drift?: readonly Change[];
  /** Facts that the plan lacks, a sentence each. @default none */
  readonly missingFacts?: readonly string[];
  /** The approvals that the plan needs, and the existing ones. @default no approval is required */
  readonly approval?: JudgedApproval;
  /** True for a page, which has room for the matrix of rights, for quotas, and for unchanged access. @default false */
  readonly page?: boolean;
}

const UNDEMANDED: JudgedApproval = { level: "never", verdicts: [] };

export function planView(plan: Plan, options: PlanViewOptions = {}): View {
  const { all = false, refusals = [], approval = UNDEMANDED, drift = [], missingFacts = [] } = options;
  const { page = false } = options;
  const access = byDanger(inReadingOrder(plan.access));
  const changing = inReadingOrder(plan.changes.filter(({ action }) => action !== "none"));
  const changes = alikeChanges(changing, all);
  const unchangedObjects = plan.changes.filter(({ action }) => action === "none");
  // An import that the state has recorded is shown only with `all`.
  const isShownImport = (change: Change) => (all ? change.importId !== undefined : isNewImport(change));
  const list = (id: string, title: string, rows: readonly Row[]) => shortList(id, title, rows, all);
  const sections = [
    section(
      {
        id: "access",
        title: "Access",
        form: "facts",
        ...(page && { matrix: accessMatrix(plan, access, all) }),
      },
      accessRows(access, all),
    ),
    approvalSection(approval),
    section(
      { id: "changes", title: "Changes", form: "objects" },
      changeRows(changes),
      changeRows(alikeChanges(inReadingOrder(plan.deletedWithAccount), all)),
    ),
    section({ id: "log-in", title: "Addresses of new users", form: "rows" }, logInRows(changes)),
    list("imported", "Imported", inReadingOrder(unchangedObjects.filter(isShownImport)).map(importedRow)),
    list(
      "notes",
      "Notes",
      inReadingOrder(unchangedObjects.filter(({ notes }) => notes.length > 0)).flatMap(noteRows),
    ),
    section({ id: "retained", title: "Retained", form: "rows" }, plan.retained.map(retainedRow)),
    unmanagedSection(plan.unmanagedUsers, all),
    section({ id: "renames", title: "Looks like a rename", form: "rows" }, plan.renames.map(renameRow)),
    section(
      { id: "drift", title: "Changed outside of Terraform", form: "objects" },
      driftRows(inReadingOrder(drift)),
    ),
    section(
      { id: "not-covered", title: "Not covered by this plan", form: "rows" },
      missingFacts.map((one) => row({ name: [sentence(one)] })),
    ),
    section({ id: "evaluated", title: "Evaluated", form: "names" }, evaluatedRows(plan)),
    section(
      { id: "outputs", title: "Outputs", form: "values" },
      outputRows(plan.outputs.filter(({ action }) => action !== "none")),
    ),
    ...(page ? [quotas(plan), unchangedAccess(plan, all)] : []),
  ];
  return view({
    kind: "Plan",
    madeAt: plan.plannedAt,
    title: [name(plan.stack), ...(plan.destroy ? [word(" · destroy")] : [])],
    lines: plan.targets.map((target) => targetText(target, plan.targets.length > 1)),
    ...(plan.takenAt !== undefined && {
      notice: [...snapshotNotice(plan.takenAt, plan.plannedAt), word(" It cannot be applied.")],
    }),
    ...(isMadeWithoutState(plan.warnings) && {
      notice: [word("Made without the state: imports, tokens and hidden values are not known.")],
    }),
    summary: planSummary(plan, refusals.length > 0, approval),
    alert: accessHeadline(plan.access),
    sections,
    findings: [...refusals, ...(plan.refused ?? []), ...plan.warnings],
    all,
  });
}

/** The age of a snapshot at the time of its use. */
export function snapshotNotice(takenAt: string, madeAt: string): Text {
  const age = durationText(Date.parse(madeAt) - Date.parse(takenAt));
  return [word(`From a snapshot that is ${age} old (`), name(takenAt), word("); no request was sent.")];
}

/**
 * The view of a result that could not be made at all.
 * @param what name of the result, such as `plan`
 */
export function failureView(title: string, findings: readonly Diagnostic[], what: string, all = false): View {
  return view({ title: [name(title)], summary: [word(`There is no ${what}.`)], findings, all });
}

/** @param because the stack that failed */
export function skippedView(title: string, because: string): View {
  const summary = [word("Not tried, because "), name(because), word(" failed, which it depends on.")];
  return view({ title: [name(title)], summary });
}

/** `https://storage.example as system` */
export function targetText({ origin, caller, provider }: Target, several: boolean): Text {
  return [name(origin), word(" as "), name(caller), ...(several ? [word(" · "), name(provider)] : [])];
}

/** A list that is cut where it is long; one more row takes as much room as to say so. */
function shortList(id: string, title: string, rows: readonly Row[], all: boolean): Section | undefined {
  const form: Form = "rows";
  const omittedCount = rows.length - MOST_LISTED;
  return all || omittedCount <= 1
    ? section({ id, title, form }, rows)
    : section({ id, title, form, omittedCount }, rows.slice(0, MOST_LISTED));
}

function importedRow(change: Change): Row {
  const { address, title, observedRecord, importId } = change;
  const id = observedRecord?.id ?? importId ?? "";
  const recorded = isNewImport(change) ? "" : " · recorded, you can remove the import block";
  return row({ name: [name(address)], about: [name(title), word(" ("), name(id), word(`)${recorded}`)] });
}

function noteRows({ address, notes }: Change): readonly Row[] {
  return notes.map((note) => row({ name: [name(address)], about: [sentence(note)] }));
}

function retainedRow(object: Retained): Row {
  const { key, id, reason } = object;
  const works = workingText(object);
  return row({
    name: [name(key), word(" ("), name(id), word(")")],
    about: [sentence(reason), ...(works === undefined ? [] : [word(`; ${works}`)])],
  });
}

/** `3 users and 1 token of it still work`. */
function workingText({ users = 0, tokens = 0 }: Retained): string | undefined {
  const counts = [
    ...(users > 0 ? [counted(users, "user")] : []),
    ...(tokens > 0 ? [counted(tokens, "token")] : []),
  ];
  if (counts.length === 0) return undefined;
  return `${counts.join(" and ")} of it still ${users + tokens === 1 ? "works" : "work"}`;
}

/** @param all whether none is left out */
export function unmanagedSection(users: readonly UnmanagedUser[], all: boolean): Section | undefined {
  return shortList("unmanaged", "Unmanaged", dangerousFirst(users).map(unmanagedRow), all);
}

/** Who can do dangerous things is not left out of a list that is cut. */
function dangerousFirst(users: readonly UnmanagedUser[]): readonly UnmanagedUser[] {
  return [...users].sort(
    (a, b) => Number(b.marks.length > 0) - Number(a.marks.length > 0) || compareText(a.key, b.key),
  );
}

function unmanagedRow({ key, rights, preset, marks, active }: UnmanagedUser): Row {
  const holds: Text = [word(heldRights(rights)), ...markText(marks)];
  const words: readonly Text[] = [
    holds,
    ...(preset === null || rights?.length === 0 ? [] : [[name(preset)]]),
    ...(active ? [] : [[word("suspended")]]),
    [word("no stack declares this user")],
  ];
  return row({ name: [name(key)], about: joinTexts(words, "; ") });
}

function renameRow({ from, to }: Rename): Row {
  return row({
    name: [name(from), word(" -> "), name(to)],
    about: [
      word("names cannot change: "),
      name(to),
      word(" is a new, empty account, and the storage stays behind in "),
      name(from),
    ],
  });
}

function evaluatedRows({ evaluated }: Plan): readonly Row[] {
  return evaluated
    .filter(({ mode }) => mode === "managed")
    .map(({ address }) => row({ name: [name(address)], weight: "aside" }));
}

/** Outputs of a stack, by name; sensitive ones in one row. */
export function outputRows(outputs: readonly OutputChange[]): readonly Row[] {
  const sortedOutputs = [...outputs].sort((a, b) => compareText(a.name, b.name));
  const rows = sortedOutputs
    .filter(({ sensitive }) => !sensitive)
    .map((output) =>
      row({ name: [name(output.name)], about: [value(shownValue(output.after as Value))], weight: "aside" }),
    );
  const sensitive = sortedOutputs.filter((output) => output.sensitive);
  const [only] = sensitive;
  if (only === undefined) return rows;
  const line =
    sensitive.length === 1
      ? { name: [name(only.name)], about: [value(SENSITIVE_TEXT)] }
      : {
          name: [word(`${sensitive.length} sensitive`)],
          about: joinTexts(
            sensitive.map((output) => [name(output.name)]),
            ", ",
          ),
        };
  return [...rows, row({ ...line, weight: "aside", count: sensitive.length })];
}

// The summary.

/** `1 to create, 2 to delete, 1 retained.`, or that nothing changes. */
function planSummary(plan: Plan, isRefused: boolean, approval: JudgedApproval): Text {
  const { summary } = plan;
  const parts = [...changePhrases(plan), ...phrases([[summary.retained, "retained"]])];
  const counts = parts.length === 0 ? [] : [`${parts.join(", ")}.`];
  const isUnknown = isMadeWithoutState(plan.warnings);
  const known = hasChanges(plan) || isUnknown ? counts : [`No changes. ${nothingToDo(plan)}`, ...counts];
  const result = isUnknown ? [...known, "More changes are not known without the state."] : known;
  const more = [isRefused ? "Refused: nothing of it can be applied." : "", approvalSummary(approval)];
  return [word([...result, ...more.filter((one) => one !== "")].join(" "))];
}

function changePhrases({ summary, changes, deletedWithAccount }: Plan): readonly string[] {
  const objects = summary.delete + summary.replace;
  const records = countDeletedRecords([...changes, ...deletedWithAccount]);
  return phrases([
    [summary.imported, "to import"],
    [summary.create, "to create"],
    [summary.update, "to update"],
    [summary.replace, "to replace"],
    [summary.delete, "to delete"],
    // As the limit of deletes counts: an account takes its primary user profile along.
    [records === objects ? 0 : records, "records deleted in total"],
  ]);
}

/** The headline and the counts: for the question before an apply. */
export function brief(plan: Plan): Text {
  const alert = accessHeadline(plan.access);
  return [...alert, word(`${alert.length === 0 ? "" : " "}${changePhrases(plan).join(", ")}.`)];
}

function nothingToDo({ destroy, partial, onlyEnded, unended = 0, refused: refusals, summary }: Plan): string {
  if (refusals !== undefined) return "Declared objects are refused, and nothing else is to be done.";
  if (destroy) return "There is no managed object to destroy.";
  if (onlyEnded === true)
    return unended === 0
      ? "No access has ended."
      : `Ended access may stay, because of ${counted(unended, "error")}.`;
  if (partial)
    return summary.none === 0 ? "Nothing is selected." : "The selected objects match the declaration.";
  if (summary.retained > 0)
    return "Objects that are not in the code still exist, and their users and tokens still work.";
  return summary.none === 0 ? "Nothing is declared." : "The live objects match the declaration.";
}

/** `2 to create`, `1 failed`: those of the counts that are not zero. */
export function phrases(counts: readonly (readonly [count: number, phrase: string])[]): readonly string[] {
  return counts.filter(([count]) => count > 0).map(([count, phrase]) => `${count} ${phrase}`);
}

/** The order of display, not of the work: deletes last; kinds as they are applied, so accounts before their users; within a kind by address. */
function inReadingOrder<Item extends Pick<Change, "address" | "action">>(
  items: readonly Item[],
): readonly Item[] {
  // The collation takes its time to load, and most plans have nothing to sort.
  if (items.length < 2) return items;
  const kinds = [...new Set(items.map(typeInAddress))];
  const { compare } = new Intl.Collator("en", { numeric: true });
  return [...items].sort(
    (a, b) =>
      Number(a.action === "delete") - Number(b.action === "delete") ||
      kinds.indexOf(typeInAddress(a)) - kinds.indexOf(typeInAddress(b)) ||
      compare(a.address, b.address),
  );
}

/** `tenancy_account` */
function typeInAddress({ address }: Pick<Change, "address">): string {
  return address.slice(0, address.indexOf("."));
}
