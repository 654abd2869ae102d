/** The shown content of drift: changes outside Tenancy, unclassified, declared and ignored differences. */
import {
  type Action,
  type Drift,
  DRIFT_KINDS,
  driftByObject,
  type DriftKind,
  type DriftReport,
  accessMarksOf,
  privilegeName,
} from "../../plan";
import { acceptCommand } from "../../problems";
import { counted, formatPath, groupedBy, isUnknown, SENSITIVE_TEXT } from "../../lib/values";
import { secrecyOf } from "../secrecy";
import { markText } from "./access";
import {
  type Fact,
  joinTexts,
  name,
  type Row,
  row,
  section,
  sentence,
  type Text,
  value,
  type View,
  view,
  type Weight,
  word,
} from "./document";
import { unmanagedSection, phrases, targetText } from "./plan";
import { shownValue } from "./values";

/** @param all whether nothing is cut (`--all`). @default false */
export function driftView(report: DriftReport, { all = false }: { readonly all?: boolean } = {}): View {
  const { drift, ignored, targets, stack, warnings } = report;
  const of = (...kinds: readonly DriftKind[]) => drift.filter(({ kind }) => kinds.includes(kind));
  // Ignored users are among the ignored rows. A user whom another stack declares is not unmanaged.
  const driftingIds = new Set(of("unmanaged").map(({ id }) => id));
  const users = report.unmanagedUsers.filter(({ id }) => driftingIds.has(id));
  const sections = [
    section(
      { id: "outside", title: "Changed outside", form: "objects" },
      objectRows(of("changed", "deleted", "created", "renamed", "replaced"), "vital"),
    ),
    section(
      { id: "privileges", title: "Undeclared privileges", form: "objects" },
      objectRows(of("privilege"), "vital"),
    ),
    section(
      { id: "unclassified", title: "Unclassified", form: "objects" },
      objectRows(of("unclassified"), "vital"),
    ),
    section(
      { id: "ended", title: "Ended, still granted", form: "objects" },
      objectRows(of("ended"), "vital"),
    ),
    section({ id: "due", title: "Due for rotation", form: "objects" }, objectRows(of("due"), "usual")),
    section(
      { id: "declared", title: "Declared, not applied yet", form: "objects" },
      objectRows(of("declared"), "usual"),
    ),
    section({ id: "ignored", title: "Ignored", form: "objects" }, objectRows(ignored, "aside")),
    unmanagedSection(users, all),
  ];
  return view({
    kind: "Drift",
    madeAt: report.checkedAt,
    title: [name(stack)],
    lines: targets.map((target) => targetText(target, targets.length > 1)),
    summary: [word(driftSummary(report))],
    sections,
    findings: warnings,
  });
}

const DRIFT_ACTIONS: Readonly<Record<DriftKind, Action>> = {
  changed: "update",
  deleted: "delete",
  created: "create",
  renamed: "replace",
  replaced: "replace",
  unmanaged: "create",
  privilege: "update",
  unclassified: "update",
  ended: "update",
  due: "update",
  declared: "update",
};

/** A row for each object and kind of difference, with its attributes below. */
function objectRows(drift: readonly Drift[], weight: Weight): readonly Row[] {
  const groups = groupedBy(drift, ({ provider, address, kind }) => JSON.stringify([provider, address, kind]));
  return [...groups.values()].map((group) => {
    const [first] = group;
    const whole = group.find(({ path }) => path.length === 0);
    const remarks = [...new Set(group.flatMap(({ remark }) => remark ?? []))];
    return row({
      action: DRIFT_ACTIONS[first.kind],
      name: [name(first.address)],
      about: joinTexts([[name(first.title)], ...wordsOf(first, whole, remarks)], " · "),
      facts: group.filter(({ path }) => path.length > 0).map(factOf),
      weight,
    });
  });
}

