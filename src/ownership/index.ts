/** The public module of ownership: the record of an object, and its owner. */
export {
  type Claim,
  isKeyed,
  ownedSeries,
  ownerAt,
  type Owners,
  parseOwner,
  parseOwnerKey,
  type Proof,
  proofOf,
  unmanagedOrigin,
} from "./claim";
export { identityOf, recordDifference, type RecordIdentity } from "./identity";
export {
  seriesOf,
  LAST_GENERATION,
  hashedName,
  type NaturalKey,
  ownedUuid,
  uuidVersion,
  v5FromText,
} from "./uuid";
