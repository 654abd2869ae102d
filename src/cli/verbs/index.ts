/** The verbs, each loaded when it is called. */
import { EXIT, type ExitCode } from "../exit-code";
import { failureText } from "../failure";
import type { CommonFlags } from "../flags";
import type { Io } from "../io";
import type { VerbName } from "../program";
import { screenOf } from "../terminal/screen";
import type { Call, Verb } from "./verb";

/* eslint-disable @typescript-eslint/no-require-imports, @typescript-eslint/consistent-type-imports -- loaded when called: each verb needs other parts of the engine */
// That the flags are those of the verb is what the program has seen to.
const VERBS: Readonly<Record<VerbName, () => unknown>> = {
  init: () => (require("./init") as typeof import("./init")).init,
  plan: () => (require("./plan") as typeof import("./plan")).plan,
  apply: () => (require("./apply") as typeof import("./apply")).apply,
  destroy: () => (require("./apply") as typeof import("./apply")).destroy,
  output: () => (require("./output") as typeof import("./output")).output,
  validate: () => (require("./validate") as typeof import("./validate")).validate,
  doctor: () => (require("./doctor") as typeof import("./doctor")).doctor,
  "token list": () => (require("./token") as typeof import("./token")).listTokens,
  "token rotate": () => (require("./token") as typeof import("./token")).rotateToken,
  "token revoke": () => (require("./token") as typeof import("./token")).revokeToken,
  "plugin install": () => (require("./plugin") as typeof import("./plugin")).installProvider,
  simulator: () => (require("./simulator") as typeof import("./simulator")).simulator,
  explain: () => (require("./explain") as typeof import("./explain")).explain,
};
/* eslint-enable */

export async function run(call: Call, io: Io): Promise<ExitCode> {
  const screen = screenOf(io, call.flags.color);
  try {
    const verb = VERBS[call.verb]() as Verb<CommonFlags>;
    return await verb(call, { io, screen });
  } catch (error) {
    screen.tell(failureText(error, io, screen.talk));
    return EXIT.failed;
  }
}
