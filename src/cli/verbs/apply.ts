/** `tenancy apply` and `tenancy destroy`: plan, ask, and make the changes. */
import {
  apply as applyPlan,
  close,
  listStacks,
  plan as makePlan,
  type PlanOptions,
  planSaved,
  readPlans,
  splitPlans,
} from "../../engine";
import { type ApprovalNeeds, approvalNeeds, hasChanges, type Plan, unapproved } from "../../plan";
import { ApprovalNeeded, brokenPlan, confirmationNeeded, usage } from "../../problems";
import { briefText } from "../../render/text";
import { askedFor, type Demand, demandOf, judgedBy } from "../approvals";
import { planOptions } from "../flags";
import { EXIT, type ExitCode } from "../io";
import { typedCommand } from "../arguments";
import { readSavedPlan, type SavedPlan } from "../project/project";
import { type ChosenStack, stacksFor, synthesizeStacks } from "../project/stacks";
import { canAsk, confirm, interruptible, type Terminal } from "../terminal";
import { type Reporter, reporterForPeople, reporterForPrograms } from "./reporter";
import { type VerbCall, eachStack, type Verb } from "./verb";

export const apply: Verb<"apply"> = (call, terminal) => run(call, terminal, false);

export const destroy: Verb<"destroy"> = (call, terminal) => run(call, terminal, true);

/** What a run of one of the verbs works with. */
interface Job extends Terminal {
  readonly call: VerbCall<"apply" | "destroy">;
  readonly reporter: Reporter;
  readonly destroy: boolean;
  readonly signal: AbortSignal;
  readonly demand: Demand;
}

/**
 * An apply checks each token anyway. Checked before planning, a token that is gone becomes part of the plan; checked later, it could only
 * be an error.
 */
const CHECKED = { verifyTokens: true } as const;

async function run(
  call: VerbCall<"apply" | "destroy">,
  terminal: Terminal,
  destroy: boolean,
): Promise<ExitCode> {
  const reporter =
    call.flags.json === true
      ? reporterForPrograms(terminal)
      : reporterForPeople(terminal, call.flags.all === true);
  return interruptible(terminal, async (signal) => {
    try {
      refuseSnapshot(call);
      const demand = await demandOf(call.flags, terminal.io);
      const saved = destroy ? undefined : await readSavedPlan(call.operands, terminal.io);
      if (saved === undefined) requireInteractiveOrYes(call, terminal, destroy);
      const job = { ...terminal, call, reporter, destroy, signal, demand };
      return await (saved === undefined ? applyStacks(job) : applyReviewed(job, saved));
    } catch (error) {
      reporter.failed(error);
      return EXIT.failed;
    }
  });
}

/** Anything may have changed since a snapshot was taken. @throws usage */
function refuseSnapshot({ verb, flags }: VerbCall<"apply" | "destroy">): void {
  if (flags.fromSnapshot === undefined) return;
  throw usage.error({
    problem: `\`tenancy ${verb}\` has no --from-snapshot: what is written must follow from what is live now, and a snapshot tells what was`,
    advice: "Leave out --from-snapshot; `tenancy plan --from-snapshot FILE` shows what would change.",
  });
}

/**
 * Checked before any work: a pipeline without `--yes` must fail on its first day, and not only when there is something to change.
 * @throws confirmationNeeded
 */
function requireInteractiveOrYes(
  { verb, flags }: VerbCall<"apply" | "destroy">,
  { io }: Terminal,
  destroy: boolean,
): void {
  if (flags.yes !== true && (flags.json === true || !canAsk(io)))
    throw confirmationNeeded.error({ verb, saving: `tenancy plan ${destroy ? "--destroy " : ""}--out FILE` });
}

async function applyStacks(job: Job): Promise<ExitCode> {
  const { call, io, reporter, destroy, signal } = job;
  const { operands, flags } = call;
  const stacks = await stacksFor(operands, flags, job, signal, {
    orFile: !destroy && operands.length === 1,
  });
  const options: PlanOptions = {
    ...planOptions(flags, io),
    destroy,
    signal,
    onProgress: reporter.progress,
    ...(!destroy && CHECKED),
  };
  const steps = destroy ? dependentsFirst(stacks) : stacks;
  return codeOfEach(steps, reporter, async (stack) => applyStack(job, stack, options));
}

/** Works on each stack, and tells how all of it ended. */
async function codeOfEach<T extends Parameters<typeof eachStack>[0][number]>(
  steps: readonly T[],
  reporter: Reporter,
  work: (step: T) => Promise<ExitCode>,
): Promise<ExitCode> {
  const codes = new Set<ExitCode>();
  const listener = {
    ...reporter,
    failed(error: unknown) {
      codes.add(EXIT.failed);
      reporter.failed(error);
    },
  };
  const ok = await eachStack(steps, listener, async (step) => {
    const code = await work(step);
    codes.add(code);
    return code === EXIT.ok;
  });
  if (ok) return EXIT.ok;
  // A stack that waits for one without approval has not failed.
  return codes.has(EXIT.failed) ? EXIT.failed : EXIT.unapproved;
}

