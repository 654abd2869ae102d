/** The door to ownership: which record a reading is of, and whose it is. */
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
