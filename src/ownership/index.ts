/** Whose an object is, told by its uuid. */
export {
  type Claim,
  ownedFamilies,
  ownerAt,
  type Owners,
  ownersAt,
  parseOwnerKeys,
  parseOwners,
  type Proof,
  proofOf,
  strangerOf,
} from "./claim";
export { familyOf, LAST_GENERATION, type NaturalKey, ownedUuid, uuidVersion, v5FromText } from "./uuid";