function wordsOf({ kind }: Drift, whole: Drift | undefined, remarks: readonly string[]): readonly Text[] {
  const isOutside = kind === "deleted" || kind === "created" || kind === "renamed" || kind === "replaced";
  return [
    ...(isOutside ? [[word(`${kind} outside`)]] : []),
    ...(whole === undefined ? [] : transitionOf(whole)),
    ...remarks.map((one) => [sentence(one)]),
    ...(whole === undefined || kind === "declared" ? [] : [[word(fate(whole))]]),
  ];
}

/** `acme -> emca` of an object that was renamed. */
function transitionOf({ kind, from, to }: Drift): readonly Text[] {
  return kind === "renamed" && typeof from === "string" && typeof to === "string"
    ? [[name(from), word(" -> "), name(to)]]
    : [];
}

function factOf(drift: Drift): Fact {
  const { path, description, sensitive, from, to, kind } = drift;
  if (kind === "ended") {
    const right = String(path.at(-1));
    return {
      label: name(path.length === 1 ? "access" : right),
      items: [
        [word(`ended ${typeof to === "string" ? to : ""}, still granted`), ...markText(accessMarksOf(right))],
      ],
    };
  }
  if (kind === "due")
    return { label: name("token"), items: [[word(`due since ${typeof to === "string" ? to : ""}`)]] };
  const secret = secrecyOf(description.attributes, sensitive);
  // A privilege that is not verified has no known earlier value.
  const values = kind === "privilege" && from === undefined ? [to] : [from, to];
  const text = secret(path)
    ? SENSITIVE_TEXT
    : values.map((one) => (one === undefined ? "(not known)" : shownValue(one, path, secret))).join(" -> ");
  const danger = to === true && path.length > 1 ? markText(accessMarksOf(String(path.at(-1)))) : [];
  const says = kind === "declared" || kind === "privilege" ? [] : [word(` · ${fate(drift)}`)];
  return {
    label: name(drift.path[0] === "permissions" ? drift.path.join(".") : formatPath(drift.path)),
    items: [[value(text), ...danger, ...says]],
  };
}

function fate({ undone, to }: Drift): string {
  if (undone) return "apply would undo it";
  return isUnknown(to) ? "only apply will tell" : "apply would leave it";
}

const KIND_WORDS: Readonly<Record<DriftKind, string>> = {
  changed: "changed outside",
  deleted: "deleted outside",
  created: "created outside",
  renamed: "renamed outside",
  replaced: "replaced outside",
  unmanaged: "unmanaged",
  privilege: "with privileges that are not accepted",
  unclassified: "unclassified",
  ended: "ended, still granted",
  due: "due for rotation",
  declared: "declared and not applied yet",
};

/** `1 changed outside, 2 declared and not applied yet.`, by objects. */
function driftSummary({ stack, drift, ignored, unremembered, tokens }: DriftReport): string {
  const counts = phrases(
    DRIFT_KINDS.map(
      (kind) => [driftByObject(drift.filter((one) => one.kind === kind)).length, KIND_WORDS[kind]] as const,
    ),
  );
  const more = phrases([
    [driftByObject(ignored).length, "ignored"],
    [tokens.expiring, "tokens that end within seven days"],
  ]);
  const none = "No drift. What is live, declared and last applied agrees.";
  return [
    drift.length === 0 ? none : `${counts.join(", ")}.`,
    ...(more.length === 0 ? [] : [`${more.join(", ")}.`]),
    ...(unremembered === 0
      ? []
      : [
          `Nothing is remembered of ${counted(unremembered, "live object")}: what is not declared there could not be compared. The next apply remembers it.`,
        ]),
    ...drift
      .filter(({ kind }) => kind === "privilege")
      .slice(0, 1)
      .map(
        ({ title, path }) =>
          `To accept a privilege: ${acceptCommand(stack, [`${title}.${privilegeName(path)}`])}`,
      ),
  ].join(" ");
}
