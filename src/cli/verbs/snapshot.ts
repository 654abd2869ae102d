/** `tenancy snapshot`: writes the live records to a file, for plans and reports without requests. */
import { takeSnapshot } from "../../engine";
import { stackOptions } from "../flags";
import { EXIT } from "../io";
import { replaceNamedFile } from "../named-files";
import { stacksIfAny } from "../project/stacks";
import { interruptible, shownOn } from "../terminal";
import type { Verb } from "./verb";
import { shellWord } from "../../lib/values";

export const snapshot: Verb<"snapshot"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io, screen } = terminal;
    const stacks = await stacksIfAny(operands, flags, terminal, signal, { orAll: true });
    const text = await takeSnapshot(stacks, {
      ...stackOptions(flags, io),
      full: flags.full === true,
      usage: flags.usage === true,
      signal,
      ...shownOn(screen),
    });
    await replaceNamedFile(flags.out, text, io, 0o600);
    const isSealed = (io.environment["TENANCY_SNAPSHOT_KEY"] ?? "") !== "";
    screen.tell(
      `Written to ${flags.out}${isSealed ? ", encrypted" : ""}. To plan from it: tenancy plan --from-snapshot ${shellWord(flags.out)}`,
    );
    return EXIT.ok;
  });
