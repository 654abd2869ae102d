/** Finds the state of a run: its place, its encryption, and its ability to keep created tokens. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { DEFAULT_STATE_PATH, type OpenStateOptions, type StatePlace, statePlace } from "../state";
import {
  holderText,
  type LockHolder,
  type TenancyError,
  tokenCreationRefused,
  unfitStatePlace,
  usage,
} from "../problems";
import { parseDuration } from "../schema";
import { type Environment, isCi } from "../lib/values";
import type { PlanOptions } from "./options";
import { type LiveOptions, readSnapshot, type SnapshotFile } from "./snapshot/file";

/**
 * The place of the state of a run, and its key.
 * @param stack a state on a branch is for one stack; undefined where no stack is meant
 * @throws unfitStatePlace, usage
 */
export function stateOptionsOf(options: PlanOptions, stack?: string): OpenStateOptions {
  const { state = {}, projectFolder = ".", environment = {}, onProgress } = options;
  const place = placeOf(options);
  const key = state.key ?? keyIn(environment, place, stack);
  if (state.encryptPlain === true && isCi(environment))
    throw usage.error({
      problem:
        "--encrypt-state is not for pipelines: a plain state there may have been put in the place of the encrypted one",
      advice: "Encrypt the state at a terminal, once, and commit or copy it.",
    });
  if (state.encryptPlain === true && key === undefined)
    throw usage.error({
      problem: "--encrypt-state needs a key, and TENANCY_STATE_KEY is not set",
      advice: (say) =>
        `Make a key${say.command(" with `tenancy key new`") ?? ""}, set TENANCY_STATE_KEY to it, and run again.`,
    });
  const common = {
    ...(key !== undefined && { key }),
    ...(state.encryptPlain === true && { encryptPlain: true }),
    ...(state.project !== undefined && { project: state.project }),
    ...(state.commit !== undefined && { commit: state.commit }),
  };
  if (place?.kind === "none") return { isNone: true };
  if (place?.kind === "helper") return { ...common, helper: { command: place.command } };
  if (place?.kind !== "git")
    return { ...common, path: place?.path ?? join(projectFolder, DEFAULT_STATE_PATH) };
  const placeText = `git:${place.remote}/${place.branch}`;
  if (stack === undefined)
    throw unfitStatePlace.error({
      place: placeText,
      fault: "each stack has a state of its own there, so the name of a stack is needed",
    });
  if (state.project === undefined)
    throw unfitStatePlace.error({
      place: placeText,
      fault: "the project has no id: `projectId` in cdktf.json",
    });
  return {
    ...common,
    git: { remote: place.remote, branch: place.branch, stack, folder: resolve(projectFolder), environment },
    onCopy: (at) => onProgress?.(copyNotice(at)),
    ...(state.seenIn !== undefined && { knownVersion: knownVersionIn(state.seenIn, environment) }),
  };
}

function knownVersionIn(
  seenIn: LiveOptions,
  environment: Environment,
): NonNullable<OpenStateOptions["knownVersion"]> {
  let file: Promise<SnapshotFile> | undefined;
  return async (place) => {
    // The age of the snapshot says nothing about the version.
    file ??= readSnapshot({ ...seenIn, maxAge: ANY_AGE }, environment, new Date());
    return (await file).knownVersion(place);
  };
}

/** True if each stack has a state of its own. */
export function isOnBranch(options: PlanOptions): boolean {
  return placeOf(options)?.kind === "git";
}

/** Undefined for the default file. A CI job would lose that file, so without a key and without the file nothing is kept there. */
export function placeOf({
  state = {},
  projectFolder = ".",
  environment = {},
}: PlanOptions): StatePlace | undefined {
  if (state.helper !== undefined) return { kind: "helper", command: state.helper };
  if (state.path !== undefined) return statePlace(state.path);
  const variable = environment["TENANCY_STATE"] ?? "";
  if (variable !== "") return statePlace(variable, "TENANCY_STATE");
  const hasKey = (state.key ?? environment["TENANCY_STATE_KEY"] ?? "") !== "";
  const isNone = isCi(environment) && !hasKey && !existsSync(join(projectFolder, DEFAULT_STATE_PATH));
  return isNone ? { kind: "none" } : undefined;
}

/** A state on a branch may have a key of its own, so that the pipeline of one stack cannot open that of another. */
function keyIn(
  environment: Environment,
  place: StatePlace | undefined,
  stack: string | undefined,
): string | undefined {
  const ownKey = place?.kind === "git" && stack !== undefined ? environment[ownKeyName(stack)] : undefined;
  return ownKey || environment["TENANCY_STATE_KEY"] || undefined;
}

/** The variable of the key of one stack's state. */
export function ownKeyName(stack: string): string {
  return `TENANCY_STATE_KEY__${stack.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

const ANY_AGE = "36500d";
const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

/** @param at when the copy was fetched, ISO 8601 */
function copyNotice(at: string): string {
  const age = Date.now() - Date.parse(at);
  const time =
    age < HOUR_MS
      ? `${Math.floor(age / MINUTE_MS)} min`
      : age < 2 * DAY_MS
        ? `${Math.floor(age / HOUR_MS)} h`
        : `${Math.floor(age / DAY_MS)} days`;
  return `the state cannot be fetched; reading the copy of ${at}, which is ${time} old`;
}

/**
 * The longest wait for the state's lock, and the message that names its holder.
 * @throws usage
 */
export function lockOptionsOf({
  lockTimeout = "20s",
  onProgress,
  signal,
}: Pick<PlanOptions, "lockTimeout" | "onProgress" | "signal">) {
  const timeout = parseDuration(lockTimeout);
  if (timeout === undefined)
    throw usage.error({
      problem: `the lock's timeout ${JSON.stringify(lockTimeout)} is no duration`,
      advice: 'Write it as "20s" or "5m"; "0s" does not wait.',
    });
  return {
    timeout,
    onWait: (holder: LockHolder) =>
      onProgress?.(
        `waiting up to ${lockTimeout} for another run, which holds the state: ${holderText(holder)}`,
      ),
    ...(signal && { signal }),
  };
}

/** Why no token may be created in this run: nothing would keep it (design: Tokens). */
export function refusalToCreateTokens(options: PlanOptions): TenancyError | undefined {
  return placeOf(options)?.kind === "none" ? tokenCreationRefused.error() : undefined;
}
