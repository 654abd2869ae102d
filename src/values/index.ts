/** The door to the value model: values, unknowns, paths, numbers, texts and JSON, which all other folders use. */
export { asInteger, asPrimitive, convert, Mismatch } from "./convert";
export { type Environment, secretsOf, withoutCredentials } from "./environment";
export { parseJson, stringifyJson, TooDeep } from "./json";
export {
  allMarksOf,
  clearMark,
  EPHEMERAL,
  isMarkedList,
  isMarkedObject,
  Mark,
  mark,
  type Marked,
  type MarkedObject,
  type Marks,
  marksOf,
  NO_MARKS,
  unwrap,
  SENSITIVE,
} from "./marks";
export {
  add,
  type Decimal,
  divide,
  formatDecimal,
  formatNumber,
  fromDouble,
  isInteger,
  isNumber,
  MAX_BITS,
  multiply,
  normalNumber,
  parseDecimal,
  parseNumber,
  remainder,
  subtract,
  toDecimal,
  toNumber,
} from "./number";
export { onceForAlike, onceForEach } from "./once";
export { formatPath, parsePath, type Path, samePath, startsWith } from "./path";
export type {
  TerraformAttribute,
  TerraformAttributes,
  TerraformObjectType,
  TerraformSchema,
  TerraformType,
} from "./terraform";
export {
  compareText,
  counted,
  durationText,
  escapedUnits,
  groupedBy,
  hexOfSharedSecret,
  isAtLeast,
  isUuidText,
  nearest,
  normalForm,
  plainText,
  sortedNames,
  withoutUnseen,
} from "./text";
export {
  collectionOf,
  describeType,
  elementTypeOf,
  isSameType,
  jsonType,
  likewise,
  makeSet,
  type MemberType,
  type Primitive,
  type Type,
  typeOf,
  unify,
  ValueSet,
} from "./types";
export { bare, unmark, withoutEphemeral } from "./unmark";
export {
  emptyObject,
  equal,
  frozen,
  isList,
  isObject,
  isKnownAfterApply,
  isUnknown,
  isWhollyKnown,
  type JsonType,
  type ObjectValue,
  setMember,
  textOf,
  Unknown,
  NOT_IN_SNAPSHOT,
  UNKNOWN,
  type Value,
  valueAt,
  withValueAt,
} from "./value";
