/** The credential store: secrets, and what cannot be read back from the service. */
export type { LockWait } from "./backend";
export type {
  DoubtfulToken,
  FailedRevocation,
  Intent,
  PreviousToken,
  TokenEntry,
  TokenIdentity,
  TokenRecord,
} from "./entries";
export type { EntryList } from "./entry-list";
export type { Ledger, Neighbour } from "./ledger";
export type { HelperOptions } from "./helper-program";
export type { LiveObject, SentVersion } from "./memory";
export { mintingRefusal, type MintingPlace } from "./minting";
export type { ObjectMemories } from "./object-memories";
export { DEFAULT_STORE_PATH, openStore, type StoreOptions } from "./open-store";
export type { CredentialStore } from "./store";
