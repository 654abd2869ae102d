/** `tenancy apply`, `tenancy destroy` and `tenancy recover`: plan, ask, and make the changes. */
import { apply as applyPlan, close, plan as makePlan, planSaved, readPlans, splitPlans } from "../../engine";
import { type ApprovalNeeds, approvalNeeds, hasChanges, type Plan, unapproved } from "../../plan";
import { ApprovalNeeded, brokenPlan, confirmationNeeded, usage } from "../../problems";
import { bareText, brief } from "../../render/view";
import { askedFor, type Demand, demandOf, judgedBy } from "../approvals";
import { planOptions } from "../flags";
import { EXIT, type ExitCode } from "../io";
import { typedCommand } from "../arguments";
import { readSavedPlan, type SavedPlan } from "../project/project";
import { stacksFor, synthesizeStacks } from "../project/stacks";
import { canAsk, confirm, interruptible, type Terminal } from "../terminal";
import { lockedPlan } from "./locked-plan";
import { type Reporter, reporterForPeople, reporterForPrograms } from "./reporter";
import { type VerbCall, eachStack, type Verb } from "./verb";
import { shellWord } from "../../lib/values";

export const apply: Verb<"apply"> = (call, terminal) => applyOrDestroy(call, terminal);

export const destroy: Verb<"destroy"> = (call, terminal) => applyOrDestroy(call, terminal);

export const recover: Verb<"recover"> = (call, terminal) => applyOrDestroy(call, terminal);

/** A stack, or a saved plan. */
interface ApplyStep {
  readonly name: string;
  /** Names of the steps that have to succeed first. */
  readonly after: readonly string[];
  readonly plan: (lockState: boolean) => Promise<Plan>;
}

interface ApplyJob extends Terminal {
  readonly call: VerbCall<"apply" | "destroy" | "recover">;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** Undefined if the stacks themselves are applied. */
  readonly saved: SavedPlan | undefined;
}

/** Makes the steps from the command line and runs them one after the other; {@link applyStep} runs a single step. */
async function applyOrDestroy(
  call: VerbCall<"apply" | "destroy" | "recover">,
  terminal: Terminal,
): Promise<ExitCode> {
  const { verb, operands, flags } = call;
  const { io } = terminal;
  const destroy = verb === "destroy";
  const isForPrograms = flags.json === true;
  const reporter = isForPrograms
    ? reporterForPrograms(terminal)
    : reporterForPeople(terminal, flags.all === true);
  return interruptible(terminal, async (signal) => {
    try {
      if (flags.fromSnapshot !== undefined)
        throw usage.error({
          problem: `\`tenancy ${verb}\` has no --from-snapshot: an apply needs the live records, and a snapshot may be out of date`,
          advice: "Leave out --from-snapshot; `tenancy plan --from-snapshot FILE` shows what would change.",
        });
      let demand = await demandOf(flags, io);
      // Access with an end was granted until a day, and that was approved.
      if ("ended" in flags && flags.ended === true) demand = { ...demand, level: "never" };
      const saved = verb === "apply" ? await readSavedPlan(operands, io) : undefined;
      // Checked before any work: a pipeline without --yes must fail on its first day, and not only when there is something to change.
      if (saved === undefined && flags.yes !== true && (isForPrograms || !canAsk(io)))
        throw confirmationNeeded.error({
          verb,
          saving: verb === "recover" ? undefined : `tenancy plan ${destroy ? "--destroy " : ""}--out FILE`,
        });

      const job: ApplyJob = { ...terminal, call, reporter, signal, saved };
      const steps = saved === undefined ? await stepsOfStacks(job) : await stepsOfFile(job, saved);

      // Nothing of a file with several plans is written unless all of them are still as they were saved, and approved.
      if (saved !== undefined && steps.length > 1) {
        const needs: ApprovalNeeds[] = [];
        for (const step of steps) {
          const plan = await step.plan(false);
          needs.push(...approvalNeeds(plan));
          await close(plan);
        }
        const approved = await askForApproval(job, demand, () => needs);
        if (approved === undefined) return EXIT.failed;
        demand = approved;
        const error = unapproved(judgedBy(demand, () => needs).verdicts, demand.now);
        if (error !== undefined) {
          reporter.unapproved(ofSavedPlan(error, saved));
          return EXIT.unapproved;
        }
      }

      let hasFailed = false;
      const listener = {
        ...reporter,
        failed(error: unknown) {
          hasFailed = true;
          reporter.failed(error);
        },
      };
      const areApplied = await eachStack(steps, listener, async (step) => {
        const code = await applyStep(job, step, demand);
        hasFailed ||= code === EXIT.failed;
        return code === EXIT.ok;
      });
      if (areApplied && flags.encryptState === true && !("ended" in flags && flags.ended === true))
        terminal.screen.tell("The state is encrypted with the key of TENANCY_STATE_KEY.");
      if (areApplied) return EXIT.ok;
      // A stack that waits for one without approval has not failed.
      return hasFailed ? EXIT.failed : EXIT.unapproved;
    } catch (error) {
      reporter.failed(error);
      return EXIT.failed;
    }
  });
}

