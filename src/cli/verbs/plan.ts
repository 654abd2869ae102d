/** `tenancy plan`: shows what would change. */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { close, plan as makePlan, savePlan } from "../../engine";
import { hasChanges, type Plan } from "../../plan";
import { fileUnusable, usage } from "../../problems";
import { jsonPlan, jsonText } from "../../render/json";
import { planText } from "../../render/text";
import { type PlanFlags, planOptions } from "../flags";
import { EXIT } from "../io";
import { stacksFor } from "../project/stacks";
import { interruptible, type Surroundings } from "../terminal";
import { listenerOf } from "./reporter";
import { eachStack, type Verb } from "./verb";

export const plan: Verb<PlanFlags> = ({ operands, flags }, surroundings) =>
  interruptible(surroundings, async (signal) => {
    const { io, screen } = surroundings;
    const stacks = await stacksFor(operands, flags, surroundings, signal);
    if (flags.out !== undefined && stacks.length > 1) {
      throw usage.error({ problem: "--out saves the plan of one stack", advice: "Name one stack." });
    }
    const options = {
      ...planOptions(flags, io),
      destroy: flags.destroy === true,
      signal,
      onProgress: (message: string) => screen.progress(message),
    };
    let changes = false;
    let gap = "";
    const ok = await eachStack(stacks, listenerOf(surroundings), async (stack) => {
      const made = await makePlan(stack, options);
      try {
        changes ||= hasChanges(made);
        if (flags.out !== undefined) await saveTo(flags.out, made, surroundings);
        screen.print(
          flags.json === true
            ? jsonText(jsonPlan(made))
            : gap + planText(made, screen.data, { all: flags.all === true }),
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

async function saveTo(file: string, made: Plan, { io, screen }: Surroundings): Promise<void> {
  await writeFile(resolve(io.folder, file), savePlan(made), { mode: 0o600 }).catch(
    ({ code }: NodeJS.ErrnoException) => {
      const problem = code === "ENOENT" ? "its folder does not exist" : `cannot be written (${code})`;
      throw fileUnusable.error({
        file,
        problem,
        advice: "Name a file in a folder that exists and that you can write to.",
      });
    },
  );
  screen.tell(`Saved. To apply exactly this: tenancy apply ${file}`);
}
