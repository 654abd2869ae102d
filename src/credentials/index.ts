/** The door to the credential store: secrets, and values that cannot be read back from the service. */
export type {
  DoubtfulToken,
  EphemeralPassword,
  FailedRevocation,
  Intent,
  KeptRetention,
  ReplacedToken,
  TokenEntry,
  TokenIdentity,
  TokenRecord,
} from "./entries";
export { Ledger, mintingRefusal } from "./ledger";
export type { RememberedObject } from "./memories";
export { type DeclaredValues, ledgerOfPublished, type PublishedStore } from "./published";
export { Sealer } from "./sealer";
export { Misshapen, Shape } from "./shape";
export { CredentialStore, DEFAULT_STORE_PATH, openStore, type OpenStoreOptions } from "./store";