/** Plans, shows the plan, asks for confirmation and approvals, and makes the changes. */
async function applyStep(job: ApplyJob, step: ApplyStep, demand: Demand): Promise<ExitCode> {
  const { call, io, screen, reporter, signal, saved } = job;
  // A saved plan was reviewed when it was saved.
  const confirms = saved === undefined && call.flags.yes !== true;
  let approved = demand;
  const plan = await lockedPlan(job, {
    asks: canAsk(io) && (confirms || demand.level !== "never"),
    makePlan: step.plan,
    show: reporter.planned,
    async agree(candidate) {
      const isRecovery = call.verb === "recover" && candidate.summary.imported > 0;
      // A plan that cannot be applied needs no question: the engine reports the reason.
      const needsConfirmation =
        confirms && (hasChanges(candidate) || isRecovery) && (candidate.notVerified ?? []).length === 0;
      // The question includes the changes, so that the user sees them before the answer.
      const action = candidate.destroy
        ? "Destroy all of this in"
        : isRecovery
          ? "Record these objects as managed in"
          : "Apply this to";
      const question = `${bareText(brief(candidate))} ${action} ${candidate.stack}?`;
      if (needsConfirmation && !(await confirm(question, io, signal))) {
        screen.tell("Nothing was done.");
        return false;
      }
      const answer = await askForApproval(job, approved, () => approvalNeeds(candidate));
      approved = answer ?? approved;
      return answer !== undefined;
    },
  });
  if (plan === undefined) return EXIT.failed;
  try {
    const result = await applyPlan(plan, {
      signal,
      onEvent: reporter.event,
      requireApproval: approved.level,
      approvals: approved.approvals,
    });
    const next =
      saved === undefined
        ? typedCommand(call.argv)
        : `tenancy plan ${shellWord(plan.stack)} --out ${shellWord(saved.file)}`;
    reporter.applied({ result, destroy: plan.destroy, next });
    return result.ok ? EXIT.ok : EXIT.failed;
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error;
    reporter.unapproved(ofSavedPlan(error, saved));
    return EXIT.unapproved;
  } finally {
    await close(plan);
  }
}

/** The same error, which then names the file to approve. */
function ofSavedPlan(error: ApprovalNeeded, saved: SavedPlan | undefined): ApprovalNeeded {
  return saved === undefined
    ? error
    : new ApprovalNeeded({ ...error.facts, planFile: saved.file }, error.files);
}

/** @returns the demand with the approvals from the terminal; undefined if the answer was no, which is reported */
async function askForApproval(
  job: ApplyJob,
  demand: Demand,
  needs: () => readonly ApprovalNeeds[],
): Promise<Demand | undefined> {
  const { call, io, screen, signal } = job;
  if (!canAsk(io) || call.flags.json === true) return demand;
  const approved = await askedFor(needs, demand, job, signal);
  if (approved === undefined) screen.tell("Nothing was done.");
  return approved;
}

/**
 * An apply checks each token anyway. Checked before planning, a token that is gone becomes part of the plan; checked later, it could only be an error.
 */
const CHECKED = { verifyTokens: true } as const;

async function stepsOfStacks(job: ApplyJob): Promise<readonly ApplyStep[]> {
  const { call, io, reporter, signal } = job;
  const destroy = call.verb === "destroy";
  const stacks = await stacksFor(call.operands, call.flags, job, signal, {
    orFile: call.verb === "apply" && call.operands.length === 1,
  });
  const options = {
    ...planOptions(call.flags, io),
    destroy,
    ...(call.verb === "recover" && { recover: true }),
    signal,
    ...reporter.progress,
    ...(call.verb === "apply" && CHECKED),
  };
  const steps = stacks.map((stack) => ({
    name: stack.name,
    after: stack.after,
    plan: async (lockState: boolean) => makePlan(stack, { ...options, lockState }),
  }));
  if (!destroy) return steps;
  // Dependent stacks are destroyed first.
  const dependentsOf = (name: string) => steps.filter(({ after }) => after.includes(name));
  return steps
    .map((step) => ({ ...step, after: dependentsOf(step.name).map((dependent) => dependent.name) }))
    .reverse();
}

/** The plans of a file, in its order. @throws `TENANCY_BROKEN_PLAN` */
async function stepsOfFile(job: ApplyJob, { text: file }: SavedPlan): Promise<readonly ApplyStep[]> {
  const { call, io, reporter, signal } = job;
  const app = await synthesizeStacks(call.flags, job, signal);
  const options = { ...planOptions(call.flags, io), signal, ...reporter.progress, ...CHECKED };
  const texts = splitPlans(file);
  const [only = ""] = texts;
  if (texts.length <= 1)
    return [
      { name: "", after: [], plan: async (lockState) => planSaved(only, app, { ...options, lockState }) },
    ];

  const plans = texts.flatMap((text) => readPlans(text).map(({ plan }) => ({ text, plan })));
  const names = plans.map(({ plan }) => plan.stack);
  if (new Set(names).size < names.length) throw brokenPlan.error("it holds two plans of one stack");
  if (new Set(plans.map(({ plan }) => plan.destroy)).size > 1)
    throw brokenPlan.error("some of its plans destroy, and others do not");
  const dependencies = (name: string) => app.stacks.find((one) => one.name === name)?.dependencies ?? [];
  return plans.map(({ text, plan: { stack, destroy } }, index) => {
    const after = names.filter((name) =>
      destroy ? dependencies(name).includes(stack) : dependencies(stack).includes(name),
    );
    if (after.some((name) => names.indexOf(name) > index))
      throw brokenPlan.error(`its plan of ${stack} comes before the plan of a stack that it depends on`);
    return {
      name: stack,
      after,
      plan: async (lockState) => planSaved(text, app, { ...options, lockState }),
    };
  });
}
