/** The public module of the description language: attributes, and everything that is derived from them. */
export {
  type ApiObject,
  Attribute,
  type Attributes,
  type Codec,
  type Difference,
  type Presence,
  type Privacy,
  type Scalar,
  type AttributeShape,
} from "./attribute";
export {
  type AttributeChange,
  changesBetween,
  diff,
  isMask,
  isMasked,
  isPatched,
  type Last,
  lastValue,
  maskFits,
  NOT_SEEN,
  type Verdict,
  same,
} from "./diff";
export { DAY_MS, isDay, parseDuration, unfitIgnored, validate, withIgnored } from "./configure";
export { conform, conformPart, missingAttributes } from "./conform";
export {
  allAttributes,
  attributeAt,
  attributePath,
  describe,
  type Description,
  isVersionName,
  isVersionPath,
  type Located,
  locatedIn,
  secretPath,
  sensitiveAttributes,
  versionAttributes,
  versionPath,
  writeOnlyAttributes,
} from "./description";
export { propose } from "./propose";
export { facts, factsForTypes } from "./facts";
export { terraformSchema } from "./terraform";
export { typedValue } from "./types";
export {
  attributeOfMember,
  type Comparing,
  createBody,
  isUnchanged,
  readState,
  type Records,
  membersRead,
  shownValue,
  updateBody,
} from "./wire";
export {
  allComputed,
  email,
  flag,
  flagMap,
  group,
  groups,
  integer,
  integers,
  members,
  oneOf,
  phone,
  reference,
  secretPair,
  text,
  textMap,
  texts,
  textSet,
  uuid,
} from "./words";
