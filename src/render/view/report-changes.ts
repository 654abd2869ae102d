/** The shown content of an access review with a baseline: only new and removed entries. */
import { EXISTS, accessMarksOf, type Report, type ReportChange, type ReportChanges } from "../../plan";
import { counted, groupedBy } from "../../lib/values";
import { markText } from "./access";
import { fact, name, type Row, row, section, type Text, type View, view, word } from "./document";
import { headOf } from "./report";

/** Only new and removed entries since the baseline. */
export function changesView(report: Report, { since, made_at: madeAt, changes }: ReportChanges): View {
  const sections = (["service", "account", "user", "token", "finding"] as const).map((kind) =>
    section(
      { id: `${kind}-changes`, title: CHANGED[kind], form: "facts" },
      reportChangeRows(
        changes.filter((change) => change.kind === kind),
        report.services.length > 1,
      ),
    ),
  );
  const head = headOf(report, madeAt);
  const subjects = new Set(
    changes.map(({ origin, kind, subject }) => JSON.stringify([origin, kind, subject])),
  );
  return view({
    ...head,
    title: [...head.title, word(" · since "), name(since)],
    summary: [
      word(
        changes.length === 0
          ? "Nothing is new, and nothing is gone."
          : `${changes.filter(({ effect }) => effect === "new").length} new and ${changes.filter(({ effect }) => effect === "gone").length} gone, of ${counted(subjects.size, "subject")}.`,
      ),
    ],
    sections,
  });
}

const CHANGED: Readonly<Record<ReportChange["kind"], string>> = {
  service: "Services",
  account: "Accounts",
  user: "Users",
  token: "Tokens",
  finding: "Findings",
};

function reportChangeRows(changes: readonly ReportChange[], several: boolean): readonly Row[] {
  const subjects = groupedBy(changes, ({ origin, subject }) => JSON.stringify([origin, subject]));
  return [...subjects.values()].map((all) => {
    const [first] = all;
    const of = (effect: ReportChange["effect"]) =>
      all
        .filter((one) => one.effect === effect && one.what !== EXISTS)
        .map(({ what }): Text => [name(what), ...markText(accessMarksOf(what))]);
    const existence = all.find(({ what }) => what === EXISTS)?.effect;
    const [now, before] = [of("new"), of("gone")];
    return row({
      action: existence === undefined ? "update" : existence === "new" ? "create" : "delete",
      name: [name(first.subject), ...(several ? [word(" at "), name(first.origin)] : [])],
      facts: [
        ...(now.length > 0 || existence === "new"
          ? [fact("new", now.length > 0 ? now : [[word("all of it")]])]
          : []),
        ...(existence === "gone"
          ? [fact("gone", [[word("all of it")], ...before.filter(({ length }) => length > 1)])]
          : []),
        ...(existence !== "gone" && before.length > 0 ? [fact("gone", before)] : []),
      ],
      weight: "vital",
    });
  });
}
