import { UnfitStoreKey } from "../errors";
import { FileBackend } from "./file-backend";
import { Sealer } from "./sealer";
import { CredentialStore } from "./store";

/** The store's file where none is named, relative to the project. */
export const DEFAULT_STORE_PATH = ".tenancy/credentials.json";

export interface StoreOptions {
  /** @default DEFAULT_STORE_PATH */
  readonly path?: string;
  /** Encrypts the store. @default plain */
  readonly key?: string;
}

/**
 * The credential store. Nothing is read before the first ledger is asked for.
 * @throws UnfitStoreKey
 */
export function openStore({ path = DEFAULT_STORE_PATH, key }: StoreOptions = {}): CredentialStore {
  if (key === "") throw new UnfitStoreKey();
  return new CredentialStore(new FileBackend(path), key === undefined ? undefined : new Sealer(key));
}
