/** The door to the verbs. */
import { isCi } from "../../lib/values";
import { withoutHostCommands } from "../../pipeline";
import { failureText } from "../failure";
import { EXIT, type ExitCode, type Io, type Sink } from "../io";
import type { VerbName } from "../program";
import { runFolders, screenOf } from "../terminal";
import { apply, destroy, recover } from "./apply";
import { approve } from "./approve";
import { applyInPipeline } from "./ci/apply";
import { initPipelines } from "./ci/init";
import { nightly } from "./ci/nightly";
import { pack } from "./ci/pack";
import { review } from "./ci/review";
import { complete, completion } from "./completion";
import { doctor } from "./doctor";
import { drift } from "./drift";
import { explain } from "./explain";
import { exportCode } from "./export";
import { init } from "./init";
import { output } from "./output";
import { plan } from "./plan";
import { installProvider } from "./plugin";
import { report } from "./report";
import { show } from "./show";
import { simulator } from "./simulator";
import { snapshot } from "./snapshot";
import {
  acceptVersion,
  changeStateKey,
  copyTheState,
  endStateRun,
  makeStateBranches,
  moveBetweenStacks,
  removeStack,
  newKey,
  showState,
} from "./state";
import { listTokens, revokeToken, rotateToken, writeToken } from "./token";
import { synth, validate } from "./validate";
import type { VerbCall, Verb } from "./verb";

const VERBS: { readonly [Name in VerbName]: Verb<Name> } = {
  init,
  plan,
  apply,
  destroy,
  recover,
  approve,
  output,
  synth,
  validate,
  drift,
  doctor,
  "token list": listTokens,
  "token rotate": rotateToken,
  "token revoke": revokeToken,
  "token write": writeToken,
  "state status": showState,
  "state init": makeStateBranches,
  "state accept": acceptVersion,
  "state rekey": changeStateKey,
  "state unlock": endStateRun,
  "state mv": moveBetweenStacks,
  "state rm": removeStack,
  "state copy": copyTheState,
  "key new": newKey,
  "ci pack": pack,
  "ci review": review,
  "ci init": initPipelines,
  "ci apply": applyInPipeline,
  "ci nightly": nightly,
  "plugin install": installProvider,
  export: exportCode,
  simulator,
  snapshot,
  report,
  completion,
  complete,
  explain,
  show,
};

export async function run<Name extends VerbName>(call: VerbCall<Name>, io: Io): Promise<ExitCode> {
  const json = "json" in call.flags && call.flags.json === true;
  const screen = screenOf(isCi(io.environment) ? inLog(io, json) : io, call.flags.color);
  const all = "all" in call.flags && call.flags.all === true;
  try {
    return await VERBS[call.verb](call, { io, screen, all, folders: runFolders() });
  } catch (error) {
    screen.tell(failureText(error, io, screen.talk, all));
    return EXIT.failed;
  }
}

/** The output of a job: its host reads lines of the log as commands. Machine formats stay as they are. */
function inLog(io: Io, json: boolean): Io {
  const guardedSink = (sink: Sink): { value: Sink } => ({
    value: { write: (text) => sink.write(withoutHostCommands(text)) },
  });
  return Object.create(io, {
    ...(!json && { stdout: guardedSink(io.stdout) }),
    stderr: guardedSink(io.stderr),
  }) as Io;
}
