/** `tenancy report`: lists all access at the services, and the changes since an earlier report. */
import { report as makeReport } from "../../engine";
import { changesSince, readReport, type Report, type ReportChanges } from "../../plan";
import { usage } from "../../problems";
import { changesCsv, reportCsv } from "../../render/csv";
import { jsonText } from "../../render/json";
import { viewText } from "../../render/text";
import { changesView, reportView } from "../../render/view";
import { Documents } from "../documents";
import { snapshotOptions, stackOptions } from "../flags";
import { EXIT } from "../io";
import { readNamedFile } from "../named-files";
import { stacksIfAny } from "../project/stacks";
import type { Flags } from "../program";
import { interruptible, shownOn } from "../terminal";
import type { Verb } from "./verb";

export const report: Verb<"report"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io, screen } = terminal;
    const documents = new Documents(flags, terminal, "report");
    const formats = [flags.json === true, flags.csv === true, documents.takesStdout];
    if (formats.filter(Boolean).length > 1)
      throw usage.error({
        problem: "--json, --csv, --markdown - and --html - each print on stdout",
        advice: "Choose one of them.",
      });
    return documents.around(async () => {
      const snapshot = snapshotOptions(flags, io);
      // A file that is no report is refused before the first request.
      const { baseline: file } = flags;
      const advice = "Name a file that `tenancy report --json` printed.";
      const baseline =
        file === undefined ? undefined : readReport(await readNamedFile(file, io, advice), file);
      const stacks = await stacksIfAny(operands, flags, terminal, signal, {
        orAll: true,
        mayLackProject: flags.fromSnapshot !== undefined,
      });
      const { whoCan, user, account, maxTokenAge } = flags;
      const current = await makeReport(stacks, {
        ...stackOptions(flags, io),
        ...snapshot,
        ...(whoCan !== undefined && { whoCan }),
        ...(user !== undefined && { user }),
        ...(account !== undefined && { account }),
        ...(maxTokenAge !== undefined && { maxTokenAge }),
        ...(baseline !== undefined && { earlier: baseline }),
        usage: flags.usage === true,
        signal,
        ...shownOn(screen),
      });
      const changes = baseline && changesSince(current, baseline, flags.baseline);
      const viewOf = (options: { readonly all: boolean; readonly page?: boolean }) =>
        changes === undefined ? reportView(current, options) : changesView(current, changes);
      documents.add(viewOf);
      const printedText = reportText(current, changes, flags);
      if (printedText !== undefined) io.stdout.write(printedText);
      else if (!documents.takesStdout)
        screen.print(viewText(viewOf({ all: flags.all === true }), screen.data));
      return changes !== undefined && changes.changes.length > 0 ? EXIT.changes : EXIT.ok;
    });
  });

/** @returns undefined if it is for people */
function reportText(
  current: Report,
  changes: ReportChanges | undefined,
  { json, csv }: Flags<"report">,
): string | undefined {
  if (json === true) return `${jsonText(changes ?? current, 2)}\n`;
  if (csv === true) return changes === undefined ? reportCsv(current) : changesCsv(changes);
  return undefined;
}
