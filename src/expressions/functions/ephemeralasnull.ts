import { withoutEphemeral } from "../marks";
import type { FunctionDefinition } from "./definition";
import { onlyArgument } from "./support/only-argument";

/** Everything ephemeral in the value becomes null, so that the rest can be kept. */
export const ephemeralasnull: FunctionDefinition = {
  name: "ephemeralasnull",
  call: (args) => withoutEphemeral(onlyArgument("ephemeralasnull", args)),
};
