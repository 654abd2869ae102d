/** Finds the credential store of a run: its place, its encryption, and its ability to keep created tokens. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { DEFAULT_STORE_PATH, type OpenStoreOptions, type StorePlace, storePlace } from "../credentials";
import {
  holderText,
  type LockHolder,
  type TenancyError,
  tokenCreationRefused,
  unfitStorePlace,
  usage,
} from "../problems";
import { parseDuration } from "../schema";
import { type Environment, isCi } from "../lib/values";
import type { PlanOptions } from "./options";
import { type LiveOptions, readSnapshot, type SnapshotFile } from "./snapshot/file";

/**
 * The place of the credential store of a run, and its key.
 * @param stack a store on a branch is for one stack; undefined where no stack is meant
 * @throws unfitStorePlace, usage
 */
export function storeOptionsOf(options: PlanOptions, stack?: string): OpenStoreOptions {
  const { store = {}, projectFolder = ".", environment = {}, onProgress } = options;
  const place = placeOf(options);
  const key = store.key ?? keyIn(environment, place, stack);
  if (store.encryptPlain === true && isCi(environment))
    throw usage.error({
      problem:
        "--encrypt-store is not for pipelines: a plain store there may have been put in the place of the encrypted one",
      advice: "Encrypt the store at a terminal, once, and commit or copy it.",
    });
  if (store.encryptPlain === true && key === undefined)
    throw usage.error({
      problem: "--encrypt-store needs a key, and TENANCY_STORE_KEY is not set",
      advice: (say) =>
        `Make a key${say.command(" with `tenancy key new`") ?? ""}, set TENANCY_STORE_KEY to it, and run again.`,
    });
  const common = {
    ...(key !== undefined && { key }),
    ...(store.encryptPlain === true && { encryptPlain: true }),
    ...(store.project !== undefined && { project: store.project }),
    ...(store.commit !== undefined && { commit: store.commit }),
  };
  if (place?.kind === "none") return { isNone: true };
  if (place?.kind === "helper") return { ...common, helper: { command: place.command } };
  if (place?.kind !== "git")
    return { ...common, path: place?.path ?? join(projectFolder, DEFAULT_STORE_PATH) };
  const placeText = `git:${place.remote}/${place.branch}`;
  if (stack === undefined)
    throw unfitStorePlace.error({
      place: placeText,
      fault: "each stack has a store of its own there, so the name of a stack is needed",
    });
  if (store.project === undefined)
    throw unfitStorePlace.error({
      place: placeText,
      fault: "the project has no id: `projectId` in cdktf.json",
    });
  return {
    ...common,
    git: { remote: place.remote, branch: place.branch, stack, folder: resolve(projectFolder), environment },
    onCopy: (at) => onProgress?.(copyNotice(at)),
    ...(store.seenIn !== undefined && { knownVersion: knownVersionIn(store.seenIn, environment) }),
  };
}

function knownVersionIn(
  seenIn: LiveOptions,
  environment: Environment,
): NonNullable<OpenStoreOptions["knownVersion"]> {
  let file: Promise<SnapshotFile> | undefined;
  return async (place) => {
    // The age of the snapshot says nothing about the version.
    file ??= readSnapshot({ ...seenIn, maxAge: ANY_AGE }, environment, new Date());
    return (await file).knownVersion(place);
  };
}

/** True if each stack has a store of its own. */
export function isOnBranch(options: PlanOptions): boolean {
  return placeOf(options)?.kind === "git";
}

/** True if the run asks the services, and keeps nothing. */
export function isWithoutStore(options: PlanOptions): boolean {
  return options.fromSnapshot === undefined && placeOf(options)?.kind === "none";
}

/** Undefined for the default file. A CI job would lose that file, so without a key and without the file nothing is kept there. */
function placeOf({ store = {}, projectFolder = ".", environment = {} }: PlanOptions): StorePlace | undefined {
  if (store.helper !== undefined) return { kind: "helper", command: store.helper };
  if (store.path !== undefined) return storePlace(store.path);
  const variable = environment["TENANCY_STORE"] ?? "";
  if (variable !== "") return storePlace(variable, "TENANCY_STORE");
  const hasKey = (store.key ?? environment["TENANCY_STORE_KEY"] ?? "") !== "";
  const isNone = isCi(environment) && !hasKey && !existsSync(join(projectFolder, DEFAULT_STORE_PATH));
  return isNone ? { kind: "none" } : undefined;
}

/** A store on a branch may have a key of its own, so that the pipeline of one stack cannot open that of another. */
function keyIn(
  environment: Environment,
  place: StorePlace | undefined,
  stack: string | undefined,
): string | undefined {
  const ownKey = place?.kind === "git" && stack !== undefined ? environment[ownKeyName(stack)] : undefined;
  return ownKey || environment["TENANCY_STORE_KEY"] || undefined;
}

/** The variable of the key of one stack's store. */
export function ownKeyName(stack: string): string {
  return `TENANCY_STORE_KEY__${stack.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
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
  return `the credential store cannot be fetched; reading the copy of ${at}, which is ${time} old`;
}

/**
 * The longest wait for the store's lock, and the message that names its holder.
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
        `waiting up to ${lockTimeout} for another run, which holds the credential store: ${holderText(holder)}`,
      ),
    ...(signal && { signal }),
  };
}

/** Why no token may be created in this run: nothing would keep it (design: Tokens). */
export function refusalToCreateTokens(options: PlanOptions): TenancyError | undefined {
  return placeOf(options)?.kind === "none" ? tokenCreationRefused.error() : undefined;
}
