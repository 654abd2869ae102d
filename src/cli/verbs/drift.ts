/** `tenancy drift`: says what somebody changed outside since the last apply, and what is declared and not applied yet. */
import { drift as lookForDrift } from "../../engine";
import type { DriftReport } from "../../plan";
import { jsonDrift, jsonText } from "../../render/json";
import { driftMetrics } from "../../render/metrics";
import { viewText } from "../../render/text";
import { driftView } from "../../render/view";
import { Documents } from "../documents";
import { stackOptions } from "../flags";
import { EXIT, type ExitCode } from "../io";
import { replaceNamedFile } from "../named-files";
import { readProjectIfAny } from "../project/project";
import { stacksFor } from "../project/stacks";
import { interruptible, shownOn } from "../terminal";
import { listenerOf } from "./reporter";
import { eachStack, type Verb } from "./verb";

export const drift: Verb<"drift"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io, screen } = terminal;
    const documents = new Documents(flags, terminal, "report of drift");
    const began = performance.now();
    return documents.around(async () => {
      const stacks = await stacksFor(operands, flags, terminal, signal);
      const { driftIgnore } = await readProjectIfAny(io.folder);
      const options = {
        ...stackOptions(flags, io),
        mayLackStore: true,
        ignore: [...(flags.ignore ?? []), ...driftIgnore],
        ...(flags.parallelism !== undefined && { parallelism: flags.parallelism }),
        signal,
        ...shownOn(screen),
      };
      const reports: DriftReport[] = [];
      const listener = documents.listening(listenerOf(terminal));
      const ok = await eachStack(stacks, listener, async (stack) => {
        const report = await lookForDrift(stack, options).catch((error: unknown) => {
          documents.addFailure(error, stack.name);
          throw error;
        });
        reports.push(report);
        documents.add((choice) => driftView(report, choice));
        if (!documents.takesStdout) {
          const gap = reports.length > 1 && flags.json !== true ? "\n" : "";
          const text =
            flags.json === true
              ? jsonText(jsonDrift(report))
              : viewText(driftView(report, { all: flags.all === true }), screen.data);
          screen.print(gap + text);
        }
        return true;
      });
      if (!ok) return EXIT.failed;
      if (flags.metrics !== undefined) {
        const seconds = (performance.now() - began) / 1000;
        // The collector reads as another user.
        await replaceNamedFile(flags.metrics, driftMetrics(reports, seconds, new Date()), io, 0o644);
      }
      return exitCodeOf(reports);
    });
  });

/** Somebody's change outside counts, whatever else has changed. */
function exitCodeOf(reports: readonly DriftReport[]): ExitCode {
  const has = (status: DriftReport["status"]) => reports.some((report) => report.status === status);
  return has("outside") ? EXIT.drift : has("declared") ? EXIT.unapplied : EXIT.ok;
}
