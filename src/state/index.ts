/** The door to the state: secrets, and values that cannot be read back from the service. */
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
export { closedPart, StatePart } from "./state-part";
export type { ManagedRecord, RememberedObject } from "./object-document";
export type { LeftObject, PendingWrite, RecordedObject } from "./object-entries";
export type { BranchStatus } from "./git-backend";
export type { KnownVersion } from "./git-branch";
export { type DeclaredValues, partOfPublished, type PublishedState } from "./published";
export { type StatePlace, statePlace } from "./place";
export { Sealer } from "./sealer";
export { isStateKey, newStateKey } from "./state-key";
export { TenancyState, DEFAULT_STATE_PATH, openState, type OpenStateOptions } from "./state";
export type { ObjectDraft, RememberedEnds } from "./object-draft";
