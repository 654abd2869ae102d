/** `tenancy plan`: shows what would change. */
import { close, joinedPlans, plan as makePlan, refusedPlan, savePlan } from "../../engine";
import { approvalNeeds, hasChanges, isApproved, isMadeWithoutState, type Plan } from "../../plan";
import { stackWaits, usage } from "../../problems";
import { jsonPlan, jsonText } from "../../render/json";
import { planText } from "../../render/text";
import { planView } from "../../render/view";
import { isWhollyKnown, shellWord, type Value } from "../../lib/values";
import { demandOf, judgedBy } from "../approvals";
import { Documents } from "../documents";
import { diagnosticsOf } from "../failure";
import { snapshotOptions, planOptions } from "../flags";
import { EXIT } from "../io";
import { replaceNamedFile } from "../named-files";
import { type ChosenStack, stacksFor } from "../project/stacks";
import { interruptible, type Terminal, shownOn } from "../terminal";
import { listenerOf } from "./reporter";
import { eachStack, type Verb } from "./verb";

export const plan: Verb<"plan"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io, screen } = terminal;
    const documents = new Documents(flags, terminal);
    return documents.around(async () => {
      const demand = await demandOf(flags, io);
      const snapshot = snapshotOptions(flags, io);
      if (flags.fromSnapshot !== undefined && flags.verifyTokens === true)
        throw usage.error({
          problem: "--verify-tokens sends requests, and --from-snapshot sends none",
          advice: "Leave out one of them.",
        });
      const stacks = await stacksFor(operands, flags, terminal, signal, {
        mayLackProject: flags.fromSnapshot !== undefined,
      });
      const options = {
        ...planOptions(flags, io),
        ...snapshot,
        destroy: flags.destroy === true,
        // A saved plan may be applied, and an apply requires the state.
        mayLackState: flags.out === undefined,
        signal,
        ...shownOn(screen),
      };
      const listener = documents.listening(listenerOf(terminal));
      const saved: Saved[] = [];
      let changes = false;
      let unapproved = false;
      let hasRefused = false;
      let gap = "";
      const ok = await eachStack(stacks, listener, async (stack) => {
        const stackPlan = await makePlan(stack, options).catch((error: unknown) => {
          addRefused(documents, stack.name, error, terminal);
          throw error;
        });
        try {
          hasRefused ||= stackPlan.refused !== undefined || isMadeWithoutState(stackPlan.warnings);
          changes ||= hasChanges(stackPlan);
          const approval = judgedBy(demand, () => approvalNeeds(stackPlan));
          unapproved ||= !approval.verdicts.every(isApproved);
          documents.add((choice) => planView(stackPlan, { ...choice, approval }));
          if (flags.out !== undefined) saved.push(savedOf(stackPlan, stack, saved));
          if (documents.takesStdout) return true;
          screen.print(
            flags.json === true
              ? jsonText(jsonPlan(stackPlan))
              : gap + planText(stackPlan, screen.data, { all: flags.all === true, approval }),
          );
          gap = "\n";
          return true;
        } finally {
          await close(stackPlan);
        }
      });
      if (flags.out !== undefined) {
        const inOrder = flags.destroy === true ? [...saved].reverse() : saved;
        if (ok)
          await saveTo(
            flags.out,
            joinedPlans(inOrder.map(({ text }) => text)),
            flags.fromSnapshot !== undefined,
            terminal,
          );
        else if (stacks.length > 1) screen.tell("Nothing was saved, since not all stacks could be planned.");
      }
      if (!ok || hasRefused) return EXIT.failed;
      if (flags.detailedExitcode !== true) return EXIT.ok;
      if (unapproved) return EXIT.unapproved;
      return changes ? EXIT.changes : EXIT.ok;
    });
  });

/** If guards stop a plan, their reasons are shown with it; without a plan, only the reasons are shown. */
function addRefused(documents: Documents, stack: string, error: unknown, { io }: Terminal): void {
  const plan = refusedPlan(error);
  if (plan === undefined) documents.addFailure(error, stack);
  else documents.add((choice) => planView(plan, { ...choice, refusals: diagnosticsOf(error, io) }));
}

/** A plan that is ready to be saved. */
interface Saved {
  readonly name: string;
  readonly text: string;
  /** True if other stacks read values of this stack that only its apply will know. */
  readonly isOpen: boolean;
}

/**
 * @param others in the same file
 * @throws `TENANCY_NOT_YET_KNOWN` if the plan could change through the apply of another stack
 */
function savedOf(stackPlan: Plan, { name, after }: ChosenStack, others: readonly Saved[]): Saved {
  const open = others.find((one) => one.isOpen && after.includes(one.name));
  if (open !== undefined) throw stackWaits.error({ stack: name, first: open.name });
  const isOpen = stackPlan.outputs.some((output) => !isWhollyKnown(output.after as Value));
  return { name, text: savePlan(stackPlan), isOpen };
}

async function saveTo(
  file: string,
  text: string,
  isFromSnapshot: boolean,
  { io, screen }: Terminal,
): Promise<void> {
  await replaceNamedFile(file, text, io, 0o600);
  screen.tell(
    isFromSnapshot
      ? "Saved, to be shown. It was made from a snapshot, and cannot be applied."
      : `Saved. To apply exactly this: tenancy apply ${shellWord(file)}`,
  );
}