async function applyStack(job: Job, stack: ChosenStack, options: PlanOptions): Promise<ExitCode> {
  const { call, io, screen, reporter, signal } = job;
  const made = await makePlan(stack, options);
  try {
    reporter.planned(made);
    // What cannot be applied is not asked about: the engine says why.
    const isAsked = hasChanges(made) && call.flags.yes !== true && (made.notVerified ?? []).length === 0;
    if (isAsked && !(await confirm(question(made), io, signal))) {
      screen.tell("Nothing was done.");
      return EXIT.failed;
    }
    return await carryOut(job, made, typedCommand(call.argv));
  } finally {
    await close(made);
  }
}

/** A saved plan was reviewed when it was saved, so nobody is asked again. */
async function applyReviewed(job: Job, saved: SavedPlan): Promise<ExitCode> {
  const { call, io, reporter, signal } = job;
  const { outdir } = await synthesizeStacks(call.flags, job, signal);
  const options = {
    ...planOptions(call.flags, io),
    signal,
    onProgress: reporter.progress,
    ...CHECKED,
  };
  const texts = splitPlans(saved.text);
  const replan = async (text: string) => planSaved(text, outdir, options);
  const applySaved = async (text: string, demand: Demand) => {
    const made = await replan(text);
    try {
      reporter.planned(made);
      return await carryOut({ ...job, demand }, made, `tenancy plan ${made.stack} --out ${saved.file}`);
    } finally {
      await close(made);
    }
  };
  const [only = ""] = texts;
  if (texts.length === 1) return applySaved(only, job.demand);
  const stacks = await stacksOfFile(texts, outdir);
  // Nothing is written unless everything in the file is still as it was saved, and approved.
  const needs: ApprovalNeeds[] = [];
  for (const { text } of stacks) {
    const made = await replan(text);
    needs.push(...approvalNeeds(made));
    await close(made);
  }
  const demand = await approvedFor(job, () => needs);
  if (demand === undefined) return EXIT.failed;
  const error = unapproved(judgedBy(demand, () => needs).verdicts, demand.now);
  if (error === undefined) return codeOfEach(stacks, reporter, async ({ text }) => applySaved(text, demand));
  reporter.unapproved(error);
  return EXIT.unapproved;
}

/** The stacks of a file with several plans, in its order. @throws `TENANCY_BROKEN_PLAN` */
async function stacksOfFile(texts: readonly string[], outdir: string) {
  const plans = texts.flatMap((text) => readPlans(text).map(({ plan }) => ({ text, plan })));
  const names = plans.map(({ plan }) => plan.stack);
  if (new Set(names).size < names.length) throw brokenPlan.error("it holds two plans of one stack");
  if (new Set(plans.map(({ plan }) => plan.destroy)).size > 1)
    throw brokenPlan.error("some of its plans destroy, and others do not");
  const listed = await listStacks(outdir);
  const after = (name: string) => listed.find((one) => one.name === name)?.dependencies ?? [];
  const isBefore = ({ plan }: (typeof plans)[number], name: string) =>
    plan.destroy ? after(plan.stack).includes(name) : after(name).includes(plan.stack);
  return plans.map(({ text, plan }, index) => {
    const waitsFor = plans.filter((one) => isBefore(one, plan.stack)).map((one) => one.plan.stack);
    if (waitsFor.some((name) => names.indexOf(name) > index))
      throw brokenPlan.error(`its plan of ${plan.stack} stands before one that it depends on`);
    return { name: plan.stack, after: waitsFor, text };
  });
}

/** @param next the command to go on with, should it end before all is done */
async function carryOut(job: Job, made: Plan, next: string): Promise<ExitCode> {
  const { reporter, signal } = job;
  const demand = await approvedFor(job, () => approvalNeeds(made));
  if (demand === undefined) return EXIT.failed;
  const { level: requireApproval, approvals } = demand;
  try {
    const onEvent = reporter.event;
    const result = await applyPlan(made, { signal, onEvent, requireApproval, approvals });
    reporter.applied({ result, destroy: made.destroy, next });
    return result.ok ? EXIT.ok : EXIT.failed;
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error;
    reporter.unapproved(error);
    return EXIT.unapproved;
  }
}

/** @returns the demand, with what somebody at the terminal approves; undefined where the answer was no, which is told */
async function approvedFor(job: Job, needs: () => readonly ApprovalNeeds[]): Promise<Demand | undefined> {
  const { call, io, screen, demand, signal } = job;
  if (!canAsk(io) || call.flags.json === true) return demand;
  const approved = await askedFor(needs, demand, job, signal);
  if (approved === undefined) screen.tell("Nothing was done.");
  return approved;
}

/** What refers to a stack goes before it. */
function dependentsFirst(stacks: readonly ChosenStack[]): readonly ChosenStack[] {
  return [...stacks].reverse().map((stack) => ({
    ...stack,
    after: stacks.filter(({ after }) => after.includes(stack.name)).map(({ name }) => name),
  }));
}

/** What would be done stands in the question, so that nobody confirms it unseen. */
function question(plan: Plan): string {
  const { stack, destroy } = plan;
  const brief = briefText(plan);
  return destroy ? `Destroy all of this in ${stack} (${brief})?` : `Apply this to ${stack} (${brief})?`;
}
