/** What the verbs that change a token of the store have in common. */
import { ConfirmationNeeded, StackUnnamed, Usage } from "../../errors";
import { plainText } from "../../values";
import { EXIT, type ExitCode } from "../exit-code";
import type { RevokeTokenFlags } from "../flags";
import type { ChosenStack } from "../project/stacks";
import { canAsk } from "../terminal/confirmation";
import type { Call, Surroundings } from "./verb";

/** @throws ConfirmationNeeded */
export function requireSomebodyToAsk({ verb, flags }: Call<RevokeTokenFlags>, { io }: Surroundings): void {
  if (flags.yes !== true && !canAsk(io)) throw new ConfirmationNeeded(verb);
}

/** What stands behind the verb: the stack, where it is named, and the token. @throws Usage */
export function operandsOf(operands: readonly string[]): {
  readonly patterns: readonly string[];
  readonly name: string;
} {
  if (operands.length > 2) throw new Usage("too many arguments", "Name one token, and before it its stack.");
  return { patterns: operands.slice(0, -1), name: operands.at(-1) ?? "" };
}

/** @throws StackUnnamed */
export function onlyOne(stacks: readonly ChosenStack[]): ChosenStack {
  const [stack, ...others] = stacks;
  if (stack === undefined || others.length > 0) throw new StackUnnamed(stacks.map(({ name }) => name));
  return stack;
}

export function declined({ screen }: Surroundings): ExitCode {
  screen.tell("Nothing was done.");
  return EXIT.failed;
}

export function provenText(serials: readonly string[]): string {
  return plainText(`Revoked, and refused by the service: ${serials.join(", ")}.`);
}
