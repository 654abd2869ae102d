/** `tenancy token list`: the tokens that the credential store keeps. */
import { listTokens as keptTokens } from "../../engine";
import { jsonText } from "../../render/json";
import { tokensText } from "../../render/text";
import { EXIT } from "../exit-code";
import type { TokenListFlags } from "../flags";
import { stackOptions } from "../plan-options";
import { stacksIfAny } from "../project/stacks";
import { interruptible } from "../terminal/interruption";
import type { Verb } from "./verb";

export const listTokens: Verb<TokenListFlags> = ({ operands, flags }, surroundings) =>
  interruptible(surroundings, async (signal) => {
    const { io, screen } = surroundings;
    const patterns = operands.length === 0 ? "all" : operands;
    const stacks = await stacksIfAny(patterns, flags, surroundings, signal, { asTheyLie: true });
    const lists = await keptTokens(stacks, stackOptions(flags, io));
    screen.print(
      flags.json === true
        ? jsonText(lists, 2)
        : lists.map((list) => tokensText(list, screen.data)).join("\n\n"),
    );
    return EXIT.ok;
  });
