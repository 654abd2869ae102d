/** The door to the credential store: secrets, and values that cannot be read back from the service. */
export type {
  PossiblyIssuedToken,
  FailedRevocation,
  Intent,
  KeptRetention,
  ReplacedToken,
  TemporaryPassword,
  TokenEntry,
  TokenIdentity,
  TokenRecord,
} from "./entries";
export { Git } from "./git";
export { pipelineOf } from "./git-backend";
export {
  type DeclaredNames,
  type MovedEntry,
  type Moves,
  type MovesFrom,
  partKey,
  type PartName,
  partName,
} from "./document";
export { closedLedger, Ledger } from "./ledger";
export type { ManagedRecord, RememberedObject } from "./memory-document";
export type { LeftObject, PendingWrite, RecordedObject } from "./object-memory";
export type { BranchStatus } from "./git-backend";
export type { KnownVersion } from "./git-branch";
export { type DeclaredValues, ledgerOfPublished, type PublishedStore } from "./published";
export { type StorePlace, storePlace } from "./place";
export { Sealer } from "./sealer";
export { isStoreKey, newStoreKey } from "./store-key";
export { CredentialStore, DEFAULT_STORE_PATH, openStore, type OpenStoreOptions } from "./store";
export type { ObjectDraft, RememberedEnds } from "./object-draft";
