/** `tenancy token revoke`: a token and all that belongs to it, apart from an apply. */
import { findToken, revokeToken as revoke, type TokenRevocation } from "../../engine";
import { diagnosticsText } from "../../render/text";
import { plainText } from "../../values";
import { EXIT } from "../exit-code";
import type { RevokeTokenFlags } from "../flags";
import { stackOptions } from "../plan-options";
import { namesIn, stacksIfAny } from "../project/stacks";
import { confirm } from "../terminal/confirmation";
import { interruptible } from "../terminal/interruption";
import { declined, onlyOne, operandsOf, provenText, requireSomebodyToAsk } from "./token-change";
import type { Surroundings, Verb } from "./verb";

export const revokeToken: Verb<RevokeTokenFlags> = (call, surroundings) =>
  interruptible(surroundings, async (signal) => {
    const { io, screen } = surroundings;
    const { flags, operands } = call;
    const { patterns, name } = operandsOf(operands);
    requireSomebodyToAsk(call, surroundings);
    const stacks = await stacksIfAny(patterns, flags, surroundings, signal, { asTheyLie: true });
    const stack = stacks.length === 0 ? undefined : onlyOne(stacks);
    const options = { ...stackOptions(flags, io), allowSelfChange: flags.allowSelfChange === true, signal };
    const found = await namesIn({ isEarlier: stack?.isEarlier === true }, () =>
      findToken(stack, name, options),
    );
    tellBefore(found, surroundings);
    if (flags.yes !== true && !(await confirm(question(found), io, signal))) return declined(surroundings);
    const done = await revoke(stack, name, options);
    if (done.serials.length > 0) screen.tell(provenText(done.serials));
    for (const { login, name: token, startedAt } of done.intents)
      screen.tell(plainText(`Forgotten: the minting of ${login}/${token} at ${startedAt}.`));
    if (done.warnings !== undefined) screen.tell(diagnosticsText(done.warnings, screen.talk));
    return EXIT.ok;
  });

function tellBefore({ key, declaredAt, intents }: TokenRevocation, { screen }: Surroundings): void {
  for (const { login, name, startedAt } of intents) {
    screen.tell(
      plainText(
        `A token "${name}" of ${login} may have been minted at ${startedAt} without being kept. This only forgets the note: first check ` +
          `in the service whether ${login} has an authorization from that time that \`tenancy token list\` does not show, and revoke it there.`,
      ),
    );
  }
  if (declaredAt === undefined) return;
  screen.tell(
    screen.talk.warned(
      plainText(`${key} is still declared (${declaredAt}): the next apply mints a new one.`),
    ),
  );
}

function question({ key, serials }: TokenRevocation): string {
  return plainText(
    serials.length === 0
      ? `Forget the interrupted minting of ${key}?`
      : `Revoke ${key} (${serials.join(", ")})?`,
  );
}
