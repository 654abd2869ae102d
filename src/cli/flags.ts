/** Turns the options that were typed into those of the engine. */
import { resolve } from "node:path";
import type { PlanOptions, StateOptions, VariableArgument } from "../engine";
import { usage } from "../problems";
import type { Io } from "./io";
import { projectSettings } from "./project/project";
import {
  type ENCRYPTED_STATE,
  type ENDED_ACCESS_FLAG,
  type EVALUATING,
  type FlagsOf,
  type LOCKING,
  PERMITTING,
  type PLANNING,
  type VariableFlag,
} from "./options";
import type { Flags } from "./program";

/** Options of the verbs that evaluate a stack, now or as it was synthesized. */
export interface StackFlags
  extends FlagsOf<typeof EVALUATING>, FlagsOf<typeof ENCRYPTED_STATE>, FlagsOf<typeof LOCKING> {
  readonly variables?: readonly VariableFlag[];
}

/** Options of the verbs that plan. */
type PlanningFlags = StackFlags & FlagsOf<typeof PLANNING> & FlagsOf<typeof ENDED_ACCESS_FLAG>;

/** Flags of the verbs that plan which the engine takes by the same names. */
const FORWARDED_FLAGS = [
  ...(["only", "exclude", "parallelism"] as const),
  ...(["initState", "verifyTokens", "resetPasswords"] as const),
  ...(Object.keys(PERMITTING) as (keyof typeof PERMITTING)[]),
] satisfies readonly (keyof PlanOptions)[];

/** The engine options of every verb that evaluates a stack. The working folder is the project's folder, if there is a project. */
export function stackOptions(flags: StackFlags, io: Io): PlanOptions {
  return {
    environment: io.environment,
    projectFolder: io.folder,
    variables: (flags.variables ?? []).map((flag) => variableArgument(flag, io)),
    state: stateOptions(flags, io),
    allowFiles: (flags.allowFiles ?? []).map((folder) => resolve(io.folder, folder)),
    ...(flags.lockTimeout !== undefined && { lockTimeout: flags.lockTimeout }),
  };
}

/** The engine options of every verb that plans. */
export function planOptions(flags: PlanningFlags, io: Io): PlanOptions {
  const forwarded = FORWARDED_FLAGS.filter((name) => flags[name] !== undefined).map((name) => [
    name,
    flags[name],
  ]);
  return {
    ...stackOptions(flags, io),
    noPrune: flags.prune === false,
    ...(flags.ended === true && { onlyEnded: true }),
    ...(Object.fromEntries(forwarded) as Pick<PlanningFlags, (typeof FORWARDED_FLAGS)[number]>),
  };
}

/** The snapshot that `--from-snapshot` names, as an engine option. */
export function snapshotOptions(
  { fromSnapshot, maxAge }: Pick<Flags<"plan">, "fromSnapshot" | "maxAge">,
  io: Io,
): Pick<PlanOptions, "fromSnapshot"> {
  if (fromSnapshot === undefined) {
    if (maxAge === undefined) return {};
    throw usage.error({
      problem: "--max-age says how old a snapshot may be, and there is none",
      advice: "Add --from-snapshot FILE.",
    });
  }
  return {
    fromSnapshot: { file: resolve(io.folder, fromSnapshot), ...(maxAge !== undefined && { maxAge }) },
  };
}

function variableArgument({ option, text }: VariableFlag, io: Io): VariableArgument {
  if (option === "var-file") return { file: resolve(io.folder, text) };
  const equals = text.indexOf("=");
  if (equals < 1)
    throw usage.error({
      problem: `--var ${text} is not of the form NAME=VALUE`,
      advice: "Write --var 'region=eu'.",
    });
  return { name: text.slice(0, equals).trim(), value: text.slice(equals + 1) };
}

function stateOptions({ state, credentialHelper, encryptState }: StackFlags, io: Io): StateOptions {
  if (state !== undefined && credentialHelper !== undefined) {
    throw usage.error({
      problem: "--state and --credential-helper exclude each other",
      advice: "Use one of them.",
    });
  }
  const project = projectSettings(io.folder);
  // A repository must not name a program that gets a password: only a person or the environment may.
  const variable = io.environment["TENANCY_STATE"] ?? "";
  const place =
    state ??
    (variable === "" ? undefined : variable) ??
    (credentialHelper === undefined ? project.state : undefined);
  return {
    ...(place !== undefined && credentialHelper === undefined && { path: inFolder(place, io) }),
    ...(credentialHelper !== undefined && { helper: credentialHelper }),
    ...(encryptState === true && { encryptPlain: true }),
    ...(project.id !== undefined && { project: project.id }),
  };
}

/** The place of a state: the path of a file counts from the working folder. */
export function inFolder(place: string, io: Io): string {
  return /^(git:|helper:|none$)/.test(place) ? place : resolve(io.folder, place);
}
