/** Finds the credential store of a run: where it is, with what it is encrypted, and whether it may keep created tokens. */
import { join } from "node:path";
import { DEFAULT_STORE_PATH, type OpenStoreOptions, tokenCreationRefusal } from "../credentials";
import { type TenancyError } from "../problems";
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

/** Tells the user that the run waits while another one holds the store's lock. */
export function lockOptionsOf({ onProgress }: Pick<PlanOptions, "onProgress">) {
  return { onWait: () => onProgress?.("waiting for another run, which holds the credential store") };
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
