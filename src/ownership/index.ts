/** The public module of ownership: the record of an object, and its owner. */
export {
  type Claim,
  isKeyed,
  type RecordedKeys,
  ownedSeries,
  ownerAt,
  type Owners,
  ownersAt,
  parseOwnerKeys,
  parseOwners,
  type Proof,
  proofOf,
  unmanagedOrigin,
  takesUnkeyed,
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
