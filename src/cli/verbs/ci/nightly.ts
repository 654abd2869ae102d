/** `tenancy ci nightly`: looks for drift with a user that only reads, keeps the one issue, and leaves metrics and a snapshot. */
import { join } from "node:path";
import { drift } from "../../../engine";
import { below } from "../../../pipeline";
import { stateClosed } from "../../../problems";
import { hiddenMarker, markdown } from "../../../render/markdown";
import { driftMetrics } from "../../../render/metrics";
import { viewText } from "../../../render/text";
import { driftView, failureView, type View } from "../../../render/view";
import { diagnosticsOf } from "../../failure";
import { EXIT, type ExitCode } from "../../io";
import { replaceNamedFile } from "../../named-files";
import { readProject } from "../../project/project";
import { listenerOf } from "../reporter";
import type { Verb } from "../verb";
import { inTrustedJob } from "./job";
import { jobName, keepSnapshot, makeFolder, type StackJob, standingOf, withStack } from "./stack-job";

/** Below the limits of the hosts: longer issues are not readable. */
const MOST_CHARACTERS = 60_000;

export const nightly: Verb<"ci nightly"> = ({ operands: [stack = ""], flags }, terminal) =>
  inTrustedJob(terminal, (trusted) =>
    withStack(trusted, stack, async (job) => {
      const { later } = await standingOf(job);
      if (later !== undefined) {
        job.terminal.screen.tell(`Superseded by ${later}, which is being applied. The next night looks.`);
        return EXIT.ok;
      }
      const { out } = flags;
      // Each of them has a use of its own, so one that fails takes no other with it.
      const tasks = [
        () => lookForDrift(job, out),
        ...(out === undefined ? [] : [() => keepSnapshot(job, out)]),
      ];
      let code: ExitCode = EXIT.ok;
      for (const task of tasks)
        try {
          await task();
        } catch (error) {
          listenerOf(job.terminal).failed(error);
          code = EXIT.failed;
        }
      return code;
    }),
  );

async function lookForDrift(job: StackJob, out: string | undefined): Promise<void> {
  const { source, options, terminal } = job;
  const { io, screen } = terminal;
  const began = performance.now();
  const { driftIgnore: ignore } = await readProject(io.folder);
  const report = await drift(source, { ...options, ignore }).catch(async (error: unknown) => {
    // A stack that could not be compared is not settled, so the issue of an earlier night stays open, too.
    await keepIssue(job, failureView(source.name, diagnosticsOf(error, io), "report of drift"));
    throw error;
  });
  screen.print(viewText(driftView(report), screen.data));
  if (out !== undefined) {
    await makeFolder(out, io);
    const seconds = (performance.now() - began) / 1000;
    const metrics = driftMetrics([report], seconds, new Date());
    // The collector reads as another user.
    await replaceNamedFile(join(out, `${source.name}.prom`), metrics, io, 0o644);
  }
  const isClosed = report.warnings.some(({ code }) => code === stateClosed.code);
  const isSettled = report.drift.length === 0 && report.unremembered === 0 && !isClosed;
  await keepIssue(job, isSettled ? undefined : driftView(report));
}

/**
 * Opens, updates or closes the one issue. Failures that keep ended access alive come first.
 * @param view undefined where everything is settled
 */
async function keepIssue(job: StackJob, view: View | undefined): Promise<void> {
  const { host, place, source } = job;
  const hasEndedFailed = (await host.jobs()).get(jobName(job, "ended", source.name)) === "failure";
  const path = `${below(place)}drift/${source.name}`;
  const marker = hiddenMarker(path);
  if (view === undefined && !hasEndedFailed) return host.keepIssue(marker, undefined);
  const text = markdown(view === undefined ? [] : [view], { marker: path, limit: MOST_CHARACTERS });
  const warning = `**The job that removes ended access has failed, so some may still be granted ([run](${host.run.url})).**`;
  return host.keepIssue(marker, {
    title: `Drift: ${source.name}`,
    text: hasEndedFailed ? text.replace(marker, () => `${marker}\n${warning}\n`) : text,
  });
}
