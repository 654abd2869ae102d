import { isUnknown, UNKNOWN } from "../../values";
import { marksOf, peel, SENSITIVE } from "../marks";
import type { FunctionDefinition } from "./definition";
import { onlyArgument } from "./support/only-argument";

/** False about an unknown value is not certain yet: the apply may find it sensitive. */
export const issensitive: FunctionDefinition = {
  name: "issensitive",
  call(args) {
    const argument = onlyArgument("issensitive", args);
    if (marksOf(argument) & SENSITIVE) return true;
    return isUnknown(peel(argument)) ? UNKNOWN : false;
  },
};
