/** Finds the credential store of a run: where it is, with what it is encrypted, and whether it may keep created tokens. */
import { join } from "node:path";
import { DEFAULT_STORE_PATH, type OpenStoreOptions, tokenCreationRefusal } from "../credentials";
import { holderText, type LockHolder, type TenancyError, usage } from "../problems";
import { parseDuration } from "../schema";
import type { PlanOptions } from "./options";

/** The place of the credential store of a run, and its key. */
export function storeOptionsOf({
  store = {},
  projectFolder = ".",
  environment = {},
}: PlanOptions): OpenStoreOptions {
  const key = store.key ?? (environment["TENANCY_STORE_KEY"] || undefined);
  return {
    path: store.path ?? join(projectFolder, DEFAULT_STORE_PATH),
    ...(store.helper !== undefined && { helper: { command: store.helper } }),
    ...(key !== undefined && { key }),
    ...(store.encryptPlain === true && { encryptPlain: true }),
  };
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

/** Why nothing may be created in this run: a CI job without a store that outlives it (design: Tokens). */
export function refusalToCreateTokens(options: PlanOptions): TenancyError | undefined {
  const { store = {}, environment = {} } = options;
  return tokenCreationRefusal({
    ci: (environment["CI"] ?? "") !== "" && environment["CI"] !== "false",
    key: storeOptionsOf(options).key !== undefined,
    helper: store.helper !== undefined,
    explicitPath: store.path !== undefined,
  });
}
