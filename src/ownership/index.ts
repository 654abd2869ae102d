/** The public module of ownership: the identity of a record, and the owner of the store's entries. */
export { type Claim, ownerAt, type Owners, parseOwner } from "./claim";
export { belongsTo, identityOf, recordDifference, type RecordIdentity } from "./identity";
export { derivedUuid, type NaturalKey, v5FromText } from "./uuid";
