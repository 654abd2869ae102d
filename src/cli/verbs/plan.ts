/** `tenancy plan`: shows what would change. */
import { close, plan as makePlan, refusedPlan, savePlan } from "../../engine";
import { approvalNeeds, hasChanges, type Plan } from "../../plan";
import { Usage } from "../../problems";
import { jsonPlan, jsonText } from "../../render/json";
import { planText } from "../../render/text";
import { planView, skippedView } from "../../render/view";
import { demandOf, judgedBy } from "../approvals";
import { Documents, writeWhole } from "../documents";
import { diagnosticsOf } from "../failure";
import { liveOptions, type PlanFlags, planOptions } from "../flags";
import { EXIT } from "../io";
import { stacksFor } from "../project/stacks";
import { interruptible, type Surroundings } from "../terminal";
import { listenerOf } from "./reporter";
import { eachStack, type Verb } from "./verb";

export const plan: Verb<PlanFlags> = ({ operands, flags }, surroundings) =>
  interruptible(surroundings, async (signal) => {
    const { io, screen } = surroundings;
    const documents = new Documents(flags, surroundings);
    return documents.around(async () => {
      const demand = await demandOf(flags, io);
      const live = liveOptions(flags, io);
      if (flags.live !== undefined && flags.verifyTokens === true)
        throw new Usage("--verify-tokens asks the service, and --live asks nobody", "Leave out one of them.");
      const stacks = await stacksFor(operands, flags, surroundings, signal, {
        mayLackProject: flags.live !== undefined,
      });
      if (flags.out !== undefined && stacks.length > 1) {
        throw new Usage("--out saves the plan of one stack", "Name one stack.");
      }
      const options = {
        ...planOptions(flags, io),
        ...live,
        destroy: flags.destroy === true,
        signal,
        onProgress: (message: string) => screen.progress(message),
      };
      const listener = listenerOf(surroundings);
      const toldToAll = {
        ...listener,
        skipped(name: string, because: string) {
          listener.skipped(name, because);
          documents.add(() => skippedView(name, because));
        },
      };
      let changes = false;
      let gap = "";
      const ok = await eachStack(stacks, toldToAll, async (stack) => {
        const made = await makePlan(stack, options).catch((error: unknown) => {
          addRefused(documents, stack.name, error, surroundings);
          throw error;
        });
        try {
          changes ||= hasChanges(made);
          const approval = judgedBy(demand, approvalNeeds(made));
          documents.add((choice) => planView(made, { ...choice, approval }));
          if (flags.out !== undefined) await saveTo(flags.out, made, surroundings);
          if (documents.takesStdout) return true;
          screen.print(
            flags.json === true
              ? jsonText(jsonPlan(made))
              : gap + planText(made, screen.data, { all: flags.all === true, approval }),
          );
          gap = "\n";
          return true;
        } finally {
          await close(made);
        }
      });
      if (!ok) return EXIT.failed;
      return changes && flags.detailedExitcode === true ? EXIT.changes : EXIT.ok;
    });
  });

/** A plan that guards stop is shown with their reasons; where there is no plan, the reasons stand alone. */
function addRefused(documents: Documents, stack: string, error: unknown, { io }: Surroundings): void {
  const plan = refusedPlan(error);
  if (plan === undefined) documents.addFailure(error, stack);
  else documents.add((choice) => planView(plan, { ...choice, refusals: diagnosticsOf(error, io) }));
}

async function saveTo(file: string, made: Plan, { io, screen }: Surroundings): Promise<void> {
  await writeWhole(file, savePlan(made), io, 0o600);
  screen.tell(
    made.takenAt === undefined
      ? `Saved. To apply exactly this: tenancy apply ${file}`
      : "Saved, to be shown. It was made from a snapshot, and cannot be applied.",
  );
}
