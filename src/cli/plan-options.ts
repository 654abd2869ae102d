/** From the command line to what the engine is told. */
import { resolve } from "node:path";
import type { PlanOptions, StoreOptions, VariableArgument } from "../engine";
import { Usage } from "../errors";
import type { PlanningFlags, StackFlags, VariableFlag } from "./flags";
import type { Io } from "./io";

/** What every verb that evaluates a stack tells. The folder that the command runs in is the project's, where there is one. */
export function stackOptions(flags: StackFlags, io: Io): PlanOptions {
  return {
    environment: io.environment,
    projectFolder: io.folder,
    variables: (flags.variables ?? []).map((flag) => variableArgument(flag, io)),
    store: storeOptions(flags, io),
    allowFiles: (flags.allowFiles ?? []).map((folder) => resolve(io.folder, folder)),
  };
}

/** What the verbs that plan tell. */
export function planOptions(flags: PlanningFlags, io: Io): PlanOptions {
  const { parallelism, maxDeletes, allowAccountDeletion } = flags;
  return {
    ...stackOptions(flags, io),
    only: flags.only ?? [],
    exclude: flags.exclude ?? [],
    noPrune: flags.prune === false,
    allowAccountDeletion: allowAccountDeletion ?? false,
    allowNonempty: flags.allowNonempty === true,
    allowSelfChange: flags.allowSelfChange === true,
    resetPasswords: flags.resetPasswords === true,
    initStore: flags.initStore === true,
    verifyTokens: flags.verifyTokens === true,
    ...(maxDeletes !== undefined && { maxDeletes }),
    ...(parallelism !== undefined && { parallelism }),
  };
}

function variableArgument({ option, text }: VariableFlag, io: Io): VariableArgument {
  if (option === "var-file") return { file: resolve(io.folder, text) };
  const equals = text.indexOf("=");
  if (equals < 1) throw new Usage(`--var ${text} is not of the form NAME=VALUE`, "Write --var 'region=eu'.");
  return { name: text.slice(0, equals).trim(), value: text.slice(equals + 1) };
}

function storeOptions({ store, credentialHelper, encryptStore }: StackFlags, io: Io): StoreOptions {
  if (store !== undefined && credentialHelper !== undefined) {
    throw new Usage("--store and --credential-helper exclude each other", "Use one of them.");
  }
  return {
    ...(store !== undefined && { path: resolve(io.folder, store) }),
    ...(credentialHelper !== undefined && { helper: credentialHelper }),
    ...(encryptStore === true && { encryptPlain: true }),
  };
}
