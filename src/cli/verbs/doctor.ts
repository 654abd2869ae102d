/** `tenancy doctor`: checks everything that a run needs. */
import { doctor as examine } from "../../engine";
import { jsonText } from "../../render/json";
import { checksText } from "../../render/text";
import { stackOptions } from "../flags";
import { EXIT } from "../io";
import { stacksIfAny } from "../project/stacks";
import { interruptible, shownOn } from "../terminal";
import type { Verb } from "./verb";

export const doctor: Verb<"doctor"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io, screen } = terminal;
    const [stack] = await stacksIfAny(operands, flags, terminal, signal);
    const examinations = await examine(stack, { ...stackOptions(flags, io), signal, ...shownOn(screen) });
    const texts = examinations.map(({ provider, checks }) => checksText(provider, checks, screen.data));
    screen.print(flags.json === true ? jsonText(examinations, 2) : texts.join("\n\n"));
    const hasFailed = examinations.some(({ checks }) => checks.some(({ outcome }) => outcome === "failed"));
    return hasFailed ? EXIT.failed : EXIT.ok;
  });
