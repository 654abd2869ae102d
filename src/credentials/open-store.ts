import { UnfitStoreKey } from "../errors";
import type { Backend } from "./backend";
import { FileBackend } from "./file-backend";
import { HelperBackend } from "./helper-backend";
import { HelperProgram, type HelperOptions } from "./helper-program";
import { Sealer } from "./sealer";
import { CredentialStore } from "./store";

/** The store's file where none is named, relative to the project. */
export const DEFAULT_STORE_PATH = ".tenancy/credentials.json";

export interface StoreOptions {
  /** @default DEFAULT_STORE_PATH */
  readonly path?: string;
  /** A program that keeps the store instead of a file. */
  readonly helper?: HelperOptions;
  /** Encrypts what is kept. @default plain */
  readonly key?: string;
  /** Accepts a store that is plain although there is a key: the next save encrypts it. @default false */
  readonly encryptPlain?: boolean;
}

/**
 * The credential store. Nothing is read, and no helper is started, before the first ledger is asked for.
 * @throws UnfitStoreKey, UnfitHelperCommand
 */
export function openStore({
  path = DEFAULT_STORE_PATH,
  helper,
  key,
  encryptPlain = false,
}: StoreOptions = {}): CredentialStore {
  if (key === "") throw new UnfitStoreKey("empty");
  const backend: Backend =
    helper === undefined ? new FileBackend(path) : new HelperBackend(new HelperProgram(helper));
  return new CredentialStore(backend, key === undefined ? undefined : new Sealer(key), encryptPlain);
}
