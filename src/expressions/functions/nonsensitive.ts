import { clearMark, SENSITIVE } from "../marks";
import type { FunctionDefinition } from "./definition";
import { onlyArgument } from "./support/only-argument";

/** Only the mark on the whole is taken away; marks on parts stay. */
export const nonsensitive: FunctionDefinition = {
  name: "nonsensitive",
  call: (args) => clearMark(onlyArgument("nonsensitive", args), SENSITIVE),
};
