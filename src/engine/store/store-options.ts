import { join } from "node:path";
import { DEFAULT_STORE_PATH, mintingRefusal, type StoreOptions } from "../../credentials";
import type { TenancyError } from "../../errors";
import type { PlanOptions } from "../options";

/** Where the credential store of a run is, and with what it is encrypted. */
export function storeOptionsOf({
  store = {},
  projectFolder = ".",
  environment = {},
}: PlanOptions): StoreOptions {
  const key = store.key ?? (environment["TENANCY_STORE_KEY"] || undefined);
  return {
    path: store.path ?? join(projectFolder, DEFAULT_STORE_PATH),
    ...(store.helper !== undefined && { helper: { command: store.helper } }),
    ...(key !== undefined && { key }),
    ...(store.encryptPlain === true && { encryptPlain: true }),
  };
}

/** Why nothing may be minted in this run: a CI job without a store that outlives it (design: Tokens). */
export function refusalToMint(options: PlanOptions): TenancyError | undefined {
  const { store = {}, environment = {} } = options;
  return mintingRefusal({
    ci: (environment["CI"] ?? "") !== "" && environment["CI"] !== "false",
    key: storeOptionsOf(options).key !== undefined,
    helper: store.helper !== undefined,
    explicitPath: store.path !== undefined,
  });
}
