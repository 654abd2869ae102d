/** `tenancy token rotate`: a new token for a declared one, apart from an apply. */
import { apply, close, planRotation, type Plan } from "../../engine";
import { isList, isObject, plainText } from "../../values";
import { EXIT } from "../exit-code";
import type { RotateTokenFlags } from "../flags";
import { stackOptions } from "../plan-options";
import { namesIn, stacksFor } from "../project/stacks";
import { confirm } from "../terminal/confirmation";
import { interruptible } from "../terminal/interruption";
import { typedCommand } from "../typed";
import { reporterForPeople } from "./reporter";
import { declined, onlyOne, operandsOf, provenText, requireSomebodyToAsk } from "./token-change";
import type { Verb } from "./verb";

export const rotateToken: Verb<RotateTokenFlags> = (call, surroundings) =>
  interruptible(surroundings, async (signal) => {
    const { io, screen } = surroundings;
    const { flags, operands, argv } = call;
    const { patterns, name } = operandsOf(operands);
    requireSomebodyToAsk(call, surroundings);
    const reporter = reporterForPeople(surroundings);
    const stack = onlyOne(await stacksFor(patterns, flags, surroundings, signal, { asTheyLie: true }));
    const compromised = flags.compromised === true;
    const made = await namesIn(stack, () =>
      planRotation(stack, name, {
        ...stackOptions(flags, io),
        allowSelfChange: flags.allowSelfChange === true,
        compromised,
        signal,
        onProgress: reporter.progress,
      }),
    );
    try {
      reporter.planned(made);
      const old = compromised ? serialsBefore(made) : [];
      if (flags.yes !== true && !(await confirm(question(made, old), io, signal)))
        return declined(surroundings);
      const result = await apply(made, { signal, onEvent: reporter.event });
      reporter.applied(result, false, typedCommand(argv));
      if (!result.ok) return EXIT.failed;
      if (compromised) screen.tell(provenText(old));
      return EXIT.ok;
    } finally {
      await close(made);
    }
  });

function question({ changes }: Plan, old: readonly string[]): string {
  const key = changes[0]?.key ?? "";
  const end = old.length === 0 ? "" : `, and revoke ${old.join(", ")} at once`;
  return plainText(`Rotate ${key}${end}?`);
}

/** Serial numbers of the token that is replaced, and of those before it. */
function serialsBefore({ changes }: Plan): readonly string[] {
  const before = changes[0]?.before ?? {};
  const previous = isList(before["previous"]) ? before["previous"].filter(isObject) : [];
  return [before, ...previous].map(({ serial }) => serial).filter((serial) => typeof serial === "string");
}
