/** The door to ownership: a record's uuid tells whose it is. */
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
export {
  seriesOf,
  LAST_GENERATION,
  hashedName,
  type NaturalKey,
  ownedUuid,
  uuidVersion,
  v5FromText,
} from "./uuid";
