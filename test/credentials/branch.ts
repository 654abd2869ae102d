/** A store on a branch of a real repository, and what is left of it there. */
import {
  partName,
  type CredentialStore,
  openStore,
  type OpenStoreOptions,
  type TokenEntry,
} from "../../src/credentials";
import type { GitRemote } from "../support/git-remote";
import { csiToken, ORIGIN, OWNER } from "./samples";
import { storeKey } from "../support/store-key";

export const KEY = storeKey("a key of the team, long enough");
export const STORE = "refs/heads/tenancy-store/production";

export function at(
  folder: string,
  options: Partial<OpenStoreOptions> & { readonly stack?: string } = {},
): CredentialStore {
  const { stack = "production", ...others } = options;
  return openStore({
    git: {
      remote: "origin",
      branch: "tenancy-store",
      stack,
      folder,
      environment: { ...process.env, TENANCY_PASSWORD: "s3cret" },
    },
    key: KEY,
    project: "acme",
    ...others,
  });
}

/** The remote with a store, and a clone. */
export async function made(
  remote: GitRemote,
): Promise<{ readonly remote: GitRemote; readonly clone: string }> {
  const clone = remote.clone();
  await at(clone).initBranch();
  return { remote, clone };
}

export async function keepToken(store: CredentialStore, token: TokenEntry = csiToken): Promise<void> {
  await store.lock({ timeout: 0 });
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(token);
  await store.saveLast();
  await store.unlock();
}

export const failure = async (act: () => Promise<unknown>): Promise<unknown> =>
  act().then(
    () => undefined,
    (error: unknown) => error,
  );

export const tokensAt = async (store: CredentialStore) =>
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.list();

export const tipOf = (remote: GitRemote, ref = STORE) => remote.git("rev-parse", ref);
