/** Runs of the embedded engine through its facade, in this very process. A kill is an engine that is abandoned. */
import { rmSync } from "node:fs";
import { apply, close, plan, planSaved, savePlan } from "../../../src/engine";
import { TenancyError } from "../../../src/problems/problem";
import type { Plan } from "../../../src/plan/plan";
import type { PlanOptions, StackSource } from "../../../src/engine/options";
import { STACK } from "../../support/synthesized-app";
import type { Outcome } from "../invariants/invariant";
import { readApprovals } from "../../../src/plan";
import { filesOf, neededPairsIn } from "../model/approval";
import type { Flags } from "../model/history";
import { synthesize } from "../model/synthesize";
import { readState } from "../world/kept-state";
import { Sight } from "./engine-sight";
import type { Job, Runner } from "./runner";

export const engineRunner: Runner = {
  engine: "embedded",
  maxSteps: 5,
  async open(world) {
    return {
      get remembered() {
        return readState(world.stateFile, world.origin);
      },
      forget: () => rmSync(world.stateFile, { force: true }),
      start(job) {
        const outdir = world.newFolder();
        const variables = synthesize(outdir, job.declaration, job.provider, world.live);
        const abort = new AbortController();
        const sight = new Sight();
        if (job.reader !== undefined)
          sight.onEvent(stopAfter(job.reader.kind === "leaves" ? job.reader.afterLines : 0, abort));
        const running = engineRun(job, { name: STACK, outdir }, sight, {
          environment: world.environment(job.baseUrl, variables),
          state: { path: world.stateFile },
          parallelism: job.parallelism,
          signal: abort.signal,
          ...(job.onProgress && { onProgress: job.onProgress }),
          ...flagsOf(job.flags),
        });
        let kill: () => void = () => undefined;
        const killed = new Promise<Outcome>((resolve) => {
          kill = () => {
            world.copyState();
            resolve(sight.outcome("killed"));
          };
        });
        const ended = Promise.race([running, killed]).then(async (outcome) => {
          // A killed run cannot go on: its requests are cut off, and the state has moved to another folder.
          if (outcome.end === "killed") abort.abort();
          await running;
          return outcome;
        });
        return { kill, ended };
      },
    };
  },
};

/** A reader that reads no more stops the run, as in the command. */
function stopAfter(events: number, abort: AbortController): () => void {
  let count = 0;
  return () => {
    if (count++ >= events) abort.abort();
  };
}

/** @param seen what the user sees, as it comes: also of a run that is abandoned */
async function engineRun(job: Job, source: StackSource, seen: Sight, options: PlanOptions): Promise<Outcome> {
  let newPlan: Plan | undefined;
  try {
    newPlan = await planned(job, source, { ...options, lockState: job.verb !== "plan" });
    seen.plan(newPlan);
    if (job.verb === "plan") {
      const file = savePlan(newPlan);
      seen.print(file);
      return { ...seen.outcome("ok", file), neededPairs: neededPairsIn(file) };
    }
    const { signal } = options;
    const result = await apply(newPlan, {
      ...(signal && { signal }),
      ...(job.approval && {
        requireApproval: job.approval.level,
        approvals: readApprovals(filesOf(job.approval), new Date()),
      }),
      onEvent: (event) => seen.event(event),
    });
    seen.result(result);
    return seen.outcome(result.ok ? "ok" : "failed");
  } catch (error) {
    seen.error(error);
    return seen.outcome(error instanceof TenancyError ? "refused" : "crashed");
  } finally {
    if (newPlan !== undefined) await close(newPlan);
  }
}

function planned({ verb, file }: Job, source: StackSource, options: PlanOptions): Promise<Plan> {
  return verb === "apply FILE"
    ? planSaved(file ?? "", source, options)
    : plan(source, { ...options, destroy: verb === "destroy" });
}

function flagsOf({ maxDeletes, ...flags }: Flags): PlanOptions {
  return { ...flags, ...(maxDeletes !== undefined && { maxDeletes }) };
}
