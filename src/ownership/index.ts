/** The public module of ownership: the identity of a record, and the owner of a run without a state. */
export { type Claim, parseOwner } from "./claim";
export { belongsTo, identityOf, recordDifference, type RecordIdentity } from "./identity";
export { derivedUuid, type NaturalKey, v5FromText } from "./uuid";
