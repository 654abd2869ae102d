/** `tenancy doctor`: whether everything is as a run needs it. */
import { doctor as examine, type Examination } from "../../engine";
import { NoProject } from "../../errors";
import { checksText } from "../../render/text";
import { jsonText } from "../../render/json";
import { EXIT } from "../exit-code";
import type { DoctorFlags } from "../flags";
import { stackOptions } from "../plan-options";
import { stacksFor, type Chosen } from "../project/stacks";
import { interruptible } from "../terminal/interruption";
import type { Call, Surroundings, Verb } from "./verb";

export const doctor: Verb<DoctorFlags> = (call, surroundings) =>
  interruptible(surroundings, async (signal) => {
    const { io, screen } = surroundings;
    const { flags } = call;
    const chosen = await stackOf(call, surroundings, signal);
    const project = chosen?.project ?? { folder: io.folder, app: "", output: "", context: undefined };
    const examinations = await examine(chosen?.stacks[0], { ...stackOptions(flags, project, io), signal });
    screen.print(flags.json === true ? jsonText(examinations, 2) : asText(examinations, surroundings));
    const failed = examinations.some(({ checks }) => checks.some(({ outcome }) => outcome === "failed"));
    return failed ? EXIT.failed : EXIT.ok;
  });

/** Outside a project the environment alone says where the service is. */
async function stackOf(
  { operands, flags }: Call<DoctorFlags>,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<Chosen | undefined> {
  try {
    return await stacksFor(operands, flags, surroundings, signal);
  } catch (error) {
    if (error instanceof NoProject && operands.length === 0) return undefined;
    throw error;
  }
}

function asText(examinations: readonly Examination[], { screen }: Surroundings): string {
  return examinations.map(({ provider, checks }) => checksText(provider, checks, screen.data)).join("\n\n");
}
