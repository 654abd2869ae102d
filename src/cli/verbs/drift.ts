/**
 * `tenancy drift`: shows changes made outside Tenancy since the last apply, and declared changes that are not applied yet. With `--accept`
 * it first accepts undeclared privileges.
 */
import { acceptPrivileges, drift as lookForDrift, type StackSource } from "../../engine";
import { type DriftReport, isMadeWithoutState, privilegeName } from "../../plan";
import { ApprovalNeeded, usage } from "../../problems";
import { jsonDrift, jsonText } from "../../render/json";
import { driftMetrics } from "../../render/metrics";
import { viewText } from "../../render/text";
import { driftView } from "../../render/view";
import { plainText } from "../../lib/values";
import { askedFor, demandOf } from "../approvals";
import { Documents } from "../documents";
import { stackOptions } from "../flags";
import { EXIT, type ExitCode } from "../io";
import { replaceNamedFile } from "../named-files";
import { readProjectIfAny } from "../project/project";
import { stacksFor } from "../project/stacks";
import { canAsk, interruptible, shownOn, type Terminal } from "../terminal";
import { listenerOf, reporterForPeople, reporterForPrograms } from "./reporter";
import { eachStack, type Verb, type VerbCall } from "./verb";

export const drift: Verb<"drift"> = (call, terminal) =>
  interruptible(terminal, async (signal) => {
    const { operands, flags } = call;
    const { io, screen } = terminal;
    const documents = new Documents(flags, terminal, "report of drift");
    const began = performance.now();
    return documents.around(async () => {
      const stacks = await stacksFor(operands, flags, terminal, signal);
      const { driftIgnore } = await readProjectIfAny(io.folder);
      const options = {
        ...stackOptions(flags, io),
        mayLackState: true,
        ignore: [...(flags.ignore ?? []), ...driftIgnore],
        ...(flags.parallelism !== undefined && { parallelism: flags.parallelism }),
        signal,
        ...shownOn(screen),
      };
      if (flags.accept !== undefined) {
        const code = await accept(stacks, call, terminal, signal);
        if (code !== EXIT.ok) return code;
      }
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

/** Changes made outside Tenancy decide the code, even if other changes exist. */
function exitCodeOf(reports: readonly DriftReport[]): ExitCode {
  if (reports.some(({ warnings }) => isMadeWithoutState(warnings))) return EXIT.failed;
  const has = (status: DriftReport["status"]) => reports.some((report) => report.status === status);
  return has("outside") ? EXIT.drift : has("declared") ? EXIT.unapplied : EXIT.ok;
}

/** Accepts the privileges that `--accept` names. The drift check comes after it, so that its output shows the rest. */
async function accept(
  stacks: readonly StackSource[],
  { flags }: VerbCall<"drift">,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { io, screen } = terminal;
  const [stack, other] = stacks;
  if (stack === undefined || other !== undefined)
    throw usage.error({ problem: "--accept is for one stack", advice: "Name the stack." });
  const demand = await demandOf(flags, io);
  const asks = canAsk(io) && flags.json !== true;
  try {
    const rows = await acceptPrivileges(stack, flags.accept ?? [], {
      ...stackOptions(flags, io),
      ...(flags.parallelism !== undefined && { parallelism: flags.parallelism }),
      signal,
      ...shownOn(screen),
      requireApproval: demand.level,
      approvals: demand.approvals,
      ...(asks && {
        ask: async (needs) => (await askedFor(() => needs, demand, terminal, signal))?.approvals,
      }),
    });
    if (rows === undefined) {
      screen.tell("Nothing was accepted.");
      return EXIT.failed;
    }
    const names = rows.map(({ title, path }) => `${title}.${privilegeName(path)}`);
    screen.tell(plainText(`Accepted: ${names.join(", ")}.`));
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error;
    const reporterFor = flags.json === true ? reporterForPrograms : reporterForPeople;
    // A plan shows no acceptance, so no saved plan can be approved for it.
    reporterFor(terminal).unapproved(new ApprovalNeeded({ ...error.facts, planFile: null }, error.files));
    return EXIT.unapproved;
  }
}
